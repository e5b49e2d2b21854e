import { defined } from "../../../base/assert.ts";
import { InputError } from "../../../base/input-error.ts";
import {
  allBadRecords,
  assertFewBad,
  type BadRecordCount,
} from "../../../data/formats/malformed.ts";
import { ProgramCourse } from "../../../data/task/course.ts";
import type { JobOutcome } from "../../../model/action.ts";
import type { JobId } from "../../../model/ids.ts";
import { describeJob, type FreeIds, type JobPlan } from "../../../run/job-plan.ts";
import type { PhaseResults } from "../../../run/phase-facts.ts";
import type { Failure, Part } from "../../../run/run-result.ts";
import type { OutputDirectory } from "../output-directory.ts";
import type { DatasetStore } from "./dataset-store.ts";
import { JobRun } from "./job-run.ts";

/**
 * A running job file: its jobs, one after the other. A plain job is a flow of one. A flow starts
 * nothing by itself: its caller asks for the next job, submits it, and reports how the job ended.
 */
export class FlowRun {
  readonly plan: JobPlan;
  readonly output: OutputDirectory;
  readonly #datasets: DatasetStore;
  readonly #course: ProgramCourse;
  readonly #jobs: JobRun[] = [];
  #isUnderWay = false;
  #problem: InputError | undefined;
  #lateFailure: Failure | undefined;
  /** How often each dataset was written. */
  readonly #versions = new Map<number, number>();

  constructor(plan: JobPlan, output: OutputDirectory, datasets: DatasetStore) {
    this.plan = plan;
    this.output = output;
    this.#datasets = datasets;
    const { program, name, inputs, reduces } = plan;
    this.#course = new ProgramCourse({
      program,
      name,
      inputs: new Map(inputs.map((read) => [read.name, read.input])),
      reduces,
    });
  }

  get name(): string {
    return this.plan.name;
  }

  /** The job that began last. */
  get current(): JobRun {
    return defined(this.#jobs.at(-1), "a job that has begun");
  }

  get hasBegun(): boolean {
    return this.#jobs.length > 0;
  }

  /** Whether the current job is still running. */
  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  get hasNext(): boolean {
    return this.#course.job() !== undefined;
  }

  /** The number of tasks with a successful attempt. */
  get tasksDone(): number {
    return this.#jobs.reduce((sum, job) => sum + job.tasksDone, 0);
  }

  /** Begins the next job. */
  next(ids: FreeIds, at: number): JobRun {
    const job = defined(this.#course.job(), "a next job");
    const { plan, output } = this;
    const versions = new Map(this.#versions);
    const versionOf = (dataset: number): number => versions.get(dataset) ?? 0;
    const places = { plan, output, datasets: this.#datasets, versionOf };
    const run = new JobRun(describeJob(plan, job, ids, at), job, places);
    this.#jobs.push(run);
    this.#isUnderWay = true;
    return run;
  }

  /** Records the end of the current job. */
  ended(outcome: JobOutcome): void {
    this.#isUnderWay = false;
    this.current.outputs.forget();
    if (outcome !== "succeeded") return;
    try {
      this.#succeeded();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.#problem = error;
    }
  }

  /**
   * What the user must correct before the flow can go on: a loop's `until` threw, or too many
   * records were malformed.
   */
  get problem(): InputError | undefined {
    return this.#problem;
  }

  /** Code of an attempt that has succeeded failed after all. The first such failure stays. */
  failLate(failure: Failure): void {
    this.#lateFailure ??= failure;
  }

  /** Whether the flow has failed, even if its current job has not. */
  get hasProblem(): boolean {
    return this.#problem !== undefined || this.#lateFailure !== undefined;
  }

  #succeeded(): void {
    const records = this.#jobs.reduce((sum, job) => sum + job.inputRecords, 0);
    assertFewBad(this.plan.onBadRecord, this.badRecords, records);
    const { made } = this.current;
    for (const dataset of made.datasets.keys()) {
      const version = this.#versions.get(dataset) ?? 0;
      this.#versions.set(dataset, version + 1);
      // The version before stays, because the journal file may not hold the new one yet.
      if (version >= 2) this.#datasets.forget({ dataset, version: version - 2 });
    }
    this.#course.ended(made);
  }

  /** What came late, or else the failure of the task that failed last. */
  get failure(): Failure | undefined {
    if (this.#problem !== undefined) return undefined;
    return this.#lateFailure ?? this.#jobs.at(-1)?.failure;
  }

  /** The counters of all jobs, summed. */
  get counters(): Readonly<Record<string, number>> {
    const counters: Record<string, number> = {};
    for (const name of this.plan.program.counters) counters[name] = 0;
    for (const { made } of this.#jobs) {
      for (const [name, by] of Object.entries(made.counters)) {
        counters[name] = (counters[name] ?? 0) + by;
      }
    }
    return counters;
  }

  /** The malformed records of all jobs, in the order of their input. */
  get badRecords(): BadRecordCount {
    return allBadRecords(this.#jobs.map(({ badRecords }) => badRecords));
  }

  /** The committed files; empty before the commit. */
  get parts(): readonly Part[] {
    return this.#jobs.flatMap(({ parts }) => parts);
  }

  /** The phases of all jobs, in order: a loop's phase appears once per round. */
  get phases(): readonly PhaseResults[] {
    return this.#jobs.flatMap(({ phases }) => phases);
  }

  /** The jobs that have begun. */
  get jobIds(): readonly JobId[] {
    return this.#jobs.map(({ id }) => id);
  }

  /** Whether the named task or attempt belongs to one of the flow's jobs. */
  owns(name: string): boolean {
    const job = name.split("/").at(-3);
    return this.#jobs.some((each) => each.name === job);
  }

  /** Milliseconds since the run began. */
  get submittedAt(): number {
    return defined(this.#jobs[0], "a job that has begun").described.submittedAt;
  }
}
