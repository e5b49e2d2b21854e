import { InputError } from "../base/input-error.ts";
import type { Params } from "./context.ts";
import { evaluate } from "./evaluate.ts";
import type { Flow } from "./flow.ts";
import type { Job } from "./job.ts";
import { programOf } from "./program-of.ts";

export interface InlineOptions {
  /**
   * Records as the input's format gives them: lines, JSON values, objects of a CSV's fields. For a
   * flow with several reads, by the name of the read.
   */
  readonly input: readonly unknown[] | Readonly<Record<string, readonly unknown[]>>;
  /** Replaces declared parameters. */
  readonly params?: Params;
}

export interface InlineResult {
  /** The output records; for a flow, those of its first `write`. */
  readonly output: readonly unknown[];
  /** The output records of each `write`, by its name. */
  readonly outputs: Readonly<Record<string, readonly unknown[]>>;
  readonly counters: Readonly<Record<string, number>>;
}

/**
 * Runs a job or a flow at once, in memory: for tests of user code. Each phase that brings records
 * together has one task, so the output is in the order of keys.
 *
 *     expect(runInline(wordCount, { input: ["a b a"] }).output).toEqual([["a", 2], ["b", 1]]);
 */
export function runInline(what: Job | Flow, { input, params }: InlineOptions): InlineResult {
  const program = programOf(what);
  const { outputs, counters } = evaluate({
    program,
    params: { ...program.params, ...params },
    partitions: 1,
    files: (read) => [{ file: read, records: recordsOf(input, read) }],
  });
  const named = program.outputs.map(({ name }, i) => [name, (outputs[i] ?? []).flat()] as const);
  return { output: named[0]?.[1] ?? [], outputs: Object.fromEntries(named), counters };
}

function recordsOf(input: InlineOptions["input"], read: string): readonly unknown[] {
  if (isRecords(input)) return input;
  const records = Object.hasOwn(input, read) ? input[read] : undefined;
  if (records !== undefined) return records;
  const known = Object.keys(input).join(", ") || "none";
  throw new InputError("bad-input", `input ${read}`, `expected records for it, found: ${known}`);
}

const isRecords = (input: InlineOptions["input"]): input is readonly unknown[] =>
  Array.isArray(input);
