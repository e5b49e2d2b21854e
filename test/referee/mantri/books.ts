/** What the driver knows about a world: it caused every event. Times are in ms. */
export type Kind = 0 | 1;
export const MAP: Kind = 0;
export const REDUCE: Kind = 1;

export interface NodeBook {
  readonly id: number;
  readonly name: string;
  readonly rack: number;
  readonly slots: readonly [number, number];
  readonly speed: number;
  joined: boolean;
  /** Slots that the scheduler holds, by kind. */
  readonly held: [number, number];
  /** The tasks whose output it has, in the order in which it got them. */
  readonly made: Set<TaskBook>;
}

export interface JobBook {
  readonly id: number;
  readonly submittedAt: number;
  readonly usualMs: number;
  readonly phases: PhaseBook[];
  readonly failuresOn: Map<number, number>;
  nodesKnown: number;
  submitted: boolean;
  ended: boolean;
}

export interface PhaseBook {
  readonly id: number;
  readonly job: JobBook;
  readonly kind: Kind;
  readonly reads: readonly PhaseBook[];
  readonly tasks: TaskBook[];
  begun: boolean;
  ready: boolean;
}

export interface TaskBook {
  readonly id: number;
  readonly index: number;
  readonly phase: PhaseBook;
  /** Of a task that reads from a reliable store. */
  readonly bytes: number | undefined;
  /** The bytes of its output, for each task that reads it. */
  readonly parts: readonly number[];
  readonly replicas: readonly number[];
  readonly attempts: AttemptBook[];
  everDone: boolean;
  /** Its output is lost, or about to be, and it is being made again. */
  isRemade: boolean;
  /** The nodes with its output, in the order in which they got it. */
  readonly outputs: Set<number>;
  failures: number;
  restarts: number;
  /** The affinity list (6.1). */
  prefers: Places | undefined;
  /** d, when the task began to wait; undefined while it does not wait. */
  waitsWith: number | undefined;
}

export interface Places {
  readonly nodes: readonly number[];
  readonly racks: readonly number[];
}

export interface Piece {
  readonly from: number;
  readonly score: number;
  readonly perMs: number;
}

export interface AttemptBook {
  readonly id: number;
  readonly task: TaskBook;
  readonly node: NodeBook;
  readonly as: string;
  readonly startedAt: number;
  state: "running" | "dying" | "succeeded" | "failed" | "killed";
  endedAt: number;
  pieces: Piece[];
}

export class Books {
  now = 0;
  readonly nodes: NodeBook[] = [];
  readonly jobs: JobBook[] = [];
  readonly tasks = new Map<number, TaskBook>();
  readonly attempts = new Map<number, AttemptBook>();
  readonly onSlots = new Set<AttemptBook>();
  /** Of each rack, as last sampled: bytes per ms. */
  readonly links = new Map<number, { readonly up: number; readonly down: number }>();

  get joined(): NodeBook[] {
    return this.nodes.filter((node) => node.joined);
  }

  get liveJobs(): JobBook[] {
    return this.jobs.filter((job) => job.submitted && !job.ended);
  }

  task(id: number): TaskBook {
    const task = this.tasks.get(id);
    if (task === undefined) throw new Error(`no task ${id}`);
    return task;
  }

  node(id: number): NodeBook {
    const node = this.nodes[id];
    if (node === undefined) throw new Error(`no node ${id}`);
    return node;
  }

  elapsed(attempt: AttemptBook): number {
    return this.now - attempt.startedAt;
  }

  /** t_rem, by the average speed so far. */
  timeLeft(attempt: AttemptBook): number {
    const score = scoreAt(attempt, this.now);
    if (score >= 1) return 0;
    return score > 0 ? (this.elapsed(attempt) * (1 - score)) / score : Number.POSITIVE_INFINITY;
  }

  end(attempt: AttemptBook, state: "succeeded" | "failed" | "killed"): void {
    attempt.state = state;
    attempt.endedAt = this.now;
    this.onSlots.delete(attempt);
  }

  /** Notes the data of the tasks that begin to wait. */
  noteWaiting(): void {
    for (const { phases } of this.liveJobs) {
      for (const task of phases.flatMap(({ tasks }) => tasks)) {
        task.waitsWith = waits(task) ? (task.waitsWith ?? inputBytes(task)) : undefined;
      }
    }
  }

  /** Phases begin once all that they read is there, and wait again while it is being made again. */
  findReady(): void {
    for (const { phases } of this.liveJobs) {
      for (const phase of phases) {
        phase.ready = phase.reads.every((read) => read.begun && read.tasks.every(isThere));
        phase.begun ||= phase.ready;
      }
    }
  }
}

export function scoreAt(attempt: AttemptBook, at: number): number {
  let last: Piece | undefined;
  for (const piece of attempt.pieces) if (piece.from <= at) last = piece;
  return last === undefined ? 0 : Math.min(1, last.score + last.perMs * (at - last.from));
}

export const isDone = (task: TaskBook): boolean => task.everDone && !task.isRemade;

/** A lost output that is not being made again holds nobody back. */
const isThere = (task: TaskBook): boolean =>
  task.everDone && (!task.isRemade || task.outputs.size > 0);

export const unended = ({ attempts }: TaskBook): AttemptBook[] =>
  attempts.filter(({ state }) => state === "running" || state === "dying");

export const runningOf = (task: TaskBook): AttemptBook[] =>
  task.attempts.filter(({ state }) => state === "running");

export const waits = (task: TaskBook): boolean =>
  task.phase.ready && !isDone(task) && unended(task).length === 0;

export const isWritten = (phase: PhaseBook): boolean =>
  phase.reads.every((read) => read.tasks.every(isDone));

export const readersOf = (phase: PhaseBook): PhaseBook[] =>
  phase.job.phases.filter(({ reads }) => reads.includes(phase));

/** Whether somebody still reads the output. */
export const isNeeded = (task: TaskBook): boolean =>
  !task.phase.job.ended &&
  readersOf(task.phase).some((reader) => reader.tasks.some((one) => !isDone(one)));

/** d: the bytes to read; of a reader, the parts that are there. */
export function inputBytes(task: TaskBook): number {
  if (task.bytes !== undefined) return task.bytes;
  return task.phase.reads
    .flatMap(({ tasks }) => tasks)
    .reduce((sum, read) => sum + (read.outputs.size > 0 ? (read.parts[task.index] ?? 0) : 0), 0);
}

/** How long the attempt that made the output ran. */
export function ranMs({ attempts }: TaskBook): number {
  const last = attempts.findLast(({ state }) => state === "succeeded");
  return last === undefined ? 0 : last.endedAt - last.startedAt;
}
