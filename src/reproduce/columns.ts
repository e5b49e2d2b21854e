import { number } from "../report/quantity.ts";
import type { ReportRow } from "./published.ts";

/** A column of the tables of rows: in text, in Markdown, on the page. */
export interface RowColumn {
  readonly title: string;
  /** Numbers stand right. */
  readonly align?: "right";
  /** What it says of a row. */
  readonly of: (row: ReportRow) => string;
}

export const FIGURE: RowColumn = { title: "figure", of: ({ figure }) => figure };
export const PUBLISHED: RowColumn = {
  title: "published",
  align: "right",
  of: ({ published }) => String(published),
};
export const TAG: RowColumn = { title: "tag", of: ({ tag }) => tag };
export const VERDICT: RowColumn = { title: "verdict", of: ({ verdict }) => verdict };
export const SOURCE: RowColumn = { title: "source", of: ({ source }) => source };

const WHAT: readonly RowColumn[] = [
  { title: "setting", of: ({ setting }) => setting },
  { title: "metric", of: ({ metric }) => metric },
];
const MEASURED: readonly RowColumn[] = [
  {
    title: "measured",
    align: "right",
    of: ({ measured }) => (measured === null ? "-" : number(measured)),
  },
  { title: "95 % interval", align: "right", of: intervalText },
  { title: "runs", align: "right", of: ({ runs }) => (runs === null ? "" : String(runs)) },
];

/** Of what the papers print. */
export const PUBLISHED_COLUMNS: readonly RowColumn[] = [
  ...WHAT,
  PUBLISHED,
  ...MEASURED,
  TAG,
  VERDICT,
];
/** Of studies of our own, which nothing is beside. */
export const OWN_COLUMNS: readonly RowColumn[] = [...WHAT, ...MEASURED];

/** What stands above our own studies. */
export const OWN_STUDIES = "Our own studies: no paper prints them, and nothing of them is judged";

/** "1.2 to 1.4"; empty where there is no interval, or none that can be seen. */
function intervalText({ measured, low, high }: ReportRow): string {
  if (measured === null || low === null || high === null) return "";
  const [from, to] = [number(low), number(high)];
  return from === to ? "" : `${from} to ${to}`;
}
