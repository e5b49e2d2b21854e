import type { Why } from "../../diagnose/document.ts";
import { percent, plain, span } from "../../diagnose/figures.ts";
import { type UnitRow, type Units, unitsOf } from "../../diagnose/units.ts";
import type { TraceJob } from "../../history/model.ts";
import { counted } from "../quantity.ts";
import type { PageHead } from "./document.ts";

/** The longest queries and jobs of an application, as texts. */
export interface UnitTable {
  /** `longest of 5 queries, 2 jobs`. */
  readonly title: string;
  readonly columns: readonly Pick<UnitColumn, "title" | "rank">[];
  readonly rows: readonly {
    readonly unit: string;
    readonly cells: readonly string[];
    /** What its user calls it, or where in the code it began; empty if the log does not say. */
    readonly title: string;
  }[];
  /** The time outside of all units; empty if there is none. */
  readonly outside: string;
}

/** The rows of a page. */
const ROWS = 12;

/** The table of a page, in whose time its job was submitted then; none of fewer than two units. */
export function pageUnits(job: TraceJob, why: Why, submittedAt: number): Pick<PageHead, "units"> {
  const { units, outsideMs } = unitsOf(job, why);
  if (units.length === 0) return {};
  const { responseMs } = why;
  const { title, columns, rows, outside } = unitTable({ units, outsideMs, responseMs }, ROWS);
  const heads = ["unit", ...columns.map((column) => `n:${column.title}`), "where:what it is"];
  const spans = units.slice(0, ROWS).map(({ submittedMs, tookMs }) => ({
    submittedAt: submittedAt + submittedMs,
    endedAt: submittedAt + submittedMs + tookMs,
  }));
  const cells = rows.map((row) => [row.unit, ...row.cells, row.title]);
  return { units: { title, heads, rows: cells, spans, facts: outside } };
}

interface UnitColumn {
  readonly title: string;
  /** Columns are left out in this order where the table is too wide. */
  readonly rank?: number;
  /** Empty if there is nothing to say. */
  readonly of: (row: UnitRow) => string;
}

/** No column without a text. */
export function unitTable(
  { units, outsideMs, responseMs }: Units & { readonly responseMs: number },
  top: number,
): UnitTable {
  const shown = units.slice(0, top);
  const columns = COLUMNS.filter(({ of }) => shown.some((row) => of(row) !== ""));
  return {
    title: `longest of ${kindsText(units)}`,
    columns,
    rows: shown.map((row) => ({
      unit: row.unit,
      cells: columns.map(({ of }) => of(row)),
      title: row.title ?? "",
    })),
    outside:
      outsideMs > 0
        ? `Outside of them: ${span(outsideMs)} (${percent(outsideMs / responseMs)}).`
        : "",
  };
}

const COLUMNS: readonly UnitColumn[] = [
  { title: "took s", of: ({ tookMs }) => plain(tookMs) },
  { title: "of all", of: ({ share }) => percent(share) },
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
