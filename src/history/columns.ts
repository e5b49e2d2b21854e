import {
  type ColumnsOf,
  cell,
  code,
  float64,
  int32,
  type NamesOf,
  namesOfFloats,
} from "../base/rows.ts";
import { ATTEMPT_KINDS, type AttemptKind } from "../model/attempt.ts";
import type { Locality } from "../model/job.ts";

/** How an attempt ended; `cut-off`: the log ends before the attempt does. */
export const TRACE_ENDS = ["succeeded", "failed", "killed", "lost", "cut-off"] as const;
export type TraceEnd = (typeof TRACE_ENDS)[number];

export const LOCALITIES: readonly Locality[] = ["node", "rack", "any"];

/** The code of a locality that the log does not give. */
export const UNKNOWN = 255;

/**
 * Every column of an attempt, declared once. Times in ms since the trace's origin; NaN where the
 * log says nothing.
 */
export const ATTEMPT = {
  task: int32("index of the task within its phase"),
  ordinal: int32("number of the attempt within its task, from 0, in the order of starts"),
  node: int32("index into the job's nodes; -1 if unknown", -1),
  executor: int32("index into the job's executors; -1 if unknown", -1),
  kinds: code("index into ATTEMPT_KINDS"),
  ends: code("index into TRACE_ENDS"),
  localities: code("index into LOCALITIES; 255 if unknown", UNKNOWN),
  reason: int32(
    "why it ended without a result: index into the evidence's reasons; -1 if unknown",
    -1,
  ),
  assignedAt: float64("when it got a slot, where the log distinguishes that from the start, ms"),
  startedAt: float64("when it started, ms"),
  endedAt: float64("when it ended, ms"),
  heardAt: float64("when its node was last heard: at its end unless it was lost, ms"),
  inputBytes: float64("bytes read as input"),
  inputRecords: float64("records read as input"),
  shuffleBytes: float64("bytes read from a shuffle"),
  shuffleRecords: float64("records read from a shuffle"),
  outputBytes: float64("bytes written"),
  gcMs: float64("time in garbage collection, ms"),
  fetchWaitMs: float64("time that it waited for a shuffle's blocks, ms"),
  writeWaitMs: float64("time that it waited for its shuffle output to be written, ms"),
  deserializeMs: float64("time to deserialise the task, ms"),
  cpuMs: float64("processor time, ms"),
  spilledBytes: float64("bytes spilled, in memory and on disk"),
  resultBytes: float64("bytes of its result, which goes to the driver"),
  shuffleEndAt: float64("when a reduce had fetched all its input, ms"),
  sortEndAt: float64("when a reduce had sorted its input, ms"),
  resultAt: float64("when its result began to be fetched, if that came after its work, ms"),
  score: float64("progress score of an attempt that was killed, 0 to 1"),
} as const;

/** The columns of times, sizes and amounts. */
export const MEASURES = namesOfFloats(ATTEMPT);
export type Measure = NamesOf<typeof ATTEMPT, Float64Array>;

/** The columns that hold a moment, not a duration or an amount: their names end with `At`. */
export const MOMENTS: readonly Measure[] = /* @__PURE__ */ MEASURES.filter((name) =>
  name.endsWith("At"),
);

/** Values of a recorded progress curve: when each twelfth of the progress was reached. */
export const CURVE_POINTS = 12;

/** The attempts of a phase as columns: one value per attempt, at most 300 bytes each. */
export interface AttemptColumns extends ColumnsOf<typeof ATTEMPT> {
  readonly length: number;
  /** CURVE_POINTS values per attempt, NaN where there is no curve; absent if no attempt has one. */
  readonly curves?: Float32Array;
}

export const kindAt = ({ kinds }: Pick<AttemptColumns, "kinds">, row: number): AttemptKind =>
  cell(ATTEMPT_KINDS[cell(kinds[row])]);

export const endAt = ({ ends }: Pick<AttemptColumns, "ends">, row: number): TraceEnd =>
  cell(TRACE_ENDS[cell(ends[row])]);

/** An attempt's slot time: from its start until its node was last heard. */
export const slotMsAt = (
  { startedAt, heardAt }: Pick<AttemptColumns, "startedAt" | "heardAt">,
  row: number,
): number => Math.max(0, cell(heardAt[row]) - cell(startedAt[row]));

type Read = Pick<AttemptColumns, "inputBytes" | "shuffleBytes">;

/** The bytes that an attempt read, as input and from a shuffle; NaN if the log has neither. */
export function readBytesAt({ inputBytes, shuffleBytes }: Read, row: number): number {
  const [input, shuffled] = [cell(inputBytes[row]), cell(shuffleBytes[row])];
  return Number.isNaN(input) ? shuffled : input + (shuffled || 0);
}

/** Undefined if the log does not say where the attempt's data was. */
export const localityAt = (
  { localities }: Pick<AttemptColumns, "localities">,
  row: number,
): Locality | undefined => LOCALITIES[cell(localities[row])];
