import type { FlowOwner } from "./flow-owner.ts";
import { capacityAt } from "./fluid/capacity.ts";
import type { Fluid, Resource } from "./fluid/fluid.ts";
import type { HostSpec } from "./scenario.ts";

type Shared = Resource<FlowOwner>;

/** What the nodes of one machine share. */
export interface HostResources {
  readonly spec: HostSpec;
  readonly cores: Shared;
  readonly disk: Shared;
  readonly up: Shared;
  readonly down: Shared;
}

/** What a rack shares towards the others. */
export interface RackResources {
  readonly up: Shared;
  readonly down: Shared;
}

/** A node's part of its machine. */
export interface Machine {
  readonly host: HostResources;
  readonly rack: RackResources;
  readonly cores: Shared;
  readonly disk: Shared;
  /** All that flows through the node at all; shut while it stands still. */
  readonly gate: Shared;
}

export function makeHost(fluid: Fluid<FlowOwner>, name: string, spec: HostSpec): HostResources {
  return {
    spec,
    cores: fluid.addResource(`${name}.cores`, spec.cores),
    disk: fluid.addResource(`${name}.disk`, spec.disk),
    up: fluid.addResource(`${name}.up`, spec.upBytesPerMs),
    down: fluid.addResource(`${name}.down`, spec.downBytesPerMs),
  };
}

export function makeMachine(
  fluid: Fluid<FlowOwner>,
  {
    name,
    host,
    rack,
  }: { readonly name: string; readonly host: HostResources; readonly rack: RackResources },
): Machine {
  const unlimited = Number.POSITIVE_INFINITY;
  return {
    host,
    rack,
    cores: fluid.addResource(`${name}.cores`, unlimited),
    disk: fluid.addResource(`${name}.disk`, unlimited),
    gate: fluid.addResource(`${name}.gate`, unlimited),
  };
}

/**
 * A slow node has slower cores and gets less of its disk; one that stands still lets nothing
 * through.
 */
export function setMachineSpeed(
  fluid: Fluid<FlowOwner>,
  machine: Machine,
  { slowness, running }: { readonly slowness: number; readonly running: boolean },
): void {
  const { spec } = machine.host;
  fluid.setCapacity(machine.cores, spec.coresPerVm / slowness);
  // The disk as the node would have it alone: as fast as its streams make it, up to its cap.
  const disk = spec.disk.map(({ streams, perMs }) => {
    return { streams, perMs: Math.min(perMs, spec.diskBytesPerMsPerVm) / slowness };
  });
  fluid.setCapacity(machine.disk, disk);
  fluid.setCapacity(machine.gate, running ? Number.POSITIVE_INFINITY : 0);
}

/** What one stream of a node of factor 1 gets if it is alone on the machine. */
export function diskOfNode(spec: HostSpec): number {
  return Math.min(spec.diskBytesPerMsPerVm, capacityAt(spec.disk, 1));
}

/** The way of bytes from one node's disk to another node. */
export function wayBetween(from: Machine, to: Machine): Shared[] {
  const way = [from.disk, from.host.disk, from.gate];
  if (from === to) return way;
  way.push(to.gate);
  if (from.host === to.host) return way;
  way.push(from.host.up, to.host.down);
  if (from.rack !== to.rack) way.push(from.rack.up, to.rack.down);
  return way;
}
