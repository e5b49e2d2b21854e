import { percent, plain } from "../diagnose/figures.ts";
import { counted, seconds } from "../report/quantity.ts";
import type { RankedJob, Unread } from "./rank-jobs.ts";
import { table } from "./table.ts";

/** The jobs of many histories, the most time lost first. */
export function jobsText(
  { jobs, unread }: { readonly jobs: readonly RankedJob[]; readonly unread: readonly Unread[] },
  width: number,
): string {
  const right = { align: "right" } as const;
  const rows = jobs.map((job) => [
    job.id,
    job.outcome,
    seconds(job.responseMs),
    plain(job.lostMs),
    percent(job.lostMs / job.responseMs),
    String(job.attempts),
    job.history,
  ]);
  const text = table(
    [
      { title: "job" },
      { title: "ended", leaveOut: 3 },
      { title: "took", ...right },
      { title: "lost s", ...right },
      { title: "share", ...right, leaveOut: 2 },
      { title: "attempts", ...right, leaveOut: 1 },
      { title: "history" },
    ],
    rows,
    width,
  );
  const refused = unread.map(({ reason }) => `not read: ${reason}`);
  const count = `${counted(jobs.length, "job")}; \`broomwagon why HISTORY --job ID\` explains one.`;
  return [text, "", count, ...refused].join("\n");
}
