import { grouped } from "../base/grouped.ts";
import type { JobDigest } from "./digest.ts";

/** Jobs that one program submitted as steps of its work: a query of Hive, a script of Pig. */
export interface Workflow {
  readonly id: string;
  /** Empty if its jobs do not say. */
  readonly name: string;
  readonly jobs: number;
  readonly succeeded: number;
  /** From the submission of its first job to the end of its last one. */
  readonly tookMs: number;
  /** Of that, the time in which none of its jobs ran. */
  readonly betweenMs: number;
  /** Response time that late attempts cost its jobs. */
  readonly delayMs: number;
  /** Its job that took longest. */
  readonly longest: { readonly id: string; readonly step: string; readonly responseMs: number };
}

/** The workflows of more than one job; the longest first. */
export function workflowsOf(jobs: readonly JobDigest[]): readonly Workflow[] {
  const byId = grouped(jobs, ({ workflow }) => workflow?.id ?? "");
  return [...byId]
    .flatMap(([id, own]) => (id === "" || own.length < 2 ? [] : [workflowOf(id, own)]))
    .sort((a, b) => Math.sign(b.tookMs - a.tookMs) || (a.id < b.id ? -1 : 1));
}

function workflowOf(id: string, jobs: readonly JobDigest[]): Workflow {
  const inOrder = jobs.toSorted((a, b) => Math.sign(a.submittedAt - b.submittedAt));
  let [from, until, betweenMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const { submittedAt, responseMs } of inOrder) {
    from = Math.min(from, submittedAt);
    if (until < submittedAt && Number.isFinite(until)) betweenMs += submittedAt - until;
    until = Math.max(until, submittedAt + responseMs);
  }
  const longest = jobs.reduce((a, b) => (b.responseMs > a.responseMs ? b : a));
  return {
    id,
    name: jobs.find(({ workflow }) => workflow?.name)?.workflow?.name ?? "",
    jobs: jobs.length,
    succeeded: jobs.filter(({ outcome }) => outcome === "succeeded").length,
    tookMs: until - from,
    betweenMs,
    delayMs: jobs.reduce((sum, { delayMs }) => sum + delayMs, 0),
    longest: {
      id: longest.id,
      step: longest.workflow?.step ?? "",
      responseMs: longest.responseMs,
    },
  };
}
