import { type ColumnsOf, columnsBy, type Schema } from "../../src/base/rows.ts";

/** The columns of a table by name; what is not written is unknown. */
type Written<S extends Schema> = { readonly [Name in keyof S]?: readonly number[] };

/** A table of so many rows, from plain lists. */
export const tableFrom = <S extends Schema>(
  schema: S,
  length: number,
  written: Written<S> = {},
): ColumnsOf<S> & { readonly length: number } => ({
  ...columnsBy(schema, (name, { make, unknown }) => {
    const column = make(length).fill(unknown);
    column.set(written[name] ?? []);
    return column;
  }),
  length,
});
