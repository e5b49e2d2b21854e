import { createScheduler, type Scheduler, type Setup } from "../../src/core/index.ts";
import { type JournalWriter, journalWriter, Names } from "../../src/core/journal/index.ts";
import type { Action } from "../../src/model/action.ts";
import type { Node, SlotCounts } from "../../src/model/cluster.ts";
import type {
  AttemptEvent,
  ClusterEvent,
  JobEvent,
  LinkSample,
  NodeEvent,
  OutputEvent,
  RefusalEvent,
} from "../../src/model/event.ts";
import {
  type AttemptId,
  instant,
  type NodeId,
  type RackId,
  type SlotKind,
  slotKind,
  type TaskId,
} from "../../src/model/ids.ts";
import type { Job } from "../../src/model/job.ts";
import { NO_AMOUNTS, type ReportedProgress } from "../../src/model/progress.ts";
import { curveOf, durationOf, type Run } from "../support/curves.ts";
import { render } from "./render.ts";

/** What the host does by itself; commands do the rest. */
export interface Automatic {
  /** Confirms launches. */
  start: boolean;
  /** Reports killed attempts. */
  kill: boolean;
  /** Offers slots as they become free. */
  offer: boolean;
  /** Brings wakes back when they are due. */
  wake: boolean;
}

/** How attempts that match run; the latest rule that matches counts. */
export interface RunRule {
  readonly matches: (attempt: string, node: string) => boolean;
  readonly run: Run;
}

export interface HostNode {
  readonly id: NodeId;
  readonly name: string;
  /** By kind. */
  readonly slots: readonly number[];
  state: "up" | "silent" | "gone";
}

export interface HostAttempt {
  readonly id: AttemptId;
  readonly task: TaskId;
  readonly node: HostNode;
  readonly kind: SlotKind;
  readonly run: Run | undefined;
  readonly launch: Extract<Action, { kind: "launch" }>;
  /** An end that the host could not report, because the node was silent. */
  untold?: Timeless;
}

interface Due {
  readonly at: number;
  readonly happens: () => void;
}

/** One result of a step. */
export interface Told {
  readonly at: number;
  readonly action: Action;
  readonly text: string;
}

/** Called after each step. */
export type Watch = (event: ClusterEvent, actions: readonly Action[]) => void;

/** A small pure host that does by itself everything that is not worth a script's line. */
export class Host {
  now = 0;
  readonly automatic: Automatic = { start: true, kill: true, offer: true, wake: true };
  readonly rules: RunRule[] = [];
  readonly nodes = new Map<string, HostNode>();
  /** Each node as it last joined, by name. */
  readonly joined = new Map<string, Node>();
  readonly jobs: Job[] = [];
  readonly attempts = new Map<AttemptId, HostAttempt>();
  readonly names = new Names();
  readonly scheduler: Scheduler;
  readonly setup: Setup;
  readonly journal: string[];
  readonly #writer: JournalWriter;
  readonly #watch: Watch;
  readonly #agenda: Due[] = [];
  #told: Told[] = [];
  #lastAt = 0;

  constructor(setup: Setup, watcher: (scheduler: Scheduler) => Watch) {
    this.setup = setup;
    this.scheduler = createScheduler(setup, { explain: true });
    this.#writer = journalWriter(setup, { explain: true });
    this.#watch = watcher(this.scheduler);
    this.journal = [this.#writer.header()];
  }

  /** The time of the last event. */
  get lastAt(): number {
    return this.#lastAt;
  }

  /** The decisions since the last call. */
  take(): readonly Told[] {
    const told = this.#told;
    this.#told = [];
    return told;
  }

  /** Feeds an event and carries out its immediate consequences. */
  feed(event: Timeless): void {
    this.#feed(event);
    this.until(this.now);
  }

  /** Lets time pass; due events happen on the way. */
  until(at: number): void {
    for (let due = this.#agenda[0]; due !== undefined && due.at <= at; due = this.#agenda[0]) {
      this.#agenda.shift();
      this.now = due.at;
      due.happens();
    }
    this.now = at;
  }

  /** The time of the next event that happens by itself. */
  get nextAt(): number | undefined {
    return this.#agenda[0]?.at;
  }

  node(name: string): HostNode {
    const node = this.nodes.get(name);
    if (node === undefined) throw new Error(`no node ${name}`);
    return node;
  }

  /** An attempt that runs, by name. */
  attempt(name: string): HostAttempt {
    const id = this.names.findAttempt(name);
    const attempt = id === undefined ? undefined : this.attempts.get(id);
    if (attempt === undefined) throw new Error(`no attempt ${name} holds a slot`);
    return attempt;
  }

  task(name: string): TaskId {
    const task = this.names.findTask(name);
    if (task === undefined) throw new Error(`no task ${name}`);
    return task;
  }

  free(node: HostNode): SlotCounts {
    const held = [...this.attempts.values()].filter((attempt) => attempt.node === node);
    return node.slots.map((count, kind) => ({
      kind: slotKind(kind),
      count: count - held.filter((attempt) => attempt.kind === kind).length,
    }));
  }

  offer(node: HostNode, free = this.free(node)): void {
    this.feed({ kind: "slots-offered", node: node.id, free });
  }

  start(attempt: HostAttempt): void {
    const { id, task, node, run, launch } = attempt;
    const { request, as } = launch;
    const progress =
      run === undefined
        ? reported({ at: this.now, score: 0, stage: 0 })
        : curveOf(run, this.scheduler.view.task(task), this.now);
    if (run !== undefined && run.end !== "never") {
      this.#plan(this.now + durationOf(run), () => this.#runEnds(attempt, run.end));
    }
    const of = request === undefined ? {} : { request };
    this.feed({ kind: "attempt-started", attempt: id, task, node: node.id, as, progress, ...of });
  }

  /** Frees the attempt's slot, and reports the end if the node is heard. */
  end(attempt: HostAttempt, event: Timeless): void {
    if (attempt.node.state === "silent") {
      attempt.untold ??= event;
      return;
    }
    if (!this.attempts.delete(attempt.id)) return;
    if (this.automatic.offer) this.#plan(this.now, () => this.#offerUp(attempt.node));
    this.feed(event);
  }

  /** All running attempts of the node are gone, without a report. */
  empty(node: HostNode): void {
    for (const [id, attempt] of this.attempts) if (attempt.node === node) this.attempts.delete(id);
  }

  /** Takes a slot for the attempt and, if that is automatic, starts it. */
  adopt(launch: Extract<Action, { kind: "launch" }>): void {
    this.#launch(launch);
    this.until(this.now);
  }

  #runEnds(attempt: HostAttempt, how: Run["end"]): void {
    if (this.attempts.get(attempt.id) !== attempt) return;
    if (how === "failed")
      this.end(attempt, { kind: "attempt-failed", attempt: attempt.id, cause: "error" });
    else this.end(attempt, { kind: "attempt-succeeded", attempt: attempt.id, output: OUTPUT });
  }

