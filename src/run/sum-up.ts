import type { RunMeasures } from "../measures/run-measures.ts";
import type { AttemptKind } from "../model/attempt.ts";
import { type PhaseResults, phaseFacts, slotMs } from "./phase-facts.ts";
import type { RunDirectory } from "./run-directory.ts";
import type { NamedEnd } from "./run-event.ts";
import type { AttemptFacts, AttemptTotals, RunResult } from "./run-result.ts";

/**
 * The facts that a host knows about a run that has ended; `parts` count only after a success,
 * `failure` only after a failure.
 */
export interface RunFacts
  extends Omit<RunResult, "id" | "runDirectory" | "journal" | "phases" | "totals" | "measures"> {
  readonly directory: RunDirectory;
  /** Absent if no job was submitted. */
  readonly measured?: RunMeasures;
  readonly phases: readonly PhaseResults[];
}

/** Makes a run's result, on every host. */
export function sumUp(facts: RunFacts): RunResult {
  const { directory, outcome, attempts, failure, measured, memory } = facts;
  return {
    id: directory.id,
    job: facts.job,
    outcome,
    discipline: facts.discipline,
    runDirectory: directory.path,
    journal: directory.journal,
    output: facts.output,
    parts: outcome === "succeeded" ? facts.parts : [],
    responseMs: facts.responseMs,
    wallMs: facts.wallMs,
    phases: phaseFacts(facts.phases, attempts, measured?.phases),
    counters: facts.counters,
    badRecords: facts.badRecords,
    attempts,
    totals: totals(attempts),
    ...(measured !== undefined && { measures: measured.measures }),
    nodes: facts.nodes,
    ...(memory !== undefined && { memory }),
    outputsCopied: facts.outputsCopied,
    outputsLost: facts.outputsLost,
    recomputes: facts.recomputes,
    faultsMissed: facts.faultsMissed,
    ...(outcome === "failed" && failure !== undefined && { failure }),
  };
}

export function totals(attempts: readonly AttemptFacts[]): AttemptTotals {
  const ended = (kind: NamedEnd["kind"]): readonly AttemptFacts[] =>
    attempts.filter(({ end }) => end.kind === kind);
  const launchedAs = (kind: AttemptKind): readonly AttemptFacts[] =>
    attempts.filter(({ as }) => as === kind);
  return {
    launched: attempts.length,
    speculative: launchedAs("speculative").length,
    speculativeWon: launchedAs("speculative").filter(({ end }) => end.kind === "succeeded").length,
    succeeded: ended("succeeded").length,
    failed: ended("failed").length,
    killed: ended("killed").length,
    lost: ended("lost").length,
    recomputed: launchedAs("recompute").length,
    wastedMs: slotMs(ended("killed")),
    failedMs: slotMs(ended("failed")),
    lostSlotMs: slotMs(ended("lost")),
  };
}

/** One line about a job that has not succeeded. */
export function failureText({ job, outcome, failure, attempts }: RunResult): string {
  if (outcome === "killed") return `job ${job} was stopped`;
  if (failure === undefined) return `job ${job} failed`;
  const failures = attempts.filter(
    ({ task, end }) => task === failure.task && end.kind === "failed",
  );
  const place = failure.place === undefined ? "" : ` (${failure.place})`;
  const { task, node, message } = failure;
  const times = failures.length <= 1 ? "failed" : `failed ${failures.length} times, last`;
  return `job ${job}: ${task} ${times} on ${node}: ${message}${place}`;
}
