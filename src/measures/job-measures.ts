import { cell } from "../base/rows.ts";
import { endAt, kindAt, localityAt, slotMsAt } from "../history/columns.ts";
import type { TraceJob } from "../history/model.ts";
import { type PhaseRuns, rowsAs } from "./task-runs.ts";

/** What the papers measure of whole jobs. Times in ms, shares from 0 to 1. */
export interface JobMeasures {
  /**
   * Of the tasks whose attempt has a known locality: the share that ran on a node with their data,
   * and on another node of its rack (Elephant 4.2); absent if no locality is known.
   */
  readonly nodeLocal?: number;
  readonly rackLocal?: number;
  /**
   * Bytes that tasks read from other racks (Mantri 4.2), an estimate where they read a shuffle: of
   * each output, a reader has a like part. Absent if racks or bytes are unknown.
   */
  readonly crossRackBytes?: number;
  /** Copies that ran, and those that ended before the other attempts (Elephant 4.2). */
  readonly copies: number;
  readonly usefulCopies: number;
  /** Slot time of killed attempts (LATE 5.4), and of killed copies (eSplash VI-B). */
  readonly wastedMs: number;
  readonly killedCopiesMs: number;
  /** Slot time of attempts that made lost outputs again (Mantri 3.2). */
  readonly recomputedMs: number;
  readonly recomputes: number;
}

/** A job, and its phases as `runsOf` gives them. */
export interface MeasuredJob {
  readonly job: TraceJob;
  readonly phases: readonly PhaseRuns[];
}

/** Of all the jobs together. */
export function jobMeasures(jobs: readonly MeasuredJob[]): JobMeasures {
  let [copies, usefulCopies, wastedMs, killedCopiesMs, recomputes, recomputedMs] = [
    0, 0, 0, 0, 0, 0,
  ];
  for (const { attempts } of jobs.flatMap(({ job }) => job.phases)) {
    for (let row = 0; row < attempts.length; row++) {
      const kind = kindAt(attempts, row);
      const end = endAt(attempts, row);
      const ms = slotMsAt(attempts, row);
      if (kind === "speculative") {
        copies += 1;
        if (end === "succeeded") usefulCopies += 1;
        if (end === "killed") killedCopiesMs += ms;
      }
      if (kind === "recompute") {
        recomputes += 1;
        recomputedMs += ms;
      }
      if (end === "killed") wastedMs += ms;
    }
  }
  const counts = { copies, usefulCopies, wastedMs, killedCopiesMs, recomputes, recomputedMs };
  return { ...localities(jobs), ...crossRack(jobs), ...counts };
}

function localities(jobs: readonly MeasuredJob[]): Pick<JobMeasures, "nodeLocal" | "rackLocal"> {
  const counts = { node: 0, rack: 0, any: 0 };
  for (const { job, phases } of jobs) {
    for (const [index, { runs }] of phases.entries()) {
      const { attempts } = cell(job.phases[index]);
      for (const { row } of runs) {
        const locality = localityAt(attempts, row);
        if (locality !== undefined) counts[locality] += 1;
      }
    }
  }
  const all = counts.node + counts.rack + counts.any;
  return all === 0 ? {} : { nodeLocal: counts.node / all, rackLocal: counts.rack / all };
}

function crossRack(jobs: readonly MeasuredJob[]): Pick<JobMeasures, "crossRackBytes"> {
  if (jobs.some(({ job }) => job.racks === undefined)) return {};
  let crossRackBytes = 0;
  for (const { runs } of jobs.flatMap(({ phases }) => phases)) {
    for (const { farBytes } of runs) crossRackBytes += farBytes;
  }
  return Number.isNaN(crossRackBytes) ? {} : { crossRackBytes: Math.round(crossRackBytes) };
}

/** The recomputes by the node whose lost output they made again. */
export function recomputesByNode({ job, phases }: MeasuredJob): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [index, { successes }] of phases.entries()) {
    const { attempts } = cell(job.phases[index]);
    for (const row of rowsAs(attempts, "recompute")) {
      const before = cell(successes[cell(attempts.task[row])]);
      const node = before === -1 ? undefined : job.nodes[cell(attempts.node[before])];
      const name = node ?? "unknown";
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
}
