import { InputError } from "../base/input-error.ts";
import { isObject } from "../base/shape.ts";
import { blamed } from "./culprit.ts";
import { described, isAsync } from "./described.ts";
import type { InputFormat } from "./input.ts";
import { isAsyncMap } from "./map-async.ts";
import { isOperator } from "./operator.ts";
import type { OutputFormat } from "./output.ts";
import { isSpeculate, SPECULATE_EXPECTED } from "./speculate.ts";

/**
 * Refuses a specification that `defineJob` cannot take. Types are stripped, not checked, before a
 * job runs, so they do not catch a misspelt field, or a path where an input belongs.
 */
export function checkSpec(spec: unknown): void {
  if (!isObject(spec)) throw bad("", `expected an object, found ${described(spec)}`);
  for (const [name, value] of Object.entries(spec)) {
    const field = FIELDS.get(name);
    if (field === undefined) {
      throw bad(name, `expected one of: ${[...FIELDS.keys()].join(", ")}`);
    }
    if (value === undefined || field.accepts(value)) continue;
    const refusal = bad(name, `expected ${field.expected}, found ${described(value)}`);
    throw typeof value === "function" ? blamed(refusal, value) : refusal;
  }
  if (!("map" in spec) || spec.map === undefined) throw bad("map", "expected a function");
}

export const bad = (field: string, expected: string): InputError =>
  new InputError("bad-job", field === "" ? "defineJob" : `defineJob: ${field}`, expected);

/** The type of a field, if the field is given. */
interface Field {
  /** Completes "expected ...". */
  readonly expected: string;
  accepts(value: unknown): boolean;
}

/** A promise is no record, and `filter` would treat it as true. */
const isFunction = (value: unknown): boolean => typeof value === "function" && !isAsync(value);

const INPUTS = Object.keys({
  text: "",
  ndjson: "",
  csv: "",
  fixed: "",
  parquet: "",
} satisfies Readonly<Record<InputFormat["kind"], "">>);
const OUTPUTS = Object.keys({
  text: "",
  ndjson: "",
  csv: "",
} satisfies Readonly<Record<Exclude<OutputFormat["kind"], "records">, "">>);

const INPUT: Field = {
  expected: `${INPUTS.slice(0, -1).join("(...), ")}(...) or ${INPUTS.at(-1)}(...)`,
  accepts: (value) => hasFormat(value, INPUTS) && "decode" in value && isFunction(value.decode),
};

const OUTPUT: Field = {
  expected: "tsv(...), text(...), csv(...) or ndjson(...)",
  accepts: (value) => hasFormat(value, OUTPUTS),
};

/** The arguments of a flow's calls. */
const ARGUMENTS = {
  input: INPUT,
  output: OUTPUT,
  function: { expected: "a function", accepts: (value) => isFunction(value) },
  fold: {
    expected: "a fold of init, add, merge and done",
    accepts: (value) => isFold(value),
  },
  operator: { expected: "an operator such as words()", accepts: isOperator },
  selector: {
    expected: "a function, or the name of a column",
    accepts: (value) => value === undefined || typeof value === "string" || isFunction(value),
  },
} satisfies Record<string, Field>;

/** Throws an InputError if an argument of a flow's call has the wrong type; `place`: the call. */
export function checkArgument(kind: keyof typeof ARGUMENTS, value: unknown, place: string): void {
  const { accepts, expected } = ARGUMENTS[kind];
  if (accepts(value)) return;
  const refusal = `expected ${expected}, found ${described(value)}`;
  const error = new InputError("bad-job", place, refusal);
  throw typeof value === "function" ? blamed(error, value) : error;
}

const FIELDS: ReadonlyMap<string, Field> = new Map<string, Field>([
  [
    "name",
    {
      expected: 'letters, digits, ".", "_" and "-"',
      accepts: (value) => typeof value === "string" && /^[a-z0-9][a-z0-9._-]*$/i.test(value),
    },
  ],
  ["input", INPUT],
  ["output", OUTPUT],
  [
    "counters",
    {
      expected: "an array of names",
      accepts: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
    },
  ],
  [
    "params",
    {
      expected: "an object of texts, numbers, true and false",
      accepts: (value) =>
        isObject(value) && !Array.isArray(value) && Object.values(value).every(isParam),
    },
  ],
  [
    "map",
    {
      expected: "a function, mapAsync(...), or an operator such as words()",
      accepts: (value) => isFunction(value) || isAsyncMap(value) || isOperator(value),
    },
  ],
  [
    "reduce",
    {
      expected: "a function, or a fold of init, add, merge and done",
      accepts: (value) => isFunction(value) || isFold(value),
    },
  ],
  [
    "combine",
    { expected: "a function or false", accepts: (value) => value === false || isFunction(value) },
  ],
  ["partition", { expected: "a function", accepts: isFunction }],
  [
    "reduces",
    {
      expected: "a whole number from 1",
      accepts: (value) => typeof value === "number" && Number.isInteger(value) && value >= 1,
    },
  ],
  ["speculate", { expected: SPECULATE_EXPECTED, accepts: isSpeculate }],
]);

/**
 * Whether a value has the shape of an input or output: one of the formats, and a text as its path,
 * if any.
 */
function hasFormat(value: unknown, kinds: readonly string[]): value is object {
  if (!isObject(value) || !("format" in value) || !isObject(value.format)) return false;
  if ("path" in value && typeof value.path !== "string") return false;
  const { format } = value;
  return "kind" in format && typeof format.kind === "string" && kinds.includes(format.kind);
}

const isParam = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

function isFold(value: unknown): boolean {
  const parts = ["init", "add", "merge", "done"];
  return isObject(value) && parts.every((part) => isFunction(Reflect.get(value, part)));
}
