import { linesOf } from "./lines.ts";

export type Kind = "bytes" | "integer" | "float";

export interface Asked {
  readonly separator: string;
  /** Of every row. */
  readonly fields: number;
  /** Rising. */
  readonly columns: readonly (readonly [column: number, kind: Kind])[];
  readonly room: number;
}

type Cell = string | number;

/**
 * Cells of the first rows, and the number of bytes read for them: up to a row with a quote, too few
 * or too many fields, or a malformed number. Empty lines are no rows.
 */
export function csvRows(
  text: string,
  { separator, fields, columns, room }: Asked,
): { readonly cells: readonly (readonly Cell[])[]; readonly read: number } {
  const cells: Cell[][] = [];
  let read = 0;
  for (const line of linesOf(text)) {
    if (cells.length === room) break;
    if (line.text !== "") {
      const row = line.text.split(separator);
      const found = columns.map(([column, kind]) => cellOf(row[column] ?? "", kind));
      const known = found.filter((cell) => cell !== undefined);
      if (line.text.includes('"') || row.length !== fields) break;
      if (known.length < columns.length) break;
      cells.push(known);
    }
    read += line.bytes;
  }
  return { cells, read };
}

function cellOf(field: string, kind: Kind): Cell | undefined {
  if (kind === "bytes") return field;
  const form = kind === "integer" ? /^(0|-?[1-9][0-9]*)$/ : /^-?[0-9]+(\.[0-9]+)?$/;
  const digits = field.replace(/[-.]/g, "").length;
  return form.test(field) && digits <= 15 ? Number(field) : undefined;
}
