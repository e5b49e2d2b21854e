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
import { Reasons } from "../../history/reasons.ts";
import { ATTEMPT_KINDS, type AttemptKind } from "../../model/attempt.ts";
import type { SparkTask } from "./task-event.ts";

/** The facts about a stage that its attempts give, those of all its tries. Times since 1970. */
export interface StageRun {
  readonly stage: number;
  firstLaunchedAt: number;
  lastFinishedAt: number;
  /** The number of tasks that the attempts of the first try need; the stage may have more. */
  tasks: number;
  /** The first launch of each later try, by its number. */
  readonly laterTries: Map<number, number>;
  /** Attempts of later tries, whose tasks are known once the log has ended. */
  readonly later: LaterAttempt[];
  /** Tasks of the first try by their partitions, where these differ. */
  readonly taskOfPartition: Map<number, number>;
}

interface LaterAttempt {
  readonly row: number;
  readonly stageTry: number;
  readonly index: number;
  readonly partition: number | undefined;
}

/** How a task ended, and where it had run, as numbers of the application's names. */
export interface TaskEnd {
  readonly endedAt: number;
  readonly ended: TraceEnd;
  readonly node: number;
  readonly executor: number;
  /** Empty unless it ended without a result. */
  readonly reason: string;
}

/** Attempts of a stage that began when it cannot have run. */
export interface LeftOut {
  readonly stage: number;
  readonly count: number;
  /** The number of its attempts. */
  readonly of: number;
  /** The earliest start of them, in ms since 1970. */
  readonly at: number;
}

/** What a stage says of its tries. */
export interface StageTries {
  /** The number of tasks of a try; 0 if the log does not say. */
  tasksOf(stage: number, stageTry: number): number;
  /** Whether the output of an attempt was gone at that time. */
  isGone(executor: number, at: number): boolean;
}

/** The attempts of all stages, in one set of columns until the log has ended. */
export class SparkAttempts {
  readonly #builder = new ColumnsBuilder();
  readonly #runs = new Map<number, { readonly run: StageRun; readonly index: number }>();
  /** The stage of each attempt, as the index of its run; one above all for attempts left out. */
  readonly #runOf: number[] = [];
  readonly reasons = new Reasons();

  /** By the order in which their first tasks ended. */
  get runs(): readonly StageRun[] {
    return [...this.#runs.values()].map(({ run }) => run);
  }

  /** Longer than there are attempts; others after the next `add`. */
  get columns(): ColumnsBuilder["columns"] {
    return this.#builder.columns;
  }

  /** Returns the row of the attempt, whose measures are not known yet. */
  add(task: SparkTask, { endedAt, ended, node, executor, reason }: TaskEnd): number {
    const { run, index } = this.#runOfStage(task.stage);
    run.firstLaunchedAt = Math.min(run.firstLaunchedAt, task.startedAt);
    run.lastFinishedAt = Math.max(run.lastFinishedAt, endedAt);
    this.#runOf.push(index);
    const row = this.#builder.append();
    const { columns } = this.#builder;
    columns.task[row] = task.index;
    columns.node[row] = node;
    columns.executor[row] = executor;
    columns.kinds[row] = ATTEMPT_KINDS.indexOf(task.isSpeculative ? "speculative" : "original");
    columns.ends[row] = TRACE_ENDS.indexOf(ended);
    columns.reason[row] = ended === "succeeded" ? -1 : this.reasons.of(reason);
    if (task.locality !== undefined) columns.localities[row] = LOCALITIES.indexOf(task.locality);
    columns.startedAt[row] = task.startedAt;
    columns.endedAt[row] = endedAt;
    columns.heardAt[row] = endedAt;
    noteTry(run, task, row);
    return row;
  }

  /**
   * Leaves attempts out that began at a time when their stage cannot have run; returns how many of
   * its attempts each stage loses so, and has.
   */
  leaveOut(canBegin: (run: StageRun, at: number) => boolean): readonly LeftOut[] {
    const { startedAt } = this.columns;
    const { runs } = this;
    const leftOut = runs.map(({ stage }) => ({ stage, count: 0, of: 0, at: 0 }));
    for (const [row, index] of this.#runOf.entries()) {
      const [own, at] = [cell(leftOut[index]), cell(startedAt[row])];
      own.of += 1;
      if (canBegin(cell(runs[index]), at)) continue;
      own.count += 1;
      own.at = own.count === 1 ? at : Math.min(own.at, at);
      this.#runOf[row] = runs.length;
    }
    const found = leftOut.filter(({ count }) => count > 0);
    if (found.length > 0) this.#bound(runs);
    return found;
  }

  /** The times of a stage are those of the attempts that it keeps. */
  #bound(runs: readonly StageRun[]): void {
    const { startedAt, endedAt } = this.columns;
    for (const run of runs) {
      [run.firstLaunchedAt, run.lastFinishedAt] = [Number.POSITIVE_INFINITY, 0];
    }
    for (const [row, index] of this.#runOf.entries()) {
      const run = runs[index];
      if (run === undefined) continue;
      run.firstLaunchedAt = Math.min(run.firstLaunchedAt, cell(startedAt[row]));
      run.lastFinishedAt = Math.max(run.lastFinishedAt, cell(endedAt[row]));
    }
  }

