import type { JobOutcome } from "../../model/action.ts";
import type { AttemptKind } from "../../model/attempt.ts";
import { ATTEMPT_KINDS } from "../../model/attempt.ts";
import type { Locality } from "../../model/job.ts";
import type { SimAttempt } from "./sim-attempt.ts";

/** What became of the attempts of one kind. */
export interface AttemptCounts {
  launched: number;
  succeeded: number;
  failed: number;
  killed: number;
}

export interface JobResult {
  readonly name: string;
  readonly submittedAtMs: number;
  readonly endedAtMs: number;
  readonly responseMs: number;
  readonly outcome: JobOutcome;
}

/** Counts while the simulation runs. */
export class Tally {
  events = 0;
  tasks = 0;
  readonly jobs: JobResult[] = [];
  readonly attempts: Record<AttemptKind, AttemptCounts>;
  readonly locality: Record<Locality, number> = { node: 0, rack: 0, any: 0 };
  /** Milliseconds in attempts that were killed, by node id. */
  readonly wastedMs: Float64Array;
  failedMs = 0;

  constructor(nodes: number) {
    const zero = (): AttemptCounts => ({ launched: 0, succeeded: 0, failed: 0, killed: 0 });
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

  launched(attempt: SimAttempt, locality: Locality): void {
    this.attempts[attempt.as].launched += 1;
    if (attempt.task.replicas.length > 0) this.locality[locality] += 1;
  }

  ended(attempt: SimAttempt, how: "succeeded" | "failed" | "killed", ranMs: number): void {
    this.attempts[attempt.as][how] += 1;
    const node = attempt.node.node.id;
    if (how === "killed") this.wastedMs[node] = (this.wastedMs[node] ?? 0) + ranMs;
    if (how === "failed") this.failedMs += ranMs;
  }

  get launches(): number {
    return ATTEMPT_KINDS.reduce((sum, kind) => sum + this.attempts[kind].launched, 0);
  }
}
