import { defined } from "../../base/assert.ts";
import type { RunResult } from "../../hosts/engine/index.ts";
import type { Comparison } from "./plain-count.ts";

/** One run of the demo. */
export interface DemoRun {
  /** The name of the policy, and its title. */
  readonly policy: string;
  readonly title: string;
  /** From 1. */
  readonly round: number;
  readonly result: RunResult;
  /** The faults that really happened: "n2 slowed 6-fold". */
  readonly faults: readonly string[];
  /** The comparison of the run's output with the plain count. */
  readonly comparison: Comparison;
}

/** How many times as fast a policy is as the baseline, over pairs of runs of the same round. */
export type Gain =
  | { readonly kind: "known"; readonly ratios: readonly number[]; readonly median: number }
  /** A pair had different faults, so its ratio would mean nothing. */
  | { readonly kind: "unknown"; readonly reason: string };

export function gainOf(runs: readonly DemoRun[], policy: string, baseline: string): Gain {
  const ratios: number[] = [];
  for (const run of runs.filter((one) => one.policy === policy)) {
    const base = defined(
      runs.find((one) => one.policy === baseline && one.round === run.round),
      "a run of the baseline in each round",
    );
    const reason = differentFaults(base, run);
    if (reason !== undefined) return { kind: "unknown", reason };
    ratios.push(base.result.responseMs / run.result.responseMs);
  }
  return { kind: "known", ratios, median: median(ratios) };
}

function differentFaults(one: DemoRun, other: DemoRun): string | undefined {
  const missing = (from: DemoRun, fault: string): string =>
    `in run ${from.round} of "${from.title}" this did not happen: ${fault}`;
  const inOne = one.faults.find((fault) => !other.faults.includes(fault));
  if (inOne !== undefined) return missing(other, inOne);
  const inOther = other.faults.find((fault) => !one.faults.includes(fault));
  return inOther === undefined ? undefined : missing(one, inOther);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? upper) + upper) / 2;
}
