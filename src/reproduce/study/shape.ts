import {
  dictionary,
  either,
  flag,
  type Infer,
  kind,
  list,
  number,
  object,
  oneOf,
  optional,
  type Place,
  record,
  required,
  type Shape,
  standard,
  text,
  variants,
} from "../../base/shape.ts";
import { SCALES } from "../experiment.ts";
import { HEADING } from "../heading.ts";
import { measuresOf, type Quantity } from "../scenarios/quantity.ts";
import { anything, axis, quantity } from "../scenarios/shape.ts";
import type { Condition, Distribution, Measure } from "./measure.ts";

const isText = (json: unknown): boolean => typeof json === "string";
const bound = either(isText, oneOf(["median"] as const), number());

const condition = object<Condition>("a condition on a column", {
  column: required(text),
  is: optional(either(isText, oneOf(["*"] as const), number())),
  above: optional(bound),
  upTo: optional(bound),
  below: optional(number()),
});

const ROWS = { table: required(text), where: optional(condition) };
const COLUMN = { ...ROWS, column: required(text) };
const DISTRIBUTION = { ...COLUMN, weight: optional(text) };
const at = required(number({ min: 0, max: 100 }));

const measure = variants<Measure>("a measure", {
  count: ["a count", { ...ROWS, column: optional(text) }],
  total: ["a total", { ...COLUMN, by: optional(oneOf(["run"] as const)) }],
  mean: ["a mean", COLUMN],
  deviation: ["a deviation", COLUMN],
  percentile: ["a percentile", { ...COLUMN, at }],
  quantile: ["a quantile", { ...DISTRIBUTION, at }],
  share: ["a share", { ...ROWS, that: required(condition), weight: optional(text) }],
  repeats: ["repeats", { ...COLUMN, among: required(text) }],
  computed: ["a computed measure", { value: required(quantity) }],
});

/**
 * How a row's interval is made. parts: from the value of each run's part, around that of all
 * together; mean: of the runs' values; largest of ten: the expected largest of ten of the runs'
 * values; exact: nothing is random.
 */
const STATISTICS = ["parts", "mean", "largest of ten", "exact"] as const;
export type Statistic = (typeof STATISTICS)[number];

export type StudyRow = Infer<typeof row>;
const row = record("a row", {
  figure: required(text),
  setting: required(text),
  metric: required(text),
  value: required(quantity),
  statistic: standard<Statistic>(oneOf(STATISTICS), "parts"),
});

const NAMED = { figure: required(text), title: required(text), x: required(axis) };

const distribution = object<Distribution & { readonly label: string }>("a distribution", {
  ...DISTRIBUTION,
  label: required(text),
});

/** The share of the weight up to each number. */
const cumulative = record("cumulative shares", {
  kind: kind("cumulative"),
  ...NAMED,
  /** The percentages at which a curve has points. */
  from: standard(number({ min: 0 }), 1),
  to: standard(number({ max: 100 }), 99),
  /** The factor of the x axis: 100 where shares are drawn in per cent. */
  times: standard(number(), 1),
  curves: required(list(distribution, { min: 1 })),
});

/** Columns over their tables' columns `x`. */
const functions = record("functions", {
  kind: kind("functions"),
  ...NAMED,
  y: required(axis),
  /** Whether a value holds until the next point. */
  steps: standard(flag, false),
  curves: required(
    list(
      record("a curve", {
        label: required(text),
        table: required(text),
        column: required(text),
      }),
      { min: 1 },
    ),
  ),
});

/** The rows as points of the columns `x` and `y`. */
const points = record("points", {
  kind: kind("points"),
  ...NAMED,
  y: required(axis),
  table: required(text),
  /** Points with one number in this column are a group: "level 2" if `called` "level". */
  by: required(text),
  called: required(text),
});

export type StudyDrawing =
  | Infer<typeof cumulative>
  | Infer<typeof functions>
  | Infer<typeof points>;
const drawing = variants<StudyDrawing>("a drawing", { cumulative, functions, points });

const note = record("a note", {
  /** "{jobs}" stands for a number of the study. */
  text: required(text),
  /** The scale at which the note holds; both if left out. */
  scale: optional(oneOf(SCALES)),
});

export type StudyFile = Infer<typeof fileShape>;
const fileShape = record("a study", {
  ...HEADING,
  /** What the study's code needs. */
  setup: required(anything),
  /** By the name that rows use: "median of LATE". */
  measures: standard(dictionary(measure), {}),
  rows: standard(list(row), []),
  drawings: standard(list(drawing), []),
  notes: standard(list(note), []),
});

/** A study's data file; throws an InputError, with its place, for any mistake in it. */
export function readStudy<Setup>(
  json: unknown,
  place: Place,
  setup: Shape<Setup>,
): { readonly file: StudyFile; readonly setup: Setup } {
  const file = fileShape.read(json, place);
  const { measures, rows, drawings, figures } = file;
  const check = (value: Quantity, at: Place): void => {
    for (const { measure: name } of measuresOf(value)) {
      if (Object.hasOwn(measures, name)) continue;
      at.refuse(`one of the measures ${Object.keys(measures).join(", ")}`, name);
    }
  };
  for (const [name, one] of Object.entries(measures)) {
    if (name.includes(" of ")) place.key("measures").refuse('names without " of "', name);
    if (one.kind === "computed") check(one.value, place.key("measures").key(name).key("value"));
  }
  for (const [i, { value }] of rows.entries()) {
    check(value, place.key("rows").index(i).key("value"));
  }
  for (const [key, drawn] of Object.entries({ rows, drawings })) {
    for (const [i, { figure }] of drawn.entries()) {
      const at = place.key(key).index(i).key("figure");
      if (!figures.includes(figure)) at.refuse("one of the file's figures", figure);
    }
  }
  return { file, setup: setup.read(file.setup, place.key("setup")) };
}
