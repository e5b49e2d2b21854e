import { cell } from "../../base/rows.ts";
import {
  type AttemptColumns,
  endAt,
  kindAt,
  LOCALITIES,
  TRACE_ENDS,
  type TraceEnd,
} from "../../history/columns.ts";
import { ColumnsBuilder } from "../../history/columns-builder.ts";
import { ATTEMPT_KINDS, type AttemptKind } from "../../model/attempt.ts";
import type { SparkTask } from "./task-event.ts";

/** The facts about one try of a stage that its attempts give. Times in ms since 1970. */
export interface StageRun {
  readonly stage: number;
  readonly stageTry: number;
  firstLaunchedAt: number;
  lastFinishedAt: number;
  /** The number of tasks that the attempts need; the stage may have more. */
  tasks: number;
}

/** How a task ended, and where it had run, as numbers of the application's names. */
export interface TaskEnd {
  readonly endedAt: number;
  readonly ended: TraceEnd;
  readonly node: number;
  readonly executor: number;
}

/** The attempts of all stages, in one set of columns until the log has ended. */
export class SparkAttempts {
  readonly #builder = new ColumnsBuilder();
  readonly #runs = new Map<string, { readonly run: StageRun; readonly index: number }>();
  /** The stage of each attempt, as the index of its run. */
  readonly #runOf: number[] = [];

  /** By the order in which their first tasks ended. */
  get runs(): readonly StageRun[] {
    return [...this.#runs.values()].map(({ run }) => run);
  }

  /** Longer than there are attempts; others after the next `add`. */
  get columns(): ColumnsBuilder["columns"] {
    return this.#builder.columns;
  }

  /** Returns the row of the attempt, whose measures are not known yet. */
  add(task: SparkTask, { endedAt, ended, node, executor }: TaskEnd): number {
    const { run, index } = this.#runOfTask(task);
    run.firstLaunchedAt = Math.min(run.firstLaunchedAt, task.startedAt);
    run.lastFinishedAt = Math.max(run.lastFinishedAt, endedAt);
    run.tasks = Math.max(run.tasks, task.index + 1);
    this.#runOf.push(index);
    const row = this.#builder.append();
    const { columns } = this.#builder;
    columns.task[row] = task.index;
    columns.node[row] = node;
    columns.executor[row] = executor;
    columns.kinds[row] = ATTEMPT_KINDS.indexOf(task.isSpeculative ? "speculative" : "original");
    columns.ends[row] = TRACE_ENDS.indexOf(ended);
    if (task.locality !== undefined) columns.localities[row] = LOCALITIES.indexOf(task.locality);
    columns.startedAt[row] = task.startedAt;
    columns.endedAt[row] = endedAt;
    columns.heardAt[row] = endedAt;
    return row;
  }

  /** The attempts of each run, in the order of `runs`, with times since the origin. */
  build(originMs: number): readonly AttemptColumns[] {
    const { runs } = this;
    const parts = this.#builder.split(this.#runOf, runs.length);
    for (const [index, columns] of parts.entries()) {
      for (let row = 0; row < columns.length; row++) {
        columns.startedAt[row]! -= originMs;
        columns.endedAt[row]! -= originMs;
        columns.heardAt[row]! -= originMs;
        columns.resultAt[row]! -= originMs;
      }
      number(columns, cell(runs[index]).tasks);
    }
    return parts;
  }

  #runOfTask({ stage, stageTry }: SparkTask) {
    const key = stageKey(stage, stageTry);
    const known = this.#runs.get(key);
    if (known !== undefined) return known;
    const times = { firstLaunchedAt: Number.POSITIVE_INFINITY, lastFinishedAt: 0 };
    const added = { run: { stage, stageTry, ...times, tasks: 0 }, index: this.#runs.size };
    this.#runs.set(key, added);
    return added;
  }
}

/** Sets each attempt's ordinal and kind, which follow from the order of starts. */
function number(columns: AttemptColumns, tasks: number): void {
  const earlier = new Int32Array(tasks);
  const hasSucceeded = new Uint8Array(tasks);
  const hasJustFailed = new Uint8Array(tasks);
  for (let row = 0; row < columns.length; row++) {
    const task = columns.task[row]!;
    const ordinal = earlier[task]!;
    const kind = (): AttemptKind => {
      if (hasSucceeded[task] === 1) return "recompute";
      return hasJustFailed[task] === 1 ? "retry" : "rerun";
    };
    if (ordinal > 0 && kindAt(columns, row) !== "speculative") {
      columns.kinds[row] = ATTEMPT_KINDS.indexOf(kind());
    }
    columns.ordinal[row] = ordinal;
    earlier[task] = ordinal + 1;
    const ended = endAt(columns, row);
    if (ended === "succeeded") hasSucceeded[task] = 1;
    hasJustFailed[task] = ended === "failed" ? 1 : 0;
  }
}

export const stageKey = (id: number, attempt: number): string => `${id}.${attempt}`;
