import type { TraceJob, TraceSource } from "../history/model.ts";
import type { Registry } from "../policy/registry.ts";
import { nothingToTry } from "./cannot.ts";
import { fitted } from "./fitted.ts";
import { gateOf } from "./gate.ts";
import { recordedTrial, systemOf } from "./system.ts";

/**
 * What a what-if of the job can answer: which settings of its system to change, what other policies
 * would have made of it, or nothing, because there is nothing to try, because the job did not
 * succeed, or because the simulator does not reproduce the record. COST: one simulation of the job.
 */
export function prospectOf(
  job: TraceJob,
  { source, registry }: { readonly source: TraceSource; readonly registry?: Registry },
): "settings" | "policies" | "nothing" {
  if (job.outcome !== "succeeded") return "nothing";
  const fit = fitted(job);
  if (nothingToTry(fit) !== undefined) return "nothing";
  const system = systemOf(job, source);
  const gate = gateOf(fit, recordedTrial(job, system), registry);
  if (gate.verdict === "bad") return "nothing";
  return system === undefined ? "policies" : "settings";
}
