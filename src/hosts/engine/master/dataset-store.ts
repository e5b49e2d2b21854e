import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { partName } from "../../../data/index.ts";
import { atUserPath } from "../../../run/user-path.ts";

/** A part of one version of a dataset: each round of a loop makes a version of its state. */
export interface DatasetPlace {
  readonly dataset: number;
  readonly version: number;
  readonly part: number;
}

/**
 * The datasets that a flow keeps between its jobs, under `datasets` in the run's directory. As with
 * the output, each attempt writes into a directory of its own, and the first that succeeds has its
 * file renamed: a dataset outlives the nodes.
 */
export class DatasetStore {
  readonly #run: string;

  /** `run` is the run's directory. */
  constructor(run: string) {
    this.#run = run;
  }

  /** The path at which the attempt writes its part. */
  partOf(attempt: number): string {
    const path = this.#attemptPart(attempt);
    atUserPath(dirname(path), "a directory to write", () =>
      mkdirSync(dirname(path), { recursive: true }),
    );
    return path;
  }

  /** The attempt's part becomes the task's. */
  accept(attempt: number, place: DatasetPlace): void {
    const path = this.pathOf(place);
    mkdirSync(dirname(path), { recursive: true });
    renameSync(this.#attemptPart(attempt), path);
    this.drop(attempt);
  }

  /** Removes what the attempt wrote. */
  drop(attempt: number): void {
    remove(dirname(this.#attemptPart(attempt)));
  }

  pathOf(place: DatasetPlace): string {
    return join(this.#run, this.nameOf(place));
  }

  /** The part's name, relative to the run's directory. */
  nameOf({ part, ...version }: DatasetPlace): string {
    return join(versionName(version), partName(part));
  }

  /** Removes a version that no job reads any more. */
  forget(version: Omit<DatasetPlace, "part">): void {
    remove(join(this.#run, versionName(version)));
  }

  #attemptPart(attempt: number): string {
    return join(this.#run, DATASETS, `attempt-${attempt}`, "part");
  }
}

const DATASETS = "datasets";

const versionName = ({ dataset, version }: Omit<DatasetPlace, "part">): string =>
  join(DATASETS, `${dataset}-${version}`);

/** The version that a name made by `nameOf` belongs to; undefined for any other name. */
export function datasetVersion(name: string): Omit<DatasetPlace, "part"> | undefined {
  const [, dataset, version] = /^datasets\/(\d+)-(\d+)\//.exec(name) ?? [];
  if (dataset === undefined || version === undefined) return undefined;
  return { dataset: Number(dataset), version: Number(version) };
}

const remove = (path: string): void =>
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
