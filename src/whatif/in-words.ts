import { span } from "../diagnose/figures.ts";
import { signedPercent } from "./change-text.ts";
import type { WhatIf, WhatIfFacts, WhatIfRow } from "./document.ts";
import type { Rho } from "./rho.ts";
import { nameOf } from "./trial.ts";
import { verdictOf } from "./verdict.ts";

/** The answer with its sentences, which the command line and the page print unchanged. */
export const inWords = (found: WhatIfFacts): WhatIf => ({
  ...found,
  verdict: verdictOf(found),
  gateText: gateText(found),
  notes: found.rows.length === 0 ? [] : notesOf(found),
});

const gateText = ({ gate, responseMs }: WhatIfFacts): string =>
  `The recorded job, simulated under its own policy (${gate.discipline}), takes ` +
  `${span(gate.simulatedMs)} where ${span(responseMs)} were recorded ` +
  `(${signedPercent(gate.error)}): ${TRUST[gate.verdict]}.`;

const TRUST = {
  good: "within 5 %",
  rough: "rough, beyond 5 %",
  bad: "beyond 15 %, so the simulator cannot tell",
} as const;

function notesOf(found: WhatIfFacts): readonly string[] {
  const { assumed, gate, rows, seeds, rho } = found;
  const baseline = nameOf({ policy: found.baseline, sets: found.baselineSettings });
  const ran = rows.some(({ thatRun }) => thatRun !== undefined)
    ? " In that very run first attempts take as long as they took."
    : "";
  return [
    `Change of response against ${baseline}, the record's own policy: mean of ${seeds} paired ` +
      "runs, 95 % interval; unsure: it may be chance alone. If the job runs again, luck and " +
      `placement are drawn anew, and the interval covers what one log leaves open.${ran}`,
    rhoText(rho),
    ...markedText(rows),
    ...assumed,
    ...(gate.verdict === "bad" ? ["The rows are not to be trusted."] : []),
  ];
}

function rhoText({ from, low, high, value = low, tasks = 0 }: Rho): string {
  const part = "The part of bad luck that is the task's own (rho)";
  const late = tasks === 1 ? "1 late task" : `${tasks} late tasks`;
  const estimate = `${part} is ${value.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
  switch (from) {
    case "flag":
      return `${part} is ${value}, as --rho says.`;
    case "second-run":
      return `${estimate}, from ${late} of both runs (--again).`;
    case "log":
      return `${estimate}, from ${late} that ran twice in this log.`;
    default:
      return (
        `${part} is unknown. Copies help most if bad luck belongs to the attempt, and least if ` +
        "it comes back in every copy of the task; the truth lies between. A second run (--again) " +
        "narrows it. Slot time, copies and wins are those with luck of the attempt."
      );
  }
}

const markedText = (rows: readonly WhatIfRow[]): readonly string[] =>
  rows
    .filter(({ isMarked }) => isMarked)
    .map(
      ({ policy, placebo }) =>
        `* ${policy} with its copies switched off changes the response by ` +
        `${signedPercent(placebo)}: that part is not the work of its copies.`,
    );
