import { defined } from "../../base/assert.ts";
import { sum } from "../../base/stats.ts";
import type { FlowOwner } from "./flow-owner.ts";
import type { Flow, Fluid, Resource } from "./fluid/fluid.ts";
import type { PageCacheSpec } from "./scenario.ts";

/** Written data on its way to the disk. */
interface Unwritten {
  /** The attempt or job that deletes the data; undefined if the data stays. */
  readonly owner: object | undefined;
  bytes: number;
}

/**
 * The memory before a machine's disk. A node's writes complete at once and reach the disk
 * gradually, the oldest first, as one stream; data that is deleted earlier never reaches the disk.
 */
export class PageCache implements FlowOwner {
  readonly spec: PageCacheSpec;
  readonly #fluid: Fluid<FlowOwner>;
  readonly #disk: Resource;
  #unwritten: Unwritten[] = [];
  #flow: Flow | undefined;
  /** The number of other programs that write as fast as they can. */
  #others = 0;

  constructor(fluid: Fluid<FlowOwner>, disk: Resource, spec: PageCacheSpec) {
    this.#fluid = fluid;
    this.#disk = disk;
    this.spec = spec;
  }

  /** The bytes that memory can take now; for the rest, the writer waits for the disk. */
  room(now: number): number {
    if (this.#others > 0) return 0;
    const waiting = this.#flow === undefined ? 0 : this.#fluid.remainingAt(this.#flow, now);
    return Math.max(0, this.spec.unwrittenBytesMax - waiting);
  }

  take(bytes: number, now: number, owner?: object): void {
    if (bytes === 0) return;
    this.#stop(now);
    this.#unwritten.push({ owner, bytes });
    this.#goOn(now);
  }

  /** Drops the owner's data, because its files are deleted. */
  forget(owner: object, now: number): void {
    if (!this.#unwritten.some((part) => part.owner === owner)) return;
    this.#stop(now);
    this.#unwritten = this.#unwritten.filter((part) => part.owner !== owner);
    this.#goOn(now);
  }

  /** Adds programs that write without end and so leave no room to others. */
  crowd(others: number): void {
    this.#others += others;
  }

  /** Removes such programs, which leave the memory full. */
  uncrowd(others: number, now: number): void {
    this.#others -= others;
    this.take(this.room(now), now);
  }

  #stop(now: number): void {
    const flow = this.#flow;
    if (flow === undefined) return;
    const size = this.#fluid.sizeOf(flow);
    this.#flow = undefined;
    let written = size - this.#fluid.stop(now, flow);
    while (written > 0 && this.#unwritten.length > 0) {
      const oldest = defined(this.#unwritten[0], "what is oldest");
      const part = Math.min(written, oldest.bytes);
      written -= part;
      oldest.bytes -= part;
      if (oldest.bytes === 0) this.#unwritten.shift();
    }
  }

  #goOn(now: number): void {
    const size = sum(this.#unwritten.map(({ bytes }) => bytes));
    if (size > 0) this.#flow = this.#fluid.start(now, { tag: this, uses: [this.#disk], size });
  }

  flowEnded(): void {
    this.#flow = undefined;
    this.#unwritten = [];
  }

  rateChanged(): void {}
}
