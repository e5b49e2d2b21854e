import { assert, defined } from "../../../base/assert.ts";
import {
  allBadRecords,
  type BadRecordCount,
  NO_BAD_RECORDS,
} from "../../../data/formats/malformed.ts";
import { partName } from "../../../data/index.ts";
import type { CourseJob, CoursePhase, JobMade, LoopRound } from "../../../data/task/course.ts";
import type { Output } from "../../../model/attempt.ts";
import type { JobId, PhaseId, TaskId } from "../../../model/ids.ts";
import type { Job } from "../../../model/job.ts";
import { type JobPlan, type SlotName, slotOf } from "../../../run/job-plan.ts";
import type { PhaseResults } from "../../../run/phase-facts.ts";
import type { Failure, Part } from "../../../run/run-result.ts";
import type { AttemptFailure, JobForNodes, Work, WorkReads, WorkResult } from "../messages.ts";
import type { OutputDirectory } from "../output-directory.ts";
import type { EngineTask, LiveAttempt } from "./attempts.ts";
import type { DatasetPlace, DatasetStore } from "./dataset-store.ts";
import type { EngineNode } from "./engine-node.ts";
import { type OutputPlace, OutputPlaces } from "./output-places.ts";

/** What the jobs of one flow share. */
export interface FlowPlaces {
  readonly plan: JobPlan;
  readonly output: OutputDirectory;
  readonly datasets: DatasetStore;
  /** How often the dataset was written before: the next version's number. */
  versionOf(dataset: number): number;
}

/** One running job: the work of its tasks, the places of their outputs, and its results. */
export class JobRun {
  readonly id: JobId;
  readonly name: string;
  /** The job as the core knows it. */
  readonly described: Job;
  readonly phaseIds: readonly PhaseId[];
  /** When one of the job's attempts last began or ended, in milliseconds since the run began. */
  movedAt: number;
  /** When the job ended; undefined while it lives. */
  endedAt: number | undefined;
  /** The round of a loop's job. */
  readonly round: LoopRound | undefined;
  readonly outputs: OutputPlaces;
  readonly #places: FlowPlaces;
  readonly #tasks: ReadonlyMap<TaskId, JobTask>;
  /** The newest failure of each task; the task that failed last comes last. */
  readonly #failures = new Map<TaskId, Failure>();

  constructor(described: Job, job: CourseJob, places: FlowPlaces) {
    this.id = described.id;
    this.name = described.name;
    this.described = described;
    this.movedAt = described.submittedAt;
    this.phaseIds = described.phases.map(({ id }) => id);
    this.round = job.round;
    this.outputs = new OutputPlaces(described.id);
    this.#places = places;
    const tasks = new Map<TaskId, JobTask>();
    for (const [at, phase] of job.phases.entries()) {
      const slot = slotOf(phase);
      const readsFrom = slotsOfSources(phase, job);
      for (const { id, index } of described.phases[at]?.tasks ?? []) {
        const name = `${job.name}/${phase.name}/${index}`;
        tasks.set(id, { id, name, slot, index, phase, readsFrom, begun: 0, suspect: false });
      }
    }
    this.#tasks = tasks;
  }

  get forNodes(): JobForNodes {
    const { file, params, onBadRecord, means } = this.#places.plan;
    return { job: this.id, file, params, onBadRecord, means };
  }

  has(task: TaskId): boolean {
    return this.#tasks.has(task);
  }

  task(id: TaskId): EngineTask {
    return this.#task(id);
  }

  /** The work of the attempt. Makes the directory into which the attempt writes. */
  work({ id, node, task: { id: taskId, begun } }: LiveAttempt): Work {
    const { slot, index, phase } = this.#task(taskId);
    const part = this.#partOf(id, phase, index);
    return {
      kind: slot,
      job: this.id,
      phase: phase.phase,
      task: index,
      begun: begun - 1,
      reads: this.#reads(phase, index, node),
      partitions: phase.partitions,
      tables: phase.tables,
      ...(part !== undefined && { part }),
    };
  }

