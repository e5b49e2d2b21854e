import { describe, expect, test } from "vitest";
import type { Measured } from "./experiment.ts";
import type { Gain, PublishedFigure, Tag } from "./published.ts";
import { verdictOf } from "./verdict.ts";

const ANY: Omit<PublishedFigure, "tag" | "published"> = {
  paper: "late",
  figure: "fig1",
  setting: "here",
  metric: "speedup",
  source: "5",
};

const ratio = (published: number, gain: Gain): PublishedFigure => {
  return { ...ANY, tag: "ratio", gain, published };
};

const ordering = (claims: "above 0" | "below 0"): PublishedFigure => {
  return { ...ANY, tag: "ordering", published: "faster", claims };
};

const measured = (value: number, halfWidth = 0): Measured => {
  const { figure, setting, metric } = ANY;
  const ends = { low: value - halfWidth, high: value + halfWidth };
  return { figure, setting, metric, runs: 20, value, ...ends };
};

describe("a ratio", () => {
  test.each([
    // published speedup 1.4: within is a gain of 0.3 to 0.5
    [ratio(1.4, "speedup"), measured(1.4), "within"],
    [ratio(1.4, "speedup"), measured(1.3), "within"],
    [ratio(1.4, "speedup"), measured(1.5), "within"],
    [ratio(1.4, "speedup"), measured(1.29), "same direction"],
    [ratio(1.4, "speedup"), measured(1.51), "same direction"],
    [ratio(1.4, "speedup"), measured(1.01), "same direction"],
    [ratio(1.4, "speedup"), measured(0.9), "contradicted"],
    // a reduction is its own gain
    [ratio(0.4, "reduction"), measured(0.3), "within"],
    [ratio(0.4, "reduction"), measured(0.29), "same direction"],
    [ratio(0.4, "reduction"), measured(-0.1), "contradicted"],
    // a loss that the paper claims is compared as one
    [ratio(-0.4, "reduction"), measured(-0.45), "within"],
    [ratio(-0.4, "reduction"), measured(0.1), "contradicted"],
    [ratio(0.8, "speedup"), measured(0.78), "within"],
    [ratio(0.8, "speedup"), measured(1.2), "contradicted"],
    // a value is compared with itself
    [ratio(200, "value"), measured(150), "within"],
    [ratio(200, "value"), measured(250), "within"],
    [ratio(200, "value"), measured(149), "same direction"],
    [ratio(0.04, "value"), measured(0.02), "same direction"],
    [ratio(0.04, "value"), measured(0), "contradicted"],
  ] as const)("%j with %j is %s", (figure, found, verdict) => {
    expect(verdictOf(figure, found)).toBe(verdict);
  });

  test("is undecided while its interval is wider than the tolerance", () => {
    const figure = ratio(1.4, "speedup");
    expect(verdictOf(figure, measured(1.4, 0.1))).toBe("within");
    expect(verdictOf(figure, measured(1.4, 0.101))).toBe("undecided");
    expect(verdictOf(figure, measured(1.05, 0.2))).toBe("undecided");
  });

  test("is contradicted by an interval of any width that lies on the wrong side", () => {
    expect(verdictOf(ratio(1.4, "speedup"), measured(0.6, 0.3))).toBe("contradicted");
    expect(verdictOf(ratio(-0.4, "reduction"), measured(0.5, 0.4))).toBe("contradicted");
  });

  test("is contradicted by a narrow interval around zero, whatever its middle's sign", () => {
    for (const value of [0.991, 1, 1.0019]) {
      expect(verdictOf(ratio(1.4, "speedup"), measured(value, 0.02))).toBe("contradicted");
      expect(verdictOf(ratio(0.6, "speedup"), measured(value, 0.02))).toBe("contradicted");
    }
    expect(verdictOf(ratio(0.4, "reduction"), measured(0.03, 0.03))).toBe("contradicted");
    expect(verdictOf(ratio(0.4, "reduction"), measured(0.03, 0.029))).toBe("same direction");
    expect(verdictOf(ratio(200, "value"), measured(2, 3))).toBe("contradicted");
  });

  test("with an infinite interval is undecided, whatever its middle", () => {
    const endless = Number.POSITIVE_INFINITY;
    expect(verdictOf(ratio(1.4, "speedup"), measured(1.4, endless))).toBe("undecided");
    expect(verdictOf(ratio(1.05, "speedup"), measured(1.4, endless))).toBe("undecided");
    expect(verdictOf(ordering("below 0"), measured(-1, endless))).toBe("undecided");
  });

  test("with a published gain below 0.1 is judged only by its sign", () => {
    for (const figure of [ratio(1.085, "speedup"), ratio(0.085, "reduction")]) {
      const at = figure.gain === "speedup" ? 1 : 0;
      expect(verdictOf(figure, measured(at + 0.5, 0.4))).toBe("within");
      expect(verdictOf(figure, measured(at + 0.01, 0.009))).toBe("within");
      expect(verdictOf(figure, measured(at + 0.085, 0.09))).toBe("undecided");
      expect(verdictOf(figure, measured(at - 0.05, 0.04))).toBe("contradicted");
    }
    expect(verdictOf(ratio(-0.08, "reduction"), measured(-0.3, 0.1))).toBe("within");
  });

  test("with a gain of 0.1 or more is judged by its value", () => {
    expect(verdictOf(ratio(0.1, "reduction"), measured(0.5))).toBe("same direction");
    expect(verdictOf(ratio(0.09, "value"), measured(0.5))).toBe("same direction");
  });
});

