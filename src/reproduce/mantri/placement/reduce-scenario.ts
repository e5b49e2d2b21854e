import { draw } from "../../../base/chance.ts";
import { type RandomState, shuffle, split } from "../../../base/random.ts";
import { sum } from "../../../base/stats.ts";
import { parseScenario } from "../../../hosts/sim/parse-scenario.ts";
import type { Scenario } from "../../../hosts/sim/scenario.ts";
import type { NetworkModel } from "./network.ts";

/** Reduces to be placed all at once. */
export interface Reduces {
  readonly name: string;
  /** The bytes that each reduce reads. */
  readonly bytes: readonly number[];
  readonly cpuBytesPerMs?: number;
}

/** The maps that wrote the reduces' input; their own time does not matter. */
export interface Maps {
  readonly cpuBytesPerMs?: number;
}

/** Each map gets a slot at once, so the outputs are spread evenly over the nodes. */
const MAPS_PER_NODE = 2;
const REPLICAS = 3;
const UNLIMITED = 1e12;

/**
 * A phase of reduces on a network between racks. The maps' outputs lie evenly over the nodes, free
 * slots do not; background traffic on the racks' links rises and falls.
 */
export function reduceScenario(
  network: NetworkModel,
  reduces: Reduces,
  of: { readonly chance: RandomState; readonly maps?: Maps },
): Scenario {
  const nodes = nodesOf(network, reduces.bytes.length, of.chance);
  const { othersUpShare, othersDownShare, othersMs, linkSampleMs, rackBytesPerMs } = network;
  const host = {
    cores: 64,
    disk: [{ streams: 1, bytesPerMs: UNLIMITED }],
    upBytesPerMs: network.nodeBytesPerMs,
    downBytesPerMs: network.nodeBytesPerMs,
  };
  const congestion = { kind: "congestion", at: 0, rack: "*", everyMs: othersMs };
  return parseScenario(
    {
      name: reduces.name,
      cluster: {
        racks: rackNames(network),
        nodes,
        hosts: { server: host },
        rackUpBytesPerMs: rackBytesPerMs,
        rackDownBytesPerMs: rackBytesPerMs,
        linkSampleMs,
        heartbeatMs: 0,
      },
      jobs: [
        {
          name: "job",
          // The job arrives when the links have been measured under background traffic.
          arrival: { atMs: linkSampleMs },
          phases: phasesOf(reduces, { nodes: nodes.length, maps: of.maps }),
        },
      ],
      faults: [
        { ...congestion, way: "up", share: othersUpShare },
        { ...congestion, way: "down", share: othersDownShare },
      ],
      study: { disciplines: [{ discipline: "none" }] },
    },
    reduces.name,
  );
}

function phasesOf(
  { bytes, cpuBytesPerMs }: Reduces,
  of: { readonly nodes: number; readonly maps: Maps | undefined },
) {
  const tasks = of.nodes * MAPS_PER_NODE;
  return [
    {
      name: "map",
      slots: ["map"],
      tasks,
      work: { kind: "map", inputBytes: sum(bytes) / tasks, replicas: REPLICAS, ...of.maps },
    },
    {
      name: "reduce",
      slots: ["reduce"],
      tasks: bytes.length,
      after: [{ phase: "map" }],
      work: {
        kind: "reduce",
        lanes: of.nodes,
        partitionWeight: { kind: "choice", values: bytes },
        sortPasses: 0,
        outputPerInput: 0,
        ...(cpuBytesPerMs === undefined ? {} : { cpuBytesPerMs }),
      },
    },
  ];
}

const rackNames = ({ racks }: NetworkModel): readonly string[] =>
  Array.from({ length: racks }, (_, rack) => `rack-${rack}`);

/**
 * Each node has room for some maps; the places of the reduces' free slots are drawn. The nodes are
 * in random order, and offer their slots in this order, so that no rack comes first.
 */
function nodesOf(network: NetworkModel, tasks: number, chance: RandomState) {
  const { nodesPerRack, freeSlotsPerTask, freeSlotsOfRack } = network;
  const racks = rackNames(network);
  const own = split(chance, 1);
  const weights = racks.map(() => draw(own, freeSlotsOfRack));
  const all = sum(weights);
  const nodes = racks.flatMap((rack, i) => {
    // Rounding up ensures at least as many slots as tasks.
    const free = Math.ceil((freeSlotsPerTask * tasks * (weights[i] ?? 0)) / all);
    return Array.from({ length: nodesPerRack }, (_, node) => ({
      name: `${rack}-node-${node}`,
      count: 1,
      rack,
      host: "server",
      slots: {
        map: MAPS_PER_NODE,
        reduce: Math.floor((free + node) / nodesPerRack),
      },
    }));
  });
  return shuffle(own, nodes);
}
