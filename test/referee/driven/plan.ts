import type { Dice } from "../../letter/dice.ts";
import type { JobBook, NodeBook, PhaseBook, TaskBook } from "./books.ts";

/** Everything that is drawn before a world begins. */
export interface Plan {
  readonly reportEvery: number;
  readonly racks: number;
  readonly nodes: readonly NodeBook[];
  readonly jobs: readonly JobBook[];
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

export interface Cluster {
  readonly count: number;
  readonly racks: number;
  readonly speeds: readonly number[];
}

export const drawNodes = (dice: Dice, { count, racks, speeds }: Cluster): NodeBook[] =>
  Array.from({ length: count }, (_, id) => ({
    ...{ id, name: `n${id}`, rack: id % racks, joined: true, silentSince: undefined },
    ...{ slots: [dice.whole(1, 3), dice.whole(1, 2)], succeeded: 0, held: [0, 0] },
    ...{ made: new Set(), speed: dice.pick(speeds) },
  }));

/** The numbers of the next phase and task, over all jobs. */
export interface Next {
  phase: number;
  task: number;
}

export interface JobDraft {
  readonly usualS: readonly [number, number];
  speculate(): boolean;
  drawPhases(job: JobBook, next: Next): void;
}

/** One to three jobs, which arrive over time. */
export function drawJobs(dice: Dice, draft: JobDraft): JobBook[] {
  const next = { phase: 0, task: 0 };
  let at = 0;
  return Array.from({ length: dice.whole(1, 3) }, (_, id) => {
    const job: JobBook = {
      ...{ id, submittedAt: at, usualMs: dice.whole(...draft.usualS) * 1_000, phases: [] },
      ...{ failuresOn: new Map(), nodesKnown: 0, submitted: false, ended: false },
      speculate: draft.speculate(),
    };
    at += dice.whole(0, 40) * 3_000;
    draft.drawPhases(job, next);
    return job;
  });
}

/** A new phase of the job, without tasks. */
export function addPhase(
  job: JobBook,
  next: Next,
  drawn: Pick<PhaseBook, "kind" | "reads" | "slowstart">,
): PhaseBook {
  const phase = { ...drawn, id: next.phase++, job, tasks: [], begun: false, ready: false };
  job.phases.push(phase);
  return phase;
}

export function addTask(
  phase: PhaseBook,
  next: Next,
  drawn: Pick<TaskBook, "bytes" | "parts" | "replicas">,
): void {
  phase.tasks.push({
    ...{ ...drawn, id: next.task++, index: phase.tasks.length, phase, attempts: [] },
    ...{ everDone: false, isRemade: false, outputs: new Set(), failures: 0, restarts: 0 },
    ...{ prefers: undefined, waitsWith: undefined },
  });
}

/** The ids of `count` random nodes. */
export const drawReplicas = (dice: Dice, nodes: readonly NodeBook[], count: number): number[] =>
  dice.shuffled(nodes.map(({ id }) => id)).slice(0, count);
