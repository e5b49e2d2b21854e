import { span } from "../figures.ts";
import type { CauseFigures, Findings, NodeRow } from "../findings.ts";
import { suspectClause, suspectOf } from "../nodes-text.ts";
import type { CauseDeclaration, CauseWords } from "./declaration.ts";

export const unexplainedWords = {
  name: "unexplained",
  label: "unexplained",
  help: "the rest",
} as const satisfies CauseWords<string>;

/** What the other causes leave of an attempt's time, and what the schedule changed on the way. */
export const unexplained: CauseDeclaration<"unexplained"> = {
  name: "unexplained",
  isOfStart: true,
  clause: (found, row) => {
    const suspect = suspected(found, row);
    return suspect === undefined ? "that nothing in the log explains" : suspectClause(suspect);
  },
  unsure: (found, row) => {
    const suspect = suspected(found, row);
    if (suspect !== undefined) return [`${span(row.ms)} ${suspectClause(suspect)}`];
    const [worst] = found.attempts;
    if (worst === undefined || worst.delayMs < row.ms / 2 || Number.isNaN(worst.expectedMs)) {
      return [];
    }
    const took = span(worst.endedAt - worst.startedAt);
    const usual = `took ${took} where ${span(worst.expectedMs)} is usual`;
    return [`most of it since ${worst.attempt} on ${worst.node} ${usual}`];
  },
};

/** A node that may be slow, and whose attempts have most of the seconds. */
function suspected({ nodes }: Findings, { ms }: CauseFigures): NodeRow | undefined {
  const suspect = suspectOf(nodes);
  return suspect !== undefined && suspect.unexplainedMs > ms / 2 ? suspect : undefined;
}
