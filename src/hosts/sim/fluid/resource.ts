import { type Capacity, capacityAt } from "./capacity.ts";

/** A shared resource: a disk, the cores of a host, one direction of a link. */
export class Resource {
  readonly name: string;
  /** The resource's row in the tables of the filling. */
  readonly row: number;
  capacity: Capacity;
  /** The rows of its flows in the table of uses. */
  readonly uses: number[] = [];
  /** The resources whose capacity is worked out from this one's streams. */
  readonly dependents: Resource[] = [];

  constructor(name: string, row: number, capacity: Capacity) {
    this.name = name;
    this.row = row;
    this.capacity = capacity;
  }

  /** The number of its flows. */
  get streams(): number {
    return this.uses.length;
  }

  /** A resource without a limit neither slows its flows nor connects them. */
  get isLimited(): boolean {
    return this.capacity !== Number.POSITIVE_INFINITY;
  }

  /** In units per millisecond, with as many streams as there are now. */
  get perMs(): number {
    return this.perMsOf(this.streams);
  }

  perMsOf(streams: number): number {
    return capacityAt(this.capacity, streams);
  }
}
