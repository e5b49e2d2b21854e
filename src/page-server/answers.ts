import type { PageHead } from "../report/page/document.ts";

/** What a server says of its page to other programs, as JSON. */
export type Answers = { readonly [name in Answer]?: string };

/** Why there is no such answer. */
const LACKS = {
  why: "no diagnosis: the run goes on, or could not be diagnosed",
  whatif: "no what-if: no other policy was tried",
  compare: "no comparison: no other run stands beside this one",
  jobs: "no jobs yet",
} as const;
type Answer = keyof typeof LACKS;

/**
 * What the page of a run that has ended says; a field is absent if the page has nothing of its
 * kind.
 */
export const answersOf = ({ why, whatif, compare, jobs }: PageHead): Answers => ({
  ...(why !== undefined && { why: JSON.stringify(why) }),
  ...(whatif !== undefined && { whatif: JSON.stringify(whatif) }),
  ...(compare !== undefined && { compare: JSON.stringify(compare) }),
  jobs: JSON.stringify(jobs),
});

/** What the page of a live run says: a job that is cut off runs. */
export const answersNow = ({ jobs }: Pick<PageHead, "jobs">): Answers => ({
  jobs: JSON.stringify(
    jobs.map((job) => (job.outcome === "cut-off" ? { ...job, outcome: "running" } : job)),
  ),
});

/** The answer that a path asks for, or why there is none; undefined if the path is no answer's. */
export function answerAt(
  path: string,
  answers: Answers,
): { readonly json?: string; readonly lack: string } | undefined {
  const name = path.slice(1);
  if (!isAnswer(name)) return undefined;
  const json = answers[name];
  return { lack: LACKS[name], ...(json !== undefined && { json }) };
}

const isAnswer = (name: string): name is Answer => Object.hasOwn(LACKS, name);
