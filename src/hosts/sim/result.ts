import { defined } from "../../base/assert.ts";
import type { RunMeasures } from "../../measures/run-measures.ts";
import type { AttemptKind } from "../../model/attempt.ts";
import type { MissedFault } from "../../model/missed-fault.ts";
import type { AttemptCounts, JobResult } from "./tally.ts";
import type { World } from "./world.ts";

/** The result of one run. */
export interface SimulationResult {
  /** In the order in which the jobs ended. */
  readonly jobs: readonly JobResult[];
  /** Jobs for which nothing could happen any more. */
  readonly unfinished: readonly string[];
  /** Milliseconds from the start to the end of the last job. */
  readonly makespanMs: number;
  /** Slot time of killed attempts. */
  readonly wastedMs: number;
  readonly wastedMsByNode: ReadonlyMap<string, number>;
  /** Slot time of failed attempts, and of attempts lost with their nodes. */
  readonly failedMs: number;
  readonly lostSlotMs: number;
  readonly attempts: Readonly<Record<AttemptKind, Readonly<AttemptCounts>>>;
  readonly tasks: number;
  /** Faults that were due only after the last job had ended. */
  readonly faultsMissed: readonly MissedFault[];
  /** Steps of the scheduler. */
  readonly events: number;
  /** What the papers measure; absent unless it was asked for. */
  readonly measured?: RunMeasures;
}

export function resultOf(
  { tally, nodes }: World,
  {
    unfinished,
    faultsMissed,
  }: {
    readonly unfinished: readonly string[];
    readonly faultsMissed: readonly MissedFault[];
  },
): SimulationResult {
  const wastedMsByNode = new Map<string, number>();
  let wastedMs = 0;
  for (const { node } of nodes) {
    const wasted = defined(tally.wastedMs[node.id], "a node's waste");
    wastedMsByNode.set(node.name, wasted);
    wastedMs += wasted;
  }
  let makespanMs = 0;
  for (const { endedAtMs } of tally.jobs) makespanMs = Math.max(makespanMs, endedAtMs);
  const { jobs, slotMs, attempts, tasks, events } = tally;
  return {
    jobs,
    unfinished,
    makespanMs,
    wastedMs,
    wastedMsByNode,
    failedMs: slotMs.failed,
    lostSlotMs: slotMs.lost,
    attempts,
    tasks,
    faultsMissed,
    events,
  };
}
