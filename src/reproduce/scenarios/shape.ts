import {
  dictionary,
  either,
  flag,
  type Infer,
  kind,
  list,
  mapped,
  number,
  object,
  oneOf,
  optional,
  positive,
  record,
  required,
  type Shape,
  standard,
  text,
  variants,
  whole,
} from "../../base/shape.ts";
import { ATTEMPT_KINDS } from "../../model/attempt.ts";
import { parseDiscipline } from "../../policy/discipline.ts";
import type { Axis } from "../../report/chart/drawing.ts";
import { HEADING } from "../heading.ts";
import type { Measure, Selection } from "./measure.ts";
import { ALL_STATISTICS, type Quantity, type Statistic } from "./quantity.ts";

const names = list(text, { min: 1 });
export const anything: Shape<unknown> = { expected: "a value", read: (json) => json };

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

/**
 * "response of late": a measure, and the setting whose runs it is taken from; "jobs": a measure
 * that has no settings.
 */
const named: Shape<Quantity> = mapped(text, (words): Quantity => {
  const [, measure = words, setting = ""] = /^(.+?) of (.+)$/.exec(words) ?? [];
  return { kind: "measure", measure, setting };
});

type Computed = Exclude<Quantity, number | { readonly kind: "measure" }>;
type QuantityKind<K extends string> = Extract<Quantity, { readonly kind: K }>;

/** A quantity contains quantities, so its shape is looked up while one is read. */
export const quantity: Shape<Quantity> = {
  expected: 'a number, "MEASURE of SETTING", or what is computed of such',
  read(json, place) {
    if (typeof json === "number") return number().read(json, place);
    if (typeof json === "string") return named.read(json, place);
    return computed.read(json, place);
  },
};

const several = <K extends "sum" | "product" | "mean" | "min" | "max">(name: K) =>
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
  product: several("product"),
  mean: several("mean"),
  min: several("min"),
  max: several("max"),
});

const statistic = standard<Statistic>(oneOf(ALL_STATISTICS), "mean");

/** A row of the results: its place, and the way to compute it. */
export type RowInput = Infer<typeof row>;
const row = record("a row", {
  figure: required(text),
  setting: required(text),
  metric: required(text),
  value: required(quantity),
  statistic,
});

export const axis: Shape<Axis> = record("an axis", {
  title: required(text),
  log: optional(flag),
  from: optional(number()),
  to: optional(number()),
});

const NAMED = { figure: required(text), title: required(text) };
const VALUE = { value: required(quantity), statistic, published: optional(number()) };

const BAR = { series: required(text), ...VALUE };
const POINT = { x: required(number()), ...VALUE };
const PUBLISHED_POINT = { x: required(number()), y: required(number()) };

export type BarsInput = Infer<typeof bars>;
const bars = record("bars", {
  kind: kind("bars"),
  ...NAMED,
  y: required(axis),
  groups: required(
    list(
      record("a group of bars", {
        label: required(text),
        bars: required(list(record("a bar", BAR))),
      }),
      { min: 1 },
    ),
  ),
});

export type CurvesInput = Infer<typeof curves>;
const curves = record("curves", {
  kind: kind("curves"),
  ...NAMED,
  x: required(axis),
  y: required(axis),
  steps: standard(flag, false),
  curves: required(
    list(
      record("a curve", {
        label: required(text),
        points: required(list(record("a point", POINT))),
        published: optional(list(record("a point", PUBLISHED_POINT))),
      }),
      { min: 1 },
    ),
  ),
});

/** A drawing whose numbers are not computed yet. */
export type DrawingInput = BarsInput | CurvesInput;
const drawing = variants<DrawingInput>("a drawing", { bars, curves });

const setting: Shape<number | string | boolean> = either(
  (json) => typeof json === "boolean",
  flag,
  either((json) => typeof json === "number", number(), text),
);

export type DisciplineInput = Infer<typeof discipline>;
export const discipline = record("a discipline", {
  /** As on the command line: a name, or a combination. */
  discipline: required(text),
  set: standard(dictionary(setting), {}),
  /** The variants in which the discipline runs; all if left out. */
  variants: optional(names),
});

export const disciplineFrom = ({
  discipline: name,
  set,
}: DisciplineInput): ReturnType<typeof parseDiscipline> =>
  parseDiscipline(
    name,
    Object.entries(set).map(([key, value]) => `${key}=${value}`),
  );

const runs = whole({ min: 1 });

/**
 * An experiment that runs scenarios: variants of one scenario, each under several disciplines, over
 * the same seeds. A setting is called "variant/discipline", or by its discipline alone where there
 * are no variants.
 */
export type ScenariosFile = Infer<typeof scenariosFile>;
export const scenariosFile = record("an experiment of scenarios", {
  ...HEADING,
  /** cluster, jobs, faults; as in a scenario file, without name and study. */
  scenario: required(anything),
  /** Changes to the scenario, as JSON merge patches (RFC 7396). */
  variants: optional(dictionary(anything)),
  disciplines: required(dictionary(discipline)),
  /** By the name that quantities use: "response of packed/late". */
  measures: required(dictionary(measure)),
  rows: required(list(row)),
  drawings: standard(list(drawing), []),
  /** Expected work of one run, relative to other experiments'; in seconds if known. */
  cost: standard(positive, 1),
  /** The most runs, where runs take long; the notes mention the limit. */
  runsMax: optional(record("numbers of runs", { sample: required(runs), full: required(runs) })),
});
