import { defined } from "../../../base/assert.ts";
import { type RandomState, randomState, split } from "../../../base/random.ts";
import { type Instant, type JobId, type NodeId, slotKind } from "../../../model/ids.ts";
import { MAP_STAGES, type Task } from "../../../model/job.ts";
import type { Ids } from "../ids.ts";
import { EVEN_STEPS, type Profile } from "../profile.ts";
import { type Arriving, SimPhase } from "../state.ts";
import type { Arrival, SimJob, Workload } from "../workload.ts";
import type { RecordedAttempt, RecordedJob, RecordedPhase } from "./recorded-job.ts";

/** A recorded job, which arrives at once. */
export class RecordedWorkload implements Workload {
  readonly #job: RecordedJob;
  readonly #nodes: ReadonlyMap<string, NodeId>;
  readonly #stream: RandomState;
  #isTaken = false;

  constructor(
    job: RecordedJob,
    from: { readonly nodes: ReadonlyMap<string, NodeId>; readonly seed: number },
  ) {
    this.#job = job;
    this.#nodes = from.nodes;
    this.#stream = randomState(from.seed, "further attempts");
  }

  next(): Arrival | undefined {
    if (this.#isTaken) return undefined;
    this.#isTaken = true;
    return { atMs: 0, build: (ids, at) => this.#build(ids, at) };
  }

  #build(ids: Ids, at: Instant): SimJob {
    const id = ids.job();
    const phases: SimPhase[] = [];
    for (const [index, phase] of this.#job.phases.entries()) {
      const stream = split(this.#stream, index);
      phases.push(this.#phase(phase, { job: id, ids, earlier: phases, stream }));
    }
    const job = {
      id,
      name: this.#job.name,
      user: "user",
      pool: "default",
      priority: "normal",
      submittedAt: at,
      phases: phases.map(({ phase }) => phase),
    } as const;
    return { job, phases };
  }

  #phase(
    recorded: RecordedPhase,
    of: {
      readonly job: JobId;
      readonly ids: Ids;
      readonly earlier: readonly SimPhase[];
      readonly stream: RandomState;
    },
  ): SimPhase {
    const { name, gapMs, reads, slots, speculate, stages = MAP_STAGES } = recorded;
    const id = of.ids.phase();
    const upstream = reads.map(({ phase }) => defined(of.earlier[phase], `an earlier phase`));
    const tasks = recorded.tasks.map(({ firstOn, inputBytes, replicas = [] }, index): Task => {
      return {
        id: of.ids.task(),
        phase: id,
        index,
        ...(inputBytes !== undefined && { inputBytes }),
        replicas: replicas.map((node) => this.#node(node)),
        ...(firstOn !== undefined && { firstOn: this.#node(firstOn) }),
        stages,
      };
    });
    const { slotKinds } = this.#job;
    const phase = {
      id,
      name,
      job: of.job,
      slots: slots.map((kind) => slotKind(slotKinds.indexOf(kind))),
      after: upstream.map(({ phase: { id } }, i) => {
        return { phase: id, start: defined(reads[i], "an edge").start };
      }),
      ...(gapMs !== undefined && { gapMs }),
      ...(speculate !== undefined && { speculate }),
      tasks,
    };
    const attempt = (arriving: Arriving) => attemptOf(recorded, arriving, of.stream);
    const work = {
      kind: "fixed",
      profile: (arriving: Arriving) =>
        profileOf(attempt(arriving), recorded.tasks[arriving.index]?.inputBytes),
      waitMs: (arriving: Arriving) => attempt(arriving).waitMs ?? 0,
    } as const;
    return new SimPhase({ phase, work, upstream, failureProbability: 0, stream: of.stream });
  }

  #node(name: string): NodeId {
    return defined(this.#nodes.get(name), `node ${name}`);
  }
}

/** The most attempts of a task, as in other workloads. */
const ORDINALS = 65_536;

/** The recorded attempt with this number, or a further one. */
function attemptOf(
  { further, tasks }: RecordedPhase,
  { as, copies, index, ordinal }: Arriving,
  stream: RandomState,
): RecordedAttempt {
  const task = defined(tasks[index], "a task of the phase");
  const recorded = as === "speculative" ? task.copies?.[copies] : task.attempts[ordinal - copies];
  if (recorded !== undefined) return recorded;
  const chance = split(stream, index * ORDINALS + ordinal);
  return further({ task: index, as, ordinal, copies, chance });
}

function profileOf(attempt: RecordedAttempt, inputBytes = 0): Profile {
  const { failsAfterMs, heldByReads, records, slowedByNode = false, steps, workMs } = attempt;
  return {
    totalMs: workMs,
    steps: steps ?? EVEN_STEPS,
    startMs: 0,
    bytesRead: inputBytes,
    slowedByNode,
    ...(records !== undefined && { records }),
    ...(failsAfterMs !== undefined && { failsAfterMs }),
    ...(heldByReads !== undefined && { heldByReads }),
  };
}
