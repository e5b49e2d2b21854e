import { cell } from "../base/rows.ts";
import { percentile } from "../base/stats.ts";
import { isInForce } from "./moment.ts";
import type { Run } from "./run.ts";

/** LATE's slowTaskThreshold. */
const PERCENTILE = 25;

/**
 * The rate below which an attempt was slow at a moment, in tasks per ms: the policy's at that time,
 * or else the 25th percentile of the rates. NaN if unknown. `of`: the attempts of the phases of
 * this name.
 */
export function slowRate(run: Run, name: string, of: readonly number[], at: number): number {
  const { decisions, refusals } = run.head;
  const told = [
    ...decisions.filter((one) => isInForce({ from: one.at, to: one.at }, at)),
    ...refusals.filter((one) => isInForce(one, at)),
  ]
    .filter(({ who }) => who.includes(`/${name}/`))
    .map(({ numbers }) => numbers.slowTaskPerMs)
    .find((perMs) => typeof perMs === "number");
  if (typeof told === "number") return told;
  const { startedAt } = run.attempts;
  const rates = of
    .map((i) =>
      run.hasEnded(i, at)
        ? (run.endOf(i) === "succeeded" ? 1 : Number.NaN) / run.tookMs(i)
        : run.scoreAt(i, at) / (at - cell(startedAt[i])),
    )
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  return rates.length === 0 ? Number.NaN : percentile(rates, PERCENTILE);
}
