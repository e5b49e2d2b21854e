import { cell } from "../base/rows.ts";
import type { PageDocument, PageHead } from "../report/page/document.ts";
import { fitOf } from "../report/page/fit.ts";
import type { Diagnosed } from "./worker/messages.ts";

/** The document with the diagnosis that other limits give; its table keeps whole ms. */
export function rediagnosed(document: PageDocument, { why, phases }: Diagnosed): PageDocument {
  const { head, attempts } = document;
  const { whyJob = 0 } = head;
  const first = head.phases.findIndex(({ job }) => job === whyJob);
  const expectedMs = attempts.expectedMs.slice();
  const delayMs = attempts.delayMs.slice();
  const rows = new Map<string, number>();
  for (let i = 0; i < attempts.length; i++) {
    rows.set(`${attempts.phase[i]} ${attempts.task[i]} ${attempts.ordinal[i]}`, i);
  }
  for (const [p, facts] of phases.entries()) {
    for (const [at, task] of facts.task.entries()) {
      const i = rows.get(`${first + p} ${task} ${facts.ordinal[at]}`);
      if (i === undefined) continue;
      expectedMs[i] = Math.round(cell(facts.expectedMs[at]));
      delayMs[i] = Math.round(cell(facts.delayMs[at]));
    }
  }
  const changed: PageHead = {
    ...head,
    why,
    jobs: head.jobs.map((job, n) => (n === whyJob ? { ...job, delayMs: why.delayMs } : job)),
    phases: head.phases.map(({ fit: before, ...phase }, n) => {
      const fit = phase.job === whyJob ? fitOf(why.phases[n - first]) : before;
      return { ...phase, ...(fit !== undefined && { fit }) };
    }),
  };
  return { head: changed, attempts: { ...attempts, expectedMs, delayMs } };
}
