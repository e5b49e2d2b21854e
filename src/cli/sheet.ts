import { type Ink, inked } from "./ink.ts";
import { type Column, table } from "./table.ts";

/** What a diagnosis is printed on. */
export interface Sheet {
  readonly width: number;
  readonly ink: Ink;
}

/** A table whose titles are dim. */
export const drawn = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width, ink }: Sheet,
): string => table(columns, rows, width, (text) => inked(ink, "dim", text));

/** Cells that are worth a look. */
export const marked =
  ({ ink }: Sheet, isMarked: readonly boolean[]) =>
  (text: string, row: number): string =>
    isMarked[row] === true ? inked(ink, "yellow", text) : text;
