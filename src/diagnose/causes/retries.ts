import { lossClause } from "../evidence/evidence-text.ts";
import { savedAlone } from "../figures.ts";
import type { CauseDeclaration, CauseWords } from "./declaration.ts";

export const retriesWords = {
  name: "retries",
  label: "retries",
  help: "attempts that failed, were lost or made again, until that was noticed",
} as const satisfies CauseWords<string>;

/** Attempts without a result, or without a new one: without the cause they would not have run. */
export const retries: CauseDeclaration<"retries"> = {
  name: "retries",
  clause: ({ evidence }) => {
    const because = evidence === undefined ? "" : lossClause(evidence);
    return `to attempts that failed or were lost and ran again${because}`;
  },
  advice: {
    rank: 5,
    of: ({ evidence }, row) => {
      const [worst] = row.evidence;
      // A log that says why has its reasons in the answer.
      const isTold = evidence?.failures.some(({ reason }) => reason !== "") === true;
      if (worst === undefined || isTold) return [];
      return [`Find out why attempts failed, ${worst.what} first; ${savedAlone(row)}.`];
    },
  },
  fixed: "attempts that ended without a result",
};
