import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { World as RandomWorld } from "../../../test/simulate/world.ts";
import { steadily } from "../../../test/support/curves.ts";
import { World } from "../../../test/support/world.ts";
import { slotKind } from "../../model/ids.ts";
import { planWorld } from "../../testing/plan.ts";
import { fairShares } from "./fair/shares.ts";

const MAP = slotKind(0);
const DAY = 86_400_000;

/** No task ends during the test. */
const forLong = () => steadily(DAY);

const jobsOf = (world: World): readonly string[] =>
  world.launches().map((launch) => launch.split("/")[0] ?? "");

describe("pools", () => {
  test("a job that names no pool is in its user's, unless pools are not users'", () => {
    const shares = (sets: readonly string[]) => {
      const world = new World({
        discipline: "fair",
        sets,
        nodes: 1,
        slots: [4, 0],
        offers: "manual",
      });
      world.submit({ name: "a1", maps: 9, user: "ann" });
      world.submit({ name: "a2", maps: 9, user: "ann" });
      world.submit({ name: "b1", maps: 9, user: "bob" });
      world.offer("n1");
      return jobsOf(world);
    };
    expect(shares([])).toEqual(["a1", "b1", "a2", "b1"]);
    expect(shares(["sharing.userPools=false"])).toEqual(["a1", "a2", "b1", "a1"]);
  });

  test("pools may change: lifting a limit admits waiting jobs", () => {
    const world = new World({
      discipline: "fair",
      sets: ["sharing.pools=ann:maxRunningJobs=1,maxMaps=2"],
      nodes: 1,
      slots: [6, 0],
      offers: "manual",
    });
    world.submit({ name: "a1", maps: 9, user: "ann" });
    world.submit({ name: "a2", maps: 9, user: "ann" });
    world.offer("n1");
    expect(jobsOf(world)).toEqual(["a1", "a1"]);
    world.step({
      at: world.at,
      kind: "sharing-tuned",
      parameter: "pools",
      value: "ann:maxRunningJobs=2",
    });
    world.offer("n1");
    expect(jobsOf(world).slice(2)).toEqual(["a2", "a2", "a1", "a2"]);
  });

  test("within a pool, jobs share by priority: 4, 2, 1, a half, a quarter", () => {
    const world = new World({ discipline: "fair", nodes: 1, slots: [31, 0], offers: "manual" });
    const priorities = ["very-high", "high", "normal", "low", "very-low"] as const;
    for (const priority of priorities) world.submit({ name: priority, maps: 99, priority });
    world.offer("n1");
    const counts = priorities.map((name) => jobsOf(world).filter((job) => job === name).length);
    expect(counts).toEqual([16, 8, 4, 2, 1]);
  });

  test("with weight by size, a larger job has the larger share", () => {
    const counts = (sets: readonly string[]) => {
      const world = new World({
        discipline: "fair",
        sets,
        nodes: 1,
        slots: [15, 0],
        offers: "manual",
      });
      world.submit({ name: "large", maps: 1023 });
      world.submit({ name: "small", maps: 31 });
      world.offer("n1");
      return jobsOf(world).filter((job) => job === "large").length;
    };
    expect(counts(["sharing.sizeBasedWeight=true"])).toBe(10);
    expect(counts([])).toBe(8);
  });

  test("a pool's maximum holds, whatever is free", () => {
    const world = new World({
      discipline: "fair",
      sets: ["sharing.pools=small:maxMaps=2,maxReduces=1"],
      nodes: 2,
      slots: [4, 4],
      runs: forLong,
    });
    world.submit({ maps: 9, pool: "small" });
    expect(world.view.running(MAP)).toBe(2);
    world.submit({ maps: 0, reduces: 9, pool: "small" });
    expect(world.view.running(slotKind(1))).toBe(1);
  });

  test.each([
    ["sharing.pools=a:wieght=2", "sharing.pools: a.wieght: unknown"],
    ["sharing.pools=a:weight=0", "sharing.pools: a.weight: expected a number above 0, found 0"],
    ["sharing.pools=a:mode=lifo", 'sharing.pools: a.mode: expected one of "fair", "fifo"'],
    ["sharing.users=ann:maxRunningJobs=0.5", "sharing.users: ann.maxRunningJobs: expected a whole"],
  ])("%s is the user's mistake", (set, message) => {
    expect(() => new World({ discipline: "fair", sets: [set] })).toThrow(message);
  });
});

describe("limits on jobs", () => {
  const admitted = (world: World) => [...world.view.jobs()].map(({ name }) => name);

  test("a job that runs is not pushed out by one with a higher priority", () => {
    const world = new World({ discipline: "fair", sets: ["sharing.poolMaxJobs=1"], runs: forLong });
    world.submit({ name: "low", maps: 1, priority: "low" });
    world.submit({ name: "high", maps: 1, priority: "high" });
    expect(admitted(world)).toEqual(["low"]);
  });

  test("a user's limit holds over all pools", () => {
    const world = new World({ discipline: "fair", sets: ["sharing.userMaxJobs=1"], runs: forLong });
    world.submit({ name: "a", maps: 1, pool: "a" });
    world.submit({ name: "b", maps: 1, pool: "b" });
    world.submit({ name: "c", maps: 1, pool: "b", user: "other" });
    expect(admitted(world)).toEqual(["a", "c"]);
  });

  test("a pool's own limit and mode override those of all pools", () => {
    const world = new World({
      discipline: "fair",
      sets: ["sharing.poolMaxJobs=1", "sharing.pools=a:maxRunningJobs=2,mode=fifo"],
      nodes: 1,
      slots: [2, 0],
      offers: "manual",
    });
    for (const name of ["a1", "a2", "a3"]) world.submit({ name, maps: 9, pool: "a" });
    expect(admitted(world)).toEqual(["a1", "a2"]);
    world.offer("n1");
    expect(jobsOf(world)).toEqual(["a1", "a1"]);
  });
});

