import { number } from "../report/quantity.ts";
import type { ReportRow } from "./published.ts";

/** A column of a table of rows: in text, in Markdown, on the page. */
export interface RowColumn {
  readonly title: string;
  /** Numbers are aligned right. */
  readonly align?: "right";
  /** The column's text for a row. */
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

/** The columns for published figures. */
export const PUBLISHED_COLUMNS: readonly RowColumn[] = [
  ...WHAT,
  PUBLISHED,
  ...MEASURED,
  TAG,
  VERDICT,
];
/** The columns for studies of our own, which have no published values. */
export const OWN_COLUMNS: readonly RowColumn[] = [...WHAT, ...MEASURED];

/** The heading of our own studies. */
export const OWN_STUDIES = "Our own studies: no paper prints them, and nothing of them is judged";

/** For instance "1.2 to 1.4"; empty without an interval, or if rounding hides the interval. */
function intervalText({ measured, low, high }: ReportRow): string {
  if (measured === null || low === null || high === null) return "";
  const [from, to] = [number(low), number(high)];
  return from === to ? "" : `${from} to ${to}`;
}
