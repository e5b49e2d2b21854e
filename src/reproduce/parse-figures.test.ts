import { describe, expect, test } from "vitest";
import { parseFigures, parseOwnStudies } from "./parse-figures.ts";

const LINE = {
  paper: "late",
  figure: "fig4",
  setting: "LATE over native",
  metric: "speedup",
  tag: "ratio",
  gain: "speedup",
  published: 1.58,
  source: "5.2.2",
};
const figures = (...lines: readonly object[]) =>
  parseFigures(JSON.parse(JSON.stringify(lines)), "figures.json");

describe("the list of published figures", () => {
  test.each([
    [{ ...LINE, gain: undefined }, /\[0\]\.gain: expected a gain where the tag is ratio/],
    [{ ...LINE, claims: "above 0" }, /\[0\]\.claims: expected a claim where the tag is ordering/],
    [{ ...LINE, published: "fast" }, /\[0\]\.published: expected a number where the tag is ratio/],
    [{ ...LINE, published: 1.04 }, /a difference of 5 % or more/],
    [{ ...LINE, gain: "reduction", published: -0.03 }, /a difference of 5 % or more/],
    [{ ...LINE, gain: "value", published: 0 }, /a value other than 0/],
    [{ ...LINE, tag: "guess" }, /\[0\]\.tag: expected one of "input"/],
  ])("refuses %j", (line, message) => {
    expect(() => figures(line)).toThrow(message);
  });

  test("has each figure, setting and metric once", () => {
    expect(() => figures(LINE, LINE)).toThrow(/\[1\]: expected a figure.* that are new/);
    expect(figures(LINE, { ...LINE, paper: "mantri" })).toHaveLength(2);
  });
});

const OWN = {
  paper: "late",
  figure: "parameters",
  setting: "cap 0.5",
  metric: "speedup",
  published: "left open",
  source: "4",
};

describe("the list of our own studies", () => {
  test("has no tags: all lines are our own", () => {
    expect(parseOwnStudies([OWN], "ours.json").map(({ tag }) => tag)).toEqual(["ours"]);
  });

  test.each([
    [{ ...OWN, tag: "ratio" }, /\[0\]/],
    [{ ...OWN, published: 3 }, /\[0\]\.published: expected/],
  ])("refuses %j, which claims to be published", (line, message) => {
    expect(() => parseOwnStudies([line], "ours.json")).toThrow(message);
  });

  test("has each figure, setting and metric once, distinct from the papers' list", () => {
    expect(() => parseOwnStudies([OWN, OWN], "ours.json")).toThrow(/\[1\]: .* that are new/);
    expect(() => figures({ ...OWN, tag: "ours" })).toThrow(/\[0\]\.tag: expected one of "input"/);
  });
});
