import { defined } from "../../../base/assert.ts";
import type { AttemptKind } from "../../../model/attempt.ts";
import { type AttemptEnd, type Fact, heardAt } from "../../../model/fact.ts";
import type { AttemptId, NodeId, TaskId } from "../../../model/ids.ts";
import type { Job } from "../../../model/job.ts";

/** An attempt of a simulated run. Times count from the job's submission. */
export interface RunAttempt {
  /** The index of the phase, and of the task within it. */
  readonly phase: number;
  readonly task: number;
  readonly as: AttemptKind;
  readonly node: string;
  /** When the attempt took its slot. */
  readonly launchedAtMs: number;
  /** Undefined if the attempt ended before it began. */
  readonly startedAtMs: number | undefined;
  /** When the attempt ended or, if lost, when its node was last heard. */
  readonly endedAtMs: number;
  readonly ended: Exclude<AttemptEnd["how"], "refused">;
}

/** Folds facts into the attempts of a run of one job. */
export class AttemptLog {
  readonly #nodes = new Map<NodeId, string>();
  readonly #ended = new Map<AttemptId, RunAttempt>();
  #job: Job | undefined;

  /** In the order of their launches; without attempts that have not ended. */
  get attempts(): readonly RunAttempt[] {
    const byId = [...this.#ended].sort(([a], [b]) => (a < b ? -1 : 1));
    return byId.map(([, attempt]) => attempt);
  }

  apply(fact: Fact): void {
    switch (fact.kind) {
      case "node-joined":
        this.#nodes.set(fact.node.id, fact.node.name);
        return;
      case "job-submitted":
        this.#job = fact.job;
        return;
      case "attempt-ended": {
        const { as, end, launchedAt, node, startedAt, task } = fact;
        if (end.how === "refused") return;
        this.#ended.set(fact.attempt, {
          ...this.#placeOf(task),
          as,
          node: defined(this.#nodes.get(node), "a node that has joined"),
          launchedAtMs: launchedAt,
          startedAtMs: startedAt,
          endedAtMs: heardAt(fact),
          ended: end.how,
        });
        return;
      }
      default:
    }
  }

  #placeOf(task: TaskId): { readonly phase: number; readonly task: number } {
    const { phases } = defined(this.#job, "a job that was submitted");
    const phase = phases.findIndex(({ tasks }) => {
      const [first] = tasks;
      return first !== undefined && first.id <= task && task < first.id + tasks.length;
    });
    const first = defined(phases[phase]?.tasks.at(0), "the phase of a task");
    return { phase, task: task - first.id };
  }
}
