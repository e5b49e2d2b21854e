import { defined } from "../../../base/assert.ts";
import { type RandomState, split } from "../../../base/random.ts";
import type { Ids } from "../../../hosts/sim/ids.ts";
import { EVEN_STEPS } from "../../../hosts/sim/profile.ts";
import { SimPhase } from "../../../hosts/sim/state.ts";
import type { Arrival, Workload } from "../../../hosts/sim/workload.ts";
import { type JobId, slotKind } from "../../../model/ids.ts";
import { type EdgeStart, MAP_STAGES, type Task } from "../../../model/job.ts";

/** The time of an attempt on any node: a slot is a token here, not a machine. */
export type AttemptTime = (attempt: { readonly index: number; readonly ordinal: number }) => number;

/** A job whose attempts only last for a time, and share nothing but its slots. */
export interface RunnableJob {
  readonly name: string;
  readonly slots: number;
  /** In topological order. */
  readonly phases: readonly RunnablePhase[];
}

export interface RunnablePhase {
  readonly name: string;
  /** The bytes of each task. */
  readonly bytes: Float64Array;
  readonly time: AttemptTime;
  /** Edges from earlier phases, by their index. */
  readonly after: readonly { readonly phase: number; readonly start: EdgeStart }[];
  readonly chance: RandomState;
  /** Whether its attempts take longer on a slow node; false if left out. */
  readonly slowedByNode?: boolean;
}

/** The one job, which arrives at once. */
export const workloadOf = ({ name, phases }: RunnableJob): Workload =>
  workloadOfJobs([
    {
      name,
      atMs: 0,
      build: (job, ids) => {
        const made: SimPhase[] = [];
        for (const phase of phases) made.push(phaseOf(phase, { job, ids, earlier: made }));
        return made;
      },
    },
  ]);

/** Jobs in the order in which they arrive. */
export function workloadOfJobs(
  jobs: readonly {
    readonly name: string;
    readonly atMs: number;
    readonly build: (job: JobId, ids: Ids) => readonly SimPhase[];
  }[],
): Workload {
  const waiting = [...jobs];
  return {
    next: (): Arrival | undefined => {
      const next = waiting.shift();
      if (next === undefined) return undefined;
      const { name, atMs } = next;
      return {
        atMs,
        build: (ids, submittedAt) => {
          const id = ids.job();
          const made = next.build(id, ids);
          const phases = made.map(({ phase }) => phase);
          const of = { user: "user", pool: "default", priority: "normal" } as const;
          return { job: { id, name, ...of, submittedAt, phases }, phases: made };
        },
      };
    },
  };
}

function phaseOf(
  { name, bytes, time, after, chance, slowedByNode = false }: RunnablePhase,
  of: { readonly job: JobId; readonly ids: Ids; readonly earlier: readonly SimPhase[] },
): SimPhase {
  const { ids, job } = of;
  const id = ids.phase();
  const upstream = after.map(({ phase }) => defined(of.earlier[phase], "an earlier phase"));
  const tasks = Array.from(bytes, (inputBytes, index): Task => {
    return { id: ids.task(), phase: id, index, inputBytes, replicas: NOWHERE, stages: MAP_STAGES };
  });
  return new SimPhase({
    phase: {
      id,
      name,
      job,
      slots: [slotKind(0)],
      after: after.map(({ start }, i) => {
        return { phase: defined(upstream[i], "an earlier phase").phase.id, start };
      }),
      tasks,
    },
    work: {
      kind: "fixed",
      profile: (attempt) => ({
        totalMs: time(attempt),
        steps: EVEN_STEPS,
        startMs: 0,
        bytesRead: bytes[attempt.index] ?? 0,
        slowedByNode,
      }),
    },
    upstream,
    failureProbability: 0,
    stream: split(chance, 0),
  });
}

const NOWHERE: readonly never[] = [];