describe("an offer", () => {
  test("a node gets its share of the runnable tasks, or more before Hadoop 1.1.0", () => {
    const launched = (...sets: string[]) => {
      const world = new World({
        discipline: "fair",
        sets: ["sharing.pools=small:maxMaps=2", ...sets],
        nodes: 2,
        slots: [4, 0],
        offers: "manual",
      });
      // Of the 40 tasks the pool may run two: a quarter of the slots, one on each node.
      world.submit({ maps: 40, pool: "small" });
      world.offer("n1");
      return world.launches().length;
    };
    expect(launched()).toBe(1);
    expect(launched("sharing.loadCountsOffer=false")).toBe(2);
  });

  test("a node that runs its share gets nothing more", () => {
    const world = new World({ discipline: "fair", nodes: 2, slots: [4, 0], offers: "manual" });
    world.submit({ maps: 1 });
    world.offer("n1");
    world.submit({ maps: 1 });
    world.offer("n1");
    expect(world.launches()).toHaveLength(1);
    world.offer("n2");
    expect(world.launches()).toHaveLength(2);
  });

  test("the kind with fewer running attempts on the node comes first", () => {
    const world = new World({
      discipline: "fair",
      nodes: 1,
      slots: [2, 2],
      offers: "manual",
      runs: forLong,
    });
    world.submit({ name: "r", maps: 0, reduces: 1 });
    world.submit({ name: "m", maps: 2 });
    world.offer("n1", [1, 0]);
    world.submit({ name: "m2", maps: 1 });
    world.submit({ name: "r2", maps: 0, reduces: 1 });
    world.offer("n1", [1, 2]);
    expect(world.launches()[1]).toMatch(/reduce/);
  });

  test("a node gets the configured number of maps and reduces", () => {
    const launched = (...sets: string[]) => {
      const world = new World({
        discipline: "fair",
        sets,
        nodes: 1,
        slots: [3, 3],
        offers: "manual",
      });
      world.submit({ maps: 9 });
      world.submit({ maps: 0, reduces: 9 });
      world.offer("n1");
      const maps = world.launches().filter((launch) => launch.includes("/map/")).length;
      return [maps, world.launches().length - maps];
    };
    expect(launched()).toEqual([3, 3]);
    expect(launched("sharing.mapsMax=2", "sharing.reducesMax=1")).toEqual([2, 1]);
    expect(launched("sharing.assignMultiple=false")).toEqual([1, 0]);
  });
});

describe("on random claims", () => {
  const pools = fc.array(
    fc.record({
      weight: fc.constantFrom(0.5, 1, 2, 3),
      minMaps: fc.nat(12),
      jobs: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 5 },
  );

  test("no slot is idle while a task waits, and every pool has its shares", () => {
    fc.assert(
      fc.property(pools, fc.integer({ min: 1, max: 6 }), (some, nodes) => {
        const text = some.map(
          ({ weight, minMaps }, at) => `p${at}:weight=${weight},minMaps=${minMaps}`,
        );
        const world = new World({
          discipline: "fair,speculation=none",
          sets: [`sharing.pools=${text.join(";")}`],
          nodes,
          slots: [8, 0],
          offers: "manual",
          explain: false,
          runs: forLong,
        });
        some.forEach(({ jobs }, at) => {
          for (const maps of jobs) world.submit({ maps, pool: `p${at}` });
        });
        for (let node = 1; node <= nodes; node++) world.offer(`n${node}`);
        const slots = world.view.slots(MAP);
        const demands = some.map(({ jobs }) => jobs.reduce((sum, maps) => sum + maps, 0));
        const demand = demands.reduce((sum, one) => sum + one, 0);
        expect(world.view.running(MAP)).toBe(Math.min(slots, demand));
        const total = some.reduce((sum, { minMaps }) => sum + minMaps, 0);
        const claims = some.map(({ minMaps, weight }, at) => ({
          running: world.view.running(MAP, { pool: `p${at}` }),
          demand: demands[at] ?? 0,
          minShare: Math.floor(minMaps * Math.min(1, slots / total)),
          weight,
        }));
        const shares = fairShares(claims, slots);
        claims.forEach(({ running, demand: most, minShare }, at) => {
          expect(running).toBeGreaterThanOrEqual(Math.min(minShare, most));
          // Slots are whole, and a minimum share is filled before weights are looked at.
          expect(Math.abs(running - (shares[at] ?? 0))).toBeLessThanOrEqual(some.length);
        });
      }),
      { seed: 7, numRuns: 60 },
    );
  });
});

describe("in random worlds with faults every job ends", () => {
  test.each([
    [
      "sharing.pools=red:weight=3,minMaps=2,mode=fifo;blue:maxMaps=3",
      "sharing.assignMultiple=false",
    ],
    [
      "sharing.pools=red:minMaps=8,minSharePreemptionTimeoutMs=3000,maxRunningJobs=1",
      "sharing.preemption=true",
      "sharing.fairSharePreemptionTimeoutMs=2000",
      "sharing.userMaxJobs=2",
    ],
    [
      "sharing.sizeBasedWeight=true",
      "sharing.loadCountsOffer=false",
      "sharing.fairWithinPools=false",
    ],
  ])("with %s", (...sets) => {
    for (const seed of [1, 2, 3, 36]) {
      const plan = planWorld(seed);
      const discipline = "fair";
      new RandomWorld({
        ...plan,
        discipline,
        sets: [...plan.sets, ...sets],
        seats: [],
        offersSlots: true,
      }).run();
    }
  });
});
