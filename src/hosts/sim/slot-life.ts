import type { SlotKind } from "../../model/ids.ts";

/** Slots of a node that exist for a time, like the slots of an executor. */
export interface SlotSpan {
  readonly kind: SlotKind;
  readonly count: number;
  readonly fromMs: number;
  /** Infinity: the slots never leave. */
  readonly untilMs: number;
}

/**
 * The slots of a node that come and go. A slot that goes takes no new attempt; its running attempt
 * continues, and the node's outputs stay.
 */
export class SlotLife {
  readonly #spans: readonly SlotSpan[];
  readonly #kept = new Set<SlotKind>();

  constructor(spans: readonly SlotSpan[]) {
    this.#spans = spans;
  }

  /** When the node joins: its first slot comes. */
  get joinsAtMs(): number {
    return this.#spans.reduce((first, { fromMs }) => Math.min(first, fromMs), Infinity);
  }

  /** The times at which slots come or go, each once, in order. */
  get changesMs(): readonly number[] {
    const times = new Set(this.#spans.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]));
    return [...times].filter((ms) => ms < Infinity).sort((a, b) => (a < b ? -1 : 1));
  }

  get kinds(): ReadonlySet<SlotKind> {
    return new Set(this.#spans.map(({ kind }) => kind));
  }

  /** The slots of the kind that exist; after the last one has gone, the kept slots. */
  present(kind: SlotKind, nowMs: number, isAwaited: boolean): number {
    const there = this.#count(kind, ({ fromMs, untilMs }) => fromMs <= nowMs && nowMs < untilMs);
    if (there > 0 || !this.isOver(kind, nowMs)) return there;
    if (!isAwaited && !this.#kept.has(kind)) return 0;
    const last = this.#of(kind).reduce((latest, { untilMs }) => Math.max(latest, untilMs), 0);
    return this.#count(kind, ({ untilMs }) => untilMs === last);
  }

  /** Whether all slots of the kind have gone. */
  isOver(kind: SlotKind, nowMs: number): boolean {
    return this.#of(kind).every(({ untilMs }) => untilMs <= nowMs);
  }

  /** The last slots of the kind stay for ever. */
  keep(kind: SlotKind): void {
    this.#kept.add(kind);
  }

  keeps(kind: SlotKind): boolean {
    return this.#kept.has(kind);
  }

  #of(kind: SlotKind): readonly SlotSpan[] {
    return this.#spans.filter((span) => span.kind === kind);
  }

  #count(kind: SlotKind, counts: (span: SlotSpan) => boolean): number {
    return this.#of(kind).reduce((sum, span) => sum + (counts(span) ? span.count : 0), 0);
  }
}

/** The most slots of the kind at one time. */
export function mostAtOnce(spans: readonly SlotSpan[], kind: SlotKind): number {
  const life = new SlotLife(spans);
  return life.changesMs.reduce((most, ms) => Math.max(most, life.present(kind, ms, false)), 0);
}
