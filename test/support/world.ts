import {
  createScheduler,
  type Scheduler,
  type SchedulerOptions,
  type Setup,
} from "../../src/core/index.ts";
import { SETUP_DEFAULTS } from "../../src/core/state/setup.ts";
import type { Action } from "../../src/model/action.ts";
import type { AttemptKind } from "../../src/model/attempt.ts";
import { CAPABILITIES, type SlotCounts } from "../../src/model/cluster.ts";
import type { ClusterEvent } from "../../src/model/event.ts";
import type { Fact } from "../../src/model/fact.ts";
import {
  type AttemptId,
  type Instant,
  instant,
  type NodeId,
  nodeId,
  rackId,
  type SlotKind,
  slotKind,
  type TaskId,
} from "../../src/model/ids.ts";
import type { Job, Task } from "../../src/model/job.ts";
import type { View } from "../../src/model/view.ts";
import { parseDiscipline } from "../../src/policy/discipline.ts";
import type { Discipline } from "../../src/policy/policy.ts";
import { curveOf, durationOf, type Run, steadily } from "./curves.ts";
import { buildJob, type IdSource, type JobSpec, SLOT_KINDS } from "./jobs.ts";

export interface WorldOptions {
  /** A discipline, or a text as for `--discipline`; the default makes no copies. */
  readonly discipline?: Discipline | string;
  /** In the form of `--set`. */
  readonly sets?: readonly string[];
  /** The number of nodes: n1, n2 and so on. */
  readonly nodes?: number;
  /** Nodes are assigned to the racks in turn: n1 to the first, n2 to the second. */
  readonly racks?: number;
  /** Slots of each node, in the order of `slotKinds`. */
  readonly slots?: readonly number[];
  readonly slotKinds?: readonly string[];
  /** "on-change": all free slots, whenever a node's change; "manual": only through `offer`. */
  readonly offers?: "on-change" | "manual";
  readonly explain?: boolean;
  readonly memory?: SchedulerOptions["memory"];
  readonly setup?: Partial<Setup>;
  /** How an attempt will run; by default it takes 10 s. */
  readonly runs?: (launch: Launch) => Run;
}

export interface Launch {
  readonly attempt: AttemptId;
  readonly task: Task;
  /** "map", "reduce". */
  readonly phase: string;
  readonly node: string;
  readonly as: AttemptKind;
  readonly at: number;
}

interface Running {
  readonly launch: Launch;
  readonly run: Run;
  readonly kind: SlotKind;
  readonly node: NodeId;
}

interface Due {
  readonly at: number;
  readonly happens: () => void;
}

/**
 * The smallest host: pure, with nodes that run attempts along given curves. It confirms launches
 * and kills at once, brings wakes back in time and ends attempts when their curve does.
 */
export class World {
  readonly scheduler: Scheduler;
  /** Every event that was fed, and every action that came back. */
  readonly events: ClusterEvent[] = [];
  readonly actions: { readonly at: number; readonly action: Action }[] = [];
  readonly facts: Fact[] = [];
  now = 0;
  readonly #options: Required<Pick<WorldOptions, "offers" | "runs">>;
  readonly #kinds: readonly string[];
  readonly #slots: readonly number[];
  readonly #agenda: Due[] = [];
  readonly #running = new Map<AttemptId, Running>();
  readonly #silent = new Map<NodeId, AttemptId[]>();
  readonly #nodes: string[] = [];
  readonly #racks: number;
  readonly #jobs: Job[] = [];
  readonly #next: IdSource = { job: 0, phase: 0, task: 0 };
  #ended = 0;

