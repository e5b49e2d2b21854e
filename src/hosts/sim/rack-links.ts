import type { LinkSample } from "../../model/event.ts";
import type { LinksTaken } from "../../model/fault.ts";
import type { RackId } from "../../model/ids.ts";
import type { FlowOwner } from "./flow-owner.ts";
import type { Fluid, Resource } from "./fluid/fluid.ts";

/** The most that others take: the rest keeps everything moving. */
const TAKEN_MAX = 0.99;

/** A rack's links to the other racks, less what background traffic takes. */
export class SimRackLinks {
  readonly rack: RackId;
  readonly up: Resource;
  readonly down: Resource;
  readonly #fluid: Fluid<FlowOwner>;
  readonly #whole: LinkSample;
  /** The share taken, by user of the link. */
  readonly #taken = new Map<object, LinksTaken>();
  #reported: LinkSample | undefined;

  constructor(from: {
    readonly rack: RackId;
    readonly name: string;
    readonly fluid: Fluid<FlowOwner>;
    readonly whole: LinkSample;
  }) {
    const { rack, name, fluid, whole } = from;
    this.rack = rack;
    this.up = fluid.addResource(`${name}.up`, whole.upBytesPerMs);
    this.down = fluid.addResource(`${name}.down`, whole.downBytesPerMs);
    this.#fluid = fluid;
    this.#whole = whole;
  }

  get isLimited(): boolean {
    const { upBytesPerMs, downBytesPerMs } = this.#whole;
    return upBytesPerMs < Number.POSITIVE_INFINITY || downBytesPerMs < Number.POSITIVE_INFINITY;
  }

  /** Sets the share that `who` takes from now on; each takes a share of what the others leave. */
  take(who: object, taken: LinksTaken): void {
    this.#taken.set(who, taken);
    this.#share();
  }

  release(who: object): void {
    this.#taken.delete(who);
    this.#share();
  }

  #share(): void {
    const { upBytesPerMs, downBytesPerMs } = this.left;
    this.#fluid.setCapacity(this.up, upBytesPerMs);
    this.#fluid.setCapacity(this.down, downBytesPerMs);
  }

  /** The capacity that others leave. */
  get left(): LinkSample {
    let { upBytesPerMs, downBytesPerMs } = this.#whole;
    for (const { up, down } of this.#taken.values()) {
      upBytesPerMs *= 1 - Math.min(TAKEN_MAX, up);
      downBytesPerMs *= 1 - Math.min(TAKEN_MAX, down);
    }
    return { upBytesPerMs, downBytesPerMs };
  }

  /** A new measurement, or undefined if nothing changed. */
  measure(): LinkSample | undefined {
    const { left } = this;
    const before = this.#reported;
    this.#reported = left;
    const same =
      before?.upBytesPerMs === left.upBytesPerMs && before.downBytesPerMs === left.downBytesPerMs;
    return same ? undefined : left;
  }
}
