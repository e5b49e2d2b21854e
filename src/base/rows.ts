import { defined } from "./assert.ts";

/** The kinds of typed arrays that a column may be. */
export type Cells = Int32Array | Uint8Array | Float32Array | Float64Array;

/** A column of a table: its kind, the value of an unwritten cell, and its meaning. */
export interface Column<A extends Cells> {
  /** Makes room for this many rows. */
  readonly make: (rows: number) => A;
  /** Cells of a row. */
  readonly width: number;
  readonly unknown: number;
  /** One line: what a cell holds, with its unit. */
  readonly about: string;
}

/** Whole numbers: counts and indexes. */
export const int32 = /* @__NO_SIDE_EFFECTS__ */ (
  about: string,
  unknown = 0,
): Column<Int32Array> => ({
  make: (rows) => new Int32Array(rows),
  width: 1,
  unknown,
  about,
});

/** Small codes: indexes into a list of names. */
export const code = /* @__NO_SIDE_EFFECTS__ */ (
  about: string,
  unknown = 0,
): Column<Uint8Array> => ({
  make: (rows) => new Uint8Array(rows),
  width: 1,
  unknown,
  about,
});

/** Times, sizes and amounts; NaN is unknown. */
export const float64 = /* @__NO_SIDE_EFFECTS__ */ (about: string): Column<Float64Array> => ({
  make: (rows) => new Float64Array(rows),
  width: 1,
  unknown: Number.NaN,
  about,
});

/** As `float64`, with seven digits. */
export const float32 = /* @__NO_SIDE_EFFECTS__ */ (about: string): Column<Float32Array> => ({
  make: (rows) => new Float32Array(rows),
  width: 1,
  unknown: Number.NaN,
  about,
});

/** Several cells of a kind in each row. */
export const wide = /* @__NO_SIDE_EFFECTS__ */ <A extends Cells>(
  width: number,
  column: Column<A>,
): Column<A> => ({ ...column, width, make: (rows) => column.make(rows * width) });

/** The columns of a table, each declared once. */
export type Schema = Readonly<Record<string, Column<Cells>>>;

export type ColumnsOf<S extends Schema> = {
  readonly [Name in keyof S]: ReturnType<S[Name]["make"]>;
};

/** Columns by the names of a schema, of any kinds. */
export type CellsOf<S extends Schema> = { readonly [Name in keyof S]: Cells };

/** The names of the columns of one kind. */
export type NamesOf<S extends Schema, A extends Cells> = {
  [Name in keyof S]: S[Name] extends Column<A> ? Name : never;
}[keyof S];

/** The names of the columns, in their order. */
export const namesOf = /* @__NO_SIDE_EFFECTS__ */ <S extends Schema>(
  schema: S,
): readonly (keyof S & string)[] => Object.keys(schema) as (keyof S & string)[];

/** The names of the columns whose unknown cells are NaN. */
export const namesOfFloats = /* @__NO_SIDE_EFFECTS__ */ <S extends Schema>(
  schema: S,
): readonly (NamesOf<S, Float64Array> & string)[] =>
  Object.entries(schema).flatMap(([name, { unknown }]) =>
    Number.isNaN(unknown) ? [name as NamesOf<S, Float64Array> & string] : [],
  );

/** A field for each name. */
export const recordOf = <N extends string, T>(
  names: readonly N[],
  of: (name: N) => T,
): { readonly [name in N]: T } =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as { readonly [name in N]: T };

/** Columns of the schema, each worked out by its name. */
export const columnsBy = <S extends Schema>(
  schema: S,
  workOut: (name: keyof S & string, column: Column<Cells>) => Cells,
): ColumnsOf<S> =>
  Object.fromEntries(
    Object.entries(schema).map(([name, column]) => [name, workOut(name, column)]),
  ) as ColumnsOf<S>;

/**
 * Rows that grow. A reader appends a row and writes the cells that it knows; the others hold their
 * column's unknown value. Memory doubles as it fills.
 */
