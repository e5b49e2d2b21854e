import { defined } from "../../../base/assert.ts";
import type { AttemptKind } from "../../../model/attempt.ts";
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
  hasEnded: boolean;
}

/** The attempts that Hadoop has started, by its names, and what the next one of a task is. */
export class Attempts {
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

  setNext(task: TaskId, kind: AttemptKind): void {
    this.#next.set(task, kind);
  }

  /** That have started on the node and not ended. */
  *runningOn(node: NodeId): Iterable<KnownAttempt> {
    for (const attempt of this.#byName.values()) {
      if (attempt.node === node && !attempt.hasEnded) yield attempt;
    }
  }
}
