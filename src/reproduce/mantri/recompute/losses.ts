import {
  exponential,
  integer,
  nextFloat,
  type RandomState,
  uniform,
} from "../../../base/random.ts";

/** All outputs on a machine are gone. */
export interface Loss {
  readonly at: number;
  readonly machine: number;
}

export interface LossSetup {
  readonly machines: number;
  /** That a machine that has lost its outputs will soon lose more. */
  readonly again: number;
  /** Until then, on average. */
  readonly againMs: number;
}

/**
 * The losses that hit one job. §4.2: half of them are on one machine in twenty, the others anywhere
 * else; they cluster on a machine and in time.
 */
export function drawLosses(
  chance: RandomState,
  { machines, again, againMs }: LossSetup,
  job: { readonly from: number; readonly to: number },
): readonly Loss[] {
  const isFlaky = nextFloat(chance) < 0.5;
  const machine = isFlaky ? 0 : 1 + integer(chance, machines - 1);
  const losses: Loss[] = [];
  let at = uniform(chance, job);
  do {
    losses.push({ at, machine });
    at += exponential(chance, againMs);
  } while (nextFloat(chance) < again);
  return losses;
}
