import type { TraceAttempt } from "../../history/columns.ts";
import { ColumnsBuilder } from "../../history/columns-builder.ts";
import type { TracePhase } from "../../history/model.ts";
import { REDUCE_STAGES } from "../../model/job.ts";
import { kindOf, localityOf, type RanAttempt, ranAttempts } from "./attempts.ts";
import type { Clocks } from "./clocks.ts";
import { measuresOf } from "./counters.ts";
import { curveOf } from "./curve.ts";
import type { HadoopJob, HadoopTask } from "./history.ts";

/** The facts that all phases of a job share. */
export interface JobContext {
  readonly job: HadoopJob;
  /** A JobTracker ran the job, and trackers its attempts. */
  readonly hasTrackers: boolean;
  readonly clocks: Clocks;
  readonly originMs: number;
  readonly lastAt: number;
  readonly nodes: NodeNames;
}

/** The hosts of a job, numbered in the order of their appearance, and their racks. */
export class NodeNames {
  readonly racks = new Map<string, string>();
  readonly #index = new Map<string, number>();

  get all(): readonly string[] {
    return [...this.#index.keys()];
  }

  /** -1 if the log does not name the host. */
  index(host: string | undefined): number {
    if (host === undefined) return -1;
    const known = this.#index.get(host);
    if (known !== undefined) return known;
    this.#index.set(host, this.#index.size);
    return this.#index.size - 1;
  }
}

/** The job's maps or reduces, without the phases that they read; undefined if none ran. */
export function phaseOf(
  kind: "map" | "reduce",
  context: JobContext,
): { readonly phase: Omit<TracePhase, "reads">; readonly dropped: number } | undefined {
  const { job } = context;
  const tasks = [...job.tasks.values()].filter((task) => task.kind === kind);
  const { count, indexOf } = numbered(tasks, kind === "map" ? job.maps : job.reduces);
  const columns = new ColumnsBuilder();
  let dropped = 0;
  for (const task of tasks) {
    const ran = ranAttempts(job, task, context.clocks, context.lastAt);
    dropped += task.attempts.size - ran.length;
    for (const [ordinal, attempt] of ran.entries()) {
      const as = kindOf(attempt, ran.slice(0, ordinal));
      const node = context.nodes.index(attempt.host);
      const which = { task: indexOf(task), ordinal, as, node, executor: -1 };
      columns.add({ ...which, ...recorded(attempt, task, ran, context) });
    }
  }
  if (count === 0) return undefined;
  const attempts = columns.build();
  const stages = kind === "reduce" ? { stages: REDUCE_STAGES } : {};
  const phase = { name: kind, kind, try: 0, span: -1, ...stages, tasks: count, attempts };
  return { phase, dropped };
}

/**
 * The index of a task is the number in its id. Where the numbers do not fit, as in a damaged log,
 * the index is the task's place in the order of ids.
 */
function numbered(
  tasks: readonly HadoopTask[],
  announced: number | undefined,
): { readonly count: number; readonly indexOf: (task: HadoopTask) => number } {
  const count = Math.max(announced ?? 0, tasks.length);
  const numbers = tasks.map(({ id }) => Number(/_(\d+)$/.exec(id)?.[1] ?? Number.NaN));
  const fit = new Set(numbers).size === tasks.length && numbers.every((n) => n < count);
  const ids = fit ? [] : tasks.map(({ id }) => id).sort();
  const index = new Map(
    fit
      ? tasks.map(({ id }, place) => [id, numbers[place] ?? 0])
      : ids.map((id, place) => [id, place]),
  );
  return { count, indexOf: ({ id }) => index.get(id) ?? 0 };
}

function recorded(
  attempt: RanAttempt,
  task: HadoopTask,
  ran: readonly RanAttempt[],
  { hasTrackers, originMs, nodes }: JobContext,
): Omit<TraceAttempt, "task" | "ordinal" | "as" | "node" | "executor"> {
  const at = (ms: number | undefined): number => (ms === undefined ? Number.NaN : ms - originMs);
  const { startedAt, finishedAt, ended } = attempt;
  const assigned = hasTrackers && ran[0] === attempt ? task.startedAt : undefined;
  const curve = curveOf(attempt.clockSplits, finishedAt - startedAt, shareOf(attempt, task, ran));
  return {
    ...measuresOf(attempt.counters, task.kind),
    assignedAt: at(assigned),
    startedAt: at(startedAt),
    endedAt: at(finishedAt),
    ended,
    locality: task.kind === "map" ? localityOf(attempt, task, nodes.racks) : undefined,
    shuffleEndAt: at(attempt.shuffleEndAt),
    sortEndAt: at(attempt.sortEndAt),
    ...(curve !== undefined && { curve }),
  };
}

/** How much of its task's input an attempt read: 1 if it succeeded. */
function shareOf(
  attempt: RanAttempt,
  { kind }: HadoopTask,
  ran: readonly RanAttempt[],
): number | undefined {
  if (attempt.ended === "succeeded") return 1;
  // Bytes of the shuffle say little about a reduce's progress.
  if (kind !== "map") return undefined;
  const whole = ran.find(({ ended }) => ended === "succeeded");
  const [read, all] = [attempt, whole].map((one) => measuresOf(one?.counters, kind));
  for (const measure of ["inputBytes", "inputRecords"] as const) {
    const [part, total] = [read?.[measure], all?.[measure]];
    if (part !== undefined && total !== undefined && total > 0) return part / total;
  }
  return undefined;
}
