import { defined } from "../../base/assert.ts";
import type { Ask } from "../../model/action.ts";
import type { RackId, TaskId } from "../../model/ids.ts";
import type { Phase } from "../../model/job.ts";
import type { View } from "../../model/view.ts";
import { type ParamsOf, params } from "../params.ts";
import type { DataPolicy } from "../policy.ts";
import { placeExactly } from "./mantri-placement/exact.ts";
import { placeGreedily } from "./mantri-placement/greedy.ts";
import { type Demand, Loads, type Network, type Placement } from "./mantri-placement/loads.ts";

const PARAMS = params({
  /**
   * Milliseconds; over a longer phase, bandwidths even out. 0: always equal; Infinity: always as at
   * the start. §5.2 speaks of "a small amount of data" that finishes quickly. Ours: a minute, the
   * time in which other jobs' phases come and go.
   */
  startMsMax: {
    default: 60_000,
    about: "busiest link's time up to which the bandwidths at the start are used",
  },
  /** The exact search takes time for each placement. Ours. */
  exactPlacementsMax: {
    default: 50_000,
    min: 1,
    max: 1e6,
    whole: true,
    about: "placements of a phase up to which all are searched for the best",
  },
});

export type MantriPlacementParams = ParamsOf<typeof PARAMS>;

/** Places each reduce on a rack such that the busiest link is done soonest. */
export const mantriPlacement: DataPolicy<MantriPlacementParams, null> = {
  name: "mantri-placement",
  source:
    "Ananthanarayanan, Kandula, Greenberg, Stoica, Lu, Saha, Harris: Reining in the Outliers in " +
    "Map-Reduce Clusters using Mantri, MSR-TR-2010-69, 2010, §5.2",
  params: PARAMS,
  needs: ["prefer"],
  remember: () => null,

  // The sizes of the map outputs in each rack are known before the reduces are placed. On one rack
  // there is nothing to place, and nothing to wait for.
  slowstart: ({ view }) => (view.racks.length > 1 ? 1 : 0),

  onPhaseReady({ params, view }, id) {
    const demand = demandOf(view, view.phase(id));
    if (demand === undefined) return [];
    const { tasks, racks } = demand;
    const start = bandwidthsAt(view, racks);
    const atStart = start && placed({ ...demand, ...start }, params);
    const isShort = atStart !== undefined && atStart.busiest <= params.startMsMax;
    const { placement, search, busiest } = isShort
      ? atStart
      : placed({ ...demand, ...equal(racks.length) }, params);
    const numbers = isShort
      ? { search, bandwidths: "start", busiestLinkMs: busiest }
      : { search, bandwidths: "equal", busiestLinkBytes: busiest };
    const why = { rule: "busiest-link", numbers };
    return tasks.map(
      (task, index): Ask => ({
        kind: "prefer",
        task,
        nodes: [],
        racks: [rackOf(racks, placement, index)],
        why,
      }),
    );
  },
};

interface Placed {
  readonly placement: Placement;
  readonly search: "exact" | "greedy";
  /** The time of the busiest link: its bytes over its bandwidth. */
  readonly busiest: number;
}

function placed(network: Network, { exactPlacementsMax }: MantriPlacementParams): Placed {
  // The number of placements, as a double: Infinity exceeds any bound.
  let placements = 1;
  for (let i = 0; i < network.bytes.length; i++) placements *= network.up.length;
  const isSmall = placements <= exactPlacementsMax;
  const greedy = placeGreedily(network);
  const placement = isSmall ? placeExactly(network, greedy) : greedy;
  const busiest = new Loads(network, placement).slowest().cost;
  return { placement, search: isSmall ? "exact" : "greedy", busiest };
}

interface PhaseDemand extends Demand {
  readonly tasks: readonly TaskId[];
  readonly racks: readonly RackId[];
}

/** The matrix I: the bytes that each task reads from each rack; undefined if there is no choice. */
function demandOf(view: View, { tasks }: Phase): PhaseDemand | undefined {
  const { racks } = view;
  if (racks.length < 2) return undefined;
  const toPlace: PhaseDemand["tasks"][number][] = [];
  const bytes: number[][] = [];
  for (const { id } of tasks) {
    const byRack = view.inputByRack(id);
    const row = racks.map((rack) => byRack.get(rack) ?? 0);
    const sum = row.reduce((total, one) => total + one, 0);
    if (sum === 0) continue;
    toPlace.push(id);
    bytes.push(row);
  }
  return toPlace.length === 0 ? undefined : { tasks: toPlace, racks, bytes };
}

/** "start": the present bandwidths; undefined if a rack's links are down or were never sampled. */
function bandwidthsAt(view: View, racks: readonly RackId[]): Bandwidths | undefined {
  const up: number[] = [];
  const down: number[] = [];
  for (const rack of racks) {
    const { upBytesPerMs = 0, downBytesPerMs = 0 } = view.links(rack) ?? {};
    if (upBytesPerMs <= 0 || downBytesPerMs <= 0) return undefined;
    up.push(upBytesPerMs);
    down.push(downBytesPerMs);
  }
  return { up, down };
}

interface Bandwidths {
  readonly up: readonly number[];
  readonly down: readonly number[];
}

/** "equal": over a long life, all links are equally good. */
function equal(racks: number): Bandwidths {
  const all = new Array<number>(racks).fill(1);
  return { up: all, down: all };
}

function rackOf(racks: readonly RackId[], placement: Placement, index: number): RackId {
  const rack = racks[placement[index] ?? -1];
  return defined(rack, "a rack for every task");
}
