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
  /** We have asked for its end, and for another run. */
  isRestarted: boolean;
  /** Hadoop has said so. */
  hasEnded: boolean;
}

/** The attempts that Hadoop has started, by its names, and what the next one of a task is. */
export class FollowedAttempts {
  readonly #byName = new Map<string, KnownAttempt>();
  readonly #names: string[] = [];
  /** What the task's next attempt is started for; of those not in it, originals. */
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

  /** Hadoop makes a lost output again by itself, whether or not the core wants it. */
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

/** What the next attempt of a task is started for; undefined: for nothing new. */
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
