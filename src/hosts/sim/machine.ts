import type { FlowOwner } from "./flow-owner.ts";
import { capacityAt } from "./fluid/capacity.ts";
import type { Fluid, Resource } from "./fluid/fluid.ts";
import { PageCache } from "./page-cache.ts";
import type { SimRackLinks } from "./rack-links.ts";
import type { HostSpec } from "./scenario.ts";

/** The resources that the nodes of one machine share. */
export interface HostResources {
  readonly spec: HostSpec;
  readonly cores: Resource;
  readonly disk: Resource;
  readonly up: Resource;
  readonly down: Resource;
  readonly cache: PageCache | undefined;
  /** The disk share of each node of the machine. */
  readonly nodeDisks: Resource[];
}

/** A node's part of its machine. */
export interface Machine {
  readonly host: HostResources;
  readonly rack: SimRackLinks;
  readonly cores: Resource;
  readonly disk: Resource;
  /** A gate that all flows of the node pass; shut while the node is paused. */
  readonly gate: Resource;
}

export function makeHost(fluid: Fluid<FlowOwner>, name: string, spec: HostSpec): HostResources {
  const disk = fluid.addResource(`${name}.disk`, spec.disk);
  const { pageCache } = spec;
  return {
    spec,
    cores: fluid.addResource(`${name}.cores`, spec.cores),
    disk,
    up: fluid.addResource(`${name}.up`, spec.upBytesPerMs),
    down: fluid.addResource(`${name}.down`, spec.downBytesPerMs),
    cache: pageCache === undefined ? undefined : new PageCache(fluid, disk, pageCache),
    nodeDisks: [],
  };
}

export function makeMachine(
  fluid: Fluid<FlowOwner>,
  {
    name,
    host,
    rack,
  }: { readonly name: string; readonly host: HostResources; readonly rack: SimRackLinks },
): Machine {
  const unlimited = Number.POSITIVE_INFINITY;
  const disk = fluid.addResource(`${name}.disk`, unlimited);
  host.nodeDisks.push(disk);
  return {
    host,
    rack,
    cores: fluid.addResource(`${name}.cores`, unlimited),
    disk,
    gate: fluid.addResource(`${name}.gate`, unlimited),
  };
}

/**
 * Sets a node's speed: a slow node has slower cores and gets less of its disk; a paused node lets
 * nothing through.
 */
export function setMachineSpeed(
  fluid: Fluid<FlowOwner>,
  machine: Machine,
  { slowness, running }: { readonly slowness: number; readonly running: boolean },
): void {
  const { spec } = machine.host;
  fluid.setCapacity(machine.cores, spec.coresPerVm / slowness);
  fluid.setShare(machine.disk, machine.host.disk, () => diskShare(machine.host) / slowness);
  fluid.setCapacity(machine.gate, running ? Number.POSITIVE_INFINITY : 0);
}

/**
 * The disk rate of one node. Nodes on one machine share its disk fairly, however many streams each
 * has: active nodes get equal shares, up to their cap (LATE §5.1 says so of virtual machines).
 */
function diskShare({ spec, disk, nodeDisks }: HostResources): number {
  let busy = 0;
  for (const { streams } of nodeDisks) if (streams > 0) busy += 1;
  const rate = capacityAt(spec.disk, Math.max(1, disk.streams));
  return Math.min(rate / Math.max(1, busy), spec.diskBytesPerMsPerVm);
}

/** The disk rate of one stream on a node of factor 1 that is alone on its machine. */
export function diskOfNode(spec: HostSpec): number {
  return Math.min(spec.diskBytesPerMsPerVm, capacityAt(spec.disk, 1));
}
