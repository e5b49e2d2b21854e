import type { Discipline } from "../../../policy/policy.ts";
import { type LoggedJobRun, runJob } from "../jobs/job-run.ts";
import type { AttemptTime } from "../jobs/job-workload.ts";
import type { LogModel } from "../logs/model.ts";
import { attemptOf, type PhaseLog } from "../logs/phase-log.ts";

/** Equation 1 for the attempts of a logged phase. */
export function loggedTimes(model: LogModel, phase: PhaseLog): AttemptTime {
  return (attempt) => attemptOf(model, phase, attempt).ms;
}

/** Runs a phase alone, on as many slots as it had. */
export function runPhase(
  phase: Pick<PhaseLog, "name" | "slots" | "bytes" | "chance">,
  { time, discipline }: { readonly time: AttemptTime; readonly discipline: Discipline },
): LoggedJobRun {
  const { name, slots, bytes, chance } = phase;
  const phases = [{ name, bytes, time, after: [], chance }];
  return runJob({ name, slots, phases }, { discipline });
}
