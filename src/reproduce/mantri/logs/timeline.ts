import type { EdgeLog } from "./job-log.ts";
import type { PhaseLog } from "./phase-log.ts";

/** When the phases of a job begin if each of their tasks is a usual one. */
export class Timeline {
  readonly #startMs: number;
  readonly #edges: readonly EdgeLog[];
  readonly #phases: { readonly firstEndMs: number; readonly endMs: number }[] = [];

  constructor(startMs: number, edges: readonly EdgeLog[]) {
    this.#startMs = startMs;
    this.#edges = edges;
  }

  /** Of the phase that is to be added next. */
  get beginMs(): number {
    const next = this.#phases.length;
    let begin = this.#startMs;
    for (const { from, to, barrier } of this.#edges) {
      const read = to === next ? this.#phases[from] : undefined;
      if (read !== undefined) begin = Math.max(begin, barrier ? read.endMs : read.firstEndMs);
    }
    return begin;
  }

  add({ bytes, slots, usualMs }: Pick<PhaseLog, "bytes" | "slots" | "usualMs">): void {
    const begin = this.beginMs;
    const waves = Math.ceil(bytes.length / slots);
    this.#phases.push({ firstEndMs: begin + usualMs, endMs: begin + waves * usualMs });
  }
}
