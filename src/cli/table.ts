import stringWidth from "string-width";

export interface Column {
  readonly title: string;
  /** Numbers are aligned right, and only their titles wrap. */
  readonly align?: "left" | "right";
  /** Where the table is too wide, columns with a rank are left out, the lowest first. */
  readonly leaveOut?: number;
  /** The text of a cell in its style, without a change of its width; `row`: from 0. */
  readonly style?: (text: string, row: number) => string;
}

/** A column of numbers. */
export const right = (title: string, leaveOut?: number): Column => ({
  title,
  align: "right",
  ...(leaveOut !== undefined && { leaveOut }),
});

type Cells = readonly string[];

const GAP = "  ";
/** Prose that would get less room than this stands below its row. */
const PROSE_MIN = 24;
const INDENT = "    ";
/** A cell that is aligned right is a sentence, and wraps, from this length on. */
const SENTENCE_MIN = 20;

/** The style of titles, by default none. */
type TitleStyle = (text: string) => string;

/**
 * Rows under their titles, two spaces between columns. Where `width` is too small, cells wrap at
 * spaces; where it is smaller still, columns that have a rank are left out and named below the
 * table. If that is not enough, the last column stands below its row, or each cell has a line of
 * its own.
 */
export function table(
  columns: readonly Column[],
  rows: readonly Cells[],
  width = Number.POSITIVE_INFINITY,
  style: TitleStyle = (text) => text,
): string {
  const widths = fittingWidths(columns, rows, width);
  if (widths !== undefined) return grid(columns, rows, { widths, style });
  const narrower = withoutRanked(columns, rows, width, style);
  if (narrower !== undefined) return narrower;
  const others = columns.slice(0, -1);
  const last = rows.map((row) => row[others.length] ?? "");
  const isProse = others.length > 0 && last.some((text) => visibleLength(text) > PROSE_MIN);
  const otherWidths = isProse ? fittingWidths(others, rows, width) : undefined;
  if (otherWidths === undefined) return stacked(columns, rows, width);
  const below = [columns.at(-1)?.title ?? "", ...last].map((text) =>
    text === "" ? [] : wrap(text, width - INDENT.length).map((part) => INDENT + part),
  );
  return grid(others, rows, { widths: otherWidths, style, below });
}

/** Leaves out as few ranked columns as make the others fit; undefined if they do not fit. */
function withoutRanked(
  columns: readonly Column[],
  rows: readonly Cells[],
  width: number,
  style: TitleStyle,
): string | undefined {
  const ranks = columns.flatMap(({ leaveOut }) => leaveOut ?? []).sort((a, b) => a - b);
  for (const rank of ranks) {
    const isKept = columns.map(({ leaveOut }) => leaveOut === undefined || leaveOut > rank);
    const kept = columns.filter((_, i) => isKept[i]);
    const cells = rows.map((row) => row.filter((_, i) => isKept[i]));
    const widths = fittingWidths(kept, cells, width);
    if (widths === undefined) continue;
    const titles = columns.filter((_, i) => !isKept[i]).map(({ title }) => title);
    const note = `Too narrow for the columns: ${[...new Set(titles)].join(", ")}.`;
    return [grid(kept, cells, { widths, style }), ...wrap(note, width)].join("\n");
  }
  return undefined;
}

/** The widths of columns that fit into `width`; undefined if words would have to be broken. */
function fittingWidths(
  columns: readonly Column[],
  rows: readonly Cells[],
  width: number,
): readonly number[] | undefined {
  const widths = columns.map(({ title }, index) =>
    Math.max(visibleLength(title), ...rows.map((row) => visibleLength(row[index] ?? ""))),
  );
  const least = columns.map((column, index) => leastWidth(column, index, rows));
  const lastIndex = columns.length - 1;
  const prose = Math.min(PROSE_MIN, widths[lastIndex] ?? 0);
  if (columns[lastIndex]?.align !== "right") {
    least[lastIndex] = Math.max(least[lastIndex] ?? 0, prose);
  }
  const gaps = GAP.length * lastIndex;
  for (;;) {
    const excess = widths.reduce((sum, each) => sum + each, gaps) - width;
    if (!(excess > 0)) return widths;
    let widest = -1;
    for (const [index, each] of widths.entries()) {
      if (each > (least[index] ?? 0) && each > (widths[widest] ?? 0)) widest = index;
    }
    if (widest === -1) return undefined;
    const next = Math.max(0, ...widths.filter((_, index) => index !== widest));
    const shrunk = Math.min((widths[widest] ?? 0) - 1, next);
    widths[widest] = Math.max(least[widest] ?? 0, (widths[widest] ?? 0) - excess, shrunk);
  }
}

