import type { Why } from "../diagnose/document.ts";
import { percent, plain, span } from "../diagnose/figures.ts";
import type { UnitRow, Units } from "../diagnose/units.ts";
import { counted } from "../report/quantity.ts";
import { drawn, type Sheet } from "./sheet.ts";
import { right, wrap } from "./table.ts";

interface UnitsSheet extends Sheet {
  readonly top: number;
}

/** The longest queries and jobs of an application, and how to look into one. */
export function unitsText(
  { units, outsideMs, responseMs }: Why & Units,
  { top, ...sheet }: UnitsSheet,
): string {
  const [longest] = units;
  if (longest === undefined) return "";
  const shown = units.slice(0, top);
  const columns = COLUMNS.filter(({ of }) => shown.some((row) => of(row) !== ""));
  const rows = shown.map((row) => [
    row.unit,
    plain(row.tookMs),
    percent(row.share),
    ...columns.map(({ of }) => of(row)),
    row.title ?? "",
  ]);
  const titles = [
    { title: `longest of ${kindsText(units)}` },
    right("took s"),
    right("of all"),
    ...columns.map(({ title, rank }) => right(title, rank)),
    { title: "what it is", leaveOut: 6 },
  ];
  const [kind = "", number = ""] = longest.unit.split(" ");
  const outside =
    outsideMs > 0
      ? `Outside of them: ${span(outsideMs)} (${percent(outsideMs / responseMs)}). `
      : "";
  const how = `\`--${kind} ${number}\` explains one alone.`;
  return [drawn(titles, rows, sheet), ...wrap(`${outside}${how}`, sheet.width)].join("\n");
}

interface UnitColumn {
  readonly title: string;
  readonly rank: number;
  /** Empty if there is nothing to say. */
  readonly of: (row: UnitRow) => string;
}

const COLUMNS: readonly UnitColumn[] = [
  { title: "lost s", rank: 5, of: ({ delayMs }) => plain(delayMs) },
  { title: "jobs", rank: 3, of: ({ jobs, unit }) => (unit.startsWith("job") ? "" : String(jobs)) },
  { title: "stages", rank: 2, of: ({ stages }) => String(stages) },
  { title: "skipped", rank: 1, of: ({ skipped }) => (skipped === 0 ? "" : String(skipped)) },
  { title: "ended", rank: 4, of: ({ outcome }) => (outcome === "succeeded" ? "" : outcome) },
];

function kindsText(units: readonly UnitRow[]): string {
  const queries = units.filter(({ unit }) => unit.startsWith("query")).length;
  const jobs = units.length - queries;
  return [
    ...(queries > 0 ? [counted(queries, "query", "queries")] : []),
    ...(jobs > 0 ? [counted(jobs, "job")] : []),
  ].join(", ");
}
