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

/** RFC 4180: a header, a line for each row, what holds a comma or a quote in quotes. */
export function csvText(rows: readonly ResultRow[]): string {
  const lines = rows.map((row) => FIELDS.map((name) => field(row[name])).join(","));
  return [FIELDS.join(","), ...lines, ""].join("\r\n");
}

function field(value: string | number | null): string {
  const text = value === null ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
