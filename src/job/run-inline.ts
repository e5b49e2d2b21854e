import { InputError } from "../base/input-error.ts";
import type { Params } from "./context.ts";
import { type Evaluated, type Evaluation, evaluate, evaluateAsync } from "./evaluate.ts";
import type { Flow } from "./flow.ts";
import type { Job } from "./job.ts";
import type { Program } from "./program.ts";
import { programOf } from "./program-of.ts";
import { awaitsCalls } from "./pull-steps.ts";

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
export function runInline(what: Job | Flow, options: InlineOptions): InlineResult {
  const program = programOf(what);
  if (program.phases.some(({ steps }) => awaitsCalls(steps))) {
    const expected = "expected no mapAsync, which waits: use `await runInlineAsync(...)`";
    throw new InputError("bad-job", "runInline", expected);
  }
  return resultOf(program, evaluate(evaluationOf(program, options)));
}

/**
 * `runInline` for jobs and flows with `mapAsync`: makes one call after another, with the time-outs
 * and retries of each step.
 */
export async function runInlineAsync(
  what: Job | Flow,
  options: InlineOptions,
): Promise<InlineResult> {
  const program = programOf(what);
  return resultOf(program, await evaluateAsync(evaluationOf(program, options)));
}

function evaluationOf(program: Program, { input, params }: InlineOptions): Evaluation {
  return {
    program,
    params: { ...program.params, ...params },
    partitions: 1,
    files: (read) => [{ file: read, records: recordsOf(input, read) }],
  };
}

function resultOf(program: Program, { outputs, counters }: Evaluated): InlineResult {
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
