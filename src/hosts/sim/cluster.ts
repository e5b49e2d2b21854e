import { defined } from "../../base/assert.ts";
import { draw } from "../../base/chance.ts";
import { ascending } from "../../base/order.ts";
import { nextFloat, type RandomState, randomState, shuffle } from "../../base/random.ts";
import { sum } from "../../base/stats.ts";
import type { Node, SlotCounts } from "../../model/cluster.ts";
import type { LinkSample } from "../../model/event.ts";
import { type NodeId, nodeId, rackId, slotKind } from "../../model/ids.ts";
import type { FlowOwner } from "./flow-owner.ts";
import type { Fluid } from "./fluid/fluid.ts";
import { FreeSlots } from "./free-slots.ts";
import { type Machine, makeHost, makeMachine, setMachineSpeed } from "./machine.ts";
import { nodeNames } from "./node-names.ts";
import { SimRackLinks } from "./rack-links.ts";
import type { ClusterSpec, HostSpec, NodeGroup } from "./scenario.ts";
import type { SlotLife } from "./slot-life.ts";
import { SimNode } from "./state.ts";

/** One machine with its nodes. */
interface Place {
  readonly group: NodeGroup;
  /** Index of the machine's rack. */
  readonly rack: number;
  readonly names: readonly string[];
}

/** The machines in order. Machines of a group without a rack are spread over the racks in turn. */
function placesOf({ nodes: groups, racks }: ClusterSpec): readonly Place[] {
  const places: Place[] = [];
  for (const group of groups) {
    const names = nodeNames([group]);
    for (let first = 0; first < names.length; first += group.vmsPerHost) {
      const rack =
        group.rack === undefined ? places.length % racks.length : racks.indexOf(group.rack);
      places.push({ group, rack, names: names.slice(first, first + group.vmsPerHost) });
    }
  }
  return places;
}

/** The racks' links, in the order of the racks in the scenario. */
export function makeRacks(spec: ClusterSpec, fluid: Fluid<FlowOwner>): SimRackLinks[] {
  const places = placesOf(spec);
  return spec.racks.map((name, index) => {
    const inRack = places.filter(({ rack }) => rack === index);
    return new SimRackLinks({ rack: rackId(index), name, fluid, whole: linksOf(spec, inRack) });
  });
}

function linksOf(spec: ClusterSpec, places: readonly Place[]): LinkSample {
  const { oversubscription, rackUpBytesPerMs, rackDownBytesPerMs } = spec;
  if (oversubscription === undefined) {
    return { upBytesPerMs: rackUpBytesPerMs, downBytesPerMs: rackDownBytesPerMs };
  }
  const hosts = places.map(({ group }) => hostSpecOf(spec, group));
  const share = (of: (host: HostSpec) => number): number =>
    sum(hosts.map((host) => (host === undefined ? 0 : of(host)))) / oversubscription;
  return {
    upBytesPerMs: share(({ upBytesPerMs }) => upBytesPerMs),
    downBytesPerMs: share(({ downBytesPerMs }) => downBytesPerMs),
  };
}

function hostSpecOf({ hosts }: ClusterSpec, { host }: NodeGroup): HostSpec | undefined {
  return host === undefined ? undefined : defined(hosts[host], `host ${host}`);
}

/** What a program may add to a scenario's cluster. */
export interface NodeOptions {
  /** By name, the nodes whose slots come and go. A node joins when its first slot comes. */
  readonly lives?: ReadonlyMap<string, SlotLife> | undefined;
  /** The nodes that are offered first: those that the cluster lists first, or drawn by the seed. */
  readonly nodeOrder?: "listed" | "drawn" | undefined;
}

/** The nodes of a cluster in the order of their ids; drawn numbers depend on the seed. */
export function makeNodes(
  spec: ClusterSpec,
  seed: number,
  {
    fluid,
    racks,
    lives,
    nodeOrder = "listed",
  }: NodeOptions & {
    readonly fluid: Fluid<FlowOwner>;
    readonly racks: readonly SimRackLinks[];
  },
): SimNode[] {
  const factors = randomState(seed, "factors");
  const beats = randomState(seed, "heartbeats");
  const nodes: SimNode[] = [];
  const ids = idsOf(nodeNames(spec.nodes), { seed, nodeOrder, lives });
  const offersOf = new Map(
    spec.nodes.map((group) => [group, new FreeSlots(slotsOf(group, spec.slotKinds))]),
  );
  for (const { group, rack, names } of placesOf(spec)) {
    const hostSpec = hostSpecOf(spec, group);
    const host = hostSpec === undefined ? undefined : makeHost(fluid, `${names[0]}.host`, hostSpec);
    const links = defined(racks[rack], "a rack");
    const offers = defined(offersOf.get(group), "the slots of a group");
    for (const name of names) {
      const id = defined(ids.get(name), "the id of a node");
      const node: Node = { id, name, rack: rackId(rack), slots: offers.slots };
      const machine =
        host === undefined ? undefined : makeMachine(fluid, { name, host, rack: links });
      const life = lives?.get(name);
      nodes.push(makeNode(node, { group, spec, machine, factors, beats, fluid, life, offers }));
    }
  }
  return nodes.sort(ascending(({ node }) => node.id));
}

const slotsOf = ({ slots }: NodeGroup, kinds: readonly string[]): SlotCounts =>
  kinds.flatMap((kind, index) => {
    const count = slots[kind] ?? 0;
    return count === 0 ? [] : [{ kind: slotKind(index), count }];
  });

/** Ids follow the order in which nodes join, then the given or drawn order. */
function idsOf(
  names: readonly string[],
  { seed, nodeOrder, lives }: NodeOptions & { readonly seed: number },
): ReadonlyMap<string, NodeId> {
  const order = nodeOrder === "drawn" ? shuffle(randomState(seed, "node order"), names) : names;
  // The sort is stable: nodes that join together keep their order.
  const joining = [...order].sort(ascending((name) => lives?.get(name)?.joinsAtMs ?? 0));
  return new Map(joining.map((name, rank) => [name, nodeId(rank)]));
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
    readonly life: SlotLife | undefined;
    readonly offers: FreeSlots;
  },
): SimNode {
  const made = new SimNode(node, {
    factor: draw(from.factors, from.group.factor),
    firstBeat: nextFloat(from.beats) * from.spec.heartbeatMs,
    machine: from.machine,
    life: from.life,
    offers: from.offers,
  });
  if (made.machine !== undefined) {
    setMachineSpeed(from.fluid, made.machine, { slowness: made.slowness, running: true });
  }
  return made;
}
