import type { SlotKind } from "../../model/ids.ts";
import type { PhaseRecord } from "./records.ts";

/** Live phases that may wait for phases of other jobs, across kinds of slots. */
export class Crossings {
  /** Phases that read a phase which does not use all of their kinds. */
  readonly readers = new Set<PhaseRecord>();
  /** Phases that others read. */
  readonly read = new Set<PhaseRecord>();
  /** By kind: how many phases of each set use it. */
  readonly #readersOf: number[] = [];
  readonly #readOf: number[] = [];

  /** Call this once the phase knows its ancestors. */
  add(phase: PhaseRecord): void {
    for (const far of phase.ancestors) {
      include(this.read, this.#readOf, far);
      const isCrossed = phase.phase.slots.some((kind) => !far.phase.slots.includes(kind));
      if (isCrossed) include(this.readers, this.#readersOf, phase);
    }
  }

  delete(phase: PhaseRecord): void {
    exclude(this.read, this.#readOf, phase);
    exclude(this.readers, this.#readersOf, phase);
  }

  /** Whether phases of both sets use the kind: otherwise no circle passes through it. */
  meet(kind: SlotKind): boolean {
    return (this.#readOf[kind] ?? 0) > 0 && (this.#readersOf[kind] ?? 0) > 0;
  }
}

function include(set: Set<PhaseRecord>, counts: number[], phase: PhaseRecord): void {
  if (set.has(phase)) return;
  set.add(phase);
  for (const kind of phase.phase.slots) counts[kind] = (counts[kind] ?? 0) + 1;
}

function exclude(set: Set<PhaseRecord>, counts: number[], phase: PhaseRecord): void {
  if (!set.delete(phase)) return;
  for (const kind of phase.phase.slots) counts[kind] = (counts[kind] ?? 0) - 1;
}
