import { assert, defined } from "../../base/assert.ts";
import type { Json } from "../../base/json.ts";
import { ascending } from "../../base/order.ts";
import { cell } from "../../base/rows.ts";
import { dictionary, isObject, Place, type Shape } from "../../base/shape.ts";
import type { Done } from "../experiment.ts";

/** The numbers of a row by the names of their columns; undefined: not known. */
export type Row = Readonly<Record<string, number | undefined>>;
/** The rows that one unit adds, by table. A row may name its run in a column `run`. */
export type Rows = Readonly<Record<string, readonly Row[]>>;

/** A table of all units: columns of equal length. A number that is not known is NaN. */
export interface Table {
  readonly count: number;
  /** The run of each row. */
  readonly runs: readonly number[];
  /** A leading minus changes the sign: "-reduction of LATE". */
  column(name: string): readonly number[];
  /** The rows in the order of a column's numbers, ties by place. */
  rising(name: string): readonly number[];
}

export type Tables = (name: string) => Table;

/** A unit's outcome: for each table its columns. */
export function packed(rows: Rows): Json {
  const tables = Object.entries(rows).map(([table, own]) => {
    const names = new Set(own.flatMap((row) => Object.keys(row)));
    const columns = [...names].map((name) => [name, own.map((row) => row[name] ?? null)] as const);
    return [table, Object.fromEntries(columns)] as const;
  });
  return Object.fromEntries(tables);
}

/** One check a column: a path for each of its numbers would take longer than the rest. */
const column: Shape<readonly number[]> = {
  expected: "a list of numbers, null where one is not known",
  read(json, place) {
    if (!Array.isArray(json)) return place.refuse(this.expected, json);
    return json.map((value: unknown) => {
      if (value === null) return Number.NaN;
      return typeof value === "number" ? value : place.refuse(this.expected, value);
    });
  },
};
const outcomeShape = dictionary(dictionary(column));

/** The place named in errors: this program itself wrote the outcomes that workers send back. */
const OURS = new Place("bad-experiment", "a unit's outcome");

/** The tables of all units, in the order of the units. */
export function tablesOf(done: readonly Done[]): Tables {
  const tables = new Map<string, Growing>();
  for (const { unit, outcome } of done) {
    const run = isObject(unit.work) ? Number(Reflect.get(unit.work, "run") ?? 0) : 0;
    for (const [name, columns] of Object.entries(outcomeShape.read(outcome, OURS))) {
      const table = tables.get(name) ?? new Growing();
      tables.set(name, table);
      table.add(columns, run);
    }
  }
  return (name) => defined(tables.get(name), `a table ${name}`);
}

class Growing implements Table {
  readonly runs: number[] = [];
  readonly #columns = new Map<string, number[]>();
  readonly #rising = new Map<string, readonly number[]>();

  get count(): number {
    return this.runs.length;
  }

  add(columns: Readonly<Record<string, readonly number[]>>, run: number): void {
    const [first = []] = Object.values(columns);
    const { run: own = first.map(() => run) } = columns;
    for (const one of own) this.runs.push(one);
    for (const [name, numbers] of Object.entries(columns)) {
      const column = this.#columns.get(name) ?? [];
      this.#columns.set(name, column);
      // A unit may have too many rows to spread into the arguments of a call.
      for (const value of numbers) column.push(value);
      assert(column.length === this.count, `each row has a ${name}`);
    }
  }

  column(name: string): readonly number[] {
    if (this.count === 0) return [];
    const values = this.#columns.get(name);
    if (values === undefined && name.startsWith("-")) return this.#negated(name);
    assert(values?.length === this.count, `a column ${name} in each row`);
    return values;
  }

  #negated(name: string): readonly number[] {
    const values = this.column(name.slice(1)).map((value) => -value);
    this.#columns.set(name, values);
    return values;
  }

  rising(name: string): readonly number[] {
    const known = this.#rising.get(name);
    if (known !== undefined) return known;
    const values = this.column(name);
    const places = Array.from(values, (_, i) => i).filter((i) => !Number.isNaN(values[i]));
    const rising = places.sort(
      ascending(
        (i) => cell(values[i]),
        ascending((i) => i),
      ),
    );
    this.#rising.set(name, rising);
    return rising;
  }
}
