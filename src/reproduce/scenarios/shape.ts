import {
  dictionary,
  either,
  flag,
  type Infer,
  kind,
  list,
  mapped,
  number,
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
import type { Measure } from "./measure.ts";
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

const measure = variants<Measure>("a measure", {
  response: ["a response time", { job: optional(text) }],
  makespan: ["a measure", {}],
  wasted: ["a measure", {}],
  "wasted-per-node": ["a measure", {}],
  tasks: ["a measure", {}],
  requested: ["a measure", {}],
  withdrawn: ["a measure", {}],
  attempts: ["attempts", SELECTION],
  "attempt-time": ["attempts", SELECTION],
  "mean-attempt-time": ["attempts", SELECTION],
  span: ["attempts", SELECTION],
  "first-start": ["attempts", SELECTION],
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

/** A quantity contains quantities, so its shape is looked up while one is read. */
export const quantity: Shape<Quantity> = {
  expected: 'a number, "MEASURE of SETTING", or what is computed of such',
  read(json, place) {
    if (typeof json === "number") return number().read(json, place);
    if (typeof json === "string") return named.read(json, place);
    return computed.read(json, place);
  },
};

const several = ["quantities", { of: required(list(quantity, { min: 1 })) }] as const;

const computed: Shape<Computed> = variants<Computed>("a quantity", {
  speedup: ["a speedup", { of: required(quantity), over: required(quantity) }],
  reduction: ["a reduction", { of: required(quantity), from: required(quantity) }],
  difference: ["a difference", { of: required(quantity), from: required(quantity) }],
  ratio: ["a ratio", { of: required(quantity), to: required(quantity) }],
  sum: several,
  product: several,
  mean: several,
  min: several,
  max: several,
});

const statistic = standard<Statistic>(oneOf(ALL_STATISTICS), "mean");

/** A row of the results: its place, and the way to compute it. */
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
