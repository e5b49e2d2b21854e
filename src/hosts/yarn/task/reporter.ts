import { Writable } from "node:stream";
import type { ProgressListener, TaskProgress } from "../../../data/index.ts";
import { writeWhole } from "./pipe.ts";
import {
  COUNTER_GROUP,
  COUNTERS,
  ERROR_PREFIX,
  type TaskError,
  USER_COUNTER_GROUP,
} from "./task-list.ts";

const STDERR = 2;
const EVERY_MS = 1000;
/** Hadoop ends a task that is silent for too long, 600 s by default, although its calls go on. */
const LIFE_MS = 10_000;
const NEWLINE = 0x0a;

/** A stream and a clock. */
export interface Outlet {
  write(bytes: Uint8Array): void;
  now(): number;
}

const STANDARD_ERROR: Outlet = {
  write: (bytes) => writeWhole(STDERR, bytes),
  now: () => performance.now(),
};

/**
 * Standard error, on which streaming receives counters, one line each, beside what the user's code
 * prints. The task's own loop writes the lines, so that a task that hangs is silent, and Hadoop
 * ends it.
 */
export class Reporter implements ProgressListener {
  readonly #stages: readonly string[];
  readonly #outlet: Outlet;
  readonly #reported = new Map<string, number>();
  #stage: number | undefined;
  #lastMs = Number.NEGATIVE_INFINITY;
  /** When the last line was written. */
  #saidMs = Number.NEGATIVE_INFINITY;
  #isAtLineStart = true;

  /** The names of the stages in the task's progress. */
  constructor(stages: readonly string[], outlet = STANDARD_ERROR) {
    this.#stages = stages;
    this.#outlet = outlet;
  }

  /**
   * Redirects what user code prints to standard error, since standard output carries the task's
   * data.
   */
  captureOutput(): void {
    for (const name of ["stdout", "stderr"]) {
      const value = new Writable({
        write: (bytes: Buffer, _encoding, done) => {
          this.#print(bytes);
          done();
        },
      });
      Object.defineProperty(process, name, { value, configurable: true });
    }
  }

  progressed(progress: TaskProgress): void {
    const now = this.#outlet.now();
    if (now - this.#lastMs < EVERY_MS) return;
    this.#lastMs = now;
    this.#reportProgress(progress);
  }

  /** Reports the final progress and the task's own counters. */
  finished(progress: TaskProgress | undefined, counters: Readonly<Record<string, number>>): void {
    if (progress !== undefined) this.#reportProgress({ ...progress, score: 1 });
    for (const [name, value] of Object.entries(counters).slice(0, USER_COUNTERS_MAX)) {
      this.#raise(USER_COUNTER_GROUP, name, value);
    }
  }

  failed(error: TaskError): void {
    this.#line(`${ERROR_PREFIX}${JSON.stringify(error)}`);
  }

  #reportProgress({ stage, score, bytesRead, bytesWritten, records }: TaskProgress): void {
    const isSilent = this.#outlet.now() - this.#saidMs > LIFE_MS;
    if (stage !== this.#stage || isSilent) {
      this.#line(`reporter:status:${this.#stages[stage] ?? ""}`);
    }
    this.#stage = stage;
    this.#raise(COUNTER_GROUP, COUNTERS.progress, 1000 * score);
    this.#raise(COUNTER_GROUP, COUNTERS.bytesRead, bytesRead);
    this.#raise(COUNTER_GROUP, COUNTERS.bytesWritten, bytesWritten);
    this.#raise(COUNTER_GROUP, COUNTERS.records, records);
  }

  /** Hadoop adds increments, so only the difference is reported. */
  #raise(group: string, name: string, value: number): void {
    const key = `${group},${lineName(name)}`;
    const so = this.#reported.get(key) ?? 0;
    const by = Math.floor(value) - so;
    if (by === 0 || !Number.isSafeInteger(by)) return;
    this.#reported.set(key, so + by);
    this.#line(`reporter:counter:${key},${by}`);
  }

  #line(text: string): void {
    this.#saidMs = this.#outlet.now();
    this.#print(Buffer.from(`${this.#isAtLineStart ? "" : "\n"}${text}\n`));
  }

  #print(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#outlet.write(bytes);
    this.#isAtLineStart = bytes[bytes.length - 1] === NEWLINE;
  }
}

/** Commas separate the fields of a line, and Hadoop limits the length of a name. */
const lineName = (name: string): string =>
  name.replace(/[,\p{Cc}]/gu, "_").slice(0, COUNTER_NAME_MAX);

const COUNTER_NAME_MAX = 64;
/** A job with more than 120 counters fails; the client receives all of them by another way. */
const USER_COUNTERS_MAX = 100;
