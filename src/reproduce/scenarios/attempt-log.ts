import { defined } from "../../base/assert.ts";
import type { Action } from "../../model/action.ts";
import type { AttemptKind } from "../../model/attempt.ts";
import type { ClusterEvent } from "../../model/event.ts";
import type { AttemptId, NodeId, RackId, TaskId } from "../../model/ids.ts";
import type { Job, Locality, Phase, Task } from "../../model/job.ts";

/** An attempt of a simulated run, as it looks afterwards. */
export interface LoggedAttempt {
  readonly job: string;
  readonly phase: string;
  readonly task: number;
  readonly node: string;
  readonly as: AttemptKind;
  /** Undefined where the task has no replicas. */
  readonly locality: Locality | undefined;
  /** Nodes on which the task had been tried before. */
  readonly triedOn: readonly string[];
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** Of two that succeed, the later one was for nothing: it counts as killed. */
  readonly ended: "succeeded" | "failed" | "killed";
}

interface KnownTask {
  readonly job: Job;
  readonly phase: Phase;
  readonly task: Task;
  readonly nodes: NodeId[];
  succeededAt: number | undefined;
}

type Running = Omit<LoggedAttempt, "endedAtMs" | "ended"> & {
  readonly id: AttemptId;
  readonly of: KnownTask;
  readonly on: NodeId;
  killedAt: number | undefined;
};

/** Listens to a run and keeps what became of every attempt. */
export class AttemptLog {
  readonly attempts: LoggedAttempt[] = [];
  /** Copies that were asked for and had to wait for a slot. */
  requested = 0;
  /** Of those, the ones that were taken back. */
  withdrawn = 0;
  readonly #tasks = new Map<TaskId, KnownTask>();
  readonly #nodes = new Map<NodeId, { readonly name: string; readonly rack: RackId }>();
  readonly #running = new Map<AttemptId, Running>();
  #now = 0;

  step(event: ClusterEvent, actions: readonly Action[]): void {
    this.#now = event.at;
    this.#learn(event);
    for (const action of actions) this.#asked(action);
  }

  #asked(action: Action): void {
    if (action.kind === "request") this.requested += 1;
    else if (action.kind === "withdraw") this.withdrawn += 1;
    else if (action.kind === "declare-lost") this.#lost(action.node);
    else if (action.kind === "kill") {
      const running = this.#running.get(action.attempt);
      if (running !== undefined) running.killedAt ??= this.#now;
    }
  }

  /** The run is over: what nobody told the end of was killed. */
  end(): void {
    for (const running of [...this.#running.values()]) {
      this.#ended(running.id, "killed", running.killedAt ?? this.#now);
    }
  }

  #learn(event: ClusterEvent): void {
    switch (event.kind) {
      case "job-submitted":
        this.#submitted(event.job);
        return;
      case "node-joined":
        this.#lost(event.node.id);
        this.#nodes.set(event.node.id, event.node);
        return;
      case "node-left":
        this.#lost(event.node);
        return;
      case "attempt-started":
        this.#started(event);
        return;
      case "attempt-succeeded":
        this.#ended(event.attempt, "succeeded", event.at);
        return;
      case "attempt-failed":
        this.#ended(event.attempt, "failed", event.at);
        return;
      case "attempt-killed":
        this.#ended(event.attempt, "killed", event.at);
        return;
      default:
    }
  }

  #submitted(job: Job): void {
    for (const phase of job.phases) {
      for (const task of phase.tasks) {
        this.#tasks.set(task.id, { job, phase, task, nodes: [], succeededAt: undefined });
      }
    }
  }

  #started(event: Extract<ClusterEvent, { readonly kind: "attempt-started" }>): void {
    const of = defined(this.#tasks.get(event.task), "a task of a job that was submitted");
    this.#running.set(event.attempt, {
      id: event.attempt,
      of,
      on: event.node,
      job: of.job.name,
      phase: of.phase.name,
      task: of.task.index,
      node: this.#node(event.node).name,
      as: event.as,
      locality: this.#locality(of.task, event.node),
      triedOn: of.nodes.map((id) => this.#node(id).name),
      startedAtMs: event.at,
      killedAt: undefined,
    });
    of.nodes.push(event.node);
  }

  #locality({ replicas }: Task, on: NodeId): Locality | undefined {
    if (replicas.length === 0) return undefined;
    if (replicas.includes(on)) return "node";
    const { rack } = this.#node(on);
    return replicas.some((id) => this.#node(id).rack === rack) ? "rack" : "any";
  }

  #node(id: NodeId): { readonly name: string; readonly rack: RackId } {
    return defined(this.#nodes.get(id), "a node that has joined");
  }

  #lost(node: NodeId): void {
    for (const { id, on } of [...this.#running.values()]) {
      if (on === node) this.#ended(id, "killed", this.#now);
    }
  }

  #ended(id: AttemptId, how: LoggedAttempt["ended"], at: number): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    this.#running.delete(id);
    const { of, id: _, on: __, killedAt: ___, ...kept } = running;
    // Its twin may have ended first, in the same moment too.
    const late = of.succeededAt !== undefined && of.succeededAt >= running.startedAtMs;
    const ended = how === "succeeded" && late ? "killed" : how;
    if (ended === "succeeded") of.succeededAt = at;
    this.attempts.push({ ...kept, endedAtMs: at, ended });
  }
}
