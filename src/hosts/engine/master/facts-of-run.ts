import { runMeasures } from "../../../measures/run-measures.ts";
import type { JobOutcome } from "../../../model/action.ts";
import type { RunFacts } from "../../../run/sum-up.ts";
import type { FlowRun } from "./flow-run.ts";
import type { Master } from "./master.ts";

/** How a submitted job ended. */
export interface Ended {
  readonly job: FlowRun;
  readonly outcome: JobOutcome;
  readonly responseMs: number;
}

/** All that the master knows of an ended job, with its commit. It hands the job's history over. */
export function factsOfRun(
  { context, memoryFacts: memory, nodeFacts: nodes, faultsMissed }: Master,
  { job, outcome, responseMs }: Ended,
): Omit<RunFacts, "directory" | "discipline"> {
  return {
    job: job.name,
    outcome,
    output: job.output.path,
    parts: job.parts,
    responseMs,
    wallMs: context.now,
    phases: job.phases,
    counters: job.counters,
    badRecords: job.badRecords,
    measured: runMeasures(context.history.take(new Set(job.jobIds))),
    attempts: context.attemptFacts.filter(({ attempt }) => job.owns(attempt)),
    nodes,
    ...(memory !== undefined && { memory }),
    outputsCopied: context.outputsCopied.filter(({ task }) => job.owns(task)),
    outputsLost: context.outputsLost.filter((task) => job.owns(task)),
    recomputes: context.recomputes.filter(({ task }) => job.owns(task)),
    faultsMissed,
    ...(job.failure !== undefined && { failure: job.failure }),
  };
}
