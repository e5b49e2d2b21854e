import type { Measure } from "../../history/columns.ts";
import type { HadoopTaskKind } from "./history.ts";

type Counters = ReadonlyMap<string, number> | undefined;

/** Hadoop's counters as measures; a counter that is absent or -1 gives none. */
export function measuresOf(
  counters: Counters,
  kind: HadoopTaskKind,
): Partial<Record<Measure, number>> {
  const found: Partial<Record<Measure, number>> = {};
  const set = (measure: Measure, value: number | undefined): void => {
    if (value !== undefined && value >= 0) found[measure] = value;
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
  const read = counters?.get("BYTES_READ") ?? 0;
  return read > 0 ? read : ofFileSystems(counters, /^(?!FILE_)[A-Z0-9]+_BYTES_READ$/);
}

function writtenBytes(counters: Counters): number | undefined {
  const written = counters?.get("BYTES_WRITTEN") ?? 0;
  return written > 0 ? written : ofFileSystems(counters, /^(?!FILE_)[A-Z0-9]+_BYTES_WRITTEN$/);
}

/** `HDFS_BYTES_READ`, `S3A_BYTES_READ`, ...; the local `FILE` holds spills and map outputs. */
function ofFileSystems(counters: Counters, name: RegExp): number | undefined {
  let total: number | undefined;
  for (const [counter, value] of counters ?? []) {
    if (name.test(counter) && value >= 0) total = (total ?? 0) + value;
  }
  return total;
}
