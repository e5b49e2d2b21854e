import { readFileSync } from "node:fs";

/** The times and counts of a job in a journal, from either side. Seconds. */
export interface Side {
  readonly response_s: number;
  /** By phase, in their order: from the first launch to the last success. */
  readonly phases: ReadonlyMap<string, number>;
  readonly counts: Readonly<Record<(typeof COUNTED)[number], number>>;
}

export const COUNTED = ["launched", "copies", "killed", "recomputed", "lost nodes"] as const;

interface Line {
  readonly at?: number;
  readonly event?: string;
  readonly attempt?: string;
  readonly actions?: readonly Action[];
}

interface Action {
  readonly kind: string;
  readonly attempt?: string;
  readonly as?: string;
}

/** Reads the journal's only job. */
export function sideOf(journal: string): Side {
  const begun = new Map<string, number>();
  const ended = new Map<string, number>();
  const counts = { launched: 0, copies: 0, killed: 0, recomputed: 0, "lost nodes": 0 };
  let submittedAt = 0;
  let endedAt = 0;
  for (const text of readFileSync(journal, "utf8").trimEnd().split("\n")) {
    const { at = 0, event, attempt = "", actions = [] }: Line = JSON.parse(text);
    if (event === "job-submitted") submittedAt = at;
    if (event === "attempt-succeeded") ended.set(phaseOf(attempt), at);
    for (const action of actions) {
      if (action.kind === "launch") {
        const phase = phaseOf(action.attempt ?? "");
        if (!begun.has(phase)) begun.set(phase, at);
        counts.launched++;
        if (action.as === "speculative") counts.copies++;
      }
      if (action.kind === "kill") counts.killed++;
      if (action.kind === "recompute") counts.recomputed++;
      if (action.kind === "declare-lost") counts["lost nodes"]++;
      if (action.kind === "end-job") endedAt = at;
    }
  }
  const phases = [...begun].map(([phase, from]): [string, number] => {
    return [phase, ((ended.get(phase) ?? from) - from) / 1000];
  });
  return { response_s: (endedAt - submittedAt) / 1000, phases: new Map(phases), counts };
}

/** The phase in an attempt's name, `job/phase/index#number`. */
const phaseOf = (attempt: string): string => attempt.split("/")[1] ?? "";
