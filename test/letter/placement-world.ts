import {
  createScheduler,
  instant,
  jobId,
  nodeId,
  phaseId,
  rackId,
  type Scheduler,
  SETUP_DEFAULTS,
  slotKind,
  taskId,
} from "../../src/core/index.ts";
import { type Action, parseDiscipline } from "../../src/policy/index.ts";
import type { Dice } from "./dice.ts";

export const PLACEMENT = "mantri-placement";

/** `startMsMax`: up to here the bandwidths of the start count, beyond it all links are equal. */
export const SHORT_MS = 60_000;

const [MAP, REDUCE] = [slotKind(0), slotKind(1)];

export interface Links {
  readonly up: readonly number[];
  readonly down: readonly number[];
}

/** The matrix I: bytes of each reduce on each rack, of those that have any. */
export type Demand = readonly { readonly reduce: number; readonly on: readonly number[] }[];

export interface World {
  readonly racks: number;
  readonly maps: number;
  readonly reduces: number;
  /** Of the start, if they were sampled. */
  readonly links: Links | undefined;
  /** The most bytes that a map writes for a reduce. */
  readonly largest: number;
  /** No phase is small enough for the search of all placements. */
  readonly isGreedy: boolean;
  /** The busiest link takes exactly as long as the bandwidths at the start count. */
  readonly isOnTheBound: boolean;
}

export function drawWorld(dice: Dice): World {
  const racks = dice.whole(1, 4);
  const isGreedy = dice.chance(0.5);
  return {
    ...{ racks, isGreedy },
    maps: dice.whole(1, racks === 1 ? 4 : 8),
    reduces: isGreedy ? dice.whole(3, 16) : dice.whole(1, 4),
    links: dice.chance(0.7) ? drawLinks(dice, racks) : undefined,
    // Little data takes less than a minute, so that the links at the start are those that count.
    largest: isGreedy ? 500 : dice.pick([1e3, 1e6, 1e9]),
    isOnTheBound: !isGreedy && dice.chance(0.3),
  };
}

/** The reduce that got a slot on the rack. */
export interface Start {
  readonly rack: number;
  readonly reduce: number | undefined;
}

/** A job of maps on all racks, the reduces' preferences, and the order in which they start. */
export function playWorld(dice: Dice, world: World, startMsMax = SHORT_MS) {
  const { isGreedy, largest, links, maps, racks, reduces } = world;
  const sets = [...(isGreedy ? ["exactPlacementsMax=1"] : [])];
  // The published value is not set, so that it must be the policy's default.
  if (startMsMax !== SHORT_MS) sets.push(`startMsMax=${startMsMax}`);
  const scheduler = createScheduler({
    ...SETUP_DEFAULTS,
    seed: 1,
    slotKinds: ["map", "reduce"],
    racks: Array.from({ length: racks }, (_, rack) => `r${rack}`),
    discipline: parseDiscipline(
      PLACEMENT,
      sets.map((set) => `data.${set}`),
    ),
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
  if (running.length !== maps) throw new Error(`${running.length} of ${maps} maps have a slot`);
  const bytes = Array.from({ length: reduces }, () => new Array<number>(racks).fill(0));
  for (const { attempt, task, node } of dice.shuffled(running)) {
    const segments = [{ from: instant(now), stage: 0, at: NOTHING, perMs: STEADY }];
    const curve = { kind: "curve", startedAt: instant(now), reportEvery: 0, segments } as const;
    const started = { attempt, task, node, as: "original", progress: curve } as const;
    scheduler.step({ at: at(), kind: "attempt-started", ...started });
    if (preferred.length > 0) throw new Error("a reduce is placed before all outputs are known");
    const byPartition = bytes.map(() =>
      dice.chance(0.3) ? 0 : dice.whole(1, dice.pick([largest, largest / 50])),
    );
    for (const [reduce, some] of byPartition.entries()) bytes[reduce]![node % racks]! += some;
    const sum = byPartition.reduce((total, some) => total + some, 0);
    const output = { bytes: sum, records: 1, byPartition };
    take(scheduler.step({ at: at(), kind: "attempt-succeeded", attempt, output }).actions);
  }
  const demand = bytes.flatMap((on, reduce) => (on.some((some) => some > 0) ? { reduce, on } : []));
  const started = startReduces(scheduler, [...dice.shuffled(nodes), ...nodes], { at, maps });
  return { demand, preferred, started };
}

/** One slot is offered at a time, so that no better one is free. */
const startReduces = (
  scheduler: Scheduler,
  nodes: readonly { readonly id: ReturnType<typeof nodeId>; readonly rack: number }[],
  { at, maps }: { readonly at: () => ReturnType<typeof instant>; readonly maps: number },
): readonly Start[] =>
  nodes.map(({ id: node, rack }) => {
    const free = [MAP, REDUCE].map((kind) => ({ kind, count: kind === REDUCE ? 1 : 0 }));
    const { actions } = scheduler.step({ at: at(), kind: "slots-offered", node, free });
    const launch = actions.find((action) => action.kind === "launch");
    return { rack, reduce: launch && Number(launch.task) - maps };
  });

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
