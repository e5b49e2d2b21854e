import { csvFields } from "../../data/formats/csv-line.ts";
import type { ResultRow } from "../../reproduce/published.ts";

const FIELDS = [
  "paper",
  "figure",
  "setting",
  "metric",
  "tag",
  "published",
  "measured",
  "low",
  "high",
  "verdict",
] as const satisfies readonly (keyof ResultRow)[];

/** RFC 4180: a header, and a line for each row. */
export function csvText(rows: readonly ResultRow[]): string {
  const lines = rows.map((row) => FIELDS.map((name) => String(row[name] ?? "")));
  return [...[FIELDS, ...lines].map((line) => csvFields(line, ",")), ""].join("\r\n");
}
