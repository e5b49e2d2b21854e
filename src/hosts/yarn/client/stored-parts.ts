import { posix } from "node:path";
import { defined } from "../../../base/assert.ts";
import { ascending } from "../../../base/order.ts";
import type { DatasetPart } from "../../../data/task/course.ts";
import type { ProgramOutput } from "../../../job/program.ts";
import { madeOf, type TaskDone } from "./job-results.ts";
import type { JobPart, MapReduceJob } from "./map-reduce-jobs.ts";

/** A part that a task has written, and where the Hadoop job has put it. */
export interface StoredPart extends JobPart {
  /** The path on HDFS, without the file system's name. */
  readonly path: string;
  readonly result: TaskDone["result"];
}

/** A part of the output: its present path, and its final name. */
export type PlacedPart = Pick<StoredPart, "path" | "name" | "result">;

/** The parts that the jobs of a run have written so far. */
export class StoredParts {
  readonly #fileSystem: string;
  readonly #outputs: StoredPart[] = [];
  readonly #runs = new Map<string, DatasetPart>();
  /** The datasets of the course's current job. */
  #datasets = new Map<number, StoredPart[]>();

  constructor(fileSystem: string) {
    this.#fileSystem = fileSystem;
  }

  /** Adds what a Hadoop job has committed in its output directory. */
  add(job: MapReduceJob, done: readonly TaskDone[], directory: string): void {
    const parts = partsBySource(job);
    for (const { source, result } of done) {
      const part = parts.get(source);
      if (part === undefined) continue;
      const stored = { ...part, path: `${directory}/${part.name}`, result };
      if (part.kind === "output") this.#outputs.push(stored);
      else if (part.kind === "run") this.#runs.set(part.name, this.#named(stored));
      else this.#datasets.set(part.of, [...(this.#datasets.get(part.of) ?? []), stored]);
    }
  }

  /** Removes and returns the datasets written since the last call. */
  takeDatasets(): ReadonlyMap<number, readonly DatasetPart[]> {
    const datasets = this.#datasets;
    this.#datasets = new Map();
    const inOrder = Array.from(datasets, ([dataset, parts]) => {
      const sorted = parts.sort((x, y) => x.index - y.index);
      return [dataset, sorted.map((part) => this.#named(part))] as const;
    });
    return new Map(inOrder);
  }

  /** Stored run files, by the name of the run part. */
  get runs(): ReadonlyMap<string, DatasetPart> {
    return this.#runs;
  }

  /** By output, then in order: each part's path, and its name below a common directory. */
  outputsIn(directory: string, outputs: readonly ProgramOutput[]): readonly PlacedPart[] {
    const parts = [...this.#outputs].sort(
      ascending(
        ({ of }) => of,
        ascending(
          ({ index }) => index,
          () => 0,
        ),
      ),
    );
    return parts.map(({ path, of, result }) => {
      const file = posix.basename(path);
      const { name } = defined(outputs[of], `output ${of}`);
      const below = outputs.length === 1 ? file : `${name}/${file}`;
      return { path, name: `${directory}/${below}`, result };
    });
  }

  #named({ path, result }: StoredPart): DatasetPart {
    return { path: `${this.#fileSystem}${path}`, bytes: madeOf(result).bytes };
  }
}

function partsBySource({ maps, reduces, parts }: MapReduceJob): ReadonlyMap<number, JobPart> {
  const all = new Map<number, JobPart>();
  for (const { phase, index, part } of maps) {
    if (part !== undefined) all.set(phase.firstTask + index, part);
  }
  for (const [index, part] of parts.entries()) {
    all.set(defined(reduces, "the phase of its parts").firstTask + index, part);
  }
  return all;
}
