import { defined } from "../../base/assert.ts";
import type { JobOutcome } from "../../model/action.ts";
import { ATTEMPT_KINDS, type AttemptKind } from "../../model/attempt.ts";
import { type AttemptEnd, type Fact, openEnd, slotMs } from "../../model/fact.ts";
import type { AttemptId, Instant, JobId } from "../../model/ids.ts";
import type { Job } from "../../model/job.ts";

/** How the attempts of one kind ended. Refused launches never ran and do not count. */
export interface AttemptCounts {
  launched: number;
  succeeded: number;
  failed: number;
  killed: number;
  lost: number;
}

export interface JobResult {
  readonly name: string;
  readonly submittedAtMs: number;
  readonly endedAtMs: number;
  readonly responseMs: number;
  readonly outcome: JobOutcome;
}

type Ended = AttemptEnd["how"];
type Launched = Pick<Extract<Fact, { kind: "attempt-dying" }>, "as" | "launchedAt" | "node">;
type Dying = Extract<Fact, { kind: "attempt-dying" }> & { readonly jobEndedAt?: Instant };

/** A fold over facts that counts jobs, attempts and their slot times. */
export class Tally {
  events = 0;
  tasks = 0;
  /** In the order in which they ended. */
  readonly jobs: JobResult[] = [];
  readonly attempts: Record<AttemptKind, AttemptCounts>;
  /** Slot time of killed attempts, ms by node id. */
  readonly wastedMs: Float64Array;
  /** Slot time of all attempts by how they ended, ms. */
  readonly slotMs: Record<Ended, number> = {
    succeeded: 0,
    failed: 0,
    killed: 0,
    lost: 0,
    refused: 0,
  };

  /** Jobs that have not ended. */
  readonly #live = new Map<JobId, Job>();
  /** Attempts whose end the core has requested. */
  readonly #dying = new Map<AttemptId, Dying>();

  constructor(nodes: number) {
    const zero = (): AttemptCounts => ({
      launched: 0,
      succeeded: 0,
      failed: 0,
      killed: 0,
      lost: 0,
    });
    this.attempts = {
      original: zero(),
      speculative: zero(),
      restart: zero(),
      retry: zero(),
      rerun: zero(),
      recompute: zero(),
    };
    this.wastedMs = new Float64Array(nodes);
  }

  apply(fact: Fact): void {
    switch (fact.kind) {
      case "job-submitted":
        this.#live.set(fact.job.id, fact.job);
        for (const { tasks } of fact.job.phases) this.tasks += tasks.length;
        return;
      case "job-ended":
        this.#endJob(fact);
        return;
      case "attempt-launched":
        this.attempts[fact.as].launched += 1;
        return;
      case "attempt-dying":
        this.#dying.set(fact.attempt, fact);
        return;
      case "attempt-ended":
        if (this.#dying.size > 0) this.#dying.delete(fact.attempt);
        this.#end(fact, slotMs(fact), fact.end.how);
        return;
      default:
    }
  }

  /** COST: O(dying attempts * phases). */
  #endJob({ job, at, outcome }: Extract<Fact, { kind: "job-ended" }>): void {
    const { name, submittedAt, phases } = defined(this.#live.get(job), "a live job");
    this.#live.delete(job);
    const responseMs = at - submittedAt;
    this.jobs.push({ name, submittedAtMs: submittedAt, endedAtMs: at, responseMs, outcome });
    for (const [id, dying] of this.#dying) {
      const isOwn = phases.some(({ tasks }) => {
        const first = tasks.at(0)?.id;
        return first !== undefined && first <= dying.task && dying.task < first + tasks.length;
      });
      if (isOwn) this.#dying.set(id, { ...dying, jobEndedAt: at });
    }
  }

  /** Closes the run: an attempt of an ended job that is still dying was killed with its job. */
  close(at: Instant): void {
    for (const dying of this.#dying.values()) {
      const open = openEnd({ jobEndedAt: dying.jobEndedAt, recordEndsAt: at });
      if (open.ended === "killed") this.#end(dying, open.endedAt - dying.launchedAt, "killed");
    }
    this.#dying.clear();
  }

  #end({ as, node }: Launched, ms: number, how: Ended): void {
    this.slotMs[how] += ms;
    if (how === "killed") this.wastedMs[node] = (this.wastedMs[node] ?? 0) + ms;
    if (how === "refused") this.attempts[as].launched -= 1;
    else this.attempts[as][how] += 1;
  }

  get successes(): number {
    return ATTEMPT_KINDS.reduce((sum, kind) => sum + this.attempts[kind].succeeded, 0);
  }
}
