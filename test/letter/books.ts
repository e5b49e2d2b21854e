import { Memory } from "./memory.ts";
import type { Entry } from "./pieces.ts";

/**
 * What the driver knows about a world: it caused every event, and recorded it. Nothing here is read
 * from the scheduler's view. Times are milliseconds, and scores go from 0 to 1.
 */
export type Form = "reported" | "curve-3s" | "curve-fresh";
export type Kind = 0 | 1;
export const MAP: Kind = 0;
export const REDUCE: Kind = 1;

export interface NodeBook {
  readonly id: number;
  readonly name: string;
  readonly rack: number;
  /** By kind. */
  readonly slots: readonly [number, number];
  /** How much faster than usual its attempts are at first. */
  readonly speed: number;
  joined: boolean;
  /** How often it has joined: a node may join again while it is there. */
  joins: number;
  silentSince: number | undefined;
  /** Attempts of any job that succeeded on the node. */
  succeeded: number;
}

export interface JobBook {
  readonly id: number;
  readonly speculate: boolean;
  /** 0 is served first. */
  readonly priority: number;
  readonly submittedAt: number;
  readonly user: string;
  readonly pool: string;
  /** The time of the job's admission: its submission, where the number of jobs is unlimited. */
  admittedAt: number | undefined;
  readonly phases: PhaseBook[];
  /** Failed attempts by node. */
  readonly failuresOn: Map<number, number>;
  /** The number of nodes when the job was last offered a slot. */
  nodesKnown: number;
  submitted: boolean;
  ended: boolean;
}

export interface PhaseBook {
  readonly id: number;
  readonly job: JobBook;
  readonly kind: Kind;
  /** Whether its tasks may be copied, if the job allows it. */
  readonly speculate: boolean;
  readonly tasks: TaskBook[];
  readonly reads: readonly PhaseBook[];
  /** Of the progress score, by stage; their sum is 1. */
  readonly shares: readonly number[];
  /** How much faster than usual attempts are in each stage. */
  readonly factors: readonly number[];
  /** The share of the phases that it reads that must be done before it starts. */
  readonly slowstart: number;
  /** Enough of its input exists; false again once too much is lost. */
  ready: boolean;
}

export interface TaskBook {
  readonly id: number;
  readonly index: number;
  readonly phase: PhaseBook;
  readonly bytes: number;
  /** That it reads. */
  readonly records: number;
  readonly replicas: readonly number[];
  readonly attempts: AttemptBook[];
  /** The task's output exists; false again once a needed output is lost. */
  done: boolean;
  everDone: boolean;
  /** Its output was lost, and no attempt has been reported since. */
  unheard: boolean;
  /** The first of its attempts since it last had none that held a slot. */
  workFrom: number;
  failures: number;
  restarts: number;
  readonly outputs: Set<number>;
  /** The bytes that it writes for each task of the phase that reads it; empty if not told. */
  parts: readonly number[];
}

export type State = "running" | "dying" | "succeeded" | "failed" | "killed";

export interface Piece {
  readonly from: number;
  readonly score: number;
  readonly perMs: number;
  readonly stage: number;
}

export interface Report {
  readonly at: number;
  readonly score: number;
  readonly changedAt: number;
  readonly stage: number;
}

export interface AttemptBook {
  readonly id: number;
  readonly task: TaskBook;
  readonly node: NodeBook;
  readonly speculative: boolean;
  /** Restarted by its policy. */
  readonly restarted: boolean;
  /** When a copy was requested, or the launch: under YARN an attempt exists from then on. */
  readonly madeAt: number;
  readonly startedAt: number;
  state: State;
  endedAt: number;
  pieces: Piece[];
  /** The host's last report about the attempt; only where progress is reported. */
  report: Report;
  /** All of them, in their order. */
  readonly reports: Report[];
}

export interface RequestBook {
  readonly id: number;
  readonly task: TaskBook;
  readonly madeAt: number;
  admits(node: number): boolean;
}

export class Books {
  now = 0;
  step = 0;
  readonly nodes: NodeBook[] = [];
  readonly jobs: JobBook[] = [];
  /** Of a usual attempt of a job, by its number. */
  usualMs: readonly number[] = [];
  /** Times are equal to what they are compared with, where they come near it. */
  isOnTheEdge = false;
  /** Whether a curve of one rate is told as a line. */
  tellsLines = false;
  readonly tasks = new Map<number, TaskBook>();
  readonly attempts = new Map<number, AttemptBook>();
  /** Attempts that run or are dying. */
  readonly onSlots = new Set<AttemptBook>();
  readonly requests = new Map<number, RequestBook>();
  readonly form: Form;
  readonly memory: Memory;

  constructor(form: Form, statisticsEvery: number) {
    this.form = form;
    this.memory = new Memory(statisticsEvery, this);
  }

  /** Statistics over a phase, a job or the cluster, which may be a little old. */
  held<T>(key: string, workOut: () => T, from?: string): T {
    return this.memory.held(key, workOut, from);
  }

  get joined(): NodeBook[] {
    return this.nodes.filter((node) => node.joined);
  }

  get liveJobs(): JobBook[] {
    return this.jobs.filter((job) => job.submitted && !job.ended);
  }

  isRequested(task: TaskBook): boolean {
    return [...this.requests.values()].some((request) => request.task === task);
  }

  node(id: number): NodeBook {
    const node = this.nodes[id];
    if (node === undefined) throw new Error(`no node ${id}`);
    return node;
  }

  slots(kind: Kind): number {
    return this.joined.reduce((total, node) => total + node.slots[kind], 0);
  }

