import type { TraceJob } from "../../history/model.ts";
import type { AskedJob } from "../../library/job-of-history.ts";

/** The flags that name a job of a history, or a part of one. */
export interface WhichJob {
  readonly job?: string;
  readonly query?: string;
  readonly stage?: string;
}

export const askedJob = ({ job, query, stage }: WhichJob): AskedJob => ({ id: job, query, stage });

/** The flags that name the job for another command. `isOnly`: its history has no other. */
export function wordsFor({ id, part }: TraceJob, isOnly: boolean): readonly string[] {
  const whole = isOnly ? [] : ["--job", id];
  if (part === undefined) return whole;
  const [kind = "", number] = part.name.split(" ");
  if (number === undefined) return [...whole, "--stage", part.name];
  // A job of Spark takes the place of the application.
  return [...(kind === "job" ? [] : whole), `--${kind}`, number];
}
