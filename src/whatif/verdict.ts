import { percent, plain, span } from "../diagnose/figures.ts";
import {
  type Answer,
  type Bracket,
  bracketOf,
  type Change,
  isByChance,
  shownOf,
} from "./change.ts";
import type { WhatIf, WhatIfFacts, WhatIfRow } from "./document.ts";
import { reasonText } from "./loss.ts";
import { sizeText } from "./resize.ts";
import { nameOf } from "./trial.ts";

/** The answer in sentences; the first is the headline. */
export function verdictOf(found: WhatIfFacts): readonly string[] {
  const { gate, rows, responseMs, advice, size, loss } = found;
  if (gate.verdict === "bad" && rows.length === 0) {
    return [
      "No answer: the simulator does not reproduce this job (whatif --anyway shows the rows).",
    ];
  }
  const baseline = nameOf({ policy: found.baseline, sets: found.baselineSettings });
  const judged = rows
    .map((row) => ({ row, bracket: bracketOf(row) }))
    .filter(({ row }) => row.policy !== baseline && !row.isMarked)
    .sort((a, b) => Math.sign(a.bracket.ms - b.bracket.ms));
  const best = judged.find(({ row }) => isSaving(row));
  const rough = gate.verdict === "good" ? "" : "Roughly: ";
  const onSize = size === undefined ? [] : sizeSentence(found, sizeText(size), baseline);
  const ranBest = bestOfThatRun(judged.map(({ row }) => row));
  const ran = best?.row ?? ranBest;
  const first =
    best === undefined
      ? noneText(ran, advice)
      : `${rough}${savingText(best.row, best.bracket, responseMs)}`;
  const helps = best !== undefined || ranBest !== undefined || advice?.kind === "set";
  const reason =
    loss === undefined || rows.length === 0 ? [] : [reasonText(loss, { responseMs, rows, helps })];
  const sentences = [first, ...thatRunText(ran, best?.row), ...reason];
  return [...(size === undefined ? sentences : onSize), ...adviceText(advice, responseMs)];
}

/**
 * What helped that day is no promise for another day, and the two are not mixed. Where settings
 * would help, no sentence says that nothing would.
 */
function noneText(ranBest: WhatIfRow | undefined, advice: WhatIf["advice"]): string {
  if (advice?.kind === "set") {
    return "If the job ran again, no policy that was tried would save more than chance as it is.";
  }
  return ranBest === undefined
    ? "No policy would have helped by more than chance."
    : "If the job ran again, no policy would save more than chance.";
}

/** The change by the cluster, and by the best policy there, against the recorded cluster. */
function sizeSentence(
  { rows, responseMs }: WhatIfFacts,
  where: string,
  baseline: string,
): readonly string[] {
  const own = rows.find(({ policy }) => policy === baseline);
  if (own === undefined) return [];
  const ownMs = bracketOf(own).ms;
  const others = rows.filter((row) => row !== own && bracketOf(row).ms < ownMs);
  const best = others.toSorted((a, b) => Math.sign(bracketOf(a).ms - bracketOf(b).ms))[0];
  const than = (row: WhatIfRow): string => {
    const change = shownOf(row);
    const nature = row.byTask === undefined || row.atRho !== undefined ? undefined : row.byTask;
    const otherwise =
      nature === undefined ? "" : `, or ${lessOrMore(nature)} if the long tasks are long by nature`;
    return `${lessOrMore(change)} (${percent(Math.abs(change.ms) / responseMs)})${otherwise}`;
  };
  const first = `${where}, the job under its own policy would take ${than(own)}.`;
  return best === undefined
    ? [first, "No other policy would be faster there."]
    : [first, `The fastest policy there is ${best.policy}: ${than(best)}.`];
}

function lessOrMore(change: Change): string {
  if (change.ms === 0) return "as long";
  const text = `${range(change.ms, change)} ${change.ms < 0 ? "less" : "more"}`;
  return isByChance(change) ? `${text}, which may be chance` : text;
}

/** The policy that would have saved most with the recorded durations; undefined if none did. */
function bestOfThatRun(rows: readonly WhatIfRow[]): WhatIfRow | undefined {
  const savings = rows.flatMap((row) =>
    row.thatRun !== undefined && isSaving(row.thatRun)
      ? [{ row, ms: shownOf(row.thatRun).ms }]
      : [],
  );
  return savings.sort((a, b) => Math.sign(a.ms - b.ms))[0]?.row;
}

const isSaving = (answer: Answer): boolean => {
  const change = shownOf(answer);
  return change.ms < 0 && !isByChance(change);
};

function savingText(row: WhatIfRow, bracket: Bracket, responseMs: number): string {
  const { policy, byTask, atRho } = row;
  const change = shownOf(row);
  const start = `If the job ran again, ${policy} would save ${saved(change, responseMs)}`;
  if (byTask === undefined || atRho !== undefined) return `${start}.`;
  const nature = byTask.ms < 0 && !isByChance(byTask) ? saved(byTask, responseMs) : lossOf(byTask);
  if (bracket.worstMs === change.ms) return `${start}.`;
  const otherwise = `${nature} if the long tasks are long by nature`;
  return `${start} if bad luck belongs to attempts, and ${otherwise}.`;
}

const lossOf = (change: Change): string =>
  isByChance(change) ? "nothing beyond chance" : `would lose ${range(change.ms, change)}`;

function saved(change: Change, responseMs: number): string {
  return `${range(change.ms, change)} (${percent(-change.ms / responseMs)})`;
}

/** The amount without its sign, and its interval, the smaller end first. */
function range(ms: number, { lowMs, highMs }: Change): string {
  const [a, b] = ms < 0 ? [-highMs, -lowMs] : [lowMs, highMs];
  return `${span(Math.abs(ms))} [${plain(a)}, ${plain(b)}]`;
}

function thatRunText(
  row: WhatIfRow | undefined,
  headline: WhatIfRow | undefined,
): readonly string[] {
  const run = row?.thatRun;
  if (row === undefined || run === undefined) return [];
  const change = shownOf(run);
  const who = row === headline ? "it" : row.policy;
  const rough = run.isRough ? " (roughly)" : "";
  const { byTask = change, atRho } = run;
  const attempt = savedOrLost(change);
  const task = savedOrLost(byTask);
  const ends =
    atRho !== undefined || task === attempt
      ? attempt
      : `${attempt} if bad luck belongs to attempts, and ${task} if the long tasks are long by ` +
        "nature";
  return [`In that very run ${who} would have ${ends}${rough}.`];
}

function savedOrLost(change: Change): string {
  if (isByChance(change)) return "made no difference beyond chance";
  return `${change.ms < 0 ? "saved" : "lost"} ${range(change.ms, change)}`;
}

function adviceText(advice: WhatIf["advice"], responseMs: number): readonly string[] {
  if (advice === undefined) return [];
  if (advice.kind === "none") return [advice.reason];
  const { byTask, atRho, settings } = advice;
  const change = shownOf(advice);
  const slots = 100 * change.slotShare;
  const cost = `${slots < 0 ? "" : "+"}${slots.toFixed(0)} % slot-seconds`;
  const nature =
    byTask === undefined || atRho !== undefined
      ? ""
      : `; if the long tasks are long by nature: ${signedRange(byTask)}`;
  const share = percent(-change.ms / responseMs);
  return [`Set ${settings.join(", ")}: ${signedRange(change)} (${share}), ${cost}${nature}.`];
}

function signedRange({ ms, lowMs, highMs }: Change): string {
  return `${plain(ms)} s [${plain(lowMs)}, ${plain(highMs)}]`;
}
