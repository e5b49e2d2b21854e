import { type Capacity, capacityAt } from "./capacity.ts";
import type { ResourceTable } from "./resource-table.ts";

/** A shared resource: a disk, the cores of a host, one direction of a link. */
export class Resource {
  readonly name: string;
  /** The resource's row in the table, and in the columns of the filling. */
  readonly row: number;
  readonly #table: ResourceTable;
  #capacity: Capacity;
  /** The resources whose capacity is worked out from this one's streams. */
  readonly dependents: Resource[] = [];

  constructor(name: string, table: ResourceTable, capacity: Capacity) {
    this.name = name;
    this.#table = table;
    this.row = table.add();
    this.#capacity = capacity;
    this.setCapacity(capacity);
  }

  get capacity(): Capacity {
    return this.#capacity;
  }

  setCapacity(capacity: Capacity): void {
    this.#capacity = capacity;
    this.#table.limited[this.row] = capacity === Number.POSITIVE_INFINITY ? 0 : 1;
  }

  get isLimited(): boolean {
    return this.#table.limited[this.row] === 1;
  }

  /** The number of its flows, if it has a limit. */
  get streams(): number {
    return this.#table.lengths[this.row]!;
  }

  /** In units per millisecond, with the current number of streams. */
  get perMs(): number {
    return this.perMsOf(this.streams);
  }

  perMsOf(streams: number): number {
    return capacityAt(this.capacity, streams);
  }
}
