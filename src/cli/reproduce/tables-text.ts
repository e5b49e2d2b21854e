import type { Extent } from "../../reproduce/experiment.ts";
import { intervalText, numberText, publishedText, runsText } from "../../reproduce/number-text.ts";
import type { ReportRow } from "../../reproduce/published.ts";
import { remarksOn } from "../../reproduce/rows.ts";
import { counted, seconds } from "../quantity.ts";
import { type Column, table } from "../table.ts";
import type { Reported } from "./session.ts";

const COLUMNS: readonly Column[] = [
  { title: "setting" },
  { title: "metric" },
  { title: "published", align: "right" },
  { title: "measured", align: "right" },
  { title: "95 % interval", align: "right" },
  { title: "runs", align: "right" },
  { title: "tag" },
  { title: "verdict" },
];

/** How it was run: what stands above every kind of table. */
export function extentText({ runs, scale }: Extent): string {
  const parts = {
    sample: "the largest studies are samples, of a size that their notes tell",
    full: "the largest studies are run in full",
  };
  const decided = runs === 1 ? " One run decides nothing." : "";
  const many = runs === 1 ? "1 run" : `Up to ${runs} paired runs`;
  const extent = `scale ${scale} (${parts[scale]})`;
  return `${many} of each setting, ${extent}; mean and 95 % interval.${decided}`;
}

/** A table for each figure, under what is to be known about it. */
export function tablesText(rows: readonly ReportRow[], reported: readonly Reported[]): string {
  return byFigure(rows)
    .map((group) => {
      const remarks = remarksOn(group.rows).map((text) => `- ${text}`);
      return [headingOf(group, reported), figureTable(group.rows), ...remarks].join("\n");
    })
    .concat(notesText(reported))
    .join("\n\n");
}

interface FigureRows {
  readonly paper: string;
  readonly figure: string;
  readonly rows: readonly ReportRow[];
}

/** Rows of one figure of one paper, in their order. */
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

/** "late fig4: EC2 sort with stragglers". */
function headingOf({ paper, figure }: FigureRows, reported: readonly Reported[]): string {
  const titles = reported
    .filter(({ experiment }) => experiment.paper === paper && experiment.figures.includes(figure))
    .map(({ experiment }) => experiment.title);
  return [`${paper} ${figure}`, ...titles].join(": ");
}

const figureTable = (rows: readonly ReportRow[]): string =>
  table(
    COLUMNS,
    rows.map((row) => [
      row.setting,
      row.metric,
      short(publishedText(row.published)),
      row.measured === null ? "-" : numberText(row.measured),
      intervalText(row),
      runsText(row),
      row.tag,
      row.verdict,
    ]),
  );

const PUBLISHED_MAX = 40;

/** A sentence is told in full by the page and by figures.json. */
const short = (text: string): string =>
  text.length > PUBLISHED_MAX ? `${text.slice(0, PUBLISHED_MAX - 1)}…` : text;

function notesText(reported: readonly Reported[]): readonly string[] {
  const notes = reported.flatMap((one) =>
    notesOf(one).map((note) => `- ${one.experiment.name}: ${note}`),
  );
  return notes.length === 0 ? [] : [["Notes", ...notes].join("\n")];
}

/** What a reader must know about an experiment, and what it took. */
export const notesOf = ({ report, units, workMs }: Reported): readonly string[] => [
  ...report.notes,
  `${counted(units, "unit")}, ${seconds(workMs)} of work.`,
];
