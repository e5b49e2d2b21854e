import { type Instant, instant } from "../../model/ids.ts";

/**
 * The time at which each owner is due. A new time replaces the owner's last: otherwise a policy
 * that asks at every step would be woken ever more often. Only the earliest time is asked of the
 * host, and only once.
 */
export class Wakes {
  readonly #due = new Map<string, number>();
  #earliest = Number.POSITIVE_INFINITY;
  /** Wakes that were requested from the host and have not come. */
  #outstanding: number[] = [];

  set(owner: string, at: number): void {
    this.#due.set(owner, at);
    this.#findEarliest();
  }

  clear(owner: string): void {
    if (this.#due.size === 0) return;
    if (this.#due.delete(owner)) this.#findEarliest();
  }

  has(owner: string): boolean {
    return this.#due.has(owner);
  }

  isDue(now: Instant): boolean {
    return this.#earliest <= now;
  }

  /** The owners whose time has come; removes their due times. */
  takeDue(now: Instant): readonly string[] {
    const owners: string[] = [];
    for (const [owner, at] of this.#due) if (at <= now) owners.push(owner);
    for (const owner of owners) this.#due.delete(owner);
    this.#findEarliest();
    return owners;
  }

  /** Clears all due times: no job is live, so no policy needs a wake. */
  stop(): void {
    if (this.#due.size === 0) return;
    this.#due.clear();
    this.#earliest = Number.POSITIVE_INFINITY;
  }

  /** The wake to request from the host now, if any. */
  next(now: Instant): Instant | undefined {
    if (this.#earliest === Number.POSITIVE_INFINITY) return undefined;
    this.#outstanding = this.#outstanding.filter((at) => at > now);
    if (this.#outstanding.includes(this.#earliest)) return undefined;
    this.#outstanding.push(this.#earliest);
    return instant(this.#earliest);
  }

  #findEarliest(): void {
    this.#earliest = Number.POSITIVE_INFINITY;
    for (const at of this.#due.values()) this.#earliest = Math.min(this.#earliest, at);
  }
}
