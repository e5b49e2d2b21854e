import { defined, never } from "../../../base/assert.ts";
import type { AttemptKind } from "../../../model/attempt.ts";
import type { AttemptEnd, Fact } from "../../../model/fact.ts";
import { type AttemptId, attemptId, type NodeId, type TaskId } from "../../../model/ids.ts";
import type { ReportedProgress } from "../../../model/progress.ts";

/** An attempt that has started. */
export interface KnownAttempt {
  readonly id: AttemptId;
  readonly task: TaskId;
  readonly node: NodeId;
  last: ReportedProgress;
  /** The core has asked to kill the attempt and run the task again. */
  isRestarted: boolean;
  /** Hadoop has reported the end. */
  hasEnded: boolean;
}

/**
 * The attempts that Hadoop has started, by Hadoop's names, and the kind of each task's next
 * attempt.
 */
export class FollowedAttempts {
  readonly #byName = new Map<string, KnownAttempt>();
  readonly #names: string[] = [];
  /** The kind of each task's next attempt; `original` for tasks that are absent. */
  readonly #next = new Map<TaskId, AttemptKind>();

  start(name: string, of: Pick<KnownAttempt, "task" | "node" | "last">): KnownAttempt {
    const id = attemptId(this.#names.length);
    const attempt = { id, ...of, isRestarted: false, hasEnded: false };
    this.#names.push(name);
    this.#byName.set(name, attempt);
    return attempt;
  }

  find(name: string): KnownAttempt | undefined {
    return this.#byName.get(name);
  }

  nameOf(id: AttemptId): string {
    return defined(this.#names[id], `attempt ${id}`);
  }

  get(id: AttemptId): KnownAttempt {
    return defined(this.#byName.get(this.nameOf(id)), `attempt ${id}`);
  }

  kindOfNext(task: TaskId): AttemptKind {
    return this.#next.get(task) ?? "original";
  }

  /** Hadoop recomputes a lost output by itself, whether or not the core wants it. */
  outputLost(task: TaskId): void {
    this.#next.set(task, "recompute");
  }

  apply(fact: Fact): void {
    if (fact.kind === "attempt-dying" && fact.then !== "nothing") {
      this.get(fact.attempt).isRestarted = true;
    } else if (fact.kind === "attempt-ended") {
      const kind = nextAfter(fact.end);
      if (kind !== undefined) this.#next.set(fact.task, kind);
    }
  }
}

/** The kind of the task's next attempt; undefined if it does not change. */
function nextAfter(end: AttemptEnd): AttemptKind | undefined {
  switch (end.how) {
    case "succeeded":
    case "refused":
      return undefined;
    case "failed":
      return "retry";
    case "killed":
      return end.by === "core" && end.then === "restart" ? "restart" : "rerun";
    case "lost":
      return "rerun";
    default:
      return never(end);
  }
}
