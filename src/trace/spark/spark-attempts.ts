import { type AttemptColumns, endAt, kindAt } from "../../history/columns.ts";
import { ColumnsBuilder } from "../../history/columns-builder.ts";
import { ATTEMPT_KINDS, type AttemptKind } from "../../model/attempt.ts";
import type { SparkTask, TaskMetrics } from "./task-end.ts";

/** The facts about one try of a stage that its attempts give. Times in ms since 1970. */
export interface StageRun {
  readonly stage: number;
  readonly stageTry: number;
  firstLaunchedAt: number;
  lastFinishedAt: number;
  /** The number of tasks that the attempts need; the stage may have more. */
  tasks: number;
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

  add(task: SparkTask): void {
    const { run, index } = this.#runOfTask(task);
    run.firstLaunchedAt = Math.min(run.firstLaunchedAt, task.startedAt);
    run.lastFinishedAt = Math.max(run.lastFinishedAt, task.endedAt);
    run.tasks = Math.max(run.tasks, task.task + 1);
    this.#runOf.push(index);
    const row = this.#builder.append(task);
    if (task.metrics !== undefined) this.#measure(row, task.metrics);
  }

  #measure(row: number, metrics: TaskMetrics): void {
    const { columns } = this.#builder;
    columns.inputBytes[row] = metrics.inputBytes;
    columns.inputRecords[row] = metrics.inputRecords;
    columns.shuffleBytes[row] = metrics.shuffleBytes;
    columns.shuffleRecords[row] = metrics.shuffleRecords;
    columns.outputBytes[row] = metrics.outputBytes;
    columns.gcMs[row] = metrics.gcMs;
    columns.fetchWaitMs[row] = metrics.fetchWaitMs;
    columns.deserializeMs[row] = metrics.deserializeMs;
    columns.cpuMs[row] = metrics.cpuMs;
    columns.spilledBytes[row] = metrics.spilledBytes;
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
      }
      number(columns, runs[index]?.tasks ?? 0);
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
