import type { Measure } from "../../history/columns.ts";
import type { HadoopAttempt, HadoopTaskKind } from "./history.ts";

type Counters = HadoopAttempt["counters"];

/** Hadoop's counters as measures; a counter that is absent or -1 gives none. */
export function measuresOf(counters: Counters, kind: HadoopTaskKind): ReadonlyMap<Measure, number> {
  const found = new Map<Measure, number>();
  const set = (measure: Measure, value: number | undefined): void => {
    if (value !== undefined && value >= 0) found.set(measure, value);
  };
  const count = (name: string): number | undefined => counters?.get(name);
  set("gcMs", count("GC_TIME_MILLIS"));
  set("cpuMs", count("CPU_MILLISECONDS"));
  if (kind === "map") {
    set("inputBytes", inputBytes(counters));
    set("inputRecords", count("MAP_INPUT_RECORDS"));
    set("outputBytes", count("MAP_OUTPUT_BYTES") ?? writtenBytes(counters));
  } else {
    set("shuffleBytes", count("REDUCE_SHUFFLE_BYTES"));
    set("shuffleRecords", count("REDUCE_INPUT_RECORDS"));
    set("outputBytes", writtenBytes(counters));
  }
  return found;
}

/**
 * The input format's own count, which not every format keeps; else the bytes that file systems
 * read.
 */
function inputBytes(counters: Counters): number | undefined {
  const read = counters?.get("BYTES_READ");
  return read !== undefined && read > 0 ? read : ofFileSystems(counters, READ);
}

function writtenBytes(counters: Counters): number | undefined {
  const written = counters?.get("BYTES_WRITTEN");
  return written !== undefined && written > 0 ? written : ofFileSystems(counters, WRITTEN);
}

/** `HDFS_BYTES_READ`, `S3A_BYTES_READ`, ...; the local `FILE` holds spills and map outputs. */
const READ = /^(?!FILE_)[A-Z0-9]+_BYTES_READ$/;
const WRITTEN = /^(?!FILE_)[A-Z0-9]+_BYTES_WRITTEN$/;

function ofFileSystems(counters: Counters, name: RegExp): number | undefined {
  let total: number | undefined;
  for (const [counter, value] of counters ?? []) {
    if (name.test(counter) && value >= 0) total = (total ?? 0) + value;
  }
  return total;
}

const MEASURED: ReadonlySet<string> = new Set([
  ...["GC_TIME_MILLIS", "CPU_MILLISECONDS", "BYTES_READ", "BYTES_WRITTEN", "MAP_INPUT_RECORDS"],
  ...["MAP_OUTPUT_BYTES", "REDUCE_SHUFFLE_BYTES", "REDUCE_INPUT_RECORDS"],
]);

/** Whether a measure is made of a counter; the others of an attempt's fifty are not kept. */
export const isMeasured = (counter: string): boolean =>
  MEASURED.has(counter) || READ.test(counter) || WRITTEN.test(counter);
