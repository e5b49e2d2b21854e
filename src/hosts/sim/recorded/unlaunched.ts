import { EventHeap } from "../../../base/heap.ts";
import type { Setup } from "../../../core/index.ts";
import {
  after,
  type Instant,
  instant,
  type PhaseId,
  type TaskId,
  taskId,
} from "../../../model/ids.ts";
import type { View } from "../../../model/view.ts";
import type { RecordedJob, RecordedTask } from "./recorded-job.ts";

type Discipline = Setup["discipline"];
type TaskOrder = Discipline["order"]["policy"];
type WaitingPhase = Parameters<NonNullable<TaskOrder["holdsAll"]>>[0];
type DataPolicy = Discipline["data"][number]["policy"];

/**
 * The discipline, under which no task is launched before its recorded wait is over. A wait before a
 * launch has reasons that no policy changes, and a task that has not been launched has no attempt
 * that a policy could copy.
 */
export function launchedAsRecorded(job: RecordedJob, discipline: Discipline): Discipline {
  if (!job.phases.some(({ tasks }) => tasks.some(waits))) return discipline;
  const { data, order } = discipline;
  const times = new LaunchTimes(job);
  const { policy } = order;
  const late: TaskOrder = {
    ...policy,
    eligible: (ctx, task, slot) =>
      times.isOver(ctx.view, task) && (policy.eligible?.call(policy, ctx, task, slot) ?? true),
    eligibleFrom: ({ view }) => times.next(view.now),
    holdsAll: (phase) => times.holdsAll(phase),
  };
  return {
    ...discipline,
    order: { ...order, policy: late },
    data: [...data, { policy: beginnings(times), params: {} }],
  };
}

const waits = ({ attempts }: RecordedTask): boolean =>
  attempts.some(({ unlaunchedMs = 0 }) => unlaunchedMs > 0);

/** Notes when phases begin. */
const beginnings = (times: LaunchTimes): DataPolicy => ({
  name: "recorded-waits",
  source: "Ours: a wait before a recorded launch ends when it ended",
  params: {},
  needs: [],
  remember: () => null,
  onPhaseReady({ view }, phase) {
    times.begin(phase, view.now);
    return [];
  },
});

/** When the tasks of a recorded job may be launched. */
class LaunchTimes {
  readonly #tasks: ReadonlyMap<string, readonly RecordedTask[]>;
  readonly #begunAt = new Map<PhaseId, Instant>();
  /** The waiting tasks that were refused, with the phases that count them below. */
  readonly #refused = new Map<TaskId, PhaseId | undefined>();
  /** When their waits are over. */
  readonly #ends = new EventHeap();
  /** By phase: the number of refused tasks without an attempt, which surely wait until then. */
  readonly #held = new Map<PhaseId, number>();

  constructor({ phases }: RecordedJob) {
    this.#tasks = new Map(phases.map(({ name, tasks }) => [name, tasks]));
  }

  begin(phase: PhaseId, at: Instant): void {
    this.#begunAt.set(phase, at);
  }

  /** The next time at which a refused task may be launched. */
  next(now: Instant): Instant | undefined {
    this.#expire(now);
    return this.#ends.size === 0 ? undefined : instant(this.#ends.nextTime);
  }

  holdsAll({ id, waiting, now }: WaitingPhase): boolean {
    this.#expire(now);
    return this.#heldOf(id) === waiting;
  }

  // COST: O(log n), and O(1) for a task that was refused before.
  isOver(view: View, id: TaskId): boolean {
    this.#expire(view.now);
    if (this.#refused.has(id)) return false;
    const { index, phase } = view.task(id);
    const task = this.#tasks.get(view.phase(phase).name)?.[index];
    if (task === undefined || !waits(task)) return true;
    const attempts = view.attemptsOf(id);
    const earlier = attempts.filter(({ as }) => as !== "speculative");
    const from = earlier.length === 0 ? this.#begunAt.get(phase) : earlier.at(-1)?.endedAt;
    const waitMs = task.attempts[earlier.length]?.unlaunchedMs ?? 0;
    if (from === undefined || after(from, waitMs) <= view.now) return true;
    this.#ends.push(after(from, waitMs), id);
    // A copy may do a task that has had an attempt.
    const countedBy = attempts.length === 0 ? phase : undefined;
    this.#refused.set(id, countedBy);
    if (countedBy !== undefined) this.#held.set(phase, this.#heldOf(phase) + 1);
    return false;
  }

  #expire(now: Instant): void {
    while (this.#ends.nextTime <= now) {
      const id = taskId(this.#ends.pop());
      const phase = this.#refused.get(id);
      if (phase !== undefined) this.#held.set(phase, this.#heldOf(phase) - 1);
      this.#refused.delete(id);
    }
  }

  #heldOf(phase: PhaseId): number {
    return this.#held.get(phase) ?? 0;
  }
}
