import type { Dice } from "../../letter/dice.ts";
import { type JobBook, type Kind, MAP, type NodeBook, type PhaseBook, REDUCE } from "./books.ts";
import type { Thresholds } from "./section-4.ts";

/** Everything that is drawn before a world begins. */
export interface Plan {
  readonly reportEvery: number;
  readonly expiryMs: number;
  readonly nodes: readonly NodeBook[];
  readonly jobs: readonly JobBook[];
  readonly thresholds: Thresholds;
  readonly tick: readonly [number, number];
  /** Per moment. */
  readonly chances: {
    readonly failure: number;
    readonly speedChange: number;
    readonly nodeLeft: number;
    readonly nodeBack: number;
    readonly nodeSilent: number;
    readonly outputLost: number;
    readonly straggler: number;
    readonly offer: number;
  };
}

export function drawPlan(dice: Dice): Plan {
  const nodes = Array.from(
    { length: dice.whole(3, 10) },
    (_, id): NodeBook => ({
      ...{ id, name: `n${id}`, rack: id % 2, joined: true, silentSince: undefined },
      ...{ slots: [dice.whole(1, 3), dice.whole(1, 2)], succeeded: 0, made: new Set() },
      speed: dice.pick([1, 1, 1, 0.7, 0.4, 0.15]),
    }),
  );
  return {
    reportEvery: dice.pick([0, 0, 3_000]),
    expiryMs: dice.pick([20_000, 60_000, 600_000]),
    nodes,
    jobs: drawJobs(dice, nodes),
    thresholds: {
      speculativeCap: dice.pick([0.1, 0.1, 0.2, 0.35, 1]),
      slowNodeThreshold: dice.pick([25, 25, 10, 40]),
      slowTaskThreshold: dice.pick([25, 25, 10, 40]),
      runtimeMsMin: dice.pick([60_000, 60_000, 20_000, 10_000, 0]),
    },
    tick: dice.pick([
      [200, 4_000],
      [3_000, 3_000],
      [1_000, 1_000],
      [2_000, 8_000],
    ]),
    chances: {
      failure: dice.pick([0.005, 0.02, 0.05]),
      speedChange: dice.pick([0, 0.01, 0.05]),
      nodeLeft: dice.pick([0.002, 0.006]),
      nodeBack: dice.pick([0.02, 0.1]),
      nodeSilent: dice.pick([0.005, 0.02]),
      outputLost: dice.pick([0.02, 0.08]),
      straggler: dice.pick([0.15, 0.25, 0.4]),
      offer: dice.pick([1, 0.6, 0.3]),
    },
  };
}

function drawJobs(dice: Dice, nodes: readonly NodeBook[]): JobBook[] {
  const next = { phase: 0, task: 0 };
  let at = 0;
  return Array.from({ length: dice.whole(1, 3) }, (_, id) => {
    const job: JobBook = {
      ...{ id, submittedAt: at, usualMs: dice.whole(40, 160) * 1_000, phases: [] },
      ...{ failuresOn: new Map(), nodesKnown: 0, submitted: false, ended: false },
      speculate: !dice.chance(0.1),
    };
    at += dice.whole(0, 40) * 3_000;
    const maps = { job, next, nodes, kind: MAP, reads: [], replicas: dice.whole(0, 3) };
    const reads = [drawPhase(dice, { ...maps, tasks: dice.whole(2, 24) })];
    if (dice.chance(0.25)) reads.push(drawPhase(dice, { ...maps, tasks: dice.whole(2, 10) }));
    if (dice.chance(0.8)) {
      drawPhase(dice, { ...maps, kind: REDUCE, reads, tasks: dice.whole(1, 8), replicas: 0 });
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
  readonly replicas: number;
  readonly tasks: number;
}

function drawPhase(dice: Dice, draft: Draft): PhaseBook {
  const { job, kind, next, nodes, reads } = draft;
  const slowstart = dice.pick([1, 1, 0.05, 0.5]);
  const phase: PhaseBook = {
    ...{ id: next.phase++, job, kind, reads, slowstart, tasks: [], ready: false },
  };
  const isEven = dice.chance(0.5);
  for (let index = 0; index < draft.tasks; index++) {
    phase.tasks.push({
      ...{ id: next.task++, index, phase, attempts: [], everDone: false, isRemade: false },
      ...{ outputs: new Set(), failures: 0 },
      bytes: (isEven ? 64 : dice.whole(1, 128)) * 1_000_000,
      replicas: dice.shuffled(nodes.map(({ id }) => id)).slice(0, draft.replicas),
    });
  }
  job.phases.push(phase);
  return phase;
}