function leastWidth({ title, align }: Column, index: number, rows: readonly Cells[]): number {
  const cells = rows.map((row) => row[index] ?? "");
  const isWhole = (cell: string): boolean =>
    align === "right" && visibleLength(cell) < SENTENCE_MIN;
  const parts = [title, ...cells.filter((cell) => !isWhole(cell))].flatMap(partsOf);
  const whole = cells.filter(isWhole);
  return Math.max(0, ...[...parts.map(({ text }) => text), ...whole].map(visibleLength));
}

interface GridOptions {
  readonly widths: readonly number[];
  readonly style: TitleStyle;
  /** Further lines under the titles, and under each row. */
  readonly below?: readonly Cells[];
}

function grid(
  columns: readonly Column[],
  rows: readonly Cells[],
  { widths, style, below = [] }: GridOptions,
): string {
  const titles = columns.map(({ title }) => title);
  const lines = (row: Cells, at?: number): readonly string[] => {
    const styled = ({ style }: Column, text: string): string =>
      style === undefined || at === undefined || text === "" ? text : style(text, at);
    const cells = columns.map((_, index) => wrap(row[index] ?? "", widths[index] ?? 0));
    const height = Math.max(1, ...cells.map(({ length }) => length));
    return Array.from({ length: height }, (_, n) =>
      columns
        .map((column, i) => {
          const text = styled(column, cells[i]?.[n] ?? "");
          return pad(text, widths[i] ?? 0, column.align ?? "left");
        })
        .join(GAP)
        .trimEnd(),
    );
  };
  const rule = widths.map((each) => "-".repeat(each)).join(GAP);
  const body = rows.flatMap((row, n) => [...lines(row, n), ...(below[n + 1] ?? [])]);
  const head = [...lines(titles), ...(below[0] ?? []), rule].map(style);
  return [...head, ...body].join("\n");
}

/** Each cell on a line of its own after its title, an empty line between rows. */
function stacked(columns: readonly Column[], rows: readonly Cells[], width: number): string {
  const titleWidth = Math.max(0, ...columns.map(({ title }) => visibleLength(title)));
  const blocks = rows.map((row) =>
    columns
      .flatMap(({ title }, index) => {
        const cell = row[index] ?? "";
        return cell === "" ? [] : hanging(pad(title, titleWidth, "left") + GAP, cell, width);
      })
      .join("\n"),
  );
  return blocks.join("\n\n");
}

/** Text after a heading, with further lines indented below the text's start. */
export function hanging(start: string, text: string, width: number): readonly string[] {
  const indent = " ".repeat(visibleLength(start));
  const lines = wrap(text, Math.max(1, width - indent.length));
  return lines.map((part, index) => `${index === 0 ? start : indent}${part}`);
}

/** The number of terminal cells that the text takes, without escape sequences. */
export const visibleLength = (text: string): number => stringWidth(text);

export function pad(text: string, width: number, align: "left" | "right"): string {
  const space = " ".repeat(Math.max(0, width - visibleLength(text)));
  return align === "left" ? text + space : space + text;
}

/** A path shorter than this never breaks. */
const PATH_MIN = 40;

interface Part {
  /** What stands before the part, unless the part begins a line. */
  readonly glue: "" | " ";
  readonly text: string;
}

/**
 * A space after which a line may begin: not between a number and its unit, and not within a range
 * such as `1.2 to 3.4` or `[-1.2, 3.4]`.
 */
const BREAK = new RegExp(
  [
    " ",
    String.raw`(?!(?<=\d )(?:%|ms|s|min|h|kB|MB|GB|TB|B)(?!\w))`,
    String.raw`(?!(?<=\d )to -?\d)(?<!\d to )`,
    String.raw`(?![-+]?[\d.]+\])`,
  ].join(""),
);

/** The parts between which a line may break: words or, if the text is a long path, folders. */
function partsOf(line: string): readonly Part[] {
  const words = line.split(BREAK);
  if (words.length > 1 || visibleLength(line) < PATH_MIN) {
    return words.map((text) => ({ glue: " ", text }));
  }
  return line.split(/(?<=[^/]\/)(?=[^/])/).map((text) => ({ glue: "", text }));
}

/**
 * Text broken at spaces, or a long path behind its folders, into lines of at most `width`; a longer
 * word has a line of its own. A path inside a sentence stays whole, to be copied.
 */
export function wrap(text: string, width: number): readonly string[] {
  if (visibleLength(text) <= width) return [text];
  const lines: string[] = [];
  let current = "";
  for (const part of partsOf(text)) {
    const longer = current === "" ? part.text : `${current}${part.glue}${part.text}`;
    if (current !== "" && visibleLength(longer) > width) {
      lines.push(current);
      current = part.text;
    } else current = longer;
  }
  return [...lines, current];
}
