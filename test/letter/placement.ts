import { expect, test } from "vitest";
import {
  createScheduler,
  instant,
  jobId,
  nodeId,
  phaseId,
  rackId,
  SETUP_DEFAULTS,
  slotKind,
  taskId,
} from "../../src/core/index.ts";
import { type Action, parseDiscipline } from "../../src/policy/index.ts";
import { Dice } from "./dice.ts";

/**
 * Mantri, section 5.2, through the public door: each reduce goes to the rack with which the busiest
 * of all links finishes soonest. The reference tries every placement.
 */

const WORLDS = 400;
/** `startMsMax`: up to here the bandwidths of the start count, beyond it all links are equal. */
const SHORT_MS = 60_000;
const [MAP, REDUCE] = [slotKind(0), slotKind(1)];

interface Links {
  readonly up: readonly number[];
  readonly down: readonly number[];
}

/** The matrix I: bytes of each reduce on each rack, of those that have any. */
type Demand = readonly { readonly reduce: number; readonly on: readonly number[] }[];

/** c_j: for each rack's uplink the outgoing bytes, for its downlink the incoming bytes. */
function busiest(demand: Demand, placed: readonly number[], { up, down }: Links): number {
  const costs = up.flatMap((upBytesPerMs, rack) => {
    let [leaves, comes] = [0, 0];
    for (const [i, { on }] of demand.entries()) {
      const here = on[rack]!;
      if (placed[i] === rack) comes += on.reduce((sum, bytes) => sum + bytes, 0) - here;
      else leaves += here;
    }
    return [leaves / upBytesPerMs, comes / down[rack]!];
  });
  return Math.max(...costs);
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

/** A job of maps on all racks, and the reduces' preferences that follow from their outputs. */
function play(seed: number) {
  const dice = new Dice(seed);
  const racks = dice.whole(1, 4);
  const [maps, reduces] = [dice.whole(1, racks === 1 ? 4 : 8), dice.whole(1, 4)];
  const scheduler = createScheduler({
    ...SETUP_DEFAULTS,
    seed,
    slotKinds: ["map", "reduce"],
    racks: Array.from({ length: racks }, (_, rack) => `r${rack}`),
    discipline: parseDiscipline("mantri-placement"),
    capabilities: ["slot-offers", "placement", "prefer"],
  });
  let now = 0;
  const at = () => instant(++now);
  const nodes = Array.from({ length: 2 * racks }, (_, id) => ({
    id: nodeId(id),
    rack: id % racks,
  }));
  for (const { id, rack } of nodes) {
    const slots = [MAP, REDUCE].map((kind) => ({ kind, count: 2 }));
    const node = { id, name: `n${id}`, rack: rackId(rack), slots };
    scheduler.step({ at: at(), kind: "node-joined", node });
  }
  const links = dice.chance(0.7) ? drawLinks(dice, racks) : undefined;
  for (let rack = 0; rack < racks && links !== undefined; rack++) {
    const [upBytesPerMs, downBytesPerMs] = [links.up[rack]!, links.down[rack]!];
    const sample = { rack: rackId(rack), upBytesPerMs, downBytesPerMs };
    scheduler.step({ at: at(), kind: "links-sampled", ...sample });
  }
  scheduler.step({ at: at(), kind: "job-submitted", job: jobOf(maps, reduces, now) });
  const running: Extract<Action, { kind: "launch" }>[] = [];
  const preferred: Extract<Action, { kind: "prefer" }>[] = [];
  const take = (actions: readonly Action[]): void => {
    for (const action of actions) {
      if (action.kind === "launch" && action.slot === MAP) running.push(action);
      if (action.kind === "prefer") preferred.push(action);
    }
  };
  for (const { id } of dice.shuffled(nodes)) {
    const free = [MAP, REDUCE].map((kind) => ({ kind, count: kind === MAP ? 2 : 0 }));
    take(scheduler.step({ at: at(), kind: "slots-offered", node: id, free }).actions);
  }
  expect(running.length, "every map has a slot").toBe(maps);
  const bytes = Array.from({ length: reduces }, () => new Array<number>(racks).fill(0));
  const largest = dice.pick([1e3, 1e6, 1e9]);
  for (const { attempt, task, node } of dice.shuffled(running)) {
    const segments = [{ from: instant(now), stage: 0, at: NOTHING, perMs: STEADY }];
    const curve = { kind: "curve", startedAt: instant(now), reportEvery: 0, segments } as const;
    const started = { attempt, task, node, as: "original", progress: curve } as const;
    scheduler.step({ at: at(), kind: "attempt-started", ...started });
    expect(preferred, "nothing is placed before all outputs are known").toEqual([]);
    const byPartition = bytes.map(() => (dice.chance(0.3) ? 0 : dice.whole(1, largest)));
    for (const [reduce, some] of byPartition.entries()) bytes[reduce]![node % racks]! += some;
    const sum = byPartition.reduce((total, some) => total + some, 0);
    const output = { bytes: sum, records: 1, byPartition };
    take(scheduler.step({ at: at(), kind: "attempt-succeeded", attempt, output }).actions);
  }
  const demand = bytes.flatMap((on, reduce) => (on.some((some) => some > 0) ? { reduce, on } : []));
  return { racks, maps, demand, links, preferred };
}

const NOTHING = { score: 0, bytesRead: 0, bytesWritten: 0, records: 0 };
const STEADY = { ...NOTHING, score: 1e-4 };

function drawLinks(dice: Dice, racks: number): Links {
  const draw = () => Array.from({ length: racks }, () => dice.pick([1, 10, 1e3, 12_500]));
  return { up: draw(), down: draw() };
}

function jobOf(maps: number, reduces: number, submittedAt: number) {
  const stages = [{ name: "work", share: 1 }];
  const phase = (id: number, first: number, tasks: number) => ({
    id: phaseId(id),
    name: `phase-${id}`,
    job: jobId(0),
    slots: [id === 0 ? MAP : REDUCE],
    after: id === 0 ? [] : [{ phase: phaseId(0), start: { when: "fraction", of: 0.05 } as const }],
    tasks: Array.from({ length: tasks }, (_, index) => ({
      id: taskId(first + index),
      phase: phaseId(id),
      index,
      ...(id === 0 && { inputBytes: 1 }),
      replicas: [],
      stages,
    })),
  });
  return {
    ...{ id: jobId(0), name: "job", user: "u", pool: "p", priority: "normal" as const },
    submittedAt: instant(submittedAt),
    phases: [phase(0, 0, maps), phase(1, maps, reduces)],
  };
}

test("no placement of reduces has a less busy link than Mantri's", () => {
  const seen = { placed: 0, byStart: 0, byEqual: 0, alone: 0 };
  for (let seed = 1; seed <= WORLDS; seed++) {
    const { racks, maps, demand, links, preferred } = play(seed);
    if (racks === 1 || demand.length === 0) {
      expect(preferred, `seed ${seed}: nothing to choose`).toEqual([]);
      seen.alone++;
      continue;
    }
    const all = new Array<number>(racks).fill(1);
    const equal = { up: all, down: all };
    const isShort = links !== undefined && least(demand, links) <= SHORT_MS;
    const by = isShort ? links : equal;
    const rackOf = new Map(preferred.map(({ task, racks: [rack] }) => [task - maps, rack]));
    const placed = demand.map(({ reduce }) => rackOf.get(reduce) ?? Number.NaN);
    expect(preferred.length, `seed ${seed}: reduces with input`).toBe(demand.length);
    expect(busiest(demand, placed, by), `seed ${seed}`).toBeCloseTo(least(demand, by), 6);
    seen.placed += demand.length;
    if (isShort) seen.byStart++;
    else seen.byEqual++;
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
});
