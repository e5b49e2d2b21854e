import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { defined } from "../../../base/assert.ts";
import type { PhaseTask, ProgressListener, TaskProgress } from "../../../data/index.ts";
import type { Program } from "../../../job/program.ts";
import type { Container } from "./container.ts";
import type { FrameWriter } from "./frames.ts";
import type { Reporter } from "./reporter.ts";
import type { TaskJob, TaskPhase } from "./task-list.ts";

/** The surroundings of one attempt. */
export interface TaskRun {
  readonly job: TaskJob;
  readonly program: Program;
  readonly container: Container;
  /** The attempt's own directory, which exists. */
  readonly directory: string;
  /** Hadoop's side of the task's standard output. */
  readonly out: FrameWriter;
  readonly reporter: Reporter;
}

/** The description of an attempt at a task of the phase; `name` is the file that it writes. */
export function phaseTask(
  run: TaskRun,
  { phase, partitions, tables }: TaskPhase,
  { index, name, memoryBytes }: { index: number; name: string; memoryBytes: number },
): PhaseTask & { readonly progress: LastProgress } {
  const { job, program, container, reporter } = run;
  const { params, compress, onBadRecord } = job;
  const directory = join(run.directory, "work");
  mkdirSync(directory);
  return {
    ...{ program, phase, params, partitions, tables, directory, memoryBytes },
    ...{ compress, onBadRecord, task: index, attempt: container.attempt },
    to: join(run.directory, name),
    progress: new LastProgress(reporter),
  };
}

/** Passes progress on, and remembers the last. */
export class LastProgress implements ProgressListener {
  readonly #listener: ProgressListener;
  #last: TaskProgress | undefined;

  constructor(listener: ProgressListener) {
    this.#listener = listener;
  }

  get last(): TaskProgress | undefined {
    return this.#last;
  }

  progressed(progress: TaskProgress): void {
    this.#last = progress;
    this.#listener.progressed(progress);
  }
}

/** The last step of a part's name, by which the part's writer recognises the first part. */
export const fileName = (part: string): string => defined(part.split("/").at(-1), "a name");
