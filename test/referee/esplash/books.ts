import type {
  Action,
  ClusterEvent,
  Job,
  Node,
  Phase,
  ProgressSource,
} from "../../../src/policy/index.ts";

/** What a reader of a journal knows: its events, and the actions that were carried out. */
export interface NodeBook {
  readonly id: number;
  readonly name: string;
  /** Containers by kind of slot. */
  slots: ReadonlyMap<number, number>;
  joined: boolean;
  silentSince: number | undefined;
}

export interface JobBook {
  readonly id: number;
  readonly name: string;
  readonly phases: readonly PhaseBook[];
}

/** A type of task. */
export interface PhaseBook {
  readonly id: number;
  readonly job: JobBook;
  readonly kinds: readonly number[];
  readonly reads: readonly { readonly source: PhaseBook; readonly share: number }[];
  readonly tasks: readonly TaskBook[];
  ready: boolean;
}

export interface TaskBook {
  readonly id: number;
  readonly phase: PhaseBook;
  attempts: AttemptBook[];
  everDone: boolean;
  /** Its output is lost, and it is being made again. */
  isRemade: boolean;
  readonly outputs: Set<number>;
}

export interface AttemptBook {
  readonly id: number;
  readonly task: TaskBook;
  readonly node: NodeBook;
  readonly launchedAt: number;
  startedAt: number | undefined;
  state: "assumed" | "running" | "dying" | "over";
  progress: ProgressSource | undefined;
}

export interface RequestBook {
  readonly id: number;
  readonly task: TaskBook;
  readonly nodes: ReadonlySet<number>;
  readonly madeAt: number;
}

export class Books {
  now = 0;
  readonly nodes = new Map<number, NodeBook>();
  /** Live jobs, in the order of their submission. */
  readonly jobs = new Map<number, JobBook>();
  readonly tasks = new Map<number, TaskBook>();
  readonly attempts = new Map<number, AttemptBook>();
  readonly requests = new Map<number, RequestBook>();
  /** The attempt that the present event has brought to its success. */
  succeeded: AttemptBook | undefined;
  readonly #startsOnce: boolean;
  readonly #onSlots = new Set<AttemptBook>();

  /** `startsOnce`: whether a phase that may start does not have to wait again. */
  constructor(startsOnce: boolean) {
    this.#startsOnce = startsOnce;
  }

  get joined(): NodeBook[] {
    return [...this.nodes.values()].filter((node) => node.joined);
  }

  task(id: number): TaskBook {
    return present(this.tasks.get(id), `task ${id}`);
  }

  node(id: number): NodeBook {
    return present(this.nodes.get(id), `node ${id}`);
  }

  /** Attempts that hold a slot. */
  holding(): AttemptBook[] {
    for (const attempt of this.#onSlots)
      if (attempt.state === "over") this.#onSlots.delete(attempt);
    return [...this.#onSlots];
  }

  enter(event: ClusterEvent): void {
    this.now = event.at;
    this.succeeded = undefined;
    switch (event.kind) {
      case "node-joined":
        this.#join(event.node);
        break;
      case "node-silent":
        this.#silence(this.node(event.node), event.since);
        break;
      case "node-heard":
        this.node(event.node).silentSince = undefined;
        break;
      case "node-left":
        this.#lose(this.node(event.node));
        break;
      case "job-submitted":
        this.#submit(event.job);
        break;
      case "attempt-started":
      case "attempt-progressed":
      case "attempt-succeeded":
      case "attempt-failed":
      case "attempt-killed":
        this.#enterAttempt(event);
        break;
      case "output-lost":
        this.tasks.get(event.task)?.outputs.delete(event.node);
        break;
      case "output-replicated":
        this.tasks.get(event.task)?.outputs.add(event.node);
        break;
      case "launch-refused":
        this.#refuse(this.attempts.get(event.attempt));
        break;
      default:
    }
    this.#findReady();
  }

  /** Actions take effect when they are reported; these are effects that need no report. */
  carryOut(action: Action): void {
    switch (action.kind) {
      case "launch": {
        const task = this.task(action.task);
        const attempt: AttemptBook = {
          ...{ id: action.attempt, task, node: this.node(action.node), launchedAt: this.now },
          ...{ startedAt: undefined, state: "assumed", progress: undefined },
        };
        task.attempts.push(attempt);
        this.attempts.set(attempt.id, attempt);
        this.#onSlots.add(attempt);
        if (action.request !== undefined) this.requests.delete(action.request);
        break;
      }
      case "kill": {
        const attempt = this.attempts.get(action.attempt);
        if (attempt === undefined || attempt.state === "over") break;
        attempt.state = attempt.node.silentSince === undefined ? "dying" : "over";
        break;
      }
      case "recompute":
        this.task(action.task).isRemade = true;
        break;
      case "declare-lost":
        this.#lose(this.node(action.node));
        break;
      case "request":
        this.requests.set(action.request, {
          ...{ id: action.request, task: this.task(action.task), madeAt: this.now },
          nodes: new Set(action.where.on === "only" ? action.where.nodes : []),
        });
        break;
      case "withdraw":
        this.requests.delete(action.request);
        break;
      case "end-job":
        this.#end(action.job);
        break;
      default:
    }
    this.#findReady();
  }

  #join({ id, name, slots }: Node): void {
    const counts = new Map(slots.map(({ kind, count }) => [kind, count] as const));
    const known = this.nodes.get(id);
    if (known === undefined) {
      this.nodes.set(id, { id, name, slots: counts, joined: true, silentSince: undefined });
      return;
    }
    // Attempts of its earlier life are gone.
    for (const attempt of this.holding()) if (attempt.node === known) attempt.state = "over";
    Object.assign(known, { slots: counts, joined: true, silentSince: undefined });
  }

  #silence(node: NodeBook, since: number): void {
    node.silentSince = since;
    for (const attempt of this.holding()) {
      if (attempt.node !== node) continue;
      if (attempt.state === "dying") attempt.state = "over";
      // The node will not confirm the launch: the attempt counts as begun, with no progress.
      if (attempt.state !== "assumed") continue;
      attempt.state = "running";
      attempt.startedAt = attempt.launchedAt;
    }
  }

