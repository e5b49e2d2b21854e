import type { Resource } from "./fluid/fluid.ts";
import type { Machine } from "./machine.ts";

/** The resources that a flow passes, and the flow's highest rate. */
export interface Way {
  readonly uses: readonly Resource[];
  readonly bound?: number;
}

/** The way of a computation on at most `bound` cores. */
export const wayOfCores = ({ cores, host, gate }: Machine, bound: number): Way => ({
  uses: [cores, host.cores, gate],
  bound,
});

/** The way from or to the node's own disk. */
export const wayOfDisk = (machine: Machine): Way => ({ uses: disksOf(machine) });

/** The way of a node's writes into memory, or of reads of its written data. */
export function wayOfScratch(machine: Machine): Way {
  const { cache } = machine.host;
  return cache === undefined
    ? wayOfDisk(machine)
    : { uses: [machine.gate], bound: cache.spec.bytesPerMs };
}

/** The size of a write, and the owner that will delete it, if any. */
interface Written {
  readonly size: number;
  readonly now: number;
  readonly owner?: object;
}

/** The way of a single write: into memory if all of it fits there. */
export function wayToWrite(machine: Machine, { size, now, owner }: Written): Way {
  const { cache } = machine.host;
  if (cache === undefined || cache.room(now) < size) return wayOfDisk(machine);
  cache.take(size, now, owner);
  return wayOfScratch(machine);
}

/** The way from one node's disk to another node. */
export const wayBetween = (from: Machine, to: Machine): Way => ({
  uses: [...disksOf(from), ...linksBetween(from, to)],
});

/** The way of an output from the node that wrote it to another node. */
export function wayOfOutput(from: Machine, to: Machine): Required<Way> {
  const { cache } = from.host;
  const uses = cache === undefined ? [from.disk, from.host.disk, from.gate] : [from.gate];
  addLinks(uses, from, to);
  return { uses, bound: cache === undefined ? Number.POSITIVE_INFINITY : cache.spec.bytesPerMs };
}

/**
 * The way of bytes that are written on the first node and passed on from each node to the next as
 * they arrive, all at the pace of the slowest. Each resource on the way is used once.
 */
export function wayOfPipeline(machines: readonly Machine[], what: Written): Way {
  const way = new Set<Resource>();
  let bound = Number.POSITIVE_INFINITY;
  for (const [i, machine] of machines.entries()) {
    const before = machines[i - 1];
    if (before !== undefined) {
      for (const one of [before.gate, ...linksBetween(before, machine)]) way.add(one);
    }
    const written = wayToWrite(machine, what);
    for (const one of written.uses) way.add(one);
    bound = Math.min(bound, written.bound ?? bound);
  }
  return { uses: [...way], bound };
}

const disksOf = ({ disk, host, gate }: Machine): readonly Resource[] => [disk, host.disk, gate];

function linksBetween(from: Machine, to: Machine): readonly Resource[] {
  const links: Resource[] = [];
  addLinks(links, from, to);
  return links;
}

function addLinks(uses: Resource[], from: Machine, to: Machine): void {
  if (from === to) return;
  uses.push(to.gate);
  if (from.host === to.host) return;
  uses.push(from.host.up, to.host.down);
  if (from.rack !== to.rack) uses.push(from.rack.up, to.rack.down);
}