export class Rows<S extends Schema> {
  readonly #schema: S;
  #columns: ColumnsOf<S>;
  #room = 0;
  #length = 0;

  constructor(schema: S) {
    this.#schema = schema;
    this.#columns = columnsBy(schema, (_, column) => column.make(0));
  }

  get length(): number {
    return this.#length;
  }

  /** Longer than `length`; others after the next `append`. */
  get columns(): ColumnsOf<S> {
    return this.#columns;
  }

  /** Returns the number of the new row. */
  append(): number {
    if (this.#length === this.#room) this.#grow();
    this.#length += 1;
    return this.#length - 1;
  }

  /** Removes all rows and keeps their memory. */
  clear(): void {
    for (const [name, { width, unknown }] of Object.entries(this.#schema)) {
      this.#columns[name]?.fill(unknown, 0, width * this.#length);
    }
    this.#length = 0;
  }

  /** Removes a row; those after it move up. COST: O(rows). */
  remove(row: number): void {
    for (const [name, { width, unknown }] of Object.entries(this.#schema)) {
      const column = this.#columns[name];
      column?.copyWithin(width * row, width * (row + 1), width * this.#length);
      column?.fill(unknown, width * (this.#length - 1), width * this.#length);
    }
    this.#length -= 1;
  }

  /** Takes all rows, in another order. One column after another: only one is in memory twice. */
  takeInOrder(order: Uint32Array): ColumnsOf<S> {
    const left = new Map<string, Cells>(Object.entries(this.#columns));
    this.#columns = columnsBy(this.#schema, (_, column) => column.make(0));
    this.#room = 0;
    this.#length = 0;
    return columnsBy(this.#schema, (name, { make, width }) => {
      const from = defined(left.get(name), "a column");
      left.delete(name);
      const into = make(order.length);
      if (width === 1) {
        for (let row = 0; row < order.length; row++) into[row] = from[order[row]!]!;
        return into;
      }
      for (const [row, source] of order.entries()) {
        into.set(from.subarray(width * source, width * (source + 1)), width * row);
      }
      return into;
    });
  }

  #grow(): void {
    this.#room = Math.max(ROOM_MIN, 2 * this.#room);
    this.#columns = columnsBy(this.#schema, (name, { make, unknown }) => {
      const old: Cells = this.#columns[name];
      const column = make(this.#room);
      column.set(old);
      if (unknown !== 0) column.fill(unknown, old.length);
      return column;
    });
  }
}

const ROOM_MIN = 16;

/**
 * What was read by an index that must be there: `cell(columns.task[row])`. An index out of range is
 * a fault of the caller, and no 0.
 */
export const cell = <T>(read: T | undefined): T => defined(read, "a cell of a column");

/** Copies rows between tables that have these columns: row `from` of one to row `to` of another. */
export function rowCopier<S extends Schema>(
  schema: S,
): (source: CellsOf<S>, from: number, target: CellsOf<S>, to: number) => void {
  const columns: readonly (readonly [keyof S & string, Column<Cells>])[] = Object.entries(schema);
  return (source, from, target, to) => {
    for (const [name, { width }] of columns) {
      const [read, written] = [source[name], target[name]];
      for (let n = 0; n < width; n++) written[width * to + n] = cell(read[width * from + n]);
    }
  };
}

/** A part of each column, without a copy. */
export const partOf = <S extends Schema>(
  schema: S,
  columns: ColumnsOf<S>,
  from: number,
  to: number,
): ColumnsOf<S> =>
  columnsBy(schema, (name, { width }) =>
    (columns[name] as Cells).subarray(width * from, width * to),
  );

/** As `partOf`, copied: what is posted to another thread brings its whole memory along. */
export const copyOf = <S extends Schema>(
  schema: S,
  columns: ColumnsOf<S>,
  from: number,
  to: number,
): ColumnsOf<S> =>
  columnsBy(schema, (name, { width }) => (columns[name] as Cells).slice(width * from, width * to));
