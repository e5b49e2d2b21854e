import {
  either,
  flag,
  given,
  isObject,
  list,
  number,
  object,
  oneOf,
  optional,
  Place,
  positive,
  required,
  type Shape,
  text,
  variants,
  whole,
} from "../base/shape.ts";
import type { BadRecordsMax, OnBadRecord } from "../data/formats/malformed.ts";
import type { OutputChange } from "../data/formats/output-change.ts";
import { fault } from "../model/fault-shape.ts";
import type { Discipline } from "../policy/policy.ts";
import { SEATS } from "../policy/seat.ts";
import { MEMORY_BYTES_MIN, type ResumeOptions, type RunOptions } from "./options.ts";
import type { RunEvent } from "./run-event.ts";

/** The options of `run`; InputError for one that is unknown or not as it must be. */
export const readRunOptions = (options: unknown): RunOptions =>
  runOptions.read(options, new Place("bad-flag", "run"));

/** As `readRunOptions`, for `resume`. */
export const readResumeOptions = (options: unknown): ResumeOptions =>
  resumeOptions.read(options, new Place("bad-flag", "resume"));

const isText = (value: unknown): boolean => typeof value === "string";

/** One text, or several. */
export const texts: Shape<string | readonly string[]> = either(isText, text, list(text));

export const signal = given(
  "an AbortSignal",
  (value): value is AbortSignal => value instanceof AbortSignal,
);

/** Values by name: of parameters. */
export const values = given(
  "an object of texts, numbers, and true or false",
  (value): value is Readonly<Record<string, string | number | boolean>> =>
    isObject(value) &&
    Object.values(value).every((one) => ["string", "number", "boolean"].includes(typeof one)),
);

const made = given(
  "what parseDiscipline returned",
  (value): value is Discipline =>
    isObject(value) && SEATS.every((seat) => isObject(Reflect.get(value, seat)) || seat === "data"),
);

/** A discipline by its name, or ready to be used. */
export const discipline: Shape<string | Discipline> = either(isText, text, made);

const onEvent = given(
  "a function",
  (value): value is (event: RunEvent) => void => typeof value === "function",
);

const badRecordsMax = variants<BadRecordsMax>("a limit", {
  count: ["a number of records", { max: required(whole({ min: 0 })) }],
  share: ["a share of the records", { max: required(number({ min: 0, max: 1 })) }],
});

export const onBadRecord: Shape<OnBadRecord> = either(
  isText,
  oneOf<"fail" | "skip">(["fail", "skip"]),
  badRecordsMax,
);

export const outputChange = object<OutputChange>("a change of the output", {
  format: optional(oneOf(["text", "tsv", "csv", "ndjson", "records"] as const)),
  compress: optional(oneOf(["gzip"] as const)),
  isOneFile: optional(flag),
});

const count = whole({ min: 1 });

const ABOUT_ANY_RUN = {
  runDirectory: optional(text),
  signal: optional(signal),
  onEvent: optional(onEvent),
};

const runOptions = object<RunOptions>("the object of options", {
  input: optional(texts),
  output: optional(text),
  collect: optional(flag),
  outputChange: optional(outputChange),
  onBadRecord: optional(onBadRecord),
  workingDirectory: optional(text),
  discipline: optional(discipline),
  set: optional(values),
  policies: optional(texts),
  nodes: optional(count),
  slots: optional(count),
  racks: optional(count),
  rackMbps: optional(positive),
  replication: optional(whole({ min: 0 })),
  reduces: optional(count),
  memoryBytes: optional(whole({ min: MEMORY_BYTES_MIN })),
  compress: optional(flag),
  splitBytes: optional(count),
  params: optional(values),
  faults: optional(list(fault)),
  askAgainMs: optional(count),
  heartbeatMs: optional(count),
  taskTimeoutMs: optional(number({ min: 1 })),
  attemptsMax: optional(count),
  overwrite: optional(flag),
  explain: optional(flag),
  seed: optional(whole({ min: 0 })),
  ...ABOUT_ANY_RUN,
});

const resumeOptions = object<ResumeOptions>("the object of options", ABOUT_ANY_RUN);
