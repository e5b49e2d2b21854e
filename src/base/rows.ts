import { defined } from "./assert.ts";

/** The kinds of typed arrays that a column may be. */
export type Cells = Int32Array | Uint8Array | Float64Array;

/** A column of a table: its kind, the value of an unwritten cell, and its meaning. */
export interface Column<A extends Cells> {
  readonly make: (length: number) => A;
  readonly unknown: number;
  /** One line: what a cell holds, with its unit. */
  readonly about: string;
}

/** Whole numbers: counts and indexes. */
export const int32 = /* @__NO_SIDE_EFFECTS__ */ (
  about: string,
  unknown = 0,
): Column<Int32Array> => ({
  make: (length) => new Int32Array(length),
  unknown,
  about,
});

/** Small codes: indexes into a list of names. */
export const code = /* @__NO_SIDE_EFFECTS__ */ (
  about: string,
  unknown = 0,
): Column<Uint8Array> => ({
  make: (length) => new Uint8Array(length),
  unknown,
  about,
});

/** Times, sizes and amounts; NaN is unknown. */
export const float64 = /* @__NO_SIDE_EFFECTS__ */ (about: string): Column<Float64Array> => ({
  make: (length) => new Float64Array(length),
  unknown: Number.NaN,
  about,
});

/** The columns of a table, each declared once. */
export type Schema = Readonly<Record<string, Column<Cells>>>;

export type ColumnsOf<S extends Schema> = {
  readonly [Name in keyof S]: ReturnType<S[Name]["make"]>;
};

/** The names of the columns of one kind. */
export type NamesOf<S extends Schema, A extends Cells> = {
  [Name in keyof S]: S[Name] extends Column<A> ? Name : never;
}[keyof S];

/** The names of the columns whose unknown cells are NaN. */
export const namesOfFloats = /* @__NO_SIDE_EFFECTS__ */ <S extends Schema>(
  schema: S,
): readonly (NamesOf<S, Float64Array> & string)[] =>
  Object.entries(schema).flatMap(([name, { unknown }]) =>
    Number.isNaN(unknown) ? [name as NamesOf<S, Float64Array> & string] : [],
  );

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

  /** Takes all rows, in another order. One column after another: only one is in memory twice. */
  takeInOrder(order: Uint32Array): ColumnsOf<S> {
    const left = new Map<string, Cells>(Object.entries(this.#columns));
    this.#columns = columnsBy(this.#schema, (_, column) => column.make(0));
    this.#room = 0;
    this.#length = 0;
    return columnsBy(this.#schema, (name, { make }) => {
      const from = defined(left.get(name), "a column");
      left.delete(name);
      const into = make(order.length);
      for (let row = 0; row < order.length; row++) into[row] = from[order[row]!]!;
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

/** A part of each column, without a copy. */
export const partOf = <S extends Schema>(
  schema: S,
  columns: ColumnsOf<S>,
  from: number,
  to: number,
): ColumnsOf<S> => columnsBy(schema, (name) => (columns[name] as Cells).subarray(from, to));
