import type { Kind } from "../../letter/books.ts";

/** What the driver knows about a world: it caused every event. Times are in ms. */
export interface NodeBook {
  readonly id: number;
  readonly name: string;
  readonly rack: number;
  readonly slots: readonly [number, number];
  readonly speed: number;
  joined: boolean;
  silentSince: number | undefined;
  /** The attempts of any job that succeeded there. */
  succeeded: number;
  /** Slots that the scheduler holds, by kind. */
  readonly held: [number, number];
  /** The tasks whose output it has, in the order in which it got them. */
  readonly made: Set<TaskBook>;
}

export interface JobBook {
  readonly id: number;
  readonly submittedAt: number;
  readonly usualMs: number;
  readonly speculate: boolean;
  readonly phases: PhaseBook[];
  readonly failuresOn: Map<NodeBook, number>;
  /** The number of nodes when the job was last offered a slot. */
  nodesKnown: number;
  submitted: boolean;
  ended: boolean;
}

export interface PhaseBook {
  readonly id: number;
  readonly job: JobBook;
  readonly kind: Kind;
  readonly reads: readonly PhaseBook[];
  /** The share of what it reads that must be there before it starts. */
  readonly slowstart: number;
  readonly tasks: TaskBook[];
  begun: boolean;
  ready: boolean;
}

export interface TaskBook {
  readonly id: number;
  readonly index: number;
  readonly phase: PhaseBook;
  /** How much work it is; its input, unless it reads other tasks. */
  readonly bytes: number;
  /** The bytes of its output, for each task that reads it; empty if not told. */
  readonly parts: readonly number[];
  readonly replicas: readonly number[];
  readonly attempts: AttemptBook[];
  everDone: boolean;
  /** Its output is lost, or about to be, and it is being made again. */
  isRemade: boolean;
  /** The nodes with its output, in the order in which they got it. */
  readonly outputs: Set<NodeBook>;
  failures: number;
  restarts: number;
  /** The affinity list (Mantri 6.1). */
  prefers: Places | undefined;
  /** Mantri's d, when the task began to wait; undefined while it does not wait. */
  waitsWith: number | undefined;
}

export interface Places {
  readonly nodes: readonly number[];
  readonly racks: readonly number[];
}

export interface AttemptBook {
  readonly id: number;
  readonly task: TaskBook;
  readonly node: NodeBook;
  readonly as: string;
  readonly startedAt: number;
  state: "running" | "dying" | "succeeded" | "failed" | "killed";
  endedAt: number;
  readonly pieces: Piece[];
}

export interface Piece {
  readonly from: number;
  readonly score: number;
  readonly perMs: number;
}

export class Books {
  now = 0;
  readonly nodes: readonly NodeBook[];
  readonly jobs: readonly JobBook[];
  readonly tasks: ReadonlyMap<number, TaskBook>;
  readonly attempts = new Map<number, AttemptBook>();
  /** The time between two reports of an attempt; 0: its progress is always known. */
  readonly reportEvery: number;
  readonly #onSlots = new Set<AttemptBook>();

  constructor({ nodes, jobs, reportEvery }: Pick<Books, "nodes" | "jobs" | "reportEvery">) {
    this.nodes = nodes;
    this.jobs = jobs;
    this.reportEvery = reportEvery;
    const tasks = jobs.flatMap(({ phases }) => phases.flatMap((phase) => phase.tasks));
    this.tasks = new Map(tasks.map((task) => [task.id, task]));
  }

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

  /** The attempts that run or are dying. */
  holding(): AttemptBook[] {
    return [...this.#onSlots];
  }

  freeOn(node: NodeBook, kind: Kind): number {
    const taken = this.holding().filter((one) => one.node === node && one.task.phase.kind === kind);
    return node.slots[kind] - taken.length;
  }

  elapsed(attempt: AttemptBook): number {
    return this.now - attempt.startedAt;
  }

  begin(attempt: AttemptBook): void {
    attempt.task.attempts.push(attempt);
    this.attempts.set(attempt.id, attempt);
    this.#onSlots.add(attempt);
  }

  end(attempt: AttemptBook, state: "succeeded" | "failed" | "killed"): void {
    attempt.state = state;
    attempt.endedAt = this.now;
    this.#onSlots.delete(attempt);
    if (state === "succeeded") attempt.node.succeeded++;
  }

  /** All that runs on the node is gone. */
  endAllOn(node: NodeBook): void {
    for (const one of this.holding()) if (one.node === node) this.end(one, "killed");
  }

  /** Phases begin once enough is there, and wait again while too much of it is made again. */
  findReady(): void {
    for (const phase of this.liveJobs.flatMap(({ phases }) => phases)) {
      phase.ready = phase.reads.every(
        ({ begun, tasks }) =>
          begun && tasks.filter(isThere).length >= phase.slowstart * tasks.length,
      );
      phase.begun ||= phase.ready;
    }
  }
}

/** The true score, reported or not. */
export function scoreAt({ pieces }: AttemptBook, at: number): number {
  const last = pieces.findLast(({ from }) => from <= at);
  return last === undefined ? 0 : Math.min(1, last.score + last.perMs * (at - last.from));
}

export const isDone = (task: TaskBook): boolean => task.everDone && !task.isRemade;

/** A lost output that is not being made again delays no reader. */
const isThere = (task: TaskBook): boolean =>
  task.everDone && (!task.isRemade || task.outputs.size > 0);

export const isFinished = ({ phases }: JobBook): boolean =>
  phases.every(({ tasks }) => tasks.every(({ everDone }) => everDone));

export const unended = ({ attempts }: TaskBook): AttemptBook[] =>
  attempts.filter(({ state }) => state === "running" || state === "dying");

export const waits = (task: TaskBook): boolean =>
  task.phase.ready && !isDone(task) && unended(task).length === 0;

export const readersOf = (phase: PhaseBook): PhaseBook[] =>
  phase.job.phases.filter(({ reads }) => reads.includes(phase));

/** Whether somebody still reads the output. */
export const isNeeded = (task: TaskBook): boolean =>
  !task.phase.job.ended &&
  readersOf(task.phase).some((reader) => reader.tasks.some((one) => !isDone(one)));

export const failedOn = ({ attempts }: TaskBook): Set<NodeBook> =>
  new Set(attempts.filter(({ state }) => state === "failed").map(({ node }) => node));
