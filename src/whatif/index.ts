/** A recorded job under other policies, in the simulator. Runs in any JavaScript engine. */
import { checkJob } from "../trace/check-job.ts";
import { sampleOf } from "./sample.ts";
import { tryPolicies as unchecked } from "./try-policies.ts";

export type { Advice } from "./advise.ts";
export type { Answer, Change } from "./change.ts";
export type { WhatIf, WhatIfRow } from "./document.ts";
export type { Gate } from "./gate.ts";
export type { TryPoliciesOptions } from "./try-policies.ts";

/** The job under each of the policies. InputError if the job is not sound. */
export const tryPolicies: typeof unchecked = (job, options) => {
  checkJob(job);
  if (options.again !== undefined) checkJob(options.again);
  return unchecked(job, { sampler: sampleOf, ...options });
};
