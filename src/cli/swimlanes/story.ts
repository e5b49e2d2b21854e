import type { Action } from "../../model/action.ts";
import type { AttemptKind } from "../../model/attempt.ts";
import type { Node } from "../../model/cluster.ts";
import type { AttemptEvent, ClusterEvent } from "../../model/event.ts";
import type { AttemptId, JobId, NodeId, SlotKind, TaskId } from "../../model/ids.ts";
import type { Job, Phase } from "../../model/job.ts";
import { counted } from "../quantity.ts";

/** What a picture of a run shows, gathered from its events and actions. Times in ms. */
export interface Story {
  /** In the order in which they joined. */
  readonly nodes: readonly StoryNode[];
  readonly bars: readonly Bar[];
  readonly jobs: readonly StoryJob[];
  /** Names of the phases of all jobs, each once, in the order of their first job. */
  readonly phases: readonly string[];
  readonly silences: readonly Silence[];
  readonly endsAt: number;
}

export interface StoryNode {
  readonly name: string;
  /** Kind of each of its slots. */
  readonly lanes: readonly SlotKind[];
}

export interface StoryJob {
  readonly name: string;
  readonly from: number;
  /** Undefined while it lives. */
  to?: number;
  outcome?: string;
}

/** killed: also one that came second; lost: with its node. */
export type BarEnd = "succeeded" | "killed" | "failed" | "lost" | "running";

/** An attempt on its slot. */
export interface Bar {
  /** Index of the node, and of the slot on it. */
  readonly node: number;
  readonly lane: number;
  readonly from: number;
  to: number;
  readonly as: AttemptKind;
  end: BarEnd;
  /** Why it was killed, how it failed. */
  reason: string;
  readonly job: string;
  readonly phase: string;
  readonly index: number;
}

/** No heartbeat came; `lost`: it was given up. */
export interface Silence {
  readonly node: number;
  readonly from: number;
  to: number;
  lost: boolean;
}

/** How much there is to see. */
export function subtitleOf({ nodes, jobs, bars, endsAt }: Story): string {
  return [
    counted(nodes.length, "node"),
    counted(jobs.length, "job"),
    counted(bars.length, "attempt"),
    `ends after ${(endsAt / 1_000).toFixed(1)} s`,
  ].join(" · ");
}

interface Placed {
  readonly bar: Bar;
  readonly task: TaskId;
}

interface KnownTask {
  readonly job: string;
  readonly phase: Phase;
  readonly index: number;
}

/** Gathers a story step by step: a host's events, and what the scheduler answered. */
export class StoryTeller {
  readonly #nodes: StoryNode[] = [];
  readonly #indexes = new Map<NodeId, number>();
  /** Of each node, who is on which slot. */
  readonly #seats: (AttemptId | undefined)[][] = [];
  readonly #tasks = new Map<TaskId, KnownTask>();
  readonly #phases = new Set<string>();
  readonly #jobs = new Map<JobId, StoryJob>();
  readonly #slots = new Map<AttemptId, SlotKind>();
  readonly #placed = new Map<AttemptId, Placed>();
  readonly #done = new Set<TaskId>();
  readonly #reasons = new Map<AttemptId, string>();
  readonly #silent = new Map<number, Silence>();
  readonly #bars: Bar[] = [];
  readonly #silences: Silence[] = [];
  #now = 0;

  step(event: ClusterEvent, actions: readonly Action[]): void {
    this.#now = event.at;
    this.#hear(event);
    for (const action of actions) this.#see(action);
  }

