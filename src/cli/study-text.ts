import type { Interval } from "../base/stats.ts";
import type { Scenario, StudyRow } from "../hosts/sim/index.ts";
import { settingsText } from "../library/study-rows.ts";
import { percent } from "../report/measures-text.ts";
import { plannedText } from "../report/missed-fault-text.ts";
import { counted, seconds as secondsText } from "../report/quantity.ts";
import { measuresText } from "./measures-text.ts";
import { type Column, right, table, wrap } from "./table.ts";

/** A column of the table, left out if all of its cells are empty. */
interface Field extends Column {
  readonly text: (row: StudyRow) => string;
}

const LABEL: Field = { title: "discipline", text: ({ label }) => label };

const FIGURES: readonly Field[] = [
  {
    ...right("response s"),
    text: ({ responseMs, seeds }) => seconds(responseMs, seeds),
  },
  {
    ...right("published s", 2),
    text: ({ published }) => inSeconds(published?.responseMs),
  },
  {
    ...right("waste s/node", 5),
    text: ({ wastedMsPerNode, seeds }) => seconds(wastedMsPerNode, seeds),
  },
  {
    ...right("published s/node", 1),
    text: ({ published }) => inSeconds(published?.wastedMsPerNode),
  },
  {
    ...right("copies", 4),
    text: ({ speculative }) => speculative.launched.mean.toFixed(1),
  },
  {
    ...right("won", 3),
    text: ({ speculative }) => speculative.succeeded.mean.toFixed(1),
  },
  {
    ...right("node-local", 0),
    text: ({ measures: { nodeLocal } }) => (nodeLocal === undefined ? "" : percent(nodeLocal)),
  },
  { title: "", text: ({ stuck }) => (stuck > 0 ? `${counted(stuck, "run")} STUCK` : "") },
];

/** The swept parameters: a column, and the sentence that says what its title leaves out. */
interface SweptColumn {
  readonly fields: readonly Field[];
  readonly note: readonly string[];
}

/** The seat of a parameter is said once, above the table. */
function sweptColumn(rows: readonly StudyRow[]): SweptColumn {
  const names = [...new Set(rows.flatMap(({ swept }) => swept?.parameter ?? []))];
  const [only = "", another] = names;
  if (names.length === 0) return { fields: [], note: [] };
  if (another === undefined) {
    const title = only.slice(only.indexOf(".") + 1);
    const text = ({ swept }: StudyRow) => (swept === undefined ? "" : String(swept.value));
    return { fields: [{ title, text }], note: [`${title}: the parameter ${only}.`, ""] };
  }
  const text = ({ swept }: StudyRow) =>
    swept === undefined ? "" : `${swept.parameter}=${swept.value}`;
  return { fields: [{ title: "parameter", text }], note: [] };
}

interface Around {
  readonly lowerBoundMs: number | undefined;
  /** For a discipline without a row in the scenario: a sentence about its settings. */
  readonly plain: readonly string[];
  readonly width: number;
}

/**
 * A study for people: its description, a row for each setting with 95 % intervals, and below them
 * the bound of any schedule, if known.
 */
export function studyText(
  { name, about }: Scenario,
  rows: readonly StudyRow[],
  { lowerBoundMs, plain, width }: Around,
): string {
  const swept = sweptColumn(rows);
  const fields = [LABEL, ...swept.fields, ...FIGURES].filter(({ text }) =>
    rows.some((row) => text(row) !== ""),
  );
  const seeds = Math.max(0, ...rows.map((row) => row.seeds));
  const below = [
    `${averaged(seeds)} Waste is time in killed attempts.`,
    [settingsText(rows.map(withoutSwept), rows.some(isSwept)), ...plain].join(" "),
    ...(lowerBoundMs === undefined ? [] : [boundText(lowerBoundMs)]),
    ...notes(rows),
    ...faultNotes(rows),
  ];
  const [only, another] = rows;
  const measured =
    only === undefined || another !== undefined
      ? ""
      : measuresText(only.phases, only.measures, { width });
  return [
    name,
    ...wrap(about, width - 2).map((part) => `  ${part}`),
    "",
    ...swept.note,
    table(
      fields,
      rows.map((row) => fields.map(({ text }) => text(row))),
      width,
    ),
    "",
    ...(measured === "" ? [] : [measured, ""]),
    ...below.flatMap((text) => wrap(text, width)),
  ].join("\n");
}

const boundText = (ms: number): string =>
  `Lower bound on the mean response of any schedule: ${inSeconds(ms)} s.`;

/** The published notes on the rows, once for each discipline. */
function notes(rows: readonly StudyRow[]): readonly string[] {
  const texts = rows.flatMap(({ label, published }) =>
    published?.note === undefined ? [] : [`Published on ${label}: ${published.note}.`],
  );
  return [...new Set(texts)];
}

const isSwept = ({ swept }: StudyRow): boolean => swept !== undefined;

/** A swept parameter has a column of its own. */
const withoutSwept = ({ label, set, swept }: StudyRow): Pick<StudyRow, "label" | "set"> => ({
  label,
  set: Object.fromEntries(Object.entries(set).filter(([name]) => name !== swept?.parameter)),
});

/** Runs that ended before a fault are not comparable with runs that had it. */
function faultNotes(rows: readonly StudyRow[]): readonly string[] {
  return rows.flatMap((row) =>
    row.faultsMissed.map(({ fault, targets, at, runs, endedAtMs }) => {
      const which = row.swept === undefined ? row.label : `${row.label} at ${row.swept.value}`;
      const end = secondsText(endedAtMs);
      const ended =
        row.seeds === 1
          ? `the run under ${which} ended at ${end}`
          : `${runs} of ${counted(row.seeds, "run")} under ${which} ended earlier, one at ${end}`;
      return `note: ${plannedText(fault, targets, at)}, but ${ended}`;
    }),
  );
}

const averaged = (seeds: number): string =>
  seeds === 1 ? "One run." : `Mean of ${counted(seeds, "run")} and 95 % interval.`;

/** A single run has no interval. */
function seconds({ mean, halfWidth }: Interval, seeds: number): string {
  const text = inSeconds(mean);
  return seeds === 1 ? text : `${text} ± ${inSeconds(halfWidth)}`;
}

const inSeconds = (ms: number | undefined): string =>
  ms === undefined ? "" : (ms / 1000).toFixed(1);
