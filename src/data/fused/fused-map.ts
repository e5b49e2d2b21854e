import type { Order } from "../bytes/run-format.ts";
import type { Split } from "../formats/split.ts";
import type { ShuffleResult } from "../memory/run-files.ts";
import type { ProgressListener } from "../task/progress.ts";

/** A map attempt whose steps the kernels run. */
export interface FusedMap {
  readonly split: Split;
  readonly partitions: number;
  readonly directory: string;
  readonly to: string;
  readonly compress?: boolean;
  /** See `RunFilesQuery`. */
  readonly order?: Order;
  readonly progress?: ProgressListener;
}

/** Undefined if the map gave up: the bytes are not fit for the kernels. */
export interface FusedResult extends ShuffleResult {
  readonly inputRecords: number;
  readonly inputBytes: number;
}

/** Lines and bytes read. */
export interface FusedProgress {
  readonly records: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

export function report({ progress, split }: FusedMap, so: FusedProgress): void {
  const size = split.end - split.start;
  progress?.progressed({
    stage: 0,
    score: size === 0 ? 1 : Math.min(1, so.bytesRead / size),
    ...so,
  });
}
