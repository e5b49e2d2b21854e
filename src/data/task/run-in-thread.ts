import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { assert, defined } from "../../base/assert.ts";
import type { Params } from "../../job/index.ts";
import type { Program } from "../../job/program.ts";
import { type PartFile, partName } from "../bytes/part-file.ts";
import type { InputPlan } from "../formats/splits.ts";
import { type CourseJob, type CoursePhase, type DatasetPart, ProgramCourse } from "./course.ts";
import type { NarrowSource, PhaseResult, PhaseTask, ShuffleOutput } from "./phase-task.ts";
import type { ProgressListener } from "./progress.ts";
import { openReduction } from "./reduction.ts";
import { runNarrow } from "./run-narrow.ts";

export interface RunInThread {
  readonly program: Program;
  readonly params: Params;
  /** By the name of the read. */
  readonly inputs: ReadonlyMap<string, InputPlan>;
  readonly reduces?: number;
  /** An existing directory for intermediate files. */
  readonly work: string;
  /**
   * An existing directory for the parts; of several outputs, each has a directory of its name in
   * it.
   */
  readonly output: string;
  /** See `PhaseTask`. */
  readonly memoryBytes?: number;
  readonly compress?: boolean;
  progressOf?(task: { readonly phase: string; readonly index: number }): ProgressListener;
}

export interface RanInThread {
  /** The shuffle outputs, in the order of tasks. */
  readonly shuffled: readonly ShuffleOutput[];
  readonly parts: readonly PartFile[];
  readonly counters: Readonly<Record<string, number>>;
}

/**
 * Runs a whole program on the real data path, one task after another in the caller's thread: for
 * tests and measurements, without nodes, slots or faults.
 */
export async function runInThread(query: RunInThread): Promise<RanInThread> {
  const run = new ThreadRun(query);
  return run.all();
}

class ThreadRun {
  readonly #query: RunInThread;
  readonly #course: ProgramCourse;
  readonly #shuffled: ShuffleOutput[] = [];
  readonly #parts: PartFile[] = [];
  readonly #counters: Record<string, number> = {};
  #jobs = 0;

  constructor(query: RunInThread) {
    this.#query = query;
    const { program, inputs, reduces } = query;
    this.#course = new ProgramCourse({ program, name: "job", inputs, reduces });
  }

  async all(): Promise<RanInThread> {
    const { work, output, program } = this.#query;
    for (const { name } of program.outputs) {
      if (program.outputs.length > 1) mkdirSync(join(output, name));
    }
    for (let job = this.#course.job(); job !== undefined; job = this.#course.job()) {
      await this.#run(job, join(work, `job-${this.#jobs++}`));
    }
    for (let job = 0; job < this.#jobs; job++) {
      rmSync(join(work, `job-${job}`), { recursive: true });
    }
    return { shuffled: this.#shuffled, parts: this.#parts, counters: this.#counters };
  }

  async #run(job: CourseJob, directory: string): Promise<void> {
    mkdirSync(directory);
    const results: PhaseResult[] = [];
    const datasets = new Map<number, DatasetPart[]>();
    const counters: Record<string, number> = {};
    for (const phase of job.phases) {
      for (const index of phase.tasks.keys()) {
        const result = await this.#task(phase, index, directory, results);
        results.push(result);
        this.#note(phase, result, datasets);
        const made = result.kind === "part" ? result.part : result.output;
        for (const [name, by] of Object.entries(made.counters)) {
          counters[name] = (counters[name] ?? 0) + by;
          this.#counters[name] = (this.#counters[name] ?? 0) + by;
        }
      }
    }
    this.#course.ended({ counters, datasets });
  }

  #note({ program }: CoursePhase, made: PhaseResult, datasets: Map<number, DatasetPart[]>): void {
    if (made.kind === "shuffle-output") {
      this.#shuffled.push(made.output);
      return;
    }
    if (program.writes.kind === "output") this.#parts.push(made.part);
    if (program.writes.kind !== "dataset") return;
    const { dataset } = program.writes;
    const { path, bytes } = made.part;
    datasets.set(dataset, [...(datasets.get(dataset) ?? []), { path, bytes }]);
  }

  async #task(
    phase: CoursePhase,
    index: number,
    job: string,
    results: readonly PhaseResult[],
  ): Promise<PhaseResult> {
    const { params, program, memoryBytes, compress, progressOf } = this.#query;
    const { partitions, tables } = phase;
    const directory = join(job, `task-${phase.firstTask + index}`);
    mkdirSync(directory);
    const to = this.#target(phase, index, directory);
    const progress = progressOf?.({ phase: phase.name, index });
    const task: PhaseTask = {
      ...{ program, phase: phase.phase, params, task: index, attempt: 0, partitions, tables },
      ...{ directory, to },
      ...(memoryBytes !== undefined && { memoryBytes }),
      ...(compress !== undefined && { compress }),
      ...(progress !== undefined && { progress }),
    };
    const source = defined(phase.tasks[index], `task ${index}`);
    if (source.kind === "partition") return reduce(task, phase.sources, results);
    const from: NarrowSource =
      source.kind === "split" ? source : { kind: "part", path: source.part.path };
    return runNarrow({ ...task, source: from });
  }

  #target({ program: { writes }, firstPart }: CoursePhase, index: number, own: string): string {
    if (writes.kind !== "output") return join(own, "output");
    const { output, program } = this.#query;
    const written = defined(program.outputs[writes.output], `output ${writes.output}`);
    const directory = program.outputs.length > 1 ? join(output, written.name) : output;
    return join(directory, partName(firstPart + index, written.output));
  }
}

async function reduce(
  task: PhaseTask,
  sources: readonly (readonly number[])[],
  results: readonly PhaseResult[],
): Promise<PhaseResult> {
  const reduction = openReduction({ ...task, sources });
  try {
    // Fetches the last source first: the order of fetches must make no difference.
    for (const source of sources.flat().reverse()) {
      const result = results[source];
      assert(result?.kind === "shuffle-output", "a reduce reads shuffled records");
      await reduction.fetch({ source, path: result.output.path });
    }
    return await reduction.finish();
  } finally {
    reduction.close();
  }
}
