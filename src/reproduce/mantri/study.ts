import { assert, defined } from "../../base/assert.ts";
import type { Json } from "../../base/json.ts";
import { isObject, list, number, Place, type Shape } from "../../base/shape.ts";
import type { Done, ExperimentReport } from "../experiment.ts";
import type { Heading } from "../heading.ts";

/** The place named in errors: this program itself wrote the samples that workers send back. */
const OURS = new Place("bad-experiment", "a unit's outcome");

const numbers: Shape<readonly number[]> = list(number());
const rows: Shape<readonly (readonly number[])[]> = list(numbers);

/** A unit's outcome that is a list of lists of numbers. */
export const rowsOf = ({ outcome }: Done): readonly (readonly number[])[] =>
  rows.read(outcome, OURS);

/** A number of a unit's work. */
export function numberOf(work: Json, key: string): number {
  const value: unknown = isObject(work) ? Reflect.get(work, key) : undefined;
  assert(typeof value === "number", `a unit's work has a number ${key}`);
  return value;
}

/** One column of rows of equal length. */
export const column = (table: readonly (readonly number[])[], index: number): readonly number[] =>
  table.map((row) => defined(row[index], "a number in each row"));

/** The report, with the data file's description of the experiment before its notes. */
export function withAbout({ about }: Heading, report: ExperimentReport): ExperimentReport {
  return about === undefined ? report : { ...report, notes: [about, ...report.notes] };
}
