import { defined } from "../../base/assert.ts";
import type { AttemptKind } from "../../model/attempt.ts";
import { type AttemptEnd, type Fact, openEnd, slotMs } from "../../model/fact.ts";
import type { AttemptId, JobId, NodeId, TaskId } from "../../model/ids.ts";
import type { Job, Locality } from "../../model/job.ts";

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
  readonly launchedAtMs: number;
  readonly endedAtMs: number;
  readonly ended: Ended;
  readonly slotMs: number;
}

type Ended = Exclude<AttemptEnd["how"], "refused"> | "cut-off";

interface KnownJob {
  readonly name: string;
  endedAt: number | undefined;
}

interface KnownTask {
  readonly job: KnownJob;
  readonly phase: string;
  readonly task: number;
  /** The nodes on which the task has been tried. */
  triedOn: readonly string[];
}

/** An attempt that has not ended. */
interface OpenAttempt {
  readonly known: KnownTask;
  readonly node: string;
  readonly as: AttemptKind;
  readonly locality: Locality | undefined;
  readonly triedOn: readonly string[];
  readonly launchedAtMs: number;
}

/** A fold over facts that records the outcome of every attempt. */
export class AttemptLog {
  readonly attempts: LoggedAttempt[] = [];
  /** Copies that were requested and had to wait for a slot. */
  requested = 0;
  /** Requests that were withdrawn. */
  withdrawn = 0;
  readonly #jobs = new Map<JobId, KnownJob>();
  readonly #tasks = new Map<TaskId, KnownTask>();
  readonly #nodes = new Map<NodeId, string>();
  readonly #open = new Map<AttemptId, OpenAttempt>();
  #now = 0;

  apply(fact: Fact): void {
    this.#now = fact.at;
    switch (fact.kind) {
      case "node-joined":
        this.#nodes.set(fact.node.id, fact.node.name);
        break;
      case "job-submitted":
        this.#submitted(fact.job);
        break;
      case "job-ended":
        defined(this.#jobs.get(fact.job), "a job that was submitted").endedAt = fact.at;
        break;
      case "attempt-launched":
        this.#launched(fact);
        break;
      case "attempt-ended":
        this.#ended(fact.attempt, { how: fact.end.how, at: fact.at, slotMs: slotMs(fact) });
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
    for (const [id, { known, launchedAtMs }] of [...this.#open]) {
      const { endedAt: jobEndedAt } = known.job;
      const { ended, endedAt } = openEnd({ jobEndedAt, recordEndsAt: this.#now });
      this.#ended(id, { how: ended, at: endedAt, slotMs: endedAt - launchedAtMs });
    }
  }

  #submitted({ id: jobId, name: jobName, phases }: Job): void {
    const job = { name: jobName, endedAt: undefined };
    this.#jobs.set(jobId, job);
    for (const { name: phase, tasks } of phases) {
      for (const { id, index } of tasks) {
        this.#tasks.set(id, { job, phase, task: index, triedOn: [] });
      }
    }
  }

  #launched(fact: Extract<Fact, { readonly kind: "attempt-launched" }>): void {
    const known = defined(this.#tasks.get(fact.task), "a task of a job");
    const node = defined(this.#nodes.get(fact.node), "a node that has joined");
    const { as, locality, launchedAt: launchedAtMs } = fact;
    const { triedOn } = known;
    this.#open.set(fact.attempt, { known, node, as, locality, triedOn, launchedAtMs });
    // A task may be tried thousands of times: its attempts share the list.
    if (!triedOn.includes(node)) known.triedOn = [...triedOn, node];
  }

  #ended(
    id: AttemptId,
    end: { readonly how: Ended | "refused"; readonly at: number; readonly slotMs: number },
  ): void {
    const open = defined(this.#open.get(id), "an attempt that was launched");
    this.#open.delete(id);
    if (end.how === "refused") return;
    // A literal, since spreads of objects would take longer than the rest of the log.
    const { known, node, as, locality, triedOn, launchedAtMs } = open;
    const { job, phase, task } = known;
    this.attempts.push({
      job: job.name,
      phase,
      task,
      node,
      as,
      locality,
      triedOn,
      launchedAtMs,
      endedAtMs: end.at,
      ended: end.how,
      slotMs: end.slotMs,
    });
  }
}
