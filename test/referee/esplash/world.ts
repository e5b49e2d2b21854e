import type { Dice } from "../../letter/dice.ts";

/** A random scenario, in the form of a scenario file; and the names of its nodes. */
export interface World {
  readonly scenario: object;
  readonly nodes: readonly string[];
  readonly discipline: string;
}

const SECOND = 1_000;

export function drawWorld(dice: Dice): World {
  const isYarn = dice.chance(0.5);
  const [maps, reduces] = isYarn ? ["container", "container"] : ["map", "reduce"];
  const groups = drawGroups(dice, isYarn);
  const nodes = groups.flatMap(({ name, count }) =>
    Array.from({ length: count }, (_, index) => (count === 1 ? name : `${name}-${index}`)),
  );
  const sharing = dice.pick(["fifo-plain", "fair", "fifo-plain"]);
  const order = dice.pick(["hadoop", "yarn"]);
  return {
    nodes,
    discipline: `esplash,sharing=${sharing},order=${order}`,
    scenario: {
      name: "referee",
      about: "A random world.",
      cluster: {
        slotKinds: isYarn ? ["container"] : ["map", "reduce"],
        racks: ["r0", "r1"],
        nodes: groups,
        heartbeatMs: dice.pick([0, SECOND, 3 * SECOND]),
        reportEveryMs: dice.pick([0, 0, SECOND, 3 * SECOND]),
      },
      jobs: drawJobs(dice, { maps: maps!, reduces: reduces! }),
      faults: drawFaults(dice, nodes),
      study: { seeds: 1, disciplines: [{ discipline: "none" }] },
    },
  };
}

/** Nodes of two to four kinds. */
function drawGroups(dice: Dice, isYarn: boolean) {
  const kinds = dice.whole(2, 4);
  let left = dice.whole(kinds + 1, 9);
  return Array.from({ length: kinds }, (_, kind) => {
    const most = left - (kinds - kind - 1);
    const count = kind === kinds - 1 ? left : dice.whole(1, Math.min(most, 4));
    left -= count;
    const wide = dice.whole(1, 4);
    return {
      name: `k${kind}`,
      count,
      factor: dice.pick([1, 1.6, 2.5, 4]) * dice.pick([1, 1.1]),
      slots: isYarn ? { container: wide } : { map: wide, reduce: dice.whole(1, 2) },
    };
  });
}

function drawJobs(dice: Dice, { maps, reduces }: { maps: string; reduces: string }) {
  return Array.from({ length: dice.whole(1, 4) }, (_, index) => ({
    name: `job-${index}`,
    arrival: { atMs: dice.whole(0, index * 60) * SECOND },
    phases: [
      {
        name: "map",
        slots: [maps],
        // On some levels no task of a small phase finishes.
        tasks: dice.pick([dice.whole(3, 12), dice.whole(6, 60)]),
        work: drawWork(dice),
        failureProbability: dice.pick([0, 0, 0.03]),
      },
      ...(dice.chance(0.6)
        ? [
            {
              name: "reduce",
              slots: [reduces],
              tasks: dice.whole(2, 12),
              after: [{ phase: "map", start: dice.pick(["done", { fraction: 0.05 }, "done"]) }],
              work: drawWork(dice),
            },
          ]
        : []),
    ],
  }));
}

function drawWork(dice: Dice) {
  const median = dice.whole(4, 40) * SECOND;
  const sigma = dice.pick([0, 0.1, 0.16, 0.4]);
  return {
    kind: "fixed",
    stages: [
      {
        name: "work",
        share: 1,
        stepMs: sigma === 0 ? median : { kind: "lognormal", median, sigma },
      },
    ],
    drawnPerAttempt: dice.chance(0.5),
  };
}

/** Some nodes become slow, and worse. */
function drawFaults(dice: Dice, nodes: readonly string[]) {
  const faults: object[] = [];
  const at = () => dice.whole(10, 240) * SECOND;
  for (let count = dice.whole(1, 4); count > 0; count--) {
    const node = dice.pick(nodes);
    const forMs = dice.whole(20, 120) * SECOND;
    faults.push(
      dice.chance(0.7)
        ? { kind: "slow", at: at(), node, factor: dice.pick([1.5, 2, 3, 8, 50]), forMs }
        : {
            kind: "stress",
            at: at(),
            node,
            factor: 4,
            onMs: forMs,
            offMs: 20 * SECOND,
            until: 600 * SECOND,
          },
    );
  }
  if (dice.chance(0.3)) {
    faults.push({
      kind: "pause",
      at: at(),
      node: dice.pick(nodes),
      forMs: dice.whole(5, 40) * SECOND,
    });
  }
  if (dice.chance(0.3)) {
    const back = dice.chance(0.7) ? { backAfterMs: dice.whole(1, 90) * SECOND } : {};
    faults.push({
      ...{ kind: "kill", at: at(), node: dice.pick(nodes), ...back },
      what: dice.pick(["machine", "tracker", "reboot"]),
    });
  }
  if (dice.chance(0.2)) faults.push({ kind: "lose-outputs", at: at(), node: dice.pick(nodes) });
  if (dice.chance(0.2)) faults.push({ kind: "evict", at: at(), node: dice.pick(nodes), count: 2 });
  return faults;
}
