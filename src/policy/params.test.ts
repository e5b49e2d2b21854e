import { describe, expect, expectTypeOf, test } from "vitest";
import { parseDiscipline } from "./discipline.ts";
import { parametersOf } from "./parameters.ts";
import { type ParamsOf, params, withDefaults } from "./params.ts";
import { defaultsOf, type SpeculationPolicy, use } from "./policy.ts";
import { REGISTRY } from "./registry.ts";

const PARAMS = params({
  /** Ours. */
  share: { default: 0.5, max: 1, about: "share of the slots (0.5)" },
  copies: { default: 3, min: 1, whole: true, about: "copies of a task (3)" },
  eager: { default: false, about: "whether it begins at once" },
  word: {
    default: "a",
    fault: (text) => (text === "b" ? "expected another than b" : undefined),
    about: "a word",
  },
});

type OwnParams = ParamsOf<typeof PARAMS>;

/** A policy as a user writes one: everything about a parameter stands in one place. */
const own: SpeculationPolicy<OwnParams, null> = {
  name: "own",
  source: "this test",
  params: PARAMS,
  needs: [],
  remember: () => null,
  onIdleSlot: ({ params: { copies, eager } }) => (eager && copies > 1 ? [] : []),
};

const registry = { ...REGISTRY, speculation: [{ policy: own, meaning: "", page: "" }] };

describe("parameters that are declared once", () => {
  test("have the types of their defaults", () => {
    expectTypeOf<OwnParams>().toEqualTypeOf<{
      readonly share: number;
      readonly copies: number;
      readonly eager: boolean;
      readonly word: string;
    }>();
    // @ts-expect-error A flag has no bounds.
    params({ eager: { default: false, max: 1, about: "" } });
    // @ts-expect-error Every parameter has a line for tables.
    params({ eager: { default: false } });
    // @ts-expect-error No such parameter.
    withDefaults(PARAMS, { shar: 1 });
    // @ts-expect-error No such type.
    use(own, { share: "0.1" });
  });

  test("give the policy its defaults", () => {
    expect(defaultsOf(own)).toEqual({ share: 0.5, copies: 3, eager: false, word: "a" });
    expect(use(own, { copies: 4 }).params).toMatchObject({ share: 0.5, copies: 4 });
  });

  test("give tables their rows", () => {
    expect(parametersOf(own)).toEqual([
      {
        name: "share",
        default: 0.5,
        bounds: [0, 1],
        whole: false,
        about: "share of the slots (0.5)",
      },
      {
        name: "copies",
        default: 3,
        bounds: [1, Number.POSITIVE_INFINITY],
        whole: true,
        about: "copies of a task (3)",
      },
      { name: "eager", default: false, about: "whether it begins at once" },
      { name: "word", default: "a", about: "a word" },
    ]);
  });

  test.each([
    ["share=2", /share of own is a number from 0 to 1 \(default 0.5\), found 2/],
    ["copies=0", /copies of own is a whole number, 1 or more/],
    ["copies=1.5", /copies of own is a whole number/],
    ["eager=1", /eager of own is true or false/],
    ["word=b", /word of own: expected another than b/],
  ])("refuse %s", (set, message) => {
    expect(() => parseDiscipline("speculation=own", [`speculation.${set}`], registry)).toThrow(
      message,
    );
  });

  test("throw where a default is not within its own bounds", () => {
    expect(() => params({ share: { default: 2, max: 1, about: "" } })).toThrow(
      /the default of share is within its bounds/,
    );
  });
});

test("a variant has other defaults and the same bounds", () => {
  const variant = { ...own, params: withDefaults(PARAMS, { share: 0.1 }) };
  expect(defaultsOf(variant)).toEqual({ share: 0.1, copies: 3, eager: false, word: "a" });
  expect(parametersOf(variant)[0]).toMatchObject({ default: 0.1, bounds: [0, 1] });
  expect(() => withDefaults(PARAMS, { share: 2 })).toThrow(/share is within/);
});
