import { Dice } from "./dice.ts";
import { below } from "./figures.ts";
import {
  type Demand,
  drawWorld,
  type Links,
  playWorld,
  SHORT_MS,
  type Start,
  type World,
} from "./placement-world.ts";

/** What became of one world. */
export interface Placed {
  /** By which bandwidths, and how; or that there was nothing to choose. */
  readonly how: "by the links at the start" | "by equal links" | "greedily" | "nothing to place";
  /** What the policy did wrong. */
  readonly fault: string | undefined;
}

/**
 * Mantri, section 5.2, through the public door: each reduce goes to the rack with which the busiest
 * of all links finishes soonest. The reference tries every placement. Where these are too many, the
 * policy searches greedily (ours): no move of one reduce to or from the rack of the busiest link,
 * and no swap with one there, may relieve that rack.
 */
export function judgePlacement(seed: number): Placed {
  const dice = new Dice(seed);
  const plan = drawWorld(dice);
  const played = playWorld(dice, plan);
  const { demand } = played;
  const startMs = plan.links === undefined || plan.isGreedy ? 0 : least(demand, plan.links);
  if (!plan.isOnTheBound || startMs === 0) return judge(plan, played, SHORT_MS);
  const again = new Dice(seed);
  return judge(plan, playWorld(again, drawWorld(again), startMs), startMs);
}

function judge(
  plan: World,
  { demand, preferred, started }: ReturnType<typeof playWorld>,
  shortMs: number,
): Placed {
  const { links, maps, racks, reduces } = plan;
  const rackOf = new Map(preferred.map(({ task, racks: [rack] }) => [task - maps, Number(rack)]));
  const placed = demand.map(({ reduce }) => rackOf.get(reduce) ?? Number.NaN);
  const count = racks === 1 ? 0 : demand.length;
  const fault =
    preferred.length === count
      ? faultOfStarts(started, { reduces, rackOf })
      : `${preferred.length} reduces are placed, and ${count} should be`;
  if (count === 0) return { how: "nothing to place", fault };
  const all = new Array<number>(racks).fill(1);
  const equal = { up: all, down: all };
  if (plan.isGreedy) {
    const isRelieved = couldRelieve(demand, placed, links ?? equal);
    const idle = isRelieved ? "a move or a swap would relieve the busiest link" : undefined;
    return { how: "greedily", fault: fault ?? idle };
  }
  const isShort = links !== undefined && least(demand, links) <= shortMs;
  const by = isShort ? links : equal;
  const how = isShort ? "by the links at the start" : "by equal links";
  const [found, best] = [busiest(demand, placed, by), least(demand, by)];
  const busier = !below(best, found) ? undefined : `the busiest link takes ${found}, not ${best}`;
  return { how, fault: fault ?? busier };
}

/** A reduce starts on the rack that it was given, before those that were given another or none. */
function faultOfStarts(
  started: readonly Start[],
  of: { readonly reduces: number; readonly rackOf: ReadonlyMap<number, number> },
): string | undefined {
  const waiting = new Set(Array.from({ length: of.reduces }, (_, reduce) => reduce));
  for (const { rack, reduce } of started) {
    const [first] = waiting;
    const expected = [...waiting].find((one) => of.rackOf.get(one) === rack) ?? first;
    if (reduce !== expected) return `on rack ${rack} reduce ${reduce} starts, not ${expected}`;
    if (reduce !== undefined) waiting.delete(reduce);
  }
  return undefined;
}

/**
 * The time of each rack's links: c_j is the outgoing bytes over the bandwidth of the uplink, and
 * the incoming bytes over that of the downlink.
 */
function costs(demand: Demand, placed: readonly number[], { up, down }: Links): number[] {
  return up.map((upBytesPerMs, rack) => {
    let [leaves, comes] = [0, 0];
    for (const [i, { on }] of demand.entries()) {
      const here = on[rack]!;
      if (placed[i] === rack) comes += on.reduce((sum, bytes) => sum + bytes, 0) - here;
      else leaves += here;
    }
    return Math.max(leaves / upBytesPerMs, comes / down[rack]!);
  });
}

const busiest = (demand: Demand, placed: readonly number[], links: Links): number =>
  Math.max(...costs(demand, placed, links));

/** Whether a step leaves the rack of the busiest link, and the other one it touches, less busy. */
function couldRelieve(demand: Demand, placed: readonly number[], links: Links): boolean {
  const now = costs(demand, placed, links);
  const most = Math.max(...now);
  // Of racks that are equally busy, the search looks at the first alone.
  const worst = now.findIndex((cost) => !below(cost, most));
  const relieves = (steps: readonly (readonly [task: number, to: number])[]): boolean => {
    const next = [...placed];
    for (const [task, to] of steps) next[task] = to;
    const touched = new Set([
      ...steps.map(([, to]) => to),
      ...steps.map(([task]) => placed[task]!),
    ]);
    const after = costs(demand, next, links);
    return [...touched].every((rack) => below(after[rack]!, most));
  };
  return placed.some((from, task) => {
    if (from !== worst) return relieves([[task, worst]]);
    if (now.some((_, to) => to !== from && relieves([[task, to]]))) return true;
    return placed.some((to, other) => {
      if (to === from) return false;
      return relieves([
        [task, to],
        [other, from],
      ]);
    });
  });
}

function least(demand: Demand, links: Links): number {
  const racks = links.up.length;
  let best = Number.POSITIVE_INFINITY;
  for (let number = 0; number < racks ** demand.length; number++) {
    const placed = demand.map((_, i) => Math.floor(number / racks ** i) % racks);
    best = Math.min(best, busiest(demand, placed, links));
  }
  return best;
}