  /**
   * Accepts an attempt's result: the first part wins, while an output stays where it is. During
   * recovery no file is moved.
   */
  tryAccept(
    attempt: LiveAttempt,
    result: WorkResult,
    when: "now" | "before" = "now",
  ): Accepted | Refused {
    try {
      return this.#accept(attempt, result, when);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { kind: "refused", message: `its output could not be committed: ${message}` };
    }
  }

  /** Removes what the attempt wrote, unless it was accepted. */
  drop(attempt: number): void {
    this.#places.output.drop(attempt);
    this.#places.datasets.drop(attempt);
  }

  failed({ task, node }: LiveAttempt, failure: AttemptFailure): void {
    this.#failures.delete(task.id);
    this.#failures.set(task.id, { task: task.name, node: node.name, ...failure });
  }

  /** The sources of the task whose outputs no node has. COST: O(sources). */
  awaited(id: TaskId): readonly EngineTask[] {
    const missing = this.#task(id)
      .phase.sources.flat()
      .filter((source) => this.outputs.of(source).length === 0);
    if (missing.length === 0) return [];
    const numbers = new Set(missing);
    return [...this.#tasks.values()].filter(({ phase, index }) =>
      numbers.has(phase.firstTask + index),
    );
  }

  /** The number of tasks with a successful attempt. */
  get tasksDone(): number {
    return [...this.#tasks.values()].filter(({ result }) => result !== undefined).length;
  }

  /** The failure of the task that failed last. */
  get failure(): Failure | undefined {
    return [...this.#failures.values()].at(-1);
  }

  /** The job's results so far. */
  get made(): JobMade {
    const counters: Record<string, number> = {};
    const datasets = new Map<number, { readonly path: string; readonly bytes: number }[]>();
    for (const { result, phase, index } of this.#tasks.values()) {
      if (result === undefined) continue;
      for (const [name, by] of Object.entries(countersOf(result))) {
        counters[name] = (counters[name] ?? 0) + by;
      }
      const { writes } = phase.program;
      if (result.kind !== "part" || writes.kind !== "dataset") continue;
      const parts = datasets.get(writes.dataset) ?? [];
      const path = this.#places.datasets.pathOf(this.#datasetPlace(phase, index));
      parts.push({ path, bytes: result.part.bytes });
      datasets.set(writes.dataset, parts);
    }
    return { counters, datasets };
  }

  /** The malformed records that were skipped, in the order of tasks. */
  get badRecords(): BadRecordCount {
    const results = [...this.#tasks.values()].flatMap(({ result }) => result ?? []);
    return allBadRecords(results.map(badRecordsOf));
  }

  /** The number of input records that the user's code received. */
  get inputRecords(): number {
    let records = 0;
    for (const { phase, result } of this.#tasks.values()) {
      if (phase.program.reads.kind !== "input" || result === undefined) continue;
      records += (result.kind === "part" ? result.part : result.output).inputRecords;
    }
    return records;
  }

  /** The committed files; empty before the commit. */
  get parts(): readonly Part[] {
    return [...this.#tasks.values()].flatMap(({ phase, index, result }) => {
      const place = this.#outputPlace(phase, index);
      if (result?.kind !== "part" || place === undefined) return [];
      const { bytes, records, checksum } = result.part;
      return [{ path: `${this.#places.output.path}/${place.name}`, bytes, records, checksum }];
    });
  }

  get phases(): readonly PhaseResults[] {
    const phases = new Map<string, JobTask[]>();
    for (const task of this.#tasks.values()) {
      const own = phases.get(task.phase.name) ?? [];
      own.push(task);
      phases.set(task.phase.name, own);
    }
    return Array.from(phases, ([name, tasks]) => ({
      name,
      tasks: tasks.length,
      results: tasks.flatMap(({ result }) => result ?? []),
    }));
  }

  #accept(attempt: LiveAttempt, result: WorkResult, when: "now" | "before"): Accepted {
    const { id, node } = attempt;
    const task = this.#task(attempt.task.id);
    const { phase, index } = task;
    if (result.kind === "part") {
      const { bytes, records } = result.part;
      if (when === "now") this.#acceptPart(id, phase, index);
      task.result = result;
      const part = this.#partName(phase, index);
      return { kind: "accepted", output: { bytes, records }, part, moved: [] };
    }
    task.result = result;
    const { path, bytes, records, checksum, byPartition } = result.output;
    const source = phase.firstTask + index;
    const place = { task: task.id, attempt: id, source, node, path, checksum };
    this.outputs.add(place);
    return {
      kind: "accepted",
      output: { bytes, records, byPartition },
      moved: [source],
    };
  }

  /** The nodes that hold outputs of the task. */
  placesOf(task: TaskId): readonly OutputPlace[] {
    const { phase, index } = this.#task(task);
    return this.outputs.of(phase.firstTask + index);
  }

  #task(id: TaskId): JobTask {
    return defined(this.#tasks.get(id), `task ${id}`);
  }

  #reads(phase: CoursePhase, index: number, node: EngineNode): WorkReads {
    const source = defined(phase.tasks[index], `task ${index}`);
    if (source.kind === "split") return source;
    if (source.kind === "part") return { kind: "part", path: source.part.path };
    const found = this.outputs
      .locate(phase.sources.flat(), node)
      .filter(({ path }) => path !== undefined);
    return { kind: "shuffle", sources: phase.sources, found };
  }

