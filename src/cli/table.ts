import { stripVTControlCharacters } from "node:util";

export interface Column {
  readonly title: string;
  /** Numbers are aligned right. */
  readonly align?: "left" | "right";
}

const GAP = "  ";
/** The least width of the last column, however narrow the screen. */
const LAST_MIN = 30;

/**
 * Rows under their titles, two spaces between columns. Text that exceeds `width` continues on the
 * next line of the last column.
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
): string {
  const titles = columns.map(({ title }) => title);
  const widths = columns.map((_, index) =>
    Math.max(...[titles, ...rows].map((row) => visibleLength(row[index] ?? ""))),
  );
  const last = columns.length - 1;
  const before = widths.slice(0, last).reduce((sum, each) => sum + each + GAP.length, 0);
  const room = Math.max(LAST_MIN, width - before);
  const rule = widths.map((each, index) =>
    "-".repeat(index === last ? Math.min(each, room) : each),
  );
  const lines = rows.flatMap((row) =>
    wrap(row[last] ?? "", room).map((part, index) => [
      ...(index === 0 ? row.slice(0, last) : columns.slice(0, last).map(() => "")),
      part,
    ]),
  );
  return [titles, rule, ...lines]
    .map((row) =>
      columns
        .map(({ align }, index) => pad(row[index] ?? "", widths[index] ?? 0, align ?? "left"))
        .join(GAP)
        .trimEnd(),
    )
    .join("\n");
}

/** The length without escape sequences for colours. */
export const visibleLength = (text: string): number => stripVTControlCharacters(text).length;

export function pad(text: string, width: number, align: "left" | "right"): string {
  const space = " ".repeat(Math.max(0, width - visibleLength(text)));
  return align === "left" ? text + space : space + text;
}

/** Text broken at spaces into lines of at most `width`. */
export function wrap(text: string, width: number): readonly string[] {
  if (visibleLength(text) <= width) return [text];
  const lines: string[] = [];
  let current = "";
  for (const word of text.split(" ")) {
    if (current !== "" && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else {
      current = current === "" ? word : `${current} ${word}`;
    }
  }
  return [...lines, current];
}
