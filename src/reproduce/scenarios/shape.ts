import {
  dictionary,
  either,
  flag,
  kind,
  list,
  mapped,
  number,
  object,
  oneOf,
  optional,
  positive,
  required,
  type Shape,
  standard,
  text,
  variants,
  whole,
} from "../../base/shape.ts";
import { ATTEMPT_KINDS } from "../../model/attempt.ts";
import type { Axis } from "../../report/chart/drawing.ts";
import { HEADING } from "../heading.ts";
import type {
  BarsInput,
  CurvesInput,
  DisciplineInput,
  DrawingInput,
  RowInput,
  ScenariosFile,
} from "./file.ts";
import type { Measure, Selection } from "./measure.ts";
import { ALL_STATISTICS, type Quantity, type Statistic } from "./quantity.ts";

const names = list(text, { min: 1 });
const anything: Shape<unknown> = { expected: "a value", read: (json) => json };

const SELECTION = {
  as: optional(list(oneOf(ATTEMPT_KINDS), { min: 1 })),
  ended: optional(oneOf(["succeeded", "failed", "killed", "lost"] as const)),
  job: optional(text),
  phase: optional(text),
  nodes: optional(names),
  triedOn: optional(names),
  locality: optional(oneOf(["node", "rack", "any"] as const)),
};

type Kind<K extends Measure["kind"]> = Extract<Measure, { readonly kind: K }>;
type Selecting<K extends string> = Selection & { readonly kind: K };

const selecting = <K extends string>(name: K): Shape<Selecting<K>> =>
  object<Selection & { readonly kind: K }>("attempts", { kind: kind(name), ...SELECTION });

const plain = <K extends string>(name: K): Shape<{ readonly kind: K }> =>
  object<{ readonly kind: K }>("a measure", { kind: kind(name) });

const measure = variants<Measure>("a measure", {
  response: object<Kind<"response">>("a response time", {
    kind: kind("response"),
    job: optional(text),
  }),
  makespan: plain("makespan"),
  wasted: plain("wasted"),
  "wasted-per-node": plain("wasted-per-node"),
  tasks: plain("tasks"),
  requested: plain("requested"),
  withdrawn: plain("withdrawn"),
  attempts: selecting("attempts"),
  "attempt-time": selecting("attempt-time"),
  "mean-attempt-time": selecting("mean-attempt-time"),
  span: selecting("span"),
  "first-start": selecting("first-start"),
});

/** "response of late": a measure, and the setting whose runs it is taken from. */
const named: Shape<Quantity> = mapped(text, (words, place): Quantity => {
  const [, name = "", setting = ""] = /^(.+?) of (.+)$/.exec(words) ?? [];
  if (name === "") return place.refuse('"MEASURE of SETTING"', words);
  return { kind: "measure", measure: name, setting };
});

type Computed = Exclude<Quantity, number | { readonly kind: "measure" }>;
type QuantityKind<K extends string> = Extract<Quantity, { readonly kind: K }>;

/** A quantity holds quantities, so its shape is asked for when one is read. */
const quantity: Shape<Quantity> = {
  expected: 'a number, "MEASURE of SETTING", or what is computed of such',
  read(json, place) {
    if (typeof json === "number") return number().read(json, place);
    if (typeof json === "string") return named.read(json, place);
    return computed.read(json, place);
  },
};

const several = <K extends "sum" | "mean" | "min" | "max">(name: K) =>
  object<{ readonly kind: K; readonly of: readonly Quantity[] }>("quantities", {
    kind: kind(name),
    of: required(list(quantity, { min: 1 })),
  });

const computed: Shape<Computed> = variants<Computed>("a quantity", {
  speedup: object<QuantityKind<"speedup">>("a speedup", {
    kind: kind("speedup"),
    of: required(quantity),
    over: required(quantity),
  }),
  reduction: object<QuantityKind<"reduction">>("a reduction", {
    kind: kind("reduction"),
    of: required(quantity),
    from: required(quantity),
  }),
  difference: object<QuantityKind<"difference">>("a difference", {
    kind: kind("difference"),
    of: required(quantity),
    from: required(quantity),
  }),
  ratio: object<QuantityKind<"ratio">>("a ratio", {
    kind: kind("ratio"),
    of: required(quantity),
    to: required(quantity),
  }),
  sum: several("sum"),
  mean: several("mean"),
  min: several("min"),
  max: several("max"),
});

const statistic = standard<Statistic>(oneOf(ALL_STATISTICS), "mean");

const row = object<RowInput>("a row", {
  figure: required(text),
  setting: required(text),
  metric: required(text),
  value: required(quantity),
  statistic,
});

const axis = object<Axis>("an axis", {
  title: required(text),
  log: optional(flag),
  from: optional(number()),
  to: optional(number()),
});

const NAMED = { figure: required(text), title: required(text) };
const VALUE = { value: required(quantity), statistic, published: optional(number()) };

type Group = BarsInput["groups"][number];
type Curve = CurvesInput["curves"][number];
type PublishedPoint = NonNullable<Curve["published"]>[number];

const drawing = variants<DrawingInput>("a drawing", {
  bars: object<BarsInput>("bars", {
    kind: kind("bars"),
    ...NAMED,
    y: required(axis),
    groups: required(
      list(
        object<Group>("a group of bars", {
          label: required(text),
          bars: required(
            list(object<Group["bars"][number]>("a bar", { series: required(text), ...VALUE })),
          ),
        }),
        { min: 1 },
      ),
    ),
  }),
  curves: object<CurvesInput>("curves", {
    kind: kind("curves"),
    ...NAMED,
    x: required(axis),
    y: required(axis),
    steps: standard(flag, false),
    curves: required(
      list(
        object<Curve>("a curve", {
          label: required(text),
          points: required(
            list(object<Curve["points"][number]>("a point", { x: required(number()), ...VALUE })),
          ),
          published: optional(
            list(
              object<PublishedPoint>("a point", { x: required(number()), y: required(number()) }),
            ),
          ),
        }),
        { min: 1 },
      ),
    ),
  }),
});

const setting: Shape<number | string | boolean> = either(
  (json) => typeof json === "boolean",
  flag,
  either((json) => typeof json === "number", number(), text),
);

const discipline = object<DisciplineInput>("a discipline", {
  discipline: required(text),
  set: standard(dictionary(setting), {}),
  variants: optional(names),
});

const runs = whole({ min: 1 });

export const scenariosFile = object<ScenariosFile>("an experiment of scenarios", {
  ...HEADING,
  scenario: required(anything),
  variants: optional(dictionary(anything)),
  disciplines: required(dictionary(discipline)),
  measures: required(dictionary(measure)),
  rows: required(list(row)),
  drawings: standard(list(drawing), []),
  cost: standard(positive, 1),
  runsMax: optional(
    object<NonNullable<ScenariosFile["runsMax"]>>("numbers of runs", {
      sample: required(runs),
      full: required(runs),
    }),
  ),
});
