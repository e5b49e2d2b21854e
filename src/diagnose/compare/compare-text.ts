import { type Cause, isCause, wordsOf } from "../cause.ts";
import { evidenceSentences } from "../evidence/evidence-text.ts";
import { plain, signed, span } from "../figures.ts";
import { PART_NAMES, type Part } from "../response/part.ts";
import type { Compare, RunFacts, TaskChanges } from "./compare.ts";

/** Two runs, and what changed the response most. */
export interface Compared extends Compare {
  /** For instance `slow node +38.2 s (n3)`. */
  readonly reasons: readonly string[];
}

/** For instance `B took 16.9 s, 3.5 s less than A (20.4 s): usual work -2.9 s.` */
export function headlineOf({ a, b, changeMs, reasons }: Compared): string {
  const by = changeMs < 0 ? "less" : "more";
  const difference = `${span(Math.abs(changeMs))} ${by} than A (${span(a.responseMs)})`;
  return `B took ${span(b.responseMs)}, ${difference}${reasonsText(reasons)}.`;
}

export const reasonsText = (reasons: readonly string[]): string =>
  reasons.length === 0 ? "" : `: ${reasons.join(", ")}`;

/** For instance `1.0 s -> 60.0 s`. */
export const settingText = ({ name, a, b }: Compare["settings"][number]): string =>
  `${valueText(name, a)} -> ${valueText(name, b)}`;

/** Names of ours hold the unit; other systems write it beside the value. */
function valueText(name: string, value: string | undefined): string {
  if (value === undefined) return "not set";
  return /Ms(?![a-z])/.test(name) && Number.isFinite(Number(value)) ? span(Number(value)) : value;
}

export const nameOf = (name: Cause | Part): string =>
  isCause(name) ? wordsOf(name).label : PART_NAMES[name];

/** What changed from A to B, in seconds without their unit. */
export interface ChangeRow {
  readonly name: string;
  readonly a: string;
  readonly b: string;
  readonly change: string;
}

/** The seconds of the causes, of the phases and of the tasks; rows of zeros are left out. */
export const changesOf = ({ causes, phases, tasks }: Compare) =>
  [
    {
      title: "cause",
      rows: rowsOf(causes, ({ cause }) => nameOf(cause)),
    },
    { title: "lost in phase", rows: rowsOf(phases, ({ phase }) => phase) },
    { title: "task", rows: rowsOf(tasks.most, ({ task }) => task) },
  ].filter(({ rows }) => rows.length > 0);

function rowsOf<T extends Pick<Compare["phases"][number], "aMs" | "bMs" | "changeMs">>(
  changes: readonly T[],
  nameOf: (row: T) => string,
): readonly ChangeRow[] {
  return changes
    .map((row) => ({
      name: nameOf(row),
      a: plain(row.aMs),
      b: plain(row.bMs),
      change: signed(row.changeMs),
    }))
    .filter(({ a, b }) => a !== "0" || b !== "0");
}

/** What the pair of runs shows of the tasks, in sentences. */
export const shownBy = (found: Compare): readonly string[] => [
  tasksText(found.tasks),
  ...pairText(found),
];

/** What the logs of the runs are: a comparison rests on both. */
export const logsText = ({ a, b }: Compare): readonly string[] => [
  ...saidOf("A", a),
  ...saidOf("B", b),
];

/** What the log of a run is, in sentences that name the run. */
export const saidOf = (name: string, { evidence }: RunFacts): readonly string[] =>
  evidence === undefined ? [] : evidenceSentences(evidence).map((text) => `${name}: ${text}`);

/** How many tasks were matched, how far they changed, and which part of bad luck came back. */
function tasksText({ matched, unmatched, medianChange, chance, rho }: TaskChanges): string {
  const sure = `chance alone changes as much in ${(100 * chance).toFixed(1)} % of sign flips`;
  const median = `median change ${(100 * medianChange).toFixed(1)} %`;
  const back =
    rho === undefined
      ? ""
      : ` Of what late tasks lost in A, ${Math.round(100 * rho)} % came back in B (rho).`;
  return `${matched} of ${matched + unmatched} tasks matched; ${median}; ${sure}.${back}`;
}

/** Tasks that chance changes as much in a smaller share of sign flips did change as a whole. */
const CHANCE_MAX = 0.05;

/**
 * What one pair of runs can show, and what it cannot: a sentence, where tasks were matched and the
 * response changed.
 */
export function pairText({ a, b, changeMs, settings, tasks }: Compare): readonly string[] {
  if (tasks.matched === 0 || changeMs === 0) return [];
  const change = span(Math.abs(changeMs));
  if (tasks.chance < CHANCE_MAX) {
    return [
      "The tasks as a whole changed by more than chance; luck and placement may still be a part " +
        `of the ${change}, and one pair cannot tell how large a part.`,
    ];
  }
  const copies = a.copies + b.copies > 0 ? ["`why` estimates what the copies of a run saved."] : [];
  const settingsToo = settings.length === 0 ? "" : ", nor what these settings do on average";
  return [
    "The tasks as a whole changed by no more than chance: one pair of runs cannot tell a " +
      `difference of ${change} from luck and placement${settingsToo}.`,
    ...copies,
  ];
}
