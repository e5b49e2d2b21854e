import type { Output } from "../../../model/attempt.ts";
import type { Instant } from "../../../model/ids.ts";
import { NO_AMOUNTS, type ReportedProgress } from "../../../model/progress.ts";
import type { HadoopCounters, StatusLine } from "./am-line.ts";

/** The facts that a report's meaning depends on. */
export interface ProgressReporter {
  readonly kind: "map" | "reduce";
  /** Whether the job has reduces, so that its maps sort too. */
  readonly hasReduces: boolean;
  /**
   * Whether the job is this project's own. Hadoop's counters then count what Hadoop has handed to
   * the runner, which is everything as soon as the runner begins.
   */
  readonly isOurs: boolean;
  /** The attempt's previous report. */
  readonly last: ReportedProgress;
}

/** The progress before the first status. */
export const startedAt = (at: Instant): ReportedProgress => ({
  kind: "reported",
  at,
  changedAt: at,
  stage: 0,
  ...NO_AMOUNTS,
});

/** Translates a status into the core's report. */
export function reportOf(status: StatusLine, at: Instant, of: ProgressReporter): ReportedProgress {
  const { last } = of;
  const score = Math.min(1, Math.max(0, scoreOf(status, of)));
  const amounts = amountsOf(status, of);
  const changedAt = score === last.score ? last.changedAt : at;
  return { kind: "reported", at, changedAt, stage: stageOf(status, of), score, ...amounts };
}

/** MapTask: the share of a map's progress until it sorts, where the job has reduces. */
const MAP_SHARE = Math.fround(0.667);

/** The score; this project's own runner reports its own progress. */
function scoreOf({ counters, phase, progress }: StatusLine, of: ProgressReporter): number {
  const permille = counters.broomwagon.progressPermille ?? (of.isOurs ? 0 : undefined);
  if (of.kind === "map") {
    if (permille !== undefined) return permille / 1000;
    return of.hasReduces ? progress / MAP_SHARE : progress;
  }
  // The runner's reduce begins when Hadoop has fetched and sorted.
  return permille === undefined || phase !== "REDUCE" ? progress : (2 + permille / 1000) / 3;
}

/** The stage: copy, sort or reduce; a map has one stage. */
function stageOf({ phase }: StatusLine, { kind, last }: ProgressReporter): number {
  if (kind === "map") return 0;
  return Math.max(last.stage, REDUCE_PHASES.indexOf(phase));
}

const REDUCE_PHASES = ["SHUFFLE", "SORT", "REDUCE"];

function amountsOf(
  { counters: { broomwagon, hadoop } }: StatusLine,
  { kind, isOurs }: ProgressReporter,
) {
  const counted = isOurs ? {} : kind === "map" ? mapAmounts(hadoop) : reduceAmounts(hadoop);
  const { bytesRead = 0, bytesWritten = 0, records = 0 } = { ...counted, ...broomwagon };
  return { bytesRead, bytesWritten, records };
}

const mapAmounts = (hadoop: HadoopCounters["hadoop"]) => ({
  bytesRead: hadoop.BYTES_READ ?? 0,
  bytesWritten: hadoop.MAP_OUTPUT_BYTES ?? 0,
  records: hadoop.MAP_INPUT_RECORDS ?? 0,
});

const reduceAmounts = (hadoop: HadoopCounters["hadoop"]) => ({
  bytesRead: hadoop.REDUCE_SHUFFLE_BYTES ?? 0,
  bytesWritten: 0,
  records: hadoop.REDUCE_INPUT_RECORDS ?? 0,
});

/**
 * The output of a success. Hadoop does not tell the AM how the output is split among reduces, so
 * policies do not know the bytes of a reduce.
 */
export function outputOf({ hadoop }: HadoopCounters, kind: "map" | "reduce"): Output {
  if (kind === "reduce") return { bytes: 0, records: hadoop.REDUCE_OUTPUT_RECORDS ?? 0 };
  const bytes = hadoop.MAP_OUTPUT_MATERIALIZED_BYTES ?? hadoop.MAP_OUTPUT_BYTES ?? 0;
  return { bytes, records: hadoop.MAP_OUTPUT_RECORDS ?? 0 };
}
