import type { Interval } from "../base/stats.ts";
import type { Scenario, StudyRow } from "../hosts/sim/index.ts";
import { counted } from "../report/quantity.ts";
import { type Column, table, wrap } from "./table.ts";

/** A column of the table, left out if all of its cells are empty. */
interface Field extends Column {
  readonly text: (row: StudyRow) => string;
}

const FIELDS: readonly Field[] = [
  { title: "discipline", text: ({ label }) => label },
  {
    title: "parameter",
    text: ({ swept }) => (swept === undefined ? "" : `${swept.parameter}=${swept.value}`),
  },
  {
    title: "response s",
    align: "right",
    text: ({ responseMs, seeds }) => seconds(responseMs, seeds),
  },
  {
    title: "published s",
    align: "right",
    text: ({ published }) => inSeconds(published?.responseMs),
  },
  {
    title: "waste s/node",
    align: "right",
    text: ({ wastedMsPerNode, seeds }) => seconds(wastedMsPerNode, seeds),
  },
  {
    title: "published s/node",
    align: "right",
    text: ({ published }) => inSeconds(published?.wastedMsPerNode),
  },
  {
    title: "copies",
    align: "right",
    text: ({ speculative }) => speculative.launched.mean.toFixed(1),
  },
  {
    title: "won",
    align: "right",
    text: ({ speculative }) => speculative.succeeded.mean.toFixed(1),
  },
  { title: "", text: ({ stuck }) => (stuck > 0 ? `${counted(stuck, "run")} STUCK` : "") },
];

/**
 * A study for people: its description, a row for each setting with 95 % intervals, and below them
 * the bound of any schedule, if known.
 */
export function studyText(
  { name, about }: Scenario,
  rows: readonly StudyRow[],
  lowerBoundMs?: number,
): string {
  const fields = FIELDS.filter(({ text }) => rows.some((row) => text(row) !== ""));
  const seeds = Math.max(0, ...rows.map((row) => row.seeds));
  return [
    name,
    ...wrap(about, 96).map((part) => `  ${part}`),
    "",
    table(
      fields,
      rows.map((row) => fields.map(({ text }) => text(row))),
    ),
    "",
    `${averaged(seeds)} Waste is time in killed attempts.`,
    ...(lowerBoundMs === undefined ? [] : [boundText(lowerBoundMs)]),
    ...notes(rows),
  ].join("\n");
}

const boundText = (ms: number): string =>
  `No schedule can have a mean response below ${inSeconds(ms)} s: each job alone on the cluster, ` +
  "its whole tasks on the fastest slots.";

/** The published notes on the rows, once for each discipline. */
function notes(rows: readonly StudyRow[]): readonly string[] {
  const texts = rows.flatMap(({ label, published }) =>
    published?.note === undefined ? [] : [`Published on ${label}: ${published.note}.`],
  );
  return [...new Set(texts)];
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
