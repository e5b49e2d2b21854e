import { counted, seconds } from "../../report/quantity.ts";
import {
  OWN_COLUMNS,
  OWN_STUDIES,
  PUBLISHED,
  PUBLISHED_COLUMNS,
  type RowColumn,
} from "../../reproduce/columns.ts";
import type { Extent } from "../../reproduce/experiment.ts";
import type { ReportRow } from "../../reproduce/published.ts";
import { remarksOn } from "../../reproduce/remarks.ts";
import { GOAL, type ScoreTally, standings } from "../../reproduce/score.ts";
import { type Column, hanging, right, table, wrap } from "../table.ts";
import type { Reported } from "./session.ts";

const PUBLISHED_MAX = 40;

/** Long sentences are cut here; the page and figures.json have them in full. */
const short = (text: string): string =>
  text.length > PUBLISHED_MAX ? `${text.slice(0, PUBLISHED_MAX - 1)}…` : text;

const COLUMNS: readonly RowColumn[] = PUBLISHED_COLUMNS.map((column) =>
  column === PUBLISHED ? { ...column, of: (row) => short(column.of(row)) } : column,
);

/** The columns that a narrow table leaves out, in this order. */
const LEFT_OUT = ["runs", "tag", "95 % interval"];

/** The number of runs and the scale, printed above every kind of table. */
export function extentText({ runs, scale }: Extent): string {
  const parts = {
    sample: "the largest studies are samples; their notes give the sizes",
    full: "the largest studies are run in full",
  };
  const decided = runs === 1 ? " One run decides nothing." : "";
  const many = runs === 1 ? "1 run" : `Up to ${runs} paired runs`;
  const extent = `scale ${scale} (${parts[scale]})`;
  return `${many} of each setting, ${extent}; mean and 95 % interval.${decided}`;
}

/**
 * A table for each figure with its remarks, our own studies last; then the notes, and the papers'
 * scores.
 */
export function tablesText(
  rows: readonly ReportRow[],
  reported: readonly Reported[],
  width = Number.POSITIVE_INFINITY,
): string {
  const tablesOf = (some: readonly ReportRow[], columns: readonly RowColumn[]) =>
    byFigure(some).map((group) => {
      const remarks = remarksOn(group.rows).flatMap((text) => hanging("- ", text, width));
      const heading = wrap(headingOf(group, reported), width);
      return [...heading, figureTable(group.rows, columns, width), ...remarks].join("\n");
    });
  const published = rows.filter(({ tag }) => tag !== "ours");
  const ours = rows.filter(({ tag }) => tag === "ours");
  return [
    ...tablesOf(published, COLUMNS),
    ...(ours.length > 0 ? [OWN_STUDIES, ...tablesOf(ours, OWN_COLUMNS)] : []),
    ...notesText(reported, width),
    ...standingsText(published, width),
  ].join("\n\n");
}

interface FigureRows {
  readonly paper: string;
  readonly figure: string;
  readonly rows: readonly ReportRow[];
}

/** The rows of one figure of one paper, in their order. */
function byFigure(rows: readonly ReportRow[]): readonly FigureRows[] {
  const groups = new Map<string, FigureRows & { readonly rows: ReportRow[] }>();
  for (const row of rows) {
    const { paper, figure } = row;
    const key = `${paper} ${figure}`;
    const group = groups.get(key) ?? { paper, figure, rows: [] };
    group.rows.push(row);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** For instance "late fig4: EC2 sort with stragglers". */
function headingOf({ paper, figure }: FigureRows, reported: readonly Reported[]): string {
  const titles = reported
    .filter(({ experiment }) => experiment.paper === paper && experiment.figures.includes(figure))
    .map(({ experiment }) => experiment.title);
  return [`${paper} ${figure}`, ...titles].join(": ");
}

function figureTable(
  rows: readonly ReportRow[],
  columns: readonly RowColumn[],
  width: number,
): string {
  const shown = columns
    .filter(({ of }) => rows.some((row) => of(row) !== ""))
    .map((column) => {
      const rank = LEFT_OUT.indexOf(column.title);
      return { ...column, ...(rank >= 0 && { leaveOut: rank }) };
    });
  return table(
    shown,
    rows.map((row) => shown.map(({ of }) => of(row))),
    width,
  );
}

const STANDING_COLUMNS: readonly Column[] = [
  { title: "paper" },
  right("orderings hold"),
  right("contradicted"),
  right("undecided", 1),
  right("ratios within"),
  right("same direction", 2),
  right("contradicted"),
  right("undecided", 1),
];

/** How far each paper's judged rows are from the goal. */
function standingsText(rows: readonly ReportRow[], width: number): readonly string[] {
  const lines = standings(rows).map(({ paper, orderings, ratios }) => [
    paper,
    goodText(orderings),
    String(orderings.contradicted),
    String(orderings.undecided),
    goodText(ratios),
    String(ratios.sameDirection),
    String(ratios.contradicted),
    String(ratios.undecided),
  ]);
  return lines.length === 0
    ? []
    : [[table(STANDING_COLUMNS, lines, width), ...wrap(GOAL, width)].join("\n")];
}

const goodText = ({ good, of }: ScoreTally): string => (of === 0 ? "-" : `${good} of ${of}`);

function notesText(reported: readonly Reported[], width: number): readonly string[] {
  const notes = reported.flatMap((one) =>
    notesOf(one).flatMap((note) => hanging("- ", `${one.experiment.name}: ${note}`, width)),
  );
  return notes.length === 0 ? [] : [["Notes", ...notes].join("\n")];
}

/** The notes on an experiment, and the time that it took. */
export const notesOf = ({ report, units, workMs }: Reported): readonly string[] => [
  ...report.notes,
  `${counted(units, "unit")}, ${seconds(workMs)} of work.`,
];
