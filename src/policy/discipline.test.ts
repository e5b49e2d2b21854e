import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { InputError } from "../base/input-error.ts";
import { parseDiscipline, restoreDiscipline } from "./discipline.ts";
import { checkValue, parametersOf } from "./parameters.ts";
import { type DataPolicy, defaultsOf, describeDiscipline } from "./policy.ts";
import { REGISTRY } from "./registry.ts";
import { SEATS } from "./seat.ts";

const seats = (text: string, sets: readonly string[] = []): Record<string, unknown> => {
  const { name: _, files: _f, data, ...others } = describeDiscipline(parseDiscipline(text, sets));
  const names = Object.entries(others).map(([seat, one]) => [seat, one.policy]);
  return { ...Object.fromEntries(names), data: data.map((one) => one.policy) };
};

const CLASSIC = {
  sharing: "fifo",
  order: "hadoop",
  data: [],
  estimator: "progress-rate",
  detection: "fixed-expiry",
};

const mistake = (run: () => unknown): { code: string; message: string } => {
  try {
    run();
  } catch (error) {
    if (error instanceof InputError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("nothing was wrong");
};

describe("names", () => {
  test.each(["none", "hadoop", "hadoop-paper", "late", "late-0.21"])(
    "%s is the classic set of policies with this speculation",
    (name) => {
      expect(seats(name)).toEqual({ ...CLASSIC, speculation: name });
      expect(parseDiscipline(name).name).toBe(name);
    },
  );

  test("other policies may be put in some seats", () => {
    expect(seats("late, sharing=fifo-plain, estimator=phase-aware")).toEqual({
      ...CLASSIC,
      speculation: "late",
      sharing: "fifo-plain",
      estimator: "phase-aware",
    });
    expect(parseDiscipline("late, sharing=fifo-plain").name).toBe("late,sharing=fifo-plain");
  });

  test("a combination without a name is based on none", () => {
    expect(seats("sharing=fifo-plain,speculation=hadoop,data=none")).toEqual({
      ...CLASSIC,
      sharing: "fifo-plain",
      speculation: "hadoop",
    });
  });

  test.each([
    [
      "lat",
      "unknown-policy",
      /--discipline lat: no discipline lat; did you mean late, .* or .*\? `broom/,
    ],
    ["", "unknown-policy", /no discipline ""; `broomwagon policies` lists all$/],
    ["speculation=hadop", "unknown-policy", /no speculation policy hadop; known: .*mean hadoop/],
    ["speculation=", "unknown-policy", /no speculation policy ""/],
    ["late,data=mantri", "unknown-policy", /no data policy mantri; known: none/],
    ["late,speculaton=late", "unknown-policy", /no seat speculaton; .*did you mean speculation/],
    ["sharing=fifo,late", "unknown-policy", /a named discipline stands first, found late/],
  ])("%j is refused in one line that says what is known", (text, code, message) => {
    const found = mistake(() => parseDiscipline(text));
    expect(found.code).toBe(code);
    expect(found.message).toMatch(message);
    expect(found.message).not.toContain("\n");
  });
});

describe("settings", () => {
  test("change a parameter of the policy in a seat, and leave the others", () => {
    const sets = ["speculation.speculativeCap=0.2", "sharing.loadFactor=false"];
    const { speculation, sharing } = parseDiscipline("late", sets);
    expect(speculation.params).toEqual({
      speculativeCap: 0.2,
      slowNodeThreshold: 25,
      slowTaskThreshold: 25,
      runtimeMsMin: 60_000,
      copiesMax: 1,
      nearerWithin: 0,
    });
    expect(sharing.params).toMatchObject({ loadFactor: false, padding: 0.01 });
    expect(parseDiscipline("late").speculation.params).toMatchObject({ speculativeCap: 0.1 });
  });

  test("may be infinite", () => {
    const { sharing } = parseDiscipline("late", ["sharing.farMax=Infinity"]);
    expect(sharing.params).toMatchObject({ farMax: Number.POSITIVE_INFINITY });
  });

  test.each([
    [
      "speculation.speculativeCp=1",
      "unknown-parameter",
      /late has no parameter speculativeCp; known: .*mean speculation\.speculativeCap\?$/,
    ],
    ["order.gap=1", "unknown-parameter", /hadoop has no parameter gap; it has none/],
    [
      "order.speculativeCap=1",
      "unknown-parameter",
      /hadoop has no parameter .*; it has none; did you mean speculation\.speculativeCap/,
    ],
    ["data.delta=1", "unknown-parameter", /no policy is in this seat/],
    [
      "speculation.speculativeCap=many",
      "bad-parameter",
      /speculativeCap of late is a number from 0 to 1 \(default 0.1\), found many/,
    ],
    ["speculation.speculativeCap=", "bad-parameter", /found $/],
    ["speculation.speculativeCap=-1", "bad-parameter", /from 0 to 1 /],
    ["speculation.speculativeCap=NaN", "bad-parameter", /from 0 to 1 /],
    ["speculation.speculativeCap=1.5", "bad-parameter", /from 0 to 1 .*found 1.5/],
    ["speculation.slowNodeThreshold=300", "bad-parameter", /from 0 to 100 .*found 300/],
    ["speculation.slowTaskThreshold=Infinity", "bad-parameter", /from 0 to 100/],
    ["speculation.runtimeMsMin=-1", "bad-parameter", /0 or more/],
    ["sharing.reducesMax=0", "bad-parameter", /a whole number, 1 or more \(default 1\), found 0/],
    ["sharing.reducesMax=1.5", "bad-parameter", /a whole number, 1 or more .*found 1.5/],
    ["sharing.farMax=0", "bad-parameter", /a whole number, 1 or more/],
    ["sharing.padding=2", "bad-parameter", /from 0 to 1 /],
    [
      "sharing.loadFactor=yes",
      "bad-parameter",
      /loadFactor of fifo is true or false \(default true\), found yes/,
    ],
    [
      "speculativeCap=1",
      "bad-parameter",
      /expected SEAT.PARAMETER=VALUE: speculation.speculativeCap=0.2/,
    ],
    ["sharng.padding=1", "unknown-policy", /--set sharng.padding=1: no seat sharng/],
  ])("%s is refused", (set, code, message) => {
    const found = mistake(() => parseDiscipline("late", [set]));
    expect(found).toMatchObject({ code });
    expect(found.message).toMatch(message);
    expect(found.message.startsWith(`--set ${set}: `)).toBe(true);
  });

  const numbers = (defaults: { readonly [name: string]: number }) =>
    Object.fromEntries(
      Object.entries(defaults).map(([name, value]) => [name, { default: value, about: "" }]),
    );

  test("of the data seat go to its policies that have them", () => {
    const data = (
      name: string,
      defaults: { readonly [name: string]: number },
    ): { policy: DataPolicy; meaning: string; page: string } => ({
      meaning: "",
      page: "",
      policy: { name, source: "", params: numbers(defaults), needs: [], remember: () => null },
    });
    const registry = {
      ...REGISTRY,
      data: [data("place", { a: 1, b: 1 }), data("protect", { b: 2 })],
    };
    const parse = (set: string) => parseDiscipline("late,data=place+protect", [set], registry).data;
    expect(parse("data.a=3").map(({ params }) => params)).toEqual([{ a: 3, b: 1 }, { b: 2 }]);
    expect(parse("data.b=3").map(({ params }) => params)).toEqual([{ a: 1, b: 3 }, { b: 3 }]);
    expect(mistake(() => parse("data.x=3"))).toMatchObject({
      code: "unknown-parameter",
      message: expect.stringMatching(/: place and protect have no parameter x; known: a, b$/),
    });
  });
});

describe("what a parameter may be", () => {
  test.each([
    ["mantri", "speculation.alpha=1.5", /a whole number, 1 or more/],
    ["mantri", "speculation.gamma=0.5", /a whole number, 0 or more/],
    ["mantri", "estimator.periodMs=0", /a number, 1 or more/],
    ["mantri", "data.exactPlacementsMax=1e7", /a whole number from 1 to 1000000 /],
    [
      "mantri",
      "data.recomputeBudgt=0",
      /mantri-placement and mantri-protect have .*mean data\.recompu/,
    ],
    ["esplash", "speculation.k=1.5", /a whole number from 1 to 100/],
    ["dryad", "speculation.samplesMax=0", /a whole number, 1 or more/],
    ["late", "estimator.samplesMax=0", /a whole number, 1 or more/],
    ["late,estimator=phase-aware", "estimator.samplesMax=0", /a whole number, 1 or more/],
    ["late-0.21", "speculation.copiesMin=0.1", /a whole number, 0 or more/],
    ["fair", "sharing.mapsMax=1.5", /a whole number, 1 or more/],
    ["capacity", "sharing.maximumSystemJobs=2.5", /a whole number, 1 or more/],
    ["spark-4", "speculation.executorSlots=0", /a whole number, 1 or more/],
    ["flink", "speculation.maxConcurrentExecutions=0", /a whole number, 1 or more/],
    ["yarn", "speculation.minimumAllowedTasks=0.5", /a whole number, 0 or more/],
    [
      "yarn",
      "estimator.compat=false",
      /yarn-legacy has no parameter compat; known: reportMs; it is a parameter of yarn-exp/,
    ],
  ])("under %s, %s is refused", (discipline, set, message) => {
    expect(mistake(() => parseDiscipline(discipline, [set])).message).toMatch(message);
  });

  test("a count without a limit may be infinite", () => {
    const { sharing } = parseDiscipline("fair", ["sharing.mapsMax=Infinity"]);
    expect(sharing.params).toMatchObject({ mapsMax: Number.POSITIVE_INFINITY });
  });
});

describe("descriptions", () => {
  test.each(["none", "hadoop-paper", "late,sharing=fifo-plain", "late-0.21,estimator=phase-aware"])(
    "%s is restored from what describes it",
    (text) => {
      const discipline = parseDiscipline(text, ["detection.expiryMs=10000"]);
      expect(restoreDiscipline(describeDiscipline(discipline))).toEqual(discipline);
    },
  );

  test("unknown names and parameters are refused", () => {
    const described = describeDiscipline(parseDiscipline("late"));
    const other = { policy: "later", params: {} };
    expect(mistake(() => restoreDiscipline({ ...described, speculation: other }))).toMatchObject({
      code: "unknown-policy",
      message: expect.stringMatching(/^discipline\.speculation: no .* later/),
    });
    const typed = (params: Record<string, unknown>) => () =>
      restoreDiscipline({ ...described, speculation: { policy: "late", params } });
    expect(mistake(typed({ speculativeCap: "0.1" })).code).toBe("bad-parameter");
    expect(mistake(typed({ slowNodeThreshold: 300 })).code).toBe("bad-parameter");
    const counted = { policy: "late-0.21", params: { copiesMin: 1.5 } };
    expect(
      mistake(() => restoreDiscipline({ ...described, speculation: counted })).message,
    ).toContain("copiesMin of late-0.21 is a whole number, 0 or more (default 10), found 1.5");
    expect(mistake(typed({ cap: 0.1 })).code).toBe("unknown-parameter");
  });
});

describe("the registry", () => {
  const rows = SEATS.flatMap((seat) => REGISTRY[seat].map((row) => ({ seat, ...row })));

  test.each(rows.map((row) => [`${row.seat} ${row.policy.name}`, row] as const))(
    "%s has a meaning, a source, a page, and a line on each parameter",
    (_, { meaning, page, policy }) => {
      expect(existsSync(new URL(`../../${page}`, import.meta.url))).toBe(true);
      expect(meaning).not.toBe("");
      expect(policy.source).not.toBe("");
      for (const { about } of parametersOf(policy)) expect(about).not.toBe("");
    },
  );

  test("every default is valid for its parameter", () => {
    for (const { policy } of rows) {
      for (const [name, value] of Object.entries(defaultsOf(policy))) {
        expect(checkValue(policy, name, value, "")).toBe(value);
      }
    }
  });

  test("each line is complete on its own", () => {
    const lines = [
      ...REGISTRY.disciplines.map(({ meaning }) => meaning),
      ...rows.flatMap(({ meaning, policy }) => [
        meaning,
        ...parametersOf(policy).map(({ about }) => about),
      ]),
    ];
    expect(
      lines.filter((text) => /^(the same\b|else\b|and\b|that\b)|\bbefore that\b/.test(text)),
    ).toEqual([]);
  });

  test("no two policies of a seat, and no two disciplines, share a name", () => {
    for (const seat of SEATS) {
      const names = REGISTRY[seat].map(({ policy }) => policy.name);
      expect(new Set(names).size).toBe(names.length);
    }
    const names = REGISTRY.disciplines.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
