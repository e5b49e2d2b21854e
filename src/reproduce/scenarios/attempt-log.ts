import { defined } from "../../base/assert.ts";
import { AttemptFold, type PastAttempt } from "../../history/attempts.ts";
import type { TraceEnd } from "../../history/columns.ts";
import type { AttemptKind } from "../../model/attempt.ts";
import type { Fact } from "../../model/fact.ts";
import type { AttemptId, NodeId } from "../../model/ids.ts";
import type { Locality } from "../../model/job.ts";

/** An attempt of a simulated run, in retrospect. */
export interface LoggedAttempt {
  readonly job: string;
  readonly phase: string;
  readonly task: number;
  readonly node: string;
  readonly as: AttemptKind;
  /** Undefined where the task has no replicas. */
  readonly locality: Locality | undefined;
  /** The nodes on which the task had been tried before, each once. */
  readonly triedOn: readonly string[];
  readonly launchedAt: number;
  readonly endedAt: number;
  readonly ended: TraceEnd;
  readonly slotMs: number;
}

/** The outcome of every attempt, with what the task and its copies went through before. */
export class AttemptLog {
  /** In the order of their ends. */
  readonly attempts: LoggedAttempt[] = [];
  /** Copies that were requested and had to wait for a slot. */
  requested = 0;
  /** Requests that were withdrawn. */
  withdrawn = 0;
  readonly #fold = new AttemptFold();
  readonly #nodes = new Map<NodeId, string>();
  /** The nodes on which each task was tried, by the task's number. */
  readonly #tried = new Map<number, readonly string[]>();
  /** The nodes on which the task of each open attempt had been tried before. */
  readonly #triedBefore = new Map<AttemptId, readonly string[]>();

  apply(fact: Fact): void {
    const past = this.#fold.apply(fact);
    if (past !== undefined) this.#add(past);
    switch (fact.kind) {
      case "node-joined":
        this.#nodes.set(fact.node.id, fact.node.name);
        break;
      case "attempt-launched":
        this.#try(fact.attempt, this.#node(fact.node));
        break;
      case "attempt-ended":
        this.#triedBefore.delete(fact.attempt);
        break;
      case "request-made":
        this.requested += 1;
        break;
      case "request-ended":
        if (fact.how === "withdrawn") this.withdrawn += 1;
        break;
      default:
    }
  }

  /** Closes the run: adds the attempts that are still open. */
  close(): void {
    for (const past of this.#fold.close()) this.#add(past);
  }

  #try(attempt: AttemptId, node: string): void {
    const { task } = this.#fold.open(attempt);
    const before = this.#tried.get(task.number) ?? [];
    this.#triedBefore.set(attempt, before);
    // A task may be tried thousands of times: its attempts share the list.
    if (!before.includes(node)) this.#tried.set(task.number, [...before, node]);
  }

  #node(id: NodeId): string {
    return defined(this.#nodes.get(id), "a node that has joined");
  }

  #add({ of, ended, endedAt, heardAt }: PastAttempt): void {
    const { id, task, node, as, locality, launchedAt } = of;
    const { name: job, phases } = task.of.job;
    // A literal, since spreads of objects would take longer than the rest of the log.
    this.attempts.push({
      job,
      phase: defined(phases[task.phase], "a phase of a job").name,
      task: task.index,
      node: this.#node(node),
      as,
      locality,
      triedOn: defined(this.#triedBefore.get(id), "the tries before an attempt"),
      launchedAt,
      endedAt,
      ended,
      slotMs: heardAt - launchedAt,
    });
  }
}
