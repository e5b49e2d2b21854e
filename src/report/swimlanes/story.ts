import { defined, never } from "../../base/assert.ts";
import { AttemptFold, type OpenAttempt, type PastAttempt } from "../../history/attempts.ts";
import type { AttemptKind } from "../../model/attempt.ts";
import type { Node } from "../../model/cluster.ts";
import type { AttemptEnd, Fact } from "../../model/fact.ts";
import type { AttemptId, JobId, NodeId, SlotKind } from "../../model/ids.ts";
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
  /** When the attempt ended or, if it was lost, when its node was last heard. */
  readonly to: number;
  readonly as: AttemptKind;
  readonly end: BarEnd;
  /** Why the attempt was killed, or how it failed. */
  readonly reason: string;
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

/** A fold over facts that gathers the content of a picture. */
export class StoryTeller {
  readonly #nodes: StoryNode[] = [];
  readonly #indexes = new Map<NodeId, number>();
  /** For each node, the attempt on each slot. */
  readonly #seats: (AttemptId | undefined)[][] = [];
  readonly #attempts = new AttemptFold();
  /** The slots of open attempts. */
  readonly #lanes = new Map<AttemptId, number>();
  readonly #phases = new Set<string>();
  readonly #jobs = new Map<JobId, StoryJob>();
  readonly #silent = new Map<number, SilentSpan>();
  /** Bars of attempts that have ended, in any order. */
  readonly #bars: (readonly [AttemptId, LaneBar])[] = [];
  readonly #silences: SilentSpan[] = [];
  #now = 0;

  apply(fact: Fact): void {
    this.#now = fact.at;
    const past = this.#attempts.apply(fact);
    if (past !== undefined) this.#bars.push(this.#barOf(past));
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
      case "attempt-ended":
        this.#leave(this.#index(fact.node), fact.attempt);
        break;
      default:
    }
  }

  /** The record goes on at least until this moment. */
  until(at: number): void {
    this.#now = Math.max(this.#now, at);
    this.#attempts.until(at);
  }

  /** The story so far. */
  tell(): Story {
    const jobs = [...this.#jobs.values()];
    const ends = jobs.map(({ to }) => to ?? this.#now);
    const endsAt = ends.length > 0 ? Math.max(...ends) : this.#now;
    const open = this.#attempts.close().map((past) => this.#barOf(past));
    // In the order of their launches.
    const bars = [...this.#bars, ...open].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const silence of this.#silent.values()) silence.to = endsAt;
    return {
      nodes: this.#nodes,
      bars: bars.map(([, bar]) => bar),
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
    this.#jobs.set(job.id, { name: job.name, from: this.#now });
    for (const { name } of job.phases) this.#phases.add(name);
  }

  #launch({ attempt, node: id, slot }: Extract<Fact, { readonly kind: "attempt-launched" }>): void {
    const node = this.#index(id);
    const seats = this.#seats[node] ?? [];
    const lanes = this.#nodes[node]?.lanes ?? [];
    const free = seats.findIndex((taken, i) => taken === undefined && lanes[i] === slot);
    const lane = Math.max(0, free);
    seats[lane] = attempt;
    this.#lanes.set(attempt, lane);
  }

  #leave(node: number, attempt: AttemptId): void {
    const lane = defined(this.#lanes.get(attempt), "the slot of an open attempt");
    this.#lanes.delete(attempt);
    const seats = this.#seats[node] ?? [];
    if (seats[lane] === attempt) seats[lane] = undefined;
  }

  #barOf(past: PastAttempt): readonly [AttemptId, LaneBar] {
    const { of, ended, heardAt } = past;
    const { id, task, as, node, launchedAt } = of;
    const { name: job, phases } = task.of.job;
    const bar: LaneBar = {
      node: this.#index(node),
      lane: defined(this.#lanes.get(id), "the slot of an open attempt"),
      from: launchedAt,
      to: heardAt,
      as,
      end: ended === "cut-off" ? "running" : ended,
      reason: reasonOf(past),
      job,
      phase: defined(phases[task.phase], "a phase of a job").name,
      index: task.index,
    };
    return [id, bar];
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

function reasonOf({ of, ended, end }: PastAttempt): string {
  // The record has no end of an attempt that was killed with its job.
  if (end === undefined) return ended === "killed" ? dyingReason(of) : "";
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

const dyingReason = ({ dying }: OpenAttempt): string =>
  dying === undefined ? "" : reasonText(dying.why.rule);
