import { draw } from "../../../base/chance.ts";
import { type RandomState, shuffle, split } from "../../../base/random.ts";
import { sum } from "../../../base/stats.ts";
import { parseScenario } from "../../../hosts/sim/parse-scenario.ts";
import type { Scenario } from "../../../hosts/sim/scenario.ts";
import type { NetworkModel } from "./network.ts";

/** Reduces that are to be placed all at once. */
export interface Reduces {
  readonly name: string;
  /** What each of them reads. */
  readonly bytes: readonly number[];
  readonly cpuBytesPerMs?: number;
}

/** Maps that have written what the reduces read; the time that they took does not matter. */
export interface Maps {
  readonly cpuBytesPerMs?: number;
}

/** As many maps as there are slots for them: their outputs lie evenly over the nodes. */
const MAPS_PER_NODE = 2;
const REPLICAS = 3;
const UNLIMITED = 1e12;

/**
 * A phase of reduces on a network between racks: the maps' outputs lie evenly over the nodes, free
 * slots do not; others use the racks' links, now more, now less.
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
          // By then the links have been measured while others use them.
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
 * Each node has room for some maps; where the slots for reduces are free is drawn. The nodes stand
 * in a random order, in which their slots are offered: no rack comes first.
 */
function nodesOf(network: NetworkModel, tasks: number, chance: RandomState) {
  const { nodesPerRack, freeSlotsPerTask, freeSlotsOfRack } = network;
  const racks = rackNames(network);
  const own = split(chance, 1);
  const weights = racks.map(() => draw(own, freeSlotsOfRack));
  const all = sum(weights);
  const nodes = racks.flatMap((rack, i) => {
    // Rounded up: there are never fewer slots than tasks.
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
