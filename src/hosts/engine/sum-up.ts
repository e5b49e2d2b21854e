import type { JobOutcome } from "../../model/action.ts";
import { totals } from "./master/attempts.ts";
import type { FlowRun } from "./master/flow-run.ts";
import type { Master } from "./master/master.ts";
import { phaseFacts } from "./master/phase-facts.ts";
import type { RunDirectory } from "./run-directory.ts";
import type { RunResult } from "./run-result.ts";

/** What became of a job, once it was submitted. */
export interface Ended {
  readonly job: FlowRun;
  readonly outcome: JobOutcome;
  readonly responseMs: number;
}

/** All that is known of a job that has ended, commit included. */
export function sumUp(query: {
  readonly master: Master;
  readonly directory: RunDirectory;
  readonly discipline: string;
  readonly ended: Ended;
}): RunResult {
  const { master, directory, discipline, ended } = query;
  const { job, outcome, responseMs } = ended;
  const attempts = master.context.attempts.facts.filter(({ attempt }) => job.owns(attempt));
  const memory = master.memoryFacts;
  const failure = outcome === "failed" ? job.failure : undefined;
  return {
    id: directory.id,
    job: job.name,
    outcome,
    discipline,
    runDirectory: directory.path,
    journal: directory.journal,
    output: job.output.path,
    parts: outcome === "succeeded" ? job.parts : [],
    responseMs,
    wallMs: master.context.now,
    phases: phaseFacts(job.phases, attempts),
    counters: job.counters,
    badRecords: job.badRecords,
    attempts,
    totals: totals(attempts),
    nodes: master.nodeFacts,
    ...(memory !== undefined && { memory }),
    outputsCopied: master.context.outputsCopied.filter(({ task }) => job.owns(task)),
    outputsLost: master.context.outputsLost.filter((task) => job.owns(task)),
    recomputes: master.context.recomputes.filter(({ task }) => job.owns(task)),
    ...(failure === undefined ? {} : { failure }),
  };
}

/** In one line, of a job that has not succeeded. */
export function failureText({ job, outcome, failure, attempts }: RunResult): string {
  if (outcome === "killed") return `job ${job} was stopped`;
  if (failure === undefined) return `job ${job} failed`;
  const failures = attempts.filter(
    ({ attempt, end }) => attempt.startsWith(`${failure.task}#`) && end.kind === "failed",
  );
  const place = failure.place === undefined ? "" : ` (${failure.place})`;
  const { task, node, message } = failure;
  const times = failures.length === 1 ? "failed" : `failed ${failures.length} times, last`;
  return `job ${job}: ${task} ${times} on ${node}: ${message}${place}`;
}
