import { medianOf } from "../expect/robust.ts";
import type { Hint } from "./hint.ts";
import { beside, measureOf, type Seen } from "./seen.ts";

/** Late attempts used this much less of their time on the CPU than the others. */
const OFF_CPU = 0.5;
/** The others use at least this share of their time, or the phase waits by nature. */
const COMPUTING = 0.2;
const LATE_MIN = 3;

/** The late attempts waited where the others computed. */
export function offCPU({ plan, late }: Seen): readonly Hint[] {
  const shareOf = (i: number): number =>
    measureOf(plan, i, "cpuMs") / (plan.end[i]! - plan.start[i]!);
  const { own, others } = beside(plan, late, shareOf);
  if (own.length < LATE_MIN || others.length < LATE_MIN) return [];
  const [low, usual] = [medianOf(own), medianOf(others)];
  if (!(low < OFF_CPU * usual) || usual < COMPUTING) return [];
  const percent = (share: number): string => `${Math.round(100 * share)} %`;
  const spent = `spent ${percent(low)} of their time on the CPU, the others ${percent(usual)}`;
  const text = `The late attempts ${spent}: they waited for something.`;
  return [{ text, attempts: late }];
}
