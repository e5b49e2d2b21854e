import { given, optional, whole } from "../base/shape.ts";
import type { AskedJob } from "./job-of-history.ts";

/** The options that name a part of a job. */
export const partOptions = {
  query: optional(whole({ min: 0 })),
  stage: optional(
    given("the number of a stage or the name of a phase", (value): value is number | string =>
      typeof value === "string" ? value !== "" : Number.isInteger(value),
    ),
  ),
} as const;

interface Options {
  readonly job?: string;
  readonly query?: number;
  readonly stage?: number | string;
}

export const askedJob = ({ job, query, stage }: Options): AskedJob => ({
  id: job,
  query: query?.toString(),
  stage: stage?.toString(),
});
