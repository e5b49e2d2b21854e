import { defined, never } from "../../base/assert.ts";
import type { AttemptKind } from "../../model/attempt.ts";
import type { Node } from "../../model/cluster.ts";
import {
  type AttemptEnd,
  type AttemptEnded,
  type Fact,
  heardAt,
  openEnd,
} from "../../model/fact.ts";
import type { AttemptId, JobId, NodeId, SlotKind, TaskId } from "../../model/ids.ts";
import type { Job } from "../../model/job.ts";
import { counted } from "../quantity.ts";
import { reasonText } from "../why-text.ts";

/** The content of a picture of a run, gathered from facts. Times in ms. */
export interface Story {
  /** In the order in which the nodes joined. */
  readonly nodes: readonly StoryNode[];
  readonly bars: readonly LaneBar[];
  readonly jobs: readonly StoryJob[];
  /** Names of the phases of all jobs, each once, in the order of their first job. */
  readonly phases: readonly string[];
  readonly silences: readonly SilentSpan[];
  readonly endsAt: number;
}

export interface StoryNode {
  readonly name: string;
  /** The kind of each of the node's slots. */
  readonly lanes: readonly SlotKind[];
}

export interface StoryJob {
  readonly name: string;
  readonly from: number;
  /** Undefined while the job lives. */
  to?: number;
  outcome?: string;
}

export type BarEnd = Exclude<AttemptEnd["how"], "refused"> | "running";

/** An attempt on its slot. */
export interface LaneBar {
  /** Index of the node, and of the slot on it. */
  readonly node: number;
  readonly lane: number;
  readonly from: number;
  to: number;
  readonly as: AttemptKind;
  end: BarEnd;
  /** Why the attempt was killed, or how it failed. */
  reason: string;
  readonly job: string;
  readonly phase: string;
  readonly index: number;
}

/** A time without heartbeats; `lost`: the core gave the node up. */
export interface SilentSpan {
  readonly node: number;
  readonly from: number;
  to: number;
  lost: boolean;
}

/** The size of the picture in words. */
export function subtitleOf({ nodes, jobs, bars, endsAt }: Story): string {
  return [
    counted(nodes.length, "node"),
    counted(jobs.length, "job"),
    counted(bars.length, "attempt"),
    `ends after ${(endsAt / 1_000).toFixed(1)} s`,
  ].join(" · ");
}

interface KnownTask {
  readonly job: StoryJob;
  readonly phase: string;
  readonly index: number;
}

/** A fold over facts that gathers the content of a picture. */
export class StoryTeller {
  readonly #nodes: StoryNode[] = [];
  readonly #indexes = new Map<NodeId, number>();
  /** For each node, the attempt on each slot. */
  readonly #seats: (AttemptId | undefined)[][] = [];
  readonly #tasks = new Map<TaskId, KnownTask>();
  readonly #phases = new Set<string>();
  readonly #jobs = new Map<JobId, StoryJob>();
  readonly #open = new Map<AttemptId, { readonly bar: LaneBar; readonly job: StoryJob }>();
  readonly #silent = new Map<number, SilentSpan>();
  readonly #bars: LaneBar[] = [];
  readonly #silences: SilentSpan[] = [];
  #now = 0;

  apply(fact: Fact): void {
    this.#now = fact.at;
    switch (fact.kind) {
      case "node-joined":
        this.#join(fact.node);
        break;
      case "node-silent":
        this.#silence(this.#index(fact.node), fact.since);
        break;
      case "node-heard":
        this.#endSilence(this.#index(fact.node));
        break;
      case "node-lost": {
        const silence = this.#silent.get(this.#index(fact.node));
        if (silence !== undefined) silence.lost = true;
        break;
      }
      case "job-submitted":
        this.#submit(fact.job);
        break;
      case "job-ended": {
        const job = this.#jobs.get(fact.job);
        if (job === undefined) break;
        job.to = fact.at;
        job.outcome = fact.outcome;
        break;
      }
      case "attempt-launched":
        this.#launch(fact);
        break;
      case "attempt-dying": {
        const open = this.#open.get(fact.attempt);
        if (open !== undefined) open.bar.reason = reasonText(fact.why.rule);
        break;
      }
      case "attempt-ended":
        this.#end(fact);
        break;
      default:
    }
  }

  /** The record goes on at least until this moment. */
  until(at: number): void {
    this.#now = Math.max(this.#now, at);
  }

  /** Called once, at the end. */
  tell(): Story {
    const jobs = [...this.#jobs.values()];
    const ends = jobs.map(({ to }) => to ?? this.#now);
    const endsAt = ends.length > 0 ? Math.max(...ends) : this.#now;
    for (const { bar, job } of this.#open.values()) {
      const { ended, endedAt } = openEnd({ jobEndedAt: job.to, recordEndsAt: this.#now });
      Object.assign(bar, { to: endedAt, end: ended === "killed" ? ended : "running" });
    }
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

  #join(node: Node): void {
    const known = this.#indexes.get(node.id);
    if (known !== undefined) {
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
    return defined(this.#indexes.get(node), "a node that has joined");
  }

  #submit(job: Job): void {
    const known: StoryJob = { name: job.name, from: this.#now };
    this.#jobs.set(job.id, known);
    for (const { name: phase, tasks } of job.phases) {
      this.#phases.add(phase);
      for (const { id, index } of tasks) this.#tasks.set(id, { job: known, phase, index });
    }
  }

  #launch(fact: Extract<Fact, { readonly kind: "attempt-launched" }>): void {
    const { as, attempt, slot } = fact;
    const { job, phase, index } = defined(this.#tasks.get(fact.task), "a task of a job");
    const node = this.#index(fact.node);
    const seats = this.#seats[node] ?? [];
    const lanes = this.#nodes[node]?.lanes ?? [];
    const free = seats.findIndex((taken, i) => taken === undefined && lanes[i] === slot);
    const lane = Math.max(0, free);
    seats[lane] = attempt;
    const at = { node, lane, from: this.#now, to: this.#now };
    const of = { job: job.name, phase, index };
    const bar: LaneBar = { ...at, as, end: "running", reason: "", ...of };
    this.#bars.push(bar);
    this.#open.set(attempt, { bar, job });
  }

  #end(fact: AttemptEnded): void {
    const { attempt, end } = fact;
    const { bar } = defined(this.#open.get(attempt), "an attempt that was launched");
    this.#open.delete(attempt);
    const seats = this.#seats[bar.node] ?? [];
    if (seats[bar.lane] === attempt) seats[bar.lane] = undefined;
    if (end.how === "refused") this.#bars.splice(this.#bars.indexOf(bar), 1);
    else Object.assign(bar, { to: heardAt(fact), end: end.how, reason: reasonOf(end) });
  }

  #silence(node: number, from: number): void {
    const silence: SilentSpan = { node, from, to: from, lost: false };
    this.#silent.set(node, silence);
    this.#silences.push(silence);
  }

  #endSilence(node: number): void {
    const silence = this.#silent.get(node);
    if (silence !== undefined) silence.to = this.#now;
    this.#silent.delete(node);
  }
}

function reasonOf(end: AttemptEnd): string {
  switch (end.how) {
    case "succeeded":
    case "refused":
      return "";
    case "failed":
      return end.cause;
    case "killed":
      return end.by === "core" ? reasonText(end.why.rule) : "evicted";
    case "lost":
      return "its node was lost";
    default:
      return never(end);
  }
}
