import type { SlotKind } from "../../model/ids.ts";

/** What has become of one node's offer so far, by kind of slot. */
export class OfferTally {
  readonly #far: Uint32Array;
  readonly #declined: Uint8Array;

  constructor(kinds: number) {
    this.#far = new Uint32Array(kinds);
    this.#declined = new Uint8Array(kinds);
  }

  /** Begins the tally of the next offer. */
  clear(): void {
    this.#far.fill(0);
    this.#declined.fill(0);
  }

  /** The launches far from their input. */
  far(kind: SlotKind): number {
    return this.#far[kind]!;
  }

  countFar(kind: SlotKind): void {
    this.#far[kind]! += 1;
  }

  /** Whether no job took the last such slot. */
  isDeclined(kind: SlotKind): boolean {
    return this.#declined[kind] === 1;
  }

  decline(kind: SlotKind): void {
    this.#declined[kind] = 1;
  }
}
