/** What the driver knows about a world of one or two phases of maps: it caused all of it. In ms. */
export interface NodeBook {
  readonly id: number;
  readonly rack: number;
  readonly slots: number;
  readonly speed: number;
}

export interface JobBook {
  readonly id: number;
  readonly submittedAt: number;
  readonly tasks: TaskBook[];
  submitted: boolean;
  ended: boolean;
}

export interface TaskBook {
  readonly id: number;
  readonly index: number;
  readonly job: JobBook;
  /** Mantri's d; 0 for a task that reads nothing. */
  readonly bytes: number;
  /** The ids of the nodes with its input. */
  readonly replicas: readonly number[];
  readonly attempts: AttemptBook[];
}

/** What a host has reported: bytes read, and the score. */
export interface Reading {
  readonly at: number;
  readonly bytes: number;
  readonly score: number;
}

export interface AttemptBook {
  readonly id: number;
  readonly task: TaskBook;
  readonly node: NodeBook;
  readonly as: "original" | "speculative" | "restart";
  readonly launchedAt: number;
  /** When it will start, and from then on when it did. */
  startsAt: number;
  state: "launched" | "running" | "dying" | "ended";
  endedAt: number;
  /** From the start on. */
  readonly readings: Reading[];
  readonly life: Life;
  nextReportAt: number;
}

/** How an attempt goes; only the driver knows it. */
export interface Life {
  readonly startUpMs: number;
  /** The times in which its input is read, one after the other, and the share that each reads. */
  readonly reading: readonly { readonly ms: number; readonly share: number }[];
  readonly wrapUpMs: number;
}

/** The share of the score that reading the input is. */
const READING = 0.8;

/** The share of its input that the attempt has read some time after its start. */
function shareRead({ startUpMs, reading }: Life, ranMs: number): number {
  let left = ranMs - startUpMs;
  let read = 0;
  for (const { ms, share } of reading) {
    if (left <= 0) break;
    read += left >= ms ? share : (share * left) / ms;
    left -= ms;
  }
  return Math.min(1, read);
}

export const lengthOf = ({ startUpMs, reading, wrapUpMs }: Life): number =>
  startUpMs + reading.reduce((sum, { ms }) => sum + ms, 0) + wrapUpMs;

export function readingAt({ life, startsAt, task }: AttemptBook, at: number): Reading {
  const ranMs = at - startsAt;
  const read = shareRead(life, ranMs);
  const wrappedMs = ranMs - (lengthOf(life) - life.wrapUpMs);
  const wrapped = life.wrapUpMs === 0 ? 0 : Math.min(1, Math.max(0, wrappedMs / life.wrapUpMs));
  return { at, bytes: read * task.bytes, score: READING * read + (1 - READING) * wrapped };
}
