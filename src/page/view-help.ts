import { wordsOf } from "../diagnose/cause.ts";
import { attemptRows } from "../report/page/attempt-rows.ts";
import { nodeSpeeds } from "./node-speed.ts";
import { slotTimes } from "./slot-time.ts";
import type { PageState } from "./state.ts";

/** What a view shows, for other programs, and how it is computed. */
export interface ViewHelp {
  /** The rows of the view; fields are numbers in ms or bytes, and texts. */
  readonly rows: () => readonly object[];
  /** How the view is computed, in a sentence. */
  readonly how: string;
  /** Further details, a line each. */
  readonly lines?: readonly string[];
  /** The document that says more. */
  readonly document: string;
  /** Whether the view has pictures that can be saved as vectors. */
  readonly isDrawn?: boolean;
}

const PAGE = "docs/page.md";
const DIAGNOSIS = "docs/diagnosis.md";

const helpOn = ({ label, help }: ReturnType<typeof wordsOf>): string => `${label}: ${help}.`;

/** What each view shows, by its id. */
export const VIEW_HELP: Readonly<Record<string, (state: PageState) => ViewHelp>> = {
  verdict: ({ run }) => ({
    rows: () => (run.head.why?.causes ?? []).map(({ evidence: _, parts: __, ...row }) => row),
    how:
      "the job's recorded schedule is played again without each cause, and the seconds " +
      "that this saves are shared among the causes.",
    lines: (run.head.why?.causes ?? []).flatMap(({ cause, ms }) =>
      ms === 0 ? [] : [helpOn(wordsOf(cause))],
    ),
    document: DIAGNOSIS,
  }),
  timeline: ({ run }) => ({
    isDrawn: true,
    rows: () => [...attemptRows(run)],
    how:
      "an attempt's bar lasts from its launch until the scheduler knew its end; where " +
      "bars share a pixel, the gravest is seen.",
    document: PAGE,
  }),
  tasks: ({ run, family }) => ({
    isDrawn: true,
    rows: () => [...attemptRows(run)].filter(({ phase }) => phase === family),
    how:
      "the expected time is what peers take for as many bytes on a node of usual speed, from " +
      "when their input is complete; " +
      "late is beyond the limit.",
    document: DIAGNOSIS,
  }),
  nodes: ({ run }) => ({
    isDrawn: true,
    rows: () =>
      run.head.why?.nodes ??
      nodeSpeeds(run, 60).map(({ node, attempts }) => ({ node: run.shortNode(node), attempts })),
    how:
      "work done, in expected time, beside the median of the phase's other nodes at that " +
      "moment; × is slot time over expected time, in brackets stands the diagnosis's factor.",
    document: DIAGNOSIS,
  }),
  decisions: ({ run }) => ({
    rows: () => [...run.head.decisions, ...run.head.refusals],
    how:
      "the journal is replayed, and each decision names its rule and the numbers that " +
      "it compared.",
    document: "docs/policies.md",
  }),
  "slot-time": ({ run }) => ({
    rows: () => slotTimes(run).map(({ name, ms }) => ({ name, ms })),
    how:
      "the attempts' times by how they ended; idle slots stood beside tasks that could " +
      "have begun there, or there were no such tasks.",
    document: PAGE,
  }),
  "what-if": ({ run, worker }) => ({
    rows: () => [...(run.head.whatif?.rows ?? []), ...(worker.value?.answer.value?.rows ?? [])],
    how:
      "the recorded job is simulated under each policy with the same draws of luck, in " + "pairs.",
    document: "docs/diagnosis.md",
  }),
  compare: ({ run }) => ({
    isDrawn: true,
    rows: () => run.head.compare?.causes ?? [],
    how: "both runs are diagnosed, and their causes subtracted; tasks are matched by name.",
    document: DIAGNOSIS,
  }),
};