  /** The attempts of each run, in the order of `runs`, with times since the origin. */
  build(originMs: number, tries: StageTries): readonly AttemptColumns[] {
    const { runs } = this;
    for (const run of runs) this.#nameTasks(run, tries);
    // The lines of a log are in the order of ends, if nobody has changed it.
    const parts = this.#builder.split(this.#runOf, runs.length + 1, "endedAt").slice(0, -1);
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

  /** Finds the tasks of the attempts of later tries: each try numbers its own tasks from 0. */
  #nameTasks(run: StageRun, tries: StageTries): void {
    const { columns } = this.#builder;
    for (const stageTry of [...run.laterTries.keys()].sort((a, b) => a - b)) {
      const own = run.later.filter((one) => one.stageTry === stageTry);
      const taskOf = this.#taskOf(run, stageTry, own, tries);
      for (const one of own) {
        const task = taskOf(one);
        columns.task[one.row] = task;
        run.tasks = Math.max(run.tasks, task + 1);
      }
    }
  }

  #taskOf(
    run: StageRun,
    stageTry: number,
    own: readonly LaterAttempt[],
    tries: StageTries,
  ): (one: LaterAttempt) => number {
    const { stage } = run;
    const byPartition = (one: LaterAttempt, otherwise: number): number =>
      one.partition === undefined
        ? otherwise
        : (run.taskOfPartition.get(one.partition) ?? one.partition);
    const count = tries.tasksOf(stage, stageTry);
    const all = Math.max(run.tasks, tries.tasksOf(stage, 0));
    const isWhole = count === 0 || count >= all || own.some(({ index }) => index >= count);
    if (isWhole || own.every(({ partition }) => partition !== undefined)) {
      return (one) => byPartition(one, one.index);
    }
    const undone = this.#undone(run, all, cell(run.laterTries.get(stageTry)), tries);
    if (undone.length !== count) return (one) => byPartition(one, one.index);
    return (one) => byPartition(one, cell(undone[one.index]));
  }

  /** The tasks that a try runs again: those without a result that still exists. */
  #undone(run: StageRun, all: number, at: number, tries: StageTries): readonly number[] {
    const { columns } = this.#builder;
    const index = this.#runs.get(run.stage)?.index;
    const isDone = new Uint8Array(all);
    for (const [row, of] of this.#runOf.entries()) {
      if (of !== index || endAt(columns, row) !== "succeeded") continue;
      if (cell(columns.endedAt[row]) > at || tries.isGone(cell(columns.executor[row]), at))
        continue;
      isDone[cell(columns.task[row])] = 1;
    }
    return Array.from(isDone.keys()).filter((task) => isDone[task] === 0);
  }

  #runOfStage(stage: number) {
    const known = this.#runs.get(stage);
    if (known !== undefined) return known;
    const run: StageRun = {
      stage,
      firstLaunchedAt: Number.POSITIVE_INFINITY,
      lastFinishedAt: 0,
      tasks: 0,
      laterTries: new Map(),
      later: [],
      taskOfPartition: new Map(),
    };
    const added = { run, index: this.#runs.size };
    this.#runs.set(stage, added);
    return added;
  }
}

function noteTry(run: StageRun, { stageTry, index, partition, startedAt }: SparkTask, row: number) {
  if (stageTry === 0) {
    run.tasks = Math.max(run.tasks, index + 1);
    if (partition !== undefined && partition !== index) run.taskOfPartition.set(partition, index);
    return;
  }
  run.laterTries.set(stageTry, Math.min(run.laterTries.get(stageTry) ?? startedAt, startedAt));
  run.later.push({ row, stageTry, index, partition });
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
