import type { Dice } from "../../letter/dice.ts";
import {
  type JobBook,
  type Kind,
  MAP,
  type NodeBook,
  type PhaseBook,
  REDUCE,
  type TaskBook,
} from "./books.ts";
import type { Lines } from "./lines.ts";
import type { Budgets } from "./protection.ts";

/** Everything that is drawn before a world begins. */
export interface Plan {
  readonly racks: number;
  readonly nodes: readonly NodeBook[];
  readonly jobs: readonly JobBook[];
  readonly lines: Lines;
  readonly budgets: Budgets;
  readonly tick: readonly [number, number];
  /** Per moment. */
  readonly chances: {
    readonly failure: number;
    readonly speedChange: number;
    readonly nodeLeft: number;
    readonly nodeBack: number;
    readonly outputLost: number;
    readonly straggler: number;
    readonly offer: number;
    readonly sampled: number;
  };
}

export function drawPlan(dice: Dice): Plan {
  const racks = dice.pick([1, 2, 2, 3]);
  const nodes = Array.from(
    { length: dice.whole(Math.max(3, racks), 8) },
    (_, id): NodeBook => ({
      ...{ id, name: `n${id}`, rack: id % racks, joined: true, held: [0, 0], made: new Set() },
      slots: [dice.whole(1, 3), dice.whole(1, 2)],
      speed: dice.pick([1, 1, 1, 0.6, 0.3]),
    }),
  );
  return {
    ...{ racks, nodes, jobs: drawJobs(dice, nodes) },
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
      outputLost: dice.pick([0, 0.02, 0.08]),
      straggler: dice.pick([0.1, 0.25, 0.4]),
      offer: dice.pick([1, 0.6, 0.3]),
      sampled: dice.pick([0, 0.3]),
    },
  };
}

function drawJobs(dice: Dice, nodes: readonly NodeBook[]): JobBook[] {
  const next = { phase: 0, task: 0 };
  let at = 0;
  return Array.from({ length: dice.whole(1, 3) }, (_, id) => {
    const job: JobBook = {
      ...{ id, submittedAt: at, usualMs: dice.whole(15, 120) * 1_000, phases: [] },
      ...{ failuresOn: new Map(), nodesKnown: 0, submitted: false, ended: false },
    };
    at += dice.whole(0, 40) * 3_000;
    const reduces = [dice.whole(1, 6), dice.whole(1, 5)];
    const replicas = dice.pick([0, 1, 2, 3]);
    const maps = drawPhase(
      dice,
      { job, next, nodes, kind: MAP, reads: [], readers: reduces[0]! },
      dice.whole(2, 16),
      replicas,
    );
    if (dice.chance(0.15)) return job;
    const readers = dice.chance(0.4) ? reduces[1]! : 0;
    const second = drawPhase(
      dice,
      { job, next, nodes, kind: REDUCE, reads: [maps], readers },
      reduces[0]!,
      0,
    );
    if (readers > 0) {
      drawPhase(dice, { job, next, nodes, kind: MAP, reads: [second], readers: 0 }, readers, 0);
    }
    return job;
  });
}

interface Draft {
  readonly job: JobBook;
  readonly next: { phase: number; task: number };
  readonly nodes: readonly NodeBook[];
  readonly kind: Kind;
  readonly reads: readonly PhaseBook[];
  /** The tasks that read the phase's output. */
  readonly readers: number;
}

function drawPhase(dice: Dice, draft: Draft, tasks: number, replicas: number): PhaseBook {
  const { job, kind, next, nodes, readers, reads } = draft;
  const phase: PhaseBook = {
    ...{ id: next.phase++, job, kind, reads, tasks: [], begun: false, ready: false },
  };
  const isEven = dice.chance(0.3);
  const most = dice.pick([1e4, 1e6, 1e8]);
  const parts = () => (dice.chance(0.2) ? 0 : dice.whole(1, most));
  for (let index = 0; index < tasks; index++) {
    const task: TaskBook = {
      ...{ id: next.task++, index, phase, attempts: [], everDone: false, isRemade: false },
      ...{ outputs: new Set(), failures: 0, restarts: 0, prefers: undefined, waitsWith: undefined },
      bytes: reads.length > 0 ? undefined : (isEven ? 64 : dice.whole(1, 128)) * 1_000_000,
      parts: Array.from({ length: readers }, parts),
      replicas: dice.shuffled(nodes.map(({ id }) => id)).slice(0, replicas),
    };
    phase.tasks.push(task);
  }
  job.phases.push(phase);
  return phase;
}
