/** A table with a line of names first; empty fields where nothing is known. */
export function csv(rows: Iterable<object>): string {
  const lines: string[] = [];
  for (const row of rows) {
    if (lines.length === 0) lines.push(Object.keys(row).join(","));
    lines.push(Object.values(row).map(field).join(","));
  }
  return `${lines.join("\r\n")}\r\n`;
}

function field(value: unknown): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  // A leading sign of arithmetic would be a formula to a spreadsheet.
  const safe = typeof value !== "number" && /^[=+@-]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