  constructor(options: WorldOptions = {}) {
    const discipline = options.discipline ?? "none,sharing=fifo-plain";
    const racks = options.racks ?? 1;
    this.#options = {
      offers: options.offers ?? "on-change",
      runs: options.runs ?? (() => steadily(10_000)),
    };
    this.#kinds = options.slotKinds ?? SLOT_KINDS;
    this.#slots = options.slots ?? this.#kinds.map(() => 1);
    this.#racks = racks;
    this.scheduler = createScheduler(
      {
        ...SETUP_DEFAULTS,
        seed: 1,
        slotKinds: this.#kinds,
        racks: Array.from({ length: racks }, (_, index) => `r${index + 1}`),
        discipline:
          typeof discipline === "string"
            ? parseDiscipline(discipline, options.sets ?? [])
            : discipline,
        capabilities: CAPABILITIES,
        ...options.setup,
      },
      {
        explain: options.explain ?? true,
        facts: true,
        ...(options.memory === undefined ? {} : { memory: options.memory }),
      },
    );
    for (let index = 0; index < (options.nodes ?? 4); index++) this.join();
  }

  /** The policies' view at the last step. */
  get view(): View {
    return this.scheduler.view;
  }

  /** The view as of `now`: time moves in the core by events alone. */
  look(): View {
    this.step({ at: this.at, kind: "woken" });
    return this.scheduler.view;
  }

  /** Adds a node; returns its name. */
  join(): string {
    const id = nodeId(this.#nodes.length);
    const name = `n${this.#nodes.length + 1}`;
    this.#nodes.push(name);
    const slots = this.#counts(this.#slots);
    const node = { id, name, rack: rackId(id % this.#racks), slots };
    this.#feed({ at: this.at, kind: "node-joined", node });
    this.#offerAll(id);
    this.#settle();
    return name;
  }

  submit(spec: JobSpec = {}): Job {
    const job = buildJob(spec, this.#next, {
      kinds: this.#kinds,
      submittedAt: this.now,
      name: spec.name ?? `job${this.#jobs.length + 1}`,
      node: (name) => this.node(name),
    });
    this.#jobs.push(job);
    this.#feed({ at: this.at, kind: "job-submitted", job });
    this.#settle();
    return job;
  }

  /** Offers slots of a node, in the order of `slotKinds`; without counts, all that are free. */
  offer(name: string, counts?: readonly number[]): readonly Action[] {
    const node = this.node(name);
    const before = this.actions.length;
    this.#offer(node, counts === undefined ? this.free(name) : this.#counts(counts));
    this.#settle();
    return this.actions.slice(before).map((told) => told.action);
  }

  /** The heartbeats of the node stop, and so do its attempts. */
  silence(name: string): void {
    const node = this.node(name);
    this.#silent.set(node, []);
    this.#feed({ at: this.at, kind: "node-silent", node, since: this.at });
    this.#settle();
  }

  /** The node is heard again, and reports attempts that have ended meanwhile. */
  hear(name: string): void {
    const node = this.node(name);
    const ended = this.#silent.get(node) ?? [];
    this.#silent.delete(node);
    this.#feed({ at: this.at, kind: "node-heard", node });
    for (const attempt of ended) this.#end(attempt);
    this.#settle();
  }

  /** The host ends an attempt by itself. */
  kill(attempt: AttemptId): void {
    this.#kill(attempt, "host");
    this.#settle();
  }

  /** `world.step({ at: world.at, kind: ... })`: one event, then all that is due at this time. */
  step(event: ClusterEvent): readonly Action[] {
    const before = this.actions.length;
    this.#feed(event);
    this.#settle();
    return this.actions.slice(before).map((told) => told.action);
  }

  get at(): Instant {
    return instant(this.now);
  }

  /** Lets time pass until `to`, with all due events. */
  advance(to: number): this {
    this.#settle(to);
    this.now = to;
    return this;
  }

  /** Runs until every job has ended; returns the time of the last end. */
  finish(latest = 1e9): number {
    while (
      this.#ended < this.#jobs.length &&
      this.#agenda.length > 0 &&
      this.#first().at <= latest
    ) {
      this.#settle(this.#first().at);
    }
    return this.now;
  }

  node(name: string): NodeId {
    const index = this.#nodes.indexOf(name);
    if (index < 0) throw new Error(`no node ${name}`);
    return nodeId(index);
  }

  task(phase: string, index: number, job = 0): TaskId {
    const found = this.#jobs[job]?.phases.find(({ name }) => name === phase)?.tasks.at(index);
    if (found === undefined) throw new Error(`no task ${phase}/${index} of job ${job}`);
    return found.id;
  }

  /** The latest attempt of a task. */
  attempt(phase: string, index: number, job = 0): AttemptId {
    const last = this.view.attemptsOf(this.task(phase, index, job)).at(-1);
    if (last === undefined) throw new Error(`no attempt of ${phase}/${index}`);
    return last.id;
  }

  /**
   * Launches so far, as "map/3 speculative n2"; with a job's name before it if there are several.
   */
  launches(as?: AttemptKind): string[] {
    return this.actions.flatMap(({ action }) => {
      if (action.kind !== "launch" || (as !== undefined && action.as !== as)) return [];
      return [`${this.#nameOf(action.task)} ${action.as} ${this.#nodes[action.node]}`];
    });
  }

  copies(): string[] {
    return this.launches("speculative").map((text) => text.replace(" speculative ", " "));
  }

  /** The rules named by refusals so far, in order. */
  refusals(): string[] {
    return this.actions.flatMap(({ action }) => (action.kind === "pass" ? [action.why.rule] : []));
  }

  free(name: string): SlotCounts {
    const node = this.node(name);
    const used = [...this.#running.values()].filter((running) => running.node === node);
    return this.#counts(
      this.#slots.map((count, kind) => count - used.filter((one) => one.kind === kind).length),
    );
  }

  #counts(counts: readonly number[]): SlotCounts {
    return counts.map((count, kind) => ({ kind: slotKind(kind), count }));
  }

  #nameOf(task: TaskId): string {
    for (const job of this.#jobs) {
      for (const phase of job.phases) {
        const found = [...phase.tasks].find(({ id }) => id === task);
        const before = this.#jobs.length > 1 ? `${job.name}/` : "";
        if (found !== undefined) return `${before}${phase.name}/${found.index}`;
      }
    }
    throw new Error(`no task ${task}`);
  }

  /** Feeds an event and performs what it asks for, without letting time pass. */
  #feed(event: ClusterEvent): void {
    this.events.push(event);
    const step = this.scheduler.step(event);
    this.facts.push(...step.facts);
    for (const action of step.actions) {
      this.actions.push({ at: this.now, action });
      this.#perform(action);
    }
  }

  #perform(action: Action): void {
    if (action.kind === "launch") this.#launch(action);
    else if (action.kind === "kill") this.#plan(this.now, () => this.#kill(action.attempt, "us"));
    else if (action.kind === "wake") {
      this.#plan(action.at, () => this.#feed({ at: this.at, kind: "woken" }));
    } else if (action.kind === "declare-lost") {
      for (const [id, one] of this.#running) if (one.node === action.node) this.#running.delete(id);
    } else if (action.kind === "end-job") this.#ended++;
  }

  #launch(action: Extract<Action, { kind: "launch" }>): void {
    const { attempt, node, as } = action;
    const task = this.view.task(action.task);
    const phase = this.view.phase(task.phase);
    const name = this.#nodes[node] ?? "";
    const free = this.free(name);
    const kind = phase.slots.find((one) => (free[one]?.count ?? 0) > 0);
    if (kind === undefined) throw new Error(`${name} has no slot for ${phase.name}/${task.index}`);
    const launch: Launch = { attempt, task, phase: phase.name, node: name, as, at: this.now };
    const run = this.#options.runs(launch);
    this.#running.set(attempt, { launch, run, kind, node });
    this.#plan(this.now, () => this.#start(attempt, action.request));
  }

  #start(attempt: AttemptId, request: Extract<Action, { kind: "launch" }>["request"]): void {
    const running = this.#running.get(attempt);
    if (running === undefined) return;
    const { launch, run, node } = running;
    this.#feed({
      at: this.at,
      kind: "attempt-started",
      attempt,
      task: launch.task.id,
      node,
      as: launch.as,
      progress: curveOf(run, launch.task, this.now),
      ...(request === undefined ? {} : { request }),
    });
    if (run.end !== "never") this.#plan(this.now + durationOf(run), () => this.#end(attempt));
  }

  #end(attempt: AttemptId): void {
    const running = this.#running.get(attempt);
    if (running === undefined) return;
    const heldBack = this.#silent.get(running.node);
    if (heldBack !== undefined) {
      heldBack.push(attempt);
      return;
    }
    this.#running.delete(attempt);
    const { at } = this;
    if (running.run.end === "failed") {
      this.#feed({ at, kind: "attempt-failed", attempt, cause: "error" });
    } else {
      const output = { bytes: running.launch.task.inputBytes ?? 0, records: 0 };
      this.#feed({ at, kind: "attempt-succeeded", attempt, output });
    }
    this.#offerAll(running.node);
  }

  #kill(attempt: AttemptId, by: "us" | "host"): void {
    const running = this.#running.get(attempt);
    if (running === undefined || this.#silent.has(running.node)) return;
    this.#running.delete(attempt);
    this.#feed({ at: this.at, kind: "attempt-killed", attempt, by });
    this.#offerAll(running.node);
  }

  #offerAll(node: NodeId): void {
    if (this.#options.offers === "manual" || this.#silent.has(node)) return;
    const name = this.#nodes[node] ?? "";
    this.#plan(this.now, () => this.#offer(node, this.free(name)));
  }

  #offer(node: NodeId, free: SlotCounts): void {
    this.#feed({ at: this.at, kind: "slots-offered", node, free });
  }

  #plan(at: number, happens: () => void): void {
    const due = { at: Math.max(at, this.now), happens };
    const before = this.#agenda.findLastIndex((other) => other.at <= due.at);
    this.#agenda.splice(before + 1, 0, due);
  }

  #first(): Due {
    const first = this.#agenda[0];
    if (first === undefined) throw new Error("nothing is due");
    return first;
  }

  #settle(to = this.now): void {
    while (this.#agenda.length > 0 && this.#first().at <= to) {
      const due = this.#first();
      this.#agenda.shift();
      this.now = due.at;
      due.happens();
    }
  }
}
