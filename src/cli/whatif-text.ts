import { plain, span } from "../diagnose/figures.ts";
import type { Answer, Change } from "../whatif/change.ts";
import { isByChance, shownOf } from "../whatif/change.ts";
import type { WhatIf, WhatIfRow } from "../whatif/document.ts";
import type { Rho } from "../whatif/rho.ts";
import { nameOf } from "../whatif/trial.ts";
import { type Column, table, wrap } from "./table.ts";

/** The answer, how far it can be trusted, the rows, and where the numbers come from. */
export function whatIfText(found: WhatIf, width: number): string {
  const { cannot, verdict, gate, rows } = found;
  const parts = [
    ...cannot.flatMap((text) => wrap(text, width)),
    ...verdict.flatMap((text) => wrap(text, width)),
    ...(found.isNothingToTry ? [] : ["", ...wrap(gateText(found), width)]),
  ];
  if (rows.length === 0) return parts.join("\n");
  parts.push("", ...tablesOf(found, width), "", ...footOf(found, width));
  if (gate.verdict === "bad") parts.push(...wrap("The rows are not to be trusted.", width));
  return parts.join("\n");
}

function gateText({ gate, responseMs }: WhatIf): string {
  return (
    `The recorded job, simulated under its own policy (${gate.discipline}), takes ` +
    `${span(gate.simulatedMs)} where ${span(responseMs)} were recorded ` +
    `(${signedPercent(gate.error)}): ` +
    `${TRUST[gate.verdict]}.`
  );
}

const TRUST = {
  good: "within 5 %",
  rough: "rough, beyond 5 %",
  bad: "beyond 15 %, so the simulator cannot tell",
} as const;

function tablesOf(found: WhatIf, width: number): readonly string[] {
  const { rows } = found;
  const ran = rows.flatMap(({ policy, thatRun }) =>
    thatRun === undefined
      ? []
      : [{ ...thatRun, policy: `${policy}${thatRun.isRough ? " (rough)" : ""}` }],
  );
  const again = rows.map((row) => ({ ...row, policy: `${row.policy}${row.isMarked ? " *" : ""}` }));
  return [
    "If the job runs again:",
    tableOf(again, width),
    ...(ran.length === 0 ? [] : ["", "In that very run:", tableOf(ran, width)]),
  ];
}

function tableOf(rows: readonly (Answer & { readonly policy: string })[], width: number): string {
  const right = { align: "right" } as const;
  const isOne = rows.every(({ byTask, atRho }) => byTask === undefined || atRho !== undefined);
  const changes: readonly Column[] = isOne
    ? [{ title: `change s, rho ${shownOf(rows[0] ?? NOTHING).rho.toFixed(2)}` }]
    : [{ title: "luck of the attempt s" }, { title: "luck of the task s" }];
  const columns = [
    { title: "policy" },
    ...changes,
    { title: "slot time", ...right },
    { title: "copies", ...right },
    { title: "won", ...right },
  ];
  const cells = rows.map((row) => {
    const { byTask } = row;
    const change = shownOf(row);
    return [
      row.policy,
      changeText(change),
      ...(isOne || byTask === undefined ? [] : [changeText(byTask)]),
      signedPercent(change.slotShare),
      change.copies.toFixed(1),
      change.wins.toFixed(1),
    ];
  });
  return table(columns, cells, width);
}

const NO_CHANGE: Change = {
  rho: 0,
  ms: 0,
  lowMs: 0,
  highMs: 0,
  slotShare: 0,
  copies: 0,
  wins: 0,
};
const NOTHING: Answer = { byAttempt: NO_CHANGE };

function changeText(change: Change): string {
  const { ms, lowMs, highMs } = change;
  if (ms === 0 && lowMs === 0 && highMs === 0) return "none";
  const text = `${signedSeconds(ms)} [${signedSeconds(lowMs)}, ${signedSeconds(highMs)}]`;
  return isByChance(change) ? `${text}, unsure` : text;
}

const signedSeconds = (ms: number): string => `${ms > 0 ? "+" : ""}${plain(ms)}`;

/** For instance `+1.2 %`. */
export function signedPercent(share: number): string {
  const text = (100 * share).toFixed(1);
  return `${Number(text) === 0 ? "0.0" : share > 0 ? `+${text}` : text} %`;
}

function footOf(found: WhatIf, width: number): readonly string[] {
  const { assumed, rows, seeds, rho } = found;
  const baseline = nameOf({ policy: found.baseline, sets: found.baselineSettings });
  const ran = rows.some(({ thatRun }) => thatRun !== undefined)
    ? " In that very run first attempts take as long as they took."
    : "";
  const text = [
    `Change of response against ${baseline}, the record's own policy: mean of ${seeds} paired ` +
      "runs, 95 % interval; unsure: chance alone may do as much. If the job runs again, luck and " +
      `placement are drawn anew, and the interval covers what one log leaves open.${ran}`,
    rhoText(rho),
    ...markedText(rows),
    ...assumed,
  ];
  return text.flatMap((each) => wrap(each, width));
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
        "narrows it. Slot time, copies and wins are those of the first column."
      );
  }
}

function markedText(rows: readonly WhatIfRow[]): readonly string[] {
  return rows
    .filter(({ isMarked }) => isMarked)
    .map(
      ({ policy, placebo }) =>
        `* ${policy} with its copies switched off changes the response by ` +
        `${signedPercent(placebo)}: that part is not the work of its copies.`,
    );
}
