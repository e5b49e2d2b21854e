import type { JobMeasures } from "../measures/job-measures.ts";
import type { PhaseMeasures } from "../measures/phase-measures.ts";
import { bytes, number, seconds } from "./quantity.ts";

/** The titles of the table of outliers, which Mantri measures. */
export const OUTLIER_TITLES = [
  "outliers of",
  "share of tasks",
  "times the median",
  "explained by bytes",
  "slow, yet no outliers",
] as const;

const PHASES_SHOWN = 6;

/** A row of each phase that has outliers, the most outliers first. */
export function outlierRows(
  phases: readonly { readonly phase: string; readonly measures?: PhaseMeasures }[],
): readonly (readonly string[])[] {
  const share = (value: number | undefined): string => (value === undefined ? "-" : percent(value));
  return phases
    .flatMap(({ phase, measures: of }) => (of === undefined ? [] : [{ phase, of }]))
    .filter(({ of }) => of.outliers > 0)
    .toSorted((a, b) => Math.sign(b.of.outliers * b.of.tasks - a.of.outliers * a.of.tasks))
    .slice(0, PHASES_SHOWN)
    .map(({ phase, of }) => [
      phase,
      share(of.outliers),
      of.outlierTimes === undefined ? "-" : of.outlierTimes.toFixed(1),
      share(of.explained),
      share(of.improvable),
    ]);
}

/** Locality, traffic and recomputes; empty if nothing is known of them, or nothing happened. */
export function measureFacts(measures: JobMeasures): string {
  const { nodeLocal, rackLocal, crossRackBytes, recomputes, recomputedMs } = measures;
  const facts = [
    ...(nodeLocal === undefined || rackLocal === undefined
      ? []
      : [`tasks beside their data: ${percent(nodeLocal)}, in its rack: ${percent(rackLocal)}`]),
    ...(crossRackBytes === undefined || crossRackBytes === 0
      ? []
      : [`read from other racks: ${bytes(crossRackBytes)}`]),
    ...(recomputes === 0 ? [] : [`recomputes: ${number(recomputes)}, ${seconds(recomputedMs)}`]),
  ];
  return facts.join("; ");
}

export const percent = (share: number): string => `${Math.round(100 * share)} %`;
