import type { Setup } from "../../../core/index.ts";
import { after, type Instant, type PhaseId, type TaskId } from "../../../model/ids.ts";
import type { View } from "../../../model/view.ts";
import type { RecordedJob, RecordedTask } from "./recorded-job.ts";

type Discipline = Setup["discipline"];
type TaskOrder = Discipline["order"]["policy"];
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
  /** The waiting tasks that were refused, and until when. */
  readonly #refused = new Map<TaskId, Instant>();

  constructor({ phases }: RecordedJob) {
    this.#tasks = new Map(phases.map(({ name, tasks }) => [name, tasks]));
  }

  begin(phase: PhaseId, at: Instant): void {
    this.#begunAt.set(phase, at);
  }

  /** The next time at which a refused task may be launched. COST: O(refused tasks). */
  next(now: Instant): Instant | undefined {
    let first: Instant | undefined;
    for (const [task, at] of this.#refused) {
      if (at <= now) this.#refused.delete(task);
      else if (first === undefined || at < first) first = at;
    }
    return first;
  }

  isOver(view: View, id: TaskId): boolean {
    // Every free slot is asked about every task that waits.
    const until = this.#refused.get(id);
    if (until !== undefined && until > view.now) return false;
    const at = this.#launchAt(view, id);
    const isOver = at === undefined || at <= view.now;
    if (isOver) this.#refused.delete(id);
    else this.#refused.set(id, at);
    return isOver;
  }

  #launchAt(view: View, id: TaskId): Instant | undefined {
    const { index, phase } = view.task(id);
    const task = this.#tasks.get(view.phase(phase).name)?.[index];
    if (task === undefined || !waits(task)) return undefined;
    const earlier = view.attemptsOf(id).filter(({ as }) => as !== "speculative");
    const from = earlier.length === 0 ? this.#begunAt.get(phase) : earlier.at(-1)?.endedAt;
    const waitMs = task.attempts[earlier.length]?.unlaunchedMs ?? 0;
    return from === undefined || waitMs === 0 ? undefined : after(from, waitMs);
  }
}
