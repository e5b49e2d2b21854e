import type { Limits } from "../limits.ts";
import { allAtOnce } from "./all-at-once.ts";
import { crowded } from "./crowded.ts";
import type { Hint } from "./hint.ts";
import { offCPU } from "./off-cpu.ts";
import { manyRecords } from "./records.ts";
import { lateIn, type Seen } from "./seen.ts";
import { timeOuts } from "./time-outs.ts";

/** Each kind of hint is one file; they are told in this order. */
export const HINTS = [
  { kind: "time-out", hintsIn: timeOuts },
  { kind: "all-at-once", hintsIn: allAtOnce },
  { kind: "off-cpu", hintsIn: offCPU },
  { kind: "records", hintsIn: manyRecords },
  { kind: "crowded", hintsIn: crowded },
] as const satisfies readonly { readonly kind: string; readonly hintsIn: HintsIn }[];

type HintsIn = (seen: Seen) => readonly Hint[];

export type HintKind = (typeof HINTS)[number]["kind"];

/** Where to look for what the log does not explain (docs/diagnosis.md). */
export function hintsOf({
  limits,
  ...seen
}: Omit<Seen, "late"> & { readonly limits: Limits }): readonly (Hint & {
  readonly kind: HintKind;
})[] {
  const late = lateIn(seen.plan, seen.causes, limits);
  return HINTS.flatMap(({ kind, hintsIn }) =>
    hintsIn({ ...seen, late }).map((hint) => ({ kind, ...hint })),
  );
}
