import { defined } from "../../base/assert.ts";
import { cell } from "../../base/rows.ts";
import { LOCALITIES, type Measure, TRACE_ENDS } from "../../history/columns.ts";
import { ColumnsBuilder } from "../../history/columns-builder.ts";
import type { TracePhase } from "../../history/model.ts";
import type { Reasons } from "../../history/reasons.ts";
import { ATTEMPT_KINDS } from "../../model/attempt.ts";
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
  readonly reasons: Reasons;
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
  const builder = new ColumnsBuilder();
  let dropped = 0;
  for (const task of tasks) {
    const ran = ranAttempts(job, task, context.clocks, context.lastAt);
    dropped += task.attempts.size - ran.length;
    for (const ordinal of ran.keys()) {
      const row = builder.append();
      const { columns } = builder;
      columns.task[row] = indexOf(task);
      columns.ordinal[row] = ordinal;
      const curve = record(columns, row, { task, ran, ordinal, context });
      if (curve !== undefined) builder.setCurve(row, curve);
    }
  }
  if (count === 0) return undefined;
  const attempts = builder.build();
  const stages = kind === "reduce" ? { stages: REDUCE_STAGES } : {};
  const phase = { name: kind, kind, span: -1, ...stages, tasks: count, attempts };
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
      ? tasks.map(({ id }, place) => [id, cell(numbers[place])])
      : ids.map((id, place) => [id, place]),
  );
  return { count, indexOf: ({ id }) => defined(index.get(id), "a task") };
}

interface Recorded {
  readonly task: HadoopTask;
  /** The attempts of the task that ran, and the place of this one among them. */
  readonly ran: readonly RanAttempt[];
  readonly ordinal: number;
  readonly context: JobContext;
}

/** Writes the cells that the history knows; returns the curve of the attempt's progress. */
function record(
  columns: ColumnsBuilder["columns"],
  row: number,
  { task, ran, ordinal, context }: Recorded,
): readonly number[] | undefined {
  const { hasTrackers, originMs, nodes } = context;
  const attempt = cell(ran[ordinal]);
  const { startedAt, finishedAt, ended } = attempt;
  const set = (name: Measure, ms: number | undefined): void => {
    if (ms !== undefined) columns[name][row] = ms - originMs;
  };
  columns.node[row] = nodes.index(attempt.host);
  columns.kinds[row] = ATTEMPT_KINDS.indexOf(kindOf(attempt, ran.slice(0, ordinal)));
  columns.ends[row] = TRACE_ENDS.indexOf(ended);
  columns.reason[row] = context.reasons.of(attempt.reason);
  const locality = task.kind === "map" ? localityOf(attempt, task, nodes.racks) : undefined;
  if (locality !== undefined) columns.localities[row] = LOCALITIES.indexOf(locality);
  if (hasTrackers && ordinal === 0) set("assignedAt", task.startedAt);
  set("startedAt", startedAt);
  set("endedAt", finishedAt);
  set("heardAt", finishedAt);
  set("shuffleEndAt", attempt.shuffleEndAt);
  set("sortEndAt", attempt.sortEndAt);
  for (const [name, value] of measuresOf(attempt.counters, task.kind)) columns[name][row] = value;
  return curveOf(attempt.clockSplits, finishedAt - startedAt, shareOf(attempt, task, ran));
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
    const [part, total] = [read?.get(measure), all?.get(measure)];
    if (part !== undefined && total !== undefined && total > 0) return part / total;
  }
  return undefined;
}
