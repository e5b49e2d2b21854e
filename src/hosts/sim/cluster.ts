import { defined } from "../../base/assert.ts";
import { nextFloat, type RandomState, randomState } from "../../base/random.ts";
import type { Node } from "../../model/cluster.ts";
import { nodeId, rackId, slotKind } from "../../model/ids.ts";
import { draw } from "./chance.ts";
import type { FlowOwner } from "./flow-owner.ts";
import type { Fluid } from "./fluid/fluid.ts";
import {
  type HostResources,
  type Machine,
  makeHost,
  makeMachine,
  type RackResources,
  setMachineSpeed,
} from "./machine.ts";
import { nodeNames } from "./node-names.ts";
import type { ClusterSpec, NodeGroup } from "./scenario.ts";
import { SimNode } from "./sim-node.ts";

/**
 * The nodes of a cluster, in the order in which they are written; what is drawn hangs on the seed.
 */
export function makeNodes(spec: ClusterSpec, seed: number, fluid: Fluid<FlowOwner>): SimNode[] {
  const factors = randomState(seed, "factors");
  const beats = randomState(seed, "heartbeats");
  const racks = spec.racks.map((name) => ({
    up: fluid.addResource(`${name}.up`, spec.rackUpBytesPerMs),
    down: fluid.addResource(`${name}.down`, spec.rackDownBytesPerMs),
  }));
  const nodes: SimNode[] = [];
  for (const group of spec.nodes) {
    const names = nodeNames([group]);
    let host: HostResources | undefined;
    for (const [i, name] of names.entries()) {
      if (i % group.vmsPerHost === 0) host = hostOf(spec, group, { fluid, name: `${name}.host` });
      const rack = rackOf(spec, group, nodes.length);
      const node: Node = {
        id: nodeId(nodes.length),
        name,
        rack: rackId(rack),
        slots: spec.slotKinds.flatMap((kind, index) => {
          const count = group.slots[kind] ?? 0;
          return count === 0 ? [] : [{ kind: slotKind(index), count }];
        }),
      };
      const machine = machineOf({ fluid, name, host, rack: defined(racks[rack], "a rack") });
      nodes.push(makeNode(node, { group, spec, machine, factors, beats, fluid }));
    }
  }
  return nodes;
}

function makeNode(
  node: Node,
  from: {
    readonly group: NodeGroup;
    readonly spec: ClusterSpec;
    readonly machine: Machine | undefined;
    readonly factors: RandomState;
    readonly beats: RandomState;
    readonly fluid: Fluid<FlowOwner>;
  },
): SimNode {
  const made = new SimNode(node, {
    factor: draw(from.factors, from.group.factor),
    firstBeat: nextFloat(from.beats) * from.spec.heartbeatMs,
    machine: from.machine,
    kinds: from.spec.slotKinds.length,
  });
  if (made.machine !== undefined) {
    setMachineSpeed(from.fluid, made.machine, { slowness: made.slowness, running: true });
  }
  return made;
}

function hostOf(
  { hosts }: ClusterSpec,
  { host }: NodeGroup,
  { fluid, name }: { readonly fluid: Fluid<FlowOwner>; readonly name: string },
): HostResources | undefined {
  return host === undefined
    ? undefined
    : makeHost(fluid, name, defined(hosts[host], `host ${host}`));
}

function machineOf({
  fluid,
  name,
  host,
  rack,
}: {
  readonly fluid: Fluid<FlowOwner>;
  readonly name: string;
  readonly host: HostResources | undefined;
  readonly rack: RackResources;
}): Machine | undefined {
  return host === undefined ? undefined : makeMachine(fluid, { name, host, rack });
}

function rackOf({ racks }: ClusterSpec, { rack }: NodeGroup, index: number): number {
  return rack === undefined ? index % racks.length : racks.indexOf(rack);
}
