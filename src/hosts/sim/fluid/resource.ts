import { type Capacity, capacityAt } from "./capacity.ts";

/** A shared resource: a disk, the cores of a host, one direction of a link. */
export class Resource {
  readonly name: string;
  /** The resource's row in the tables of the filling. */
  readonly row: number;
  #capacity: Capacity;
  /** A resource without a limit neither slows its flows nor connects them. */
  isLimited = true;
  /** The rows of its flows in the table of uses. */
  readonly uses: number[] = [];
  /** Whether the resource is among those to be solved next. */
  isTouched = false;
  /** The resources whose capacity is worked out from this one's streams. */
  readonly dependents: Resource[] = [];

  constructor(name: string, row: number, capacity: Capacity) {
    this.name = name;
    this.row = row;
    this.#capacity = capacity;
    this.setCapacity(capacity);
  }

  get capacity(): Capacity {
    return this.#capacity;
  }

  setCapacity(capacity: Capacity): void {
    this.#capacity = capacity;
    this.isLimited = capacity !== Number.POSITIVE_INFINITY;
  }

  /** The number of its flows. */
  get streams(): number {
    return this.uses.length;
  }

  /** In units per millisecond, with as many streams as there are now. */
  get perMs(): number {
    return this.perMsOf(this.streams);
  }

  perMsOf(streams: number): number {
    return capacityAt(this.capacity, streams);
  }
}