describe("an ordering", () => {
  test.each([
    ["above 0", measured(1, 0.9), "holds"],
    ["above 0", measured(1, 1), "undecided"],
    ["above 0", measured(-1, 0.9), "contradicted"],
    ["below 0", measured(-1, 0.9), "holds"],
    ["below 0", measured(-1, 1.1), "undecided"],
    ["below 0", measured(1, 0.9), "contradicted"],
  ] as const)("%s with %j: %s", (claims, found, verdict) => {
    expect(verdictOf(ordering(claims), found)).toBe(verdict);
  });
});

describe("a row that is not judged", () => {
  test.each(["input", "shape", "not printed"] as const)(
    "%s is shown, whatever comes",
    (tag: Tag) => {
      const figure: PublishedFigure = { ...ANY, tag, published: 2 };
      expect(verdictOf(figure, measured(2))).toBe("shown");
      expect(verdictOf(figure, measured(-7))).toBe("shown");
      expect(verdictOf(figure, undefined)).toBe("shown");
    },
  );
});

test("a figure without a measurement is undecided", () => {
  expect(verdictOf(ratio(1.4, "speedup"), undefined)).toBe("undecided");
  expect(verdictOf(ordering("above 0"), undefined)).toBe("undecided");
});

test("a policy that does nothing passes nothing", () => {
  // Paired with itself, the policy is equally fast in every run.
  const published = [-0.9, -0.4, -0.05, 0.05, 0.08, 0.1, 0.2, 0.5, 0.99, 3];
  for (const gain of published) {
    const asSpeedup = verdictOf(ratio(1 + gain, "speedup"), measured(1));
    const asReduction = verdictOf(ratio(gain, "reduction"), measured(0));
    expect([asSpeedup, asReduction]).toEqual(["contradicted", "contradicted"]);
  }
  expect(verdictOf(ordering("above 0"), measured(0))).toBe("contradicted");
  expect(verdictOf(ordering("below 0"), measured(0))).toBe("contradicted");
  // Not even with noise around it.
  for (const halfWidth of [0.001, 0.05, 0.4]) {
    for (const noise of [-0.9 * halfWidth, 0, 0.9 * halfWidth]) {
      expect(verdictOf(ordering("above 0"), measured(noise, halfWidth))).toBe("undecided");
      const verdict = verdictOf(ratio(1.5, "speedup"), measured(1 + noise, halfWidth));
      expect(verdict).toBe(halfWidth < 0.2 ? "contradicted" : "undecided");
    }
  }
});