  /** For live jobs, and for ended jobs whose last attempts are still dying. */
  holding(): AttemptBook[] {
    return [...this.onSlots];
  }

  /** The time up to which the attempt is known: a silent node reports nothing. */
  seenAt(attempt: AttemptBook, now = this.now): number {
    const { silentSince } = attempt.node;
    const until = silentSince === undefined ? now : Math.min(now, silentSince);
    if (this.form === "reported") return this.reportAt(attempt, now).at;
    if (this.form === "curve-fresh") return Math.max(until, attempt.startedAt);
    const reports = Math.floor((until - attempt.startedAt) / 3_000);
    return attempt.startedAt + Math.max(0, reports) * 3_000;
  }

  private reportAt({ report, reports }: AttemptBook, now: number): Report {
    return now === this.now ? report : (reports.findLast(({ at }) => at <= now) ?? report);
  }

  /**
   * The attempt's score, as far as the host has reported it; or its score at an earlier time, as it
   * is known now: that of a node which turned out to be silent then, or was heard since.
   */
  score(attempt: AttemptBook, now = this.now): number {
    if (this.form === "reported") return this.reportAt(attempt, now).score;
    return scoreAt(attempt, this.seenAt(attempt, now));
  }

  /** The stages that the attempt is known to have entered, in their order. */
  entries(attempt: AttemptBook, now = this.now): readonly Entry[] {
    const known = this.seenAt(attempt, now);
    const all: readonly Entry[] =
      this.form === "reported"
        ? attempt.reports
        : attempt.pieces.map(({ from, score, stage }) => ({ at: from, score, stage }));
    return all.filter(
      ({ at, stage }, i) => at <= known && (i === 0 || all[i - 1]?.stage !== stage),
    );
  }

  elapsed(attempt: AttemptBook): number {
    return this.now - attempt.startedAt;
  }

  /** LATE 4: ProgressScore / T. An attempt that has run for no time has no rate. */
  rate(attempt: AttemptBook): number {
    if (attempt.state === "succeeded") {
      return 1 / Math.max(1, attempt.endedAt - attempt.startedAt);
    }
    const elapsed = this.elapsed(attempt);
    return elapsed > 0 ? this.score(attempt) / elapsed : 0;
  }

  /** LATE 4: (1 - ProgressScore) / ProgressRate. */
  timeLeft(attempt: AttemptBook): number {
    const left = 1 - this.score(attempt);
    if (left <= 0) return 0;
    const rate = this.rate(attempt);
    return rate > 0 ? left / rate : Number.POSITIVE_INFINITY;
  }
}

/** The piece of the attempt's progress at the moment. */
export function pieceAt(attempt: AttemptBook, at: number): Piece | undefined {
  let piece: Piece | undefined;
  for (const next of attempt.pieces) if (next.from <= at) piece = next;
  return piece;
}

/** The true score, whether reported or not. */
export function scoreAt(attempt: AttemptBook, at: number): number {
  const piece = pieceAt(attempt, at);
  if (piece === undefined) return 0;
  return Math.min(1, piece.score + piece.perMs * (at - piece.from));
}

export const holds = ({ state }: AttemptBook): boolean => state === "running" || state === "dying";

export const unended = (task: TaskBook): AttemptBook[] => task.attempts.filter(holds);

/** The task's only attempt, if it runs: a task with several is being speculated already. */
export function runsAlone(task: TaskBook): AttemptBook | undefined {
  if (task.done) return undefined;
  const [first, second] = unended(task);
  return second === undefined && first?.state === "running" ? first : undefined;
}

export const waits = (task: TaskBook): boolean =>
  task.phase.ready && !task.done && unended(task).length === 0;

export const isRunning = (task: TaskBook): boolean =>
  !task.done && task.attempts.some(({ state }) => state === "running");

/** Launched there at any time. */
export const hasRunOn = (task: TaskBook, node: number): boolean =>
  task.attempts.some((attempt) => attempt.node.id === node);

/** What the phase reads is complete: the sizes of its tasks are known. */
export const isInputWritten = ({ reads }: PhaseBook): boolean =>
  reads.every((read) => read.tasks.every(({ done }) => done));

/** The bytes that the task has to read, as far as they are there now. */
export const dataOf = ({ bytes, index, phase: { reads } }: TaskBook): number =>
  reads.length === 0
    ? bytes
    : reads
        .flatMap(({ tasks }) => tasks)
        .reduce((all, { outputs, parts }) => all + (outputs.size > 0 ? (parts[index] ?? 0) : 0), 0);

export const doneIn = (phase: PhaseBook): number => phase.tasks.filter((task) => task.done).length;

/** The succeeded attempts, also of tasks that run again because their output was lost. */
export const successes = (phase: PhaseBook): AttemptBook[] =>
  phase.tasks.flatMap((task) => task.attempts.filter(({ state }) => state === "succeeded"));

export const runningIn = (phase: PhaseBook): AttemptBook[] =>
  phase.tasks.flatMap((task) =>
    task.done ? [] : task.attempts.filter(({ state }) => state === "running"),
  );

/** Tasks with a running attempt, in the order of launch. */
export const inOrderOfLaunch = (phase: PhaseBook): TaskBook[] =>
  phase.tasks.filter(isRunning).sort((a, b) => (unended(a)[0]?.id ?? 0) - (unended(b)[0]?.id ?? 0));

/**
 * The same. Hadoop 1.2.1, JobInProgress.runningMapCache: in the order in which they were launched
 * when none of their attempts held a slot.
 */
export const inOrderOfTask = (phase: PhaseBook): TaskBook[] =>
  phase.tasks.filter(isRunning).sort((a, b) => a.workFrom - b.workFrom);