  #offerUp(node: HostNode): void {
    if (node.state === "up") this.offer(node);
  }

  #feed(event: Timeless): void {
    const stamped: ClusterEvent = { ...event, at: instant(this.now) };
    if (stamped.kind === "node-joined") this.names.addNode(stamped.node.id, stamped.node.name);
    if (stamped.kind === "job-submitted") this.names.addJob(stamped.job);
    if (stamped.kind === "attempt-started") {
      this.names.addAttempt(stamped.attempt, stamped.task, stamped.node);
    }
    this.#lastAt = this.now;
    const { actions } = this.scheduler.step(stamped);
    this.journal.push(this.#writer.step(stamped, actions));
    for (const action of actions) {
      if (action.kind === "launch") this.names.addAttempt(action.attempt, action.task, action.node);
      const text = render(action, this.names, this.setup.racks);
      this.#told.push({ at: this.now, action, text });
    }
    this.#watch(stamped, actions);
    for (const action of actions) this.#perform(action);
    this.names.settle(stamped, actions);
  }

  #perform(action: Action): void {
    if (action.kind === "launch") this.#launch(action);
    else if (action.kind === "kill" && this.automatic.kill) {
      this.#plan(this.now, () => {
        const attempt = this.attempts.get(action.attempt);
        if (attempt === undefined) return;
        this.end(attempt, { kind: "attempt-killed", attempt: attempt.id, by: "us" });
      });
    } else if (action.kind === "wake" && this.automatic.wake) {
      this.#plan(action.at, () => this.#feed({ kind: "woken" }));
    }
  }

  #launch(launch: Extract<Action, { kind: "launch" }>): void {
    const node = this.node(this.names.node(launch.node));
    const name = this.names.attempt(launch.attempt);
    const free = this.free(node)[launch.slot]?.count ?? 0;
    if (free <= 0) throw new Error(`no free slot for ${name} on ${node.name}`);
    const rule = this.rules.findLast((one) => one.matches(name, node.name));
    const { attempt: id, task } = launch;
    const attempt: HostAttempt = { id, task, node, kind: launch.slot, run: rule?.run, launch };
    this.attempts.set(id, attempt);
    if (this.automatic.start) {
      this.#plan(this.now, () => this.attempts.get(id) === attempt && this.start(attempt));
    }
  }

  /** Events planned for one time happen in the order of planning. */
  #plan(at: number, happens: () => void): void {
    const due = { at: Math.max(at, this.now), happens };
    const after = this.#agenda.findLastIndex((other) => other.at <= due.at);
    this.#agenda.splice(after + 1, 0, due);
  }
}

export const OUTPUT = { bytes: 0, records: 0 };

/** A real host's report. */
export function reported(report: { at: number; score: number; stage: number }): ReportedProgress {
  const { at, score, stage } = report;
  const amounts = { ...NO_AMOUNTS, score };
  return { kind: "reported", at: instant(at), changedAt: instant(at), stage, ...amounts };
}

/** An event before its time is known. */
export type Timeless =
  | NodeEvent
  | JobEvent
  | AttemptEvent
  | OutputEvent
  | RefusalEvent
  | ({ readonly kind: "links-sampled"; readonly rack: RackId } & LinkSample)
  | { readonly kind: "woken" };