  #partOf(attempt: number, phase: CoursePhase, index: number): string | undefined {
    const { output, datasets } = this.#places;
    const place = this.#outputPlace(phase, index);
    if (place !== undefined) return output.partOf(attempt, place.part);
    return phase.program.writes.kind === "dataset" ? datasets.partOf(attempt) : undefined;
  }

  #acceptPart(attempt: number, phase: CoursePhase, index: number): void {
    const { output, datasets } = this.#places;
    const place = this.#outputPlace(phase, index);
    if (place !== undefined) output.accept(attempt, place.part, place.name);
    else datasets.accept(attempt, this.#datasetPlace(phase, index));
  }

  /** The part's name: relative to the output directory, or to the run's directory for a dataset. */
  #partName(phase: CoursePhase, index: number): string {
    const place = this.#outputPlace(phase, index);
    return place?.name ?? this.#places.datasets.nameOf(this.#datasetPlace(phase, index));
  }

  #datasetPlace({ program: { writes }, firstPart }: CoursePhase, index: number): DatasetPlace {
    assert(writes.kind === "dataset", "a part is of an output or a dataset");
    const { dataset } = writes;
    return { dataset, version: this.#places.versionOf(dataset), part: firstPart + index };
  }

  /** Undefined if the phase does not write to the output. */
  #outputPlace({ program: { writes }, firstPart }: CoursePhase, index: number) {
    if (writes.kind !== "output") return undefined;
    const { outputs } = this.#places.plan.program;
    const { name, output } = defined(outputs[writes.output], `output ${writes.output}`);
    const part = partName(firstPart + index, output);
    return { part, name: outputs.length === 1 ? part : `${name}/${part}` };
  }
}

interface JobTask extends EngineTask {
  readonly phase: CoursePhase;
}

/** The kinds of slots that the source tasks of the phase take. */
function slotsOfSources(phase: CoursePhase, { phases }: CourseJob): ReadonlySet<SlotName> {
  const read = new Set(phase.sources.flat());
  return new Set(phases.filter(({ firstTask }) => read.has(firstTask)).map(slotOf));
}

export interface Accepted {
  readonly kind: "accepted";
  readonly output: Output;
  readonly part?: string;
  /** The numbers of the tasks whose new places readers must learn. */
  readonly moved: readonly number[];
}

export interface Refused {
  readonly kind: "refused";
  readonly message: string;
}

const badRecordsOf = (result: WorkResult): BadRecordCount =>
  (result.kind === "part" ? result.part : result.output).badRecords ?? NO_BAD_RECORDS;

const countersOf = (result: WorkResult): Readonly<Record<string, number>> =>
  result.kind === "part" ? result.part.counters : result.output.counters;
