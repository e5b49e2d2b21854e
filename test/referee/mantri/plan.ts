import { MAP, REDUCE } from "../../letter/books.ts";
import type { Dice } from "../../letter/dice.ts";
import type { JobBook, NodeBook, PhaseBook } from "../driven/books.ts";
import {
  addPhase,
  addTask,
  drawJobs,
  drawNodes,
  drawReplicas,
  type Next,
  type Plan,
} from "../driven/plan.ts";
import type { Lines } from "./lines.ts";
import type { Budgets } from "./protection.ts";

export interface MantriPlan extends Plan {
  readonly lines: Lines;
  readonly budgets: Budgets;
  /** The chance of a sample of a rack's links, per moment. */
  readonly sampled: number;
}

export function drawPlan(dice: Dice): MantriPlan {
  const racks = dice.pick([1, 2, 2, 3]);
  const count = dice.whole(Math.max(3, racks), 8);
  const nodes = drawNodes(dice, { count, racks, speeds: [1, 1, 1, 0.6, 0.3] });
  return {
    ...{ reportEvery: 0, racks, nodes, jobs: drawAllJobs(dice, nodes) },
    lines: {
      alpha: dice.pick([2, 2, 1]),
      gamma: dice.pick([3, 3, 0, 1]),
      delta: dice.pick([0.25, 0.25, 0.5, 0.1]),
      rho: dice.pick([3, 3, 1, 6]),
      stablePeriods: dice.pick([2, 2, 4]),
      periodMs: 10_000,
    },
    budgets: {
      replicationBudget: dice.pick([0.1, 0.1, 0.5, 1]),
      rackBytesPerMs: dice.pick([125_000, 1_000_000]),
      lossProbability: dice.pick([0.0001, 0.02, 0.2]),
      recomputeBudget: dice.pick([0.1, 0.5, 1, 0]),
      recomputesMin: dice.pick([1, 1, 2]),
    },
    tick: dice.pick([
      [200, 4_000],
      [1_000, 1_000],
      [2_000, 8_000],
    ]),
    chances: {
      failure: dice.pick([0, 0.003]),
      speedChange: dice.pick([0, 0.01, 0.05]),
      nodeLeft: dice.pick([0, 0.002, 0.006]),
      nodeBack: dice.pick([0, 0.05]),
      nodeSilent: 0,
      outputLost: dice.pick([0, 0.02, 0.08]),
      straggler: dice.pick([0.1, 0.25, 0.4]),
      offer: dice.pick([1, 0.6, 0.3]),
    },
    sampled: dice.pick([0, 0.3]),
  };
}

/** Maps, often reduces, and sometimes maps that read the reduces. */
const drawAllJobs = (dice: Dice, nodes: readonly NodeBook[]): JobBook[] =>
  drawJobs(dice, {
    usualS: [15, 120],
    speculate: () => true,
    drawPhases(job, next) {
      const draft = { job, next, nodes, replicas: 0, readers: 0 };
      const [first, second] = [dice.whole(1, 6), dice.whole(1, 5)];
      const replicas = dice.pick([0, 1, 2, 3]);
      const maps = { ...draft, kind: MAP, reads: [], readers: first, replicas };
      const read = drawPhase(dice, maps, dice.whole(2, 16));
      if (dice.chance(0.15)) return;
      const readers = dice.chance(0.4) ? second : 0;
      const reads = [drawPhase(dice, { ...draft, kind: REDUCE, reads: [read], readers }, first)];
      if (readers > 0) drawPhase(dice, { ...draft, kind: MAP, reads }, readers);
    },
  });

interface Draft extends Pick<PhaseBook, "job" | "kind" | "reads"> {
  readonly next: Next;
  readonly nodes: readonly NodeBook[];
  readonly replicas: number;
  /** The tasks that read the phase's output. */
  readonly readers: number;
}

function drawPhase(dice: Dice, draft: Draft, tasks: number): PhaseBook {
  const { job, kind, next, nodes, readers, reads, replicas } = draft;
  const phase = addPhase(job, next, { kind, reads, slowstart: 1 });
  const isEven = dice.chance(0.3);
  const most = dice.pick([1e4, 1e6, 1e8]);
  const parts = () => (dice.chance(0.2) ? 0 : dice.whole(1, most));
  for (let left = tasks; left > 0; left--) {
    addTask(phase, next, {
      bytes: (isEven || reads.length > 0 ? 64 : dice.whole(1, 128)) * 1_000_000,
      parts: Array.from({ length: readers }, parts),
      replicas: drawReplicas(dice, nodes, replicas),
    });
  }
  return phase;
}
