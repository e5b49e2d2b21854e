import { defined } from "../../../base/assert.ts";
import { type RandomState, randomState, split } from "../../../base/random.ts";
import type { AttemptKind } from "../../../model/attempt.ts";
import { type Instant, type JobId, type NodeId, slotKind } from "../../../model/ids.ts";
import { MAP_STAGES, type Task } from "../../../model/job.ts";
import type { Ids } from "../ids.ts";
import { EVEN_STEPS, type Profile } from "../profile.ts";
import { type Arriving, SimPhase } from "../state.ts";
import type { Arrival, SimJob, Workload } from "../workload.ts";
import type { RecordedAttempt, RecordedJob, RecordedPhase, RecordedTask } from "./recorded-job.ts";

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
    const attempts = new PhaseAttempts(recorded, of.stream);
    const work = {
      kind: "fixed",
      profile: (arriving: Arriving) =>
        profileOf(attempts.begin(arriving), recorded.tasks[arriving.index]?.inputBytes),
      waitMs: (arriving: Arriving, now: Instant) => attempts.arrive(arriving, now).waitMs ?? 0,
    } as const;
    return new SimPhase({ phase, work, upstream, failureProbability: 0, stream: of.stream });
  }

  #node(name: string): NodeId {
    return defined(this.#nodes.get(name), `node ${name}`);
  }
}

/** The most attempts of a task, as in other workloads. */
const ORDINALS = 65_536;

/** Which recorded attempt each attempt of a phase is, or a further one. */
class PhaseAttempts {
  readonly #phase: RecordedPhase;
  readonly #stream: RandomState;
  /**
   * By the task's index: the recorded attempt that its latest one, copies aside, stands for, and
   * when that ends without a result.
   */
  readonly #latest = new Map<number, { readonly of: number; readonly fallsAt: number }>();
  /** The attempts that have come to their nodes and not begun, by task and ordinal. */
  readonly #arrived = new Map<number, RecordedAttempt>();

  constructor(phase: RecordedPhase, stream: RandomState) {
    this.#phase = phase;
    this.#stream = stream;
  }

  arrive(arriving: Arriving, now: Instant): RecordedAttempt {
    const attempt = this.#attempt(arriving, now);
    this.#arrived.set(keyOf(arriving), attempt);
    return attempt;
  }

  begin(arriving: Arriving): RecordedAttempt {
    const attempt = defined(this.#arrived.get(keyOf(arriving)), "an attempt that has arrived");
    this.#arrived.delete(keyOf(arriving));
    return attempt;
  }

  #attempt(arriving: Arriving, now: Instant): RecordedAttempt {
    const { as, copies, index, ordinal } = arriving;
    const task = defined(this.#phase.tasks[index], "a task of the phase");
    const chance = split(this.#stream, keyOf(arriving));
    const latest = this.#latest.get(index);
    const isOver = latest !== undefined && latest.fallsAt > 0 && latest.fallsAt <= now;
    if (as === "speculative" && !isOver) {
      const { of = 0, fallsAt = 0 } = latest ?? {};
      const leftMs = Math.max(0, fallsAt - now);
      const asked = { task: index, as, ordinal, copies, of, leftMs, chance };
      return task.copies?.[copies] ?? this.#phase.further(asked);
    }
    // Where the attempt beside a copy has ended, the next copy is its successor: else copies that
    // end as it did could take turns for ever.
    const isSuccessor = as === "speculative" && isOver;
    const of = isSuccessor ? latest.of + 1 : this.#next(task, as, latest?.of);
    const recorded = of === latest?.of ? undefined : task.attempts[of];
    const asked = { task: index, as, ordinal, copies, of, leftMs: 0, chance };
    const attempt = recorded ?? this.#phase.further(asked);
    this.#latest.set(index, { of, fallsAt: fallsAt(attempt, now) });
    return attempt;
  }

  /** The same one where a policy has stopped it. */
  #next({ attempts }: RecordedTask, as: AttemptKind, latest: number | undefined): number {
    if (latest === undefined) return 0;
    const isStopped =
      as === "restart" || (as === "rerun" && attempts[latest]?.evictedAfterMs === undefined);
    return isStopped ? latest : latest + 1;
  }
}

/** 0 if the attempt succeeds. */
function fallsAt(attempt: RecordedAttempt, now: Instant): number {
  const afterMs = attempt.failsAfterMs ?? attempt.evictedAfterMs;
  return afterMs === undefined ? 0 : now + (attempt.waitMs ?? 0) + afterMs;
}

const keyOf = ({ index, ordinal }: Arriving): number => index * ORDINALS + ordinal;

function profileOf(attempt: RecordedAttempt, inputBytes = 0): Profile {
  const { evictedAfterMs, failsAfterMs, heldByReads, records, steps, workMs } = attempt;
  return {
    totalMs: workMs,
    steps: steps ?? EVEN_STEPS,
    startMs: 0,
    bytesRead: inputBytes,
    slowedByNode: attempt.slowedByNode ?? false,
    ...(records !== undefined && { records }),
    ...(failsAfterMs !== undefined && { failsAfterMs }),
    ...(evictedAfterMs !== undefined && { evictedAfterMs }),
    ...(heldByReads !== undefined && { heldByReads }),
  };
}