  #lose(node: NodeBook): void {
    node.joined = false;
    node.silentSince = undefined;
    for (const attempt of this.holding()) if (attempt.node === node) attempt.state = "over";
    for (const task of this.tasks.values()) task.outputs.delete(node.id);
  }

  #submit({ id, name, phases }: Job): void {
    const job: JobBook = { id, name, phases: [] };
    const made: PhaseBook[] = [];
    for (const phase of phases) made.push(this.#phase(phase, job, made));
    this.jobs.set(id, Object.assign(job, { phases: made }));
  }

  #phase({ id, slots, after, tasks }: Phase, job: JobBook, made: readonly PhaseBook[]): PhaseBook {
    const reads = after.map(({ phase, start }) => ({
      source: present(
        made.find((one) => one.id === phase),
        `phase ${phase}`,
      ),
      share: start.when === "fraction" ? start.of : start.when === "done" ? 1 : 0,
    }));
    const phase = { id, job, kinds: slots, reads, tasks: [] as TaskBook[], ready: false };
    for (const task of tasks) {
      const rest = { attempts: [], everDone: false, isRemade: false, outputs: new Set<number>() };
      const book = { id: task.id, phase, ...rest };
      phase.tasks.push(book);
      this.tasks.set(task.id, book);
    }
    return phase;
  }

  #enterAttempt(event: Extract<ClusterEvent, { attempt: unknown; kind: `attempt-${string}` }>) {
    const attempt = this.attempts.get(event.attempt);
    if (attempt === undefined || attempt.state === "over") return;
    switch (event.kind) {
      case "attempt-started":
        if (attempt.state === "assumed") attempt.state = "running";
        attempt.startedAt =
          event.progress.kind === "reported" ? this.now : event.progress.startedAt;
        attempt.progress = event.progress;
        break;
      case "attempt-progressed":
        attempt.progress = event.progress;
        break;
      case "attempt-succeeded":
        this.#succeed(attempt);
        break;
      default:
        attempt.state = "over";
    }
  }

  #succeed(attempt: AttemptBook): void {
    const { task, node } = attempt;
    attempt.state = "over";
    // The first of two to finish counts, and none after the end of the job.
    if (isDone(task) || !this.jobs.has(task.phase.job.id)) return;
    this.succeeded = attempt;
    task.everDone = true;
    task.isRemade = false;
    if (isRead(task.phase)) task.outputs.add(node.id);
  }

  #refuse(attempt: AttemptBook | undefined): void {
    if (attempt === undefined) return;
    attempt.state = "over";
    attempt.task.attempts = attempt.task.attempts.filter((one) => one !== attempt);
  }

  #end(id: number): void {
    this.jobs.delete(id);
    for (const request of [...this.requests.values()]) {
      if (request.task.phase.job.id === id) this.requests.delete(request.id);
    }
  }

  /** A phase may start once enough of what it reads is there; it waits again if that is lost. */
  #findReady(): void {
    for (const { phases } of this.jobs.values()) {
      for (const phase of phases) {
        const isReady = phase.reads.every(({ source, share }) => {
          const made = source.tasks.filter(
            (task) => task.everDone && (!task.isRemade || task.outputs.size > 0),
          );
          return isBegun(source) && made.length >= share * source.tasks.length;
        });
        phase.ready = isReady || (this.#startsOnce && phase.ready);
      }
    }
  }
}

const isBegun = (phase: PhaseBook): boolean =>
  phase.ready || phase.tasks.some(({ attempts }) => attempts.length > 0);

const isRead = (phase: PhaseBook): boolean =>
  phase.job.phases.some(({ reads }) => reads.some(({ source }) => source === phase));

export const isDone = (task: TaskBook): boolean => task.everDone && !task.isRemade;

export const unended = ({ attempts }: TaskBook): AttemptBook[] =>
  attempts.filter(({ state }) => state !== "over");

/** The task's attempt, if it is the only one. */
export function soleAttempt(task: TaskBook): AttemptBook | undefined {
  const [first, second] = unended(task);
  return isDone(task) || second !== undefined ? undefined : first;
}

export const waits = (task: TaskBook): boolean =>
  task.phase.ready && !isDone(task) && unended(task).length === 0;

export const isWritten = (phase: PhaseBook): boolean =>
  phase.reads.every(({ source }) => source.tasks.every(isDone));

/** The score of a running attempt at a time, as far as its node was heard and has reported. */
export function scoreAt(attempt: AttemptBook, at: number): number {
  const { node, progress } = attempt;
  if (progress === undefined) return 0;
  if (progress.kind === "reported") return progress.score;
  const heard = node.silentSince === undefined ? at : Math.min(at, node.silentSince);
  const { startedAt, reportEvery: every } = progress;
  const ran = heard - startedAt;
  if (ran <= 0 && progress.kind === "line") return 0;
  const seen = every === 0 ? heard : startedAt + Math.floor(ran / every) * every;
  if (progress.kind === "line") return Math.min(1, progress.scorePerMs * (seen - startedAt));
  let last = present(progress.segments[0], "a segment");
  for (const segment of progress.segments) if (segment.from <= seen) last = segment;
  return Math.min(1, last.at.score + last.perMs.score * Math.max(0, seen - last.from));
}

export function present<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw new Error(`the journal does not know ${what}`);
  return found;
}
