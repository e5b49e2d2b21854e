import { setImmediate as turn } from "node:timers/promises";
import { FetchError, type Reduction } from "../../../data/index.ts";
import type { OutputLocation } from "../messages.ts";
import type { ProgressCell } from "./progress-cell.ts";

/**
 * Reports that a reader could not read an output, again and again until the output is elsewhere.
 */
export type ReportFetchFailed = (failed: {
  readonly source: number;
  readonly path: string;
  readonly message: string;
}) => void;

/** The copy stage: fetches outputs as they become known, while their tasks still run. */
export class CopyStage {
  readonly #reduction: Reduction;
  readonly #progress: ProgressCell;
  readonly #report: ReportFetchFailed;
  readonly #sources = new Map<number, Source>();
  #wake: () => void = () => {};

  constructor(query: {
    readonly reduction: Reduction;
    readonly progress: ProgressCell;
    readonly report: ReportFetchFailed;
  }) {
    this.#reduction = query.reduction;
    this.#progress = query.progress;
    this.#report = query.report;
  }

  /** Outputs exist, have moved, or are gone. */
  found(locations: readonly OutputLocation[]): void {
    for (const { source, path } of locations) {
      // A copied output stays good wherever the original is now; outputs that this task does not
      // read are ignored.
      if (path === undefined || !this.#reduction.missing.has(source)) this.#sources.delete(source);
      else if (this.#sources.get(source)?.path !== path) {
        this.#sources.set(source, { source, path, failures: 0, notBefore: 0 });
      }
    }
    this.#wake();
  }

  /** The outputs among these that are still to be fetched and have no known place. */
  missing(sources: readonly number[]): readonly number[] {
    return sources.filter(
      (source) => this.#reduction.missing.has(source) && !this.#sources.has(source),
    );
  }

  /** Ends when every output has been fetched, however long that takes. */
  async run(): Promise<void> {
    while (this.#reduction.missing.size > 0) {
      const source = this.#next();
      if (source === undefined) await this.#wait();
      else await this.#fetch(source);
    }
    this.#progress.works(true);
  }

  #next(): Source | undefined {
    const now = performance.now();
    for (const source of this.#sources.values()) {
      if (source.notBefore <= now) return source;
    }
    return undefined;
  }

  async #fetch(source: Source): Promise<void> {
    this.#progress.works(true);
    try {
      await this.#reduction.fetch(source);
      this.#sources.delete(source.source);
    } catch (thrown) {
      if (!(thrown instanceof FetchError)) throw thrown;
      this.#failed(source, thrown.message);
    }
    // Lets the thread receive messages about outputs that moved.
    await turn();
  }

  #failed(source: Source, message: string): void {
    source.failures++;
    source.notBefore =
      performance.now() + RETRY_MS * 2 ** Math.min(source.failures, RETRY_DOUBLINGS);
    if (source.failures % TRIES === 0) {
      this.#report({ source: source.source, path: source.path, message });
    }
  }

  /** Waits until an output is found or a retry is due. */
  async #wait(): Promise<void> {
    this.#progress.works(false);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, RETRY_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

interface Source {
  /** The number of the source task. */
  readonly source: number;
  readonly path: string;
  failures: number;
  notBefore: number;
}

/** The number of failed tries between two reports. */
const TRIES = 3;
const RETRY_MS = 50;
/**
 * How often the wait between tries doubles, to 200 ms: all nodes are on one machine, and others
 * wait for this one.
 */
const RETRY_DOUBLINGS = 2;