  /** To be asked for once, at the end. */
  tell(): Story {
    const jobs = [...this.#jobs.values()];
    const ends = jobs.map(({ to }) => to ?? this.#now);
    const endsAt = ends.length > 0 ? Math.max(...ends) : this.#now;
    for (const { bar } of this.#placed.values()) bar.to = Math.max(endsAt, bar.from);
    for (const silence of this.#silent.values()) silence.to = endsAt;
    return {
      nodes: this.#nodes,
      bars: this.#bars,
      jobs,
      phases: [...this.#phases],
      silences: this.#silences,
      endsAt,
    };
  }

  #hear(event: ClusterEvent): void {
    switch (event.kind) {
      case "node-joined":
        this.#join(event.node);
        break;
      case "node-silent": {
        const node = this.#index(event.node);
        const silence: Silence = { node, from: event.since, to: event.since, lost: false };
        this.#silent.set(node, silence);
        this.#silences.push(silence);
        break;
      }
      case "node-heard":
        this.#endSilence(this.#index(event.node));
        break;
      case "node-left":
        this.#lose(this.#index(event.node));
        break;
      case "job-submitted":
        this.#submit(event.job);
        break;
      case "attempt-started":
      case "attempt-succeeded":
      case "attempt-failed":
      case "attempt-killed":
        this.#hearOf(event);
        break;
      default:
    }
  }

  #hearOf(event: AttemptEvent): void {
    const { attempt } = event;
    switch (event.kind) {
      case "attempt-started":
        this.#start(event);
        break;
      case "attempt-succeeded": {
        const task = this.#placed.get(attempt)?.task;
        const isSecond = task !== undefined && this.#done.has(task);
        if (task !== undefined) this.#done.add(task);
        this.#end(attempt, isSecond ? "killed" : "succeeded", isSecond ? "came second" : "");
        break;
      }
      case "attempt-failed":
        this.#end(attempt, "failed", event.cause);
        break;
      case "attempt-killed":
        if (event.by === "node-lost") this.#end(attempt, "lost", "its node was lost");
        else {
          const reason = event.by === "host" ? "evicted" : (this.#reasons.get(attempt) ?? "");
          this.#end(attempt, "killed", reason);
        }
        break;
      default:
    }
  }

  #see(action: Action): void {
    switch (action.kind) {
      case "launch":
        this.#slots.set(action.attempt, action.slot);
        break;
      case "kill":
        this.#reasons.set(action.attempt, action.why.rule);
        break;
      case "recompute":
        this.#done.delete(action.task);
        break;
      case "declare-lost":
        this.#lose(this.#index(action.node));
        break;
      case "end-job": {
        const job = this.#jobs.get(action.job);
        if (job === undefined) break;
        job.to = this.#now;
        job.outcome = action.outcome;
        break;
      }
      default:
    }
  }

  #join(node: Node): void {
    const known = this.#indexes.get(node.id);
    if (known !== undefined) {
      // It has come back: what ran there is gone.
      this.#empty(known);
      this.#endSilence(known);
      return;
    }
    this.#indexes.set(node.id, this.#nodes.length);
    const lanes = node.slots.flatMap(({ kind, count }) =>
      Array.from({ length: count }, () => kind),
    );
    this.#nodes.push({ name: node.name, lanes });
    this.#seats.push(lanes.map(() => undefined));
  }

  #index(node: NodeId): number {
    return this.#indexes.get(node) ?? 0;
  }

  #submit(job: Job): void {
    this.#jobs.set(job.id, { name: job.name, from: this.#now });
    for (const phase of job.phases) {
      this.#phases.add(phase.name);
      for (const { id, index } of phase.tasks) this.#tasks.set(id, { job: job.name, phase, index });
    }
  }

  #start(event: Extract<AttemptEvent, { kind: "attempt-started" }>): void {
    const { attempt, as } = event;
    const task = this.#tasks.get(event.task);
    if (task === undefined) return;
    const node = this.#index(event.node);
    const slot = this.#slots.get(attempt) ?? task.phase.slots[0];
    this.#slots.delete(attempt);
    const seats = this.#seats[node] ?? [];
    const lanes = this.#nodes[node]?.lanes ?? [];
    const free = seats.findIndex((taken, i) => taken === undefined && lanes[i] === slot);
    const lane = Math.max(0, free);
    seats[lane] = attempt;
    const { job, phase, index } = task;
    const at = { node, lane, from: this.#now, to: this.#now };
    const bar: Bar = { ...at, as, end: "running", reason: "", job, phase: phase.name, index };
    this.#bars.push(bar);
    this.#placed.set(attempt, { bar, task: event.task });
  }

  #end(attempt: AttemptId, end: BarEnd, reason: string): void {
    const placed = this.#placed.get(attempt);
    this.#reasons.delete(attempt);
    if (placed === undefined) return;
    const { bar } = placed;
    bar.to = this.#now;
    bar.end = end;
    bar.reason = reason;
    this.#placed.delete(attempt);
    const seats = this.#seats[bar.node] ?? [];
    if (seats[bar.lane] === attempt) seats[bar.lane] = undefined;
  }

  #lose(node: number): void {
    const silence = this.#silent.get(node);
    if (silence !== undefined) silence.lost = true;
    this.#empty(node);
  }

  #empty(node: number): void {
    for (const attempt of this.#seats[node] ?? []) {
      if (attempt !== undefined) this.#end(attempt, "lost", "its node was lost");
    }
  }

  #endSilence(node: number): void {
    const silence = this.#silent.get(node);
    if (silence !== undefined) silence.to = this.#now;
    this.#silent.delete(node);
  }
}
