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
  silentSince: number | undefined;
  /** The attempts of any job that succeeded there. */
  succeeded: number;
  /** The tasks whose output it has. */
  readonly made: Set<TaskBook>;
}

export interface JobBook {
  readonly id: number;
  readonly submittedAt: number;
  readonly usualMs: number;
  readonly speculate: boolean;
  readonly phases: PhaseBook[];
  /** Failures by node. */
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
  ready: boolean;
}

export interface TaskBook {
  readonly id: number;
  readonly index: number;
  readonly phase: PhaseBook;
  readonly bytes: number;
  readonly replicas: readonly number[];
  readonly attempts: AttemptBook[];
  everDone: boolean;
  /** Its output was lost, and it runs again. */
  isRemade: boolean;
  readonly outputs: Set<NodeBook>;
  failures: number;
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
  readonly isCopy: boolean;
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
  /** Attempts that run or are dying. */
  readonly onSlots = new Set<AttemptBook>();
  /** The time between two reports of an attempt; 0: its progress is always known. */
  readonly reportEvery: number;

  constructor(reportEvery: number) {
    this.reportEvery = reportEvery;
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

  holding(): AttemptBook[] {
    return [...this.onSlots];
  }

  end(attempt: AttemptBook, state: "succeeded" | "failed" | "killed"): void {
    attempt.state = state;
    attempt.endedAt = this.now;
    this.onSlots.delete(attempt);
    if (state === "succeeded") attempt.node.succeeded++;
  }

  /** ProgressScore, as far as it is known: a silent node tells nothing. */
  score(attempt: AttemptBook): number {
    const { silentSince } = attempt.node;
    const heard = silentSince === undefined ? this.now : Math.min(this.now, silentSince);
    const ran = Math.max(0, heard - attempt.startedAt);
    const every = this.reportEvery;
    const told = every === 0 ? ran : Math.floor(ran / every) * every;
    return scoreAt(attempt, attempt.startedAt + told);
  }

  /** "we let T be the amount of time the task has been running for". */
  elapsed(attempt: AttemptBook): number {
    return this.now - attempt.startedAt;
  }

  /** "ProgressScore/T". */
  rate(attempt: AttemptBook): number {
    if (attempt.state === "succeeded") {
      return 1 / Math.max(1, attempt.endedAt - attempt.startedAt);
    }
    return this.score(attempt) / this.elapsed(attempt);
  }

  /** "(1 - ProgressScore)/ProgressRate". */
  timeLeft(attempt: AttemptBook): number {
    const left = 1 - this.score(attempt);
    if (left <= 0) return 0;
    const rate = this.rate(attempt);
    return rate > 0 ? left / rate : Number.POSITIVE_INFINITY;
  }

  /** Phases start once enough is there, and wait again while too much of it is made again. */
  findReady(): void {
    for (const { phases } of this.liveJobs) {
      for (const phase of phases) {
        phase.ready = phase.reads.every(({ tasks }) => {
          const there = tasks.filter(isDone).length;
          return there >= phase.slowstart * tasks.length;
        });
      }
    }
  }
}

/** The true score, reported or not. */
export function scoreAt(attempt: AttemptBook, at: number): number {
  let last: Piece | undefined;
  for (const piece of attempt.pieces) if (piece.from <= at) last = piece;
  return last === undefined ? 0 : Math.min(1, last.score + last.perMs * (at - last.from));
}

export const isDone = (task: TaskBook): boolean => task.everDone && !task.isRemade;

export const unended = ({ attempts }: TaskBook): AttemptBook[] =>
  attempts.filter(({ state }) => state === "running" || state === "dying");

/** The task's attempt, if it runs and is the only one: such a task is not being speculated. */
export function runsAlone(task: TaskBook): AttemptBook | undefined {
  const [first, second] = unended(task);
  return !isDone(task) && second === undefined && first?.state === "running" ? first : undefined;
}

export const waits = (task: TaskBook): boolean =>
  task.phase.ready && !isDone(task) && unended(task).length === 0;

export const readersOf = (phase: PhaseBook): PhaseBook[] =>
  phase.job.phases.filter(({ reads }) => reads.includes(phase));

/** Whether somebody still reads the output. */
export const isNeeded = (task: TaskBook): boolean =>
  !task.phase.job.ended &&
  readersOf(task.phase).some((reader) => reader.tasks.some((one) => !isDone(one)));

/** Also those of tasks that run again. */
export const successesOf = (phase: PhaseBook): AttemptBook[] =>
  phase.tasks.flatMap(({ attempts }) => attempts.filter(({ state }) => state === "succeeded"));

const FAILURES_MAX = 4;

/** The nodes on which the job has failed too often. */
export const flakyOf = ({ failuresOn }: JobBook): NodeBook[] =>
  [...failuresOn].filter(([, failures]) => failures >= FAILURES_MAX).map(([node]) => node);
