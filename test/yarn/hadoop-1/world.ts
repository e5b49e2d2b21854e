import { integer, nextFloat, pick, type RandomState, shuffle } from "../../../src/base/random.ts";
import type { Priority } from "../../../src/model/job.ts";

/** The plan of a world: everything that is drawn before it begins. */
export interface Plan {
  readonly nodes: readonly PlannedNode[];
  readonly jobs: readonly PlannedJob[];
  /** Milliseconds between two rounds of heartbeats. */
  readonly tickMs: number;
  /** Per attempt, or node, and round. */
  readonly chances: Chances;
}

export interface PlannedNode {
  /** `RACK-NAME`. */
  readonly host: string;
  readonly rack: number;
  readonly maps: number;
  readonly reduces: number;
}

export interface PlannedJob {
  readonly submittedAt: number;
  readonly priority: Priority;
  readonly speculate: boolean;
  readonly slowstart: number;
  /** Of each map: the hosts that have its input. */
  readonly replicas: readonly (readonly string[])[];
  readonly reduces: number;
}

export interface Chances {
  readonly heartbeat: number;
  readonly failure: number;
  readonly kill: number;
  /** The chance that a node always makes most attempts fail. */
  readonly badNode: number;
  readonly straggler: number;
  readonly missedOutput: number;
  readonly nodeLost: number;
  readonly nodeBack: number;
}

export interface PlanKind {
  readonly trouble: Trouble;
  readonly speculate: boolean;
  /** Of each job; otherwise drawn. */
  readonly slowstart?: number;
}

/** The trouble in a world, besides slow attempts. */
export type Trouble = "nothing" | "failures" | "lost-trackers" | "missed-outputs";

/**
 * Two racks at most: hashes of Hadoop's objects decide the order of several other racks. The
 * numbers of maps and reduces are powers of two, so that a mean progress does not depend on
 * Hadoop's rounding.
 */
export function drawPlan(dice: RandomState, of: PlanKind): Plan {
  const { trouble } = of;
  const racks = 1 + integer(dice, 2);
  const nodes = Array.from({ length: 2 + integer(dice, 8) }, (_, i) => ({
    host: `r${i % racks}-n${i}`,
    rack: i % racks,
    maps: 1 + integer(dice, 3),
    reduces: 1 + integer(dice, 2),
  }));
  const fails = trouble !== "nothing";
  return {
    nodes,
    jobs: drawJobs(dice, nodes, of),
    tickMs: pick(dice, [1_000, 3_000, 3_000, 5_000]),
    chances: {
      heartbeat: pick(dice, [1, 0.8, 0.5]),
      failure: fails ? pick(dice, [0, 0.005, 0.02]) : 0,
      kill: fails ? pick(dice, [0, 0.005]) : 0,
      badNode: fails ? pick(dice, [0, 0.15, 0.3]) : 0,
      straggler: pick(dice, [0.1, 0.3, 0.5]),
      missedOutput: trouble === "missed-outputs" ? pick(dice, [0.05, 0.3]) : 0,
      nodeLost: trouble === "lost-trackers" ? pick(dice, [0.002, 0.01]) : 0,
      nodeBack: pick(dice, [0, 0.05, 0.2]),
    },
  };
}

const PRIORITIES: readonly Priority[] = ["normal", "normal", "normal", "high", "low"];

function drawJobs(
  dice: RandomState,
  nodes: readonly PlannedNode[],
  of: PlanKind,
): readonly PlannedJob[] {
  let submittedAt = 0;
  return Array.from({ length: 1 + integer(dice, 4) }, () => {
    submittedAt += integer(dice, 60) * 1_000;
    const copies = pick(dice, [1, 2, 3]);
    const maps = 2 ** integer(dice, 6);
    const hosts = nodes.map(({ host }) => host);
    return {
      submittedAt,
      priority: pick(dice, PRIORITIES),
      speculate: of.speculate && nextFloat(dice) < 0.9,
      slowstart: of.slowstart ?? pick(dice, [0.05, 0.05, 0.5, 1]),
      replicas: Array.from({ length: maps }, () => shuffle(dice, hosts).slice(0, copies)),
      reduces: pick(dice, [0, 1, 2, 4, 8]),
    };
  });
}
