import type { PageDocument, PageHead } from "../report/page/document.ts";
import { fitOf } from "../report/page/fit.ts";
import type { Diagnosed } from "./worker/messages.ts";

/** The document with the diagnosis that other limits give; its table keeps whole ms. */
export function rediagnosed(
  document: PageDocument,
  { why, units, phases }: Diagnosed,
): PageDocument {
  const { head, attempts } = document;
  const { whyJob = 0 } = head;
  const first = head.phases.findIndex(({ job }) => job === whyJob);
  const expectedMs = attempts.expectedMs.slice();
  const delayMs = attempts.delayMs.slice();
  let row = attempts.phase.findIndex((phase) => phase >= first);
  for (const facts of phases) {
    expectedMs.set(facts.expectedMs.map(Math.round), row);
    delayMs.set(facts.delayMs.map(Math.round), row);
    row += facts.expectedMs.length;
  }
  const changed: PageHead = {
    ...head,
    why,
    ...(units && { units }),
    jobs: head.jobs.map((job, n) => (n === whyJob ? { ...job, delayMs: why.delayMs } : job)),
    phases: head.phases.map(({ fit: before, ...phase }, n) => {
      const fit = phase.job === whyJob ? fitOf(why.phases[n - first]) : before;
      return { ...phase, ...(fit !== undefined && { fit }) };
    }),
  };
  return { head: changed, attempts: { ...attempts, expectedMs, delayMs } };
}
