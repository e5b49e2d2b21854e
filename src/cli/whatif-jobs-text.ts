import { span } from "../diagnose/figures.ts";
import { counted } from "../report/quantity.ts";
import { signedPercent } from "../whatif/change-text.ts";
import type { WhatIf } from "../whatif/document.ts";
import { table, wrap } from "./table.ts";

/** A job of one of several histories, and its answer, or why there is none. */
export interface WhatIfJobs {
  readonly jobs: readonly (WhatIf & { readonly history: string })[];
  readonly unread: readonly { readonly history: string; readonly reason: string }[];
}

/** One job of each history: how far the simulator can be trusted, and the answer. */
export function whatIfJobsText({ jobs, unread }: WhatIfJobs, width: number): string {
  const right = { align: "right" } as const;
  const rows = jobs.map(({ job, responseMs, gate, verdict }) => [
    job,
    span(responseMs),
    signedPercent(gate.error),
    verdict[0] ?? "",
  ]);
  const columns = [
    { title: "job" },
    { title: "took", ...right },
    { title: "simulated", ...right },
    { title: "answer" },
  ];
  const foot =
    `${counted(jobs.length, "job")}; simulated: what the simulator makes of the record under its ` +
    "own policy. `broomwagon whatif HISTORY` has the rows of one.";
  const refused = unread.map(({ reason }) => `not read: ${reason}`);
  return [table(columns, rows, width), "", ...wrap(foot, width), ...refused].join("\n");
}
