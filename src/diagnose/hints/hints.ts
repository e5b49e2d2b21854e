import type { Limits } from "../limits.ts";
import { allAtOnce } from "./all-at-once.ts";
import { crowded } from "./crowded.ts";
import type { Hint } from "./hint.ts";
import { offCPU } from "./off-cpu.ts";
import { manyRecords } from "./records.ts";
import { lateIn, type Seen } from "./seen.ts";
import { timeOuts } from "./time-outs.ts";

/** Each hint is one file. */
const HINTS: readonly ((seen: Seen) => readonly Hint[])[] = [
  timeOuts,
  allAtOnce,
  offCPU,
  manyRecords,
  ({ plan, signals, causes }) => crowded(plan, signals, causes),
];

/** Design of the diagnosis, section 6. */
export function hintsOf({
  limits,
  ...seen
}: Omit<Seen, "late"> & { readonly limits: Limits }): readonly Hint[] {
  const late = lateIn(seen.plan, seen.causes, limits);
  return HINTS.flatMap((hintIn) => hintIn({ ...seen, late }));
}
