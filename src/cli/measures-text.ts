import type { RunMeasures } from "../measures/run-measures.ts";
import { measureFacts, OUTLIER_TITLES, outlierRows } from "../report/measures-text.ts";
import { type Column, right, table, wrap } from "./table.ts";

/** What the papers measure of phases and of jobs; empty if there is nothing to say. */
export function measuresText(
  phases: Parameters<typeof outlierRows>[0],
  measures: RunMeasures["measures"],
  { width, title }: { readonly width: number; readonly title?: (text: string) => string },
): string {
  const rows = outlierRows(phases);
  const facts = measureFacts(measures);
  return [
    ...(rows.length === 0 ? [] : [table(COLUMNS, rows, width, title)]),
    ...(facts === "" ? [] : wrap(facts, width)),
  ].join("\n");
}

const LEFT_OUT: readonly (number | undefined)[] = [undefined, undefined, undefined, 2, 1];

const COLUMNS: readonly Column[] = OUTLIER_TITLES.map((title, n) =>
  n === 0 ? { title } : right(title, LEFT_OUT[n]),
);
