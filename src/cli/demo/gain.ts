import { grouped } from "../../base/grouped.ts";
import type { RunResult } from "../../hosts/engine/index.ts";
import type { Comparison } from "./plain-count.ts";
import type { DemoPolicyName } from "./plan.ts";

/** One run of the demo. */
export interface DemoRun {
  /** The name of the policy, and its title. */
  readonly policy: DemoPolicyName;
  readonly title: string;
  /** The number of the pair, from 1. */
  readonly pair: number;
  readonly result: RunResult;
  /** The faults that really happened: "n2 slowed 10-fold". */
  readonly faults: readonly string[];
  /** The comparison of the run's output with the plain count. */
  readonly comparison: Comparison;
}

/** The same job without copies and with them, one right after the other. */
export interface Pair {
  readonly number: number;
  /** The policy of the run that came first. */
  readonly first: DemoPolicyName;
  readonly off: DemoRun;
  readonly late: DemoRun;
  readonly gain: Gain;
}

/** What LATE gained over the other run of its pair: measured, not estimated. */
export type Gain =
  /** `savedMs` is below 0 if LATE ended later. */
  | { readonly kind: "known"; readonly savedMs: number; readonly timesFaster: number }
  /** The faults of the two runs differed, so a difference of their times would mean nothing. */
  | { readonly kind: "unknown"; readonly reason: string };

/** The pairs of the runs, which are in the order of time. */
export function pairsOf(runs: readonly DemoRun[]): readonly Pair[] {
  return [...grouped(runs, ({ pair }) => pair)].flatMap(([number, both]) => {
    const off = both.find(({ policy }) => policy === "none");
    const late = both.find(({ policy }) => policy === "late");
    const [first] = both;
    if (off === undefined || late === undefined || first === undefined) return [];
    return [{ number, first: first.policy, off, late, gain: gainOf(off, late) }];
  });
}

function gainOf(off: DemoRun, late: DemoRun): Gain {
  const reason = differentFaults(off, late);
  if (reason !== undefined) return { kind: "unknown", reason };
  const [offMs, lateMs] = [off.result.responseMs, late.result.responseMs];
  return { kind: "known", savedMs: offMs - lateMs, timesFaster: offMs / lateMs };
}

/**
 * What the pair saved, as the difference of its response times to a tenth of a second: as a reader
 * of the printed times subtracts them.
 */
export const savedAsPrinted = ({ off, late }: Pick<Pair, "off" | "late">): number =>
  tenths(off.result.responseMs) - tenths(late.result.responseMs);

const tenths = (ms: number): number => 100 * Math.round(ms / 100);

function differentFaults(one: DemoRun, other: DemoRun): string | undefined {
  const missing = (from: DemoRun, fault: string): string =>
    `with ${from.title} this did not happen: ${fault}`;
  const inOne = one.faults.find((fault) => !other.faults.includes(fault));
  if (inOne !== undefined) return missing(other, inOne);
  const inOther = other.faults.find((fault) => !one.faults.includes(fault));
  return inOther === undefined ? undefined : missing(one, inOther);
}
