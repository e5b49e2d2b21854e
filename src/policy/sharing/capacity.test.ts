import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { World as RandomWorld } from "../../../test/simulate/world.ts";
import { steadily } from "../../../test/support/curves.ts";
import { World, type WorldOptions } from "../../../test/support/world.ts";
import { slotKind } from "../../model/ids.ts";
import { planWorld } from "../../testing/plan.ts";
import { userLimitOf } from "./capacity/limits.ts";

const MAP = slotKind(0);
const forLong = () => steadily(86_400_000);

const capacityWorld = (sets: readonly string[], options: WorldOptions = {}): World =>
  new World({ discipline: "capacity", sets, nodes: 1, slots: [8, 8], runs: forLong, ...options });

const jobsOf = (world: World): readonly string[] =>
  world.launches().map((launch) => launch.split("/")[0] ?? "");

const countOf = (world: World, job: string): number =>
  jobsOf(world).filter((name) => name === job).length;

describe("queues", () => {
  test("the emptiest queue for its capacity comes first, equally full ones in order", () => {
    const world = capacityWorld(
      ["sharing.queues=a:capacity=25;b:capacity=75", "sharing.userLimitFactor=9"],
      { offers: "manual" },
    );
    world.submit({ name: "a", maps: 9, pool: "a" });
    world.submit({ name: "b", maps: 9, pool: "b" });
    world.offer("n1");
    // a has 2 slots of its own, b has 6.
    expect(jobsOf(world)).toEqual(["a", "b", "b", "b", "a", "b", "b", "b"]);
  });

  test("a queue without capacity counts as full, and may use idle slots", () => {
    const world = capacityWorld(["sharing.queues=spare:capacity=0;main:capacity=100"], {
      offers: "manual",
    });
    world.submit({ name: "spare", maps: 9, pool: "spare" });
    world.submit({ name: "main", maps: 7, pool: "main", user: "ann" });
    world.offer("n1");
    expect(jobsOf(world)).toEqual([...new Array<string>(7).fill("main"), "spare"]);
  });

  test("a queue does not grow beyond its maximum", () => {
    const queues = "sharing.queues=a:capacity=25,maximumCapacity=50;b:capacity=75";
    const world = capacityWorld([queues, "sharing.userLimitFactor=9"]);
    world.submit({ name: "a", maps: 9, pool: "a" });
    expect(world.view.running(MAP)).toBe(4);
  });

  test("a job of a pool that is no queue is in the first queue", () => {
    const world = capacityWorld(["sharing.queues=a:capacity=50;b:capacity=50"]);
    world.submit({ name: "lost", maps: 9, pool: "elsewhere" });
    expect(world.view.running(MAP)).toBe(4);
  });

  test("queues may change: jobs of a removed queue continue in the first", () => {
    const world = capacityWorld(
      ["sharing.queues=a:capacity=50;b:capacity=50", "sharing.userLimitFactor=9"],
      { offers: "manual" },
    );
    world.submit({ name: "b", maps: 1, pool: "b" });
    world.submit({ name: "a", maps: 9, pool: "a" });
    const value = "a:capacity=25;c:capacity=75";
    world.step({ at: world.at, kind: "sharing-tuned", parameter: "queues", value });
    world.submit({ name: "c", maps: 9, pool: "c" });
    world.offer("n1");
    expect(jobsOf(world)).toEqual(["b", "c", "c", "c", "a", "c", "c", "c"]);
  });

  test("within a queue jobs go by submission; by priority if the queue supports it", () => {
    const order = (sets: readonly string[]) => {
      const world = capacityWorld(sets, { offers: "manual", slots: [2, 0] });
      world.submit({ name: "first", maps: 1 });
      world.submit({ name: "high", maps: 1, priority: "high" });
      world.offer("n1");
      return jobsOf(world);
    };
    expect(order([])).toEqual(["first", "high"]);
    expect(order(["sharing.supportsPriority=true"])).toEqual(["high", "first"]);
  });

  test.each([
    ["a:capacity=60;b:capacity=30", "the capacities sum to 90, expected 100"],
    ["a:capacity=101", "a.capacity: expected a number from 0 to 100, found 101"],
    ["a:maximumCapacity=50", "a.capacity: expected a number from 0 to 100, found nothing"],
    ["a:capacity=100,maximumCapacity=50", "a.maximumCapacity: expected 100 or more, found 50"],
    ["", "the capacities sum to 0, expected 100"],
  ])("%s is the user's mistake", (queues, message) => {
    expect(() => capacityWorld([`sharing.queues=${queues}`])).toThrow(message);
  });
});

describe("user limits", () => {
  const limit = (of: Partial<Parameters<typeof userLimitOf>[0]>): number =>
    userLimitOf({
      capacity: 12,
      occupied: 0,
      activeUsers: 1,
      minimumPercent: 25,
      factor: 1,
      ...of,
    });

  test("the users who want slots share a queue equally, each at least the minimum per cent", () => {
    expect([0, 1, 2, 3, 4, 5].map((activeUsers) => limit({ activeUsers }))).toEqual([
      12, 12, 6, 4, 3, 3,
    ]);
  });

  test("parts of slots are rounded up", () => {
    expect(limit({ capacity: 10, activeUsers: 3 })).toBe(4);
    expect(limit({ capacity: 10, activeUsers: 9, minimumPercent: 33 })).toBe(4);
  });

  test("a queue beyond its capacity is shared as it is, with one slot more", () => {
    expect(limit({ occupied: 15, activeUsers: 2, factor: 9 })).toBe(8);
  });

  test("no user gets more than the queue's capacity times the factor", () => {
    expect(limit({ occupied: 30, factor: 1 })).toBe(12);
    expect(limit({ occupied: 30, factor: 2 })).toBe(24);
    expect(limit({ minimumPercent: 100, factor: 0.5 })).toBe(6);
  });

  test("a queue with less than a slot of its own makes progress", () => {
    expect(limit({ capacity: 0 })).toBe(1);
    expect(limit({ capacity: 0, factor: 0.5 })).toBe(1);
  });

  test("a user at the limit is passed over until the others want nothing", () => {
    const world = capacityWorld(["sharing.minimumUserLimitPercent=50"], { offers: "manual" });
    world.submit({ name: "ann", maps: 9, user: "ann" });
    world.submit({ name: "bob", maps: 2, user: "bob" });
    const users = () => jobsOf(world).map((name) => name.slice(0, 1));
    world.offer("n1");
    // Both wanted slots when the heartbeat came; at the next one ann may have the whole queue.
    expect(users().join("")).toBe("aaaabb");
    world.offer("n1");
    expect(users().join("")).toBe("aaaabbaa");
  });

  test("a user's slots in another queue do not count", () => {
    const world = capacityWorld(["sharing.queues=a:capacity=50;b:capacity=50"]);
    world.submit({ name: "a", maps: 9, pool: "a", user: "ann" });
    world.submit({ name: "b", maps: 9, pool: "b", user: "ann" });
    expect([countOf(world, "a"), countOf(world, "b")]).toEqual([4, 4]);
  });
});

describe("active users", () => {
  test("a user whose last task was launched in this heartbeat stays active until its end", () => {
    const world = capacityWorld(["sharing.minimumUserLimitPercent=50"], {
      offers: "manual",
      slots: [4, 0],
    });
    world.submit({ name: "one", maps: 1, user: "ann" });
    world.submit({ name: "many", maps: 9, user: "bob" });
    // Two users share four slots. Ann's one map goes first; within the heartbeat the queue is still
    // divided by two.
    world.offer("n1");
    expect(jobsOf(world)).toEqual(["one", "many", "many"]);
    world.offer("n1");
    expect(jobsOf(world)).toEqual(["one", "many", "many", "many"]);
  });
});

describe("an offer", () => {
  test("gets one reduce and all of its maps, up to the first that is off its rack", () => {
    const world = capacityWorld([], { offers: "manual" });
    world.submit({ maps: 3 });
    world.submit({ maps: 0, reduces: 3 });
    world.offer("n1");
    const reduces = world.launches().filter((launch) => launch.includes("/reduce/")).length;
    expect([world.launches().length - reduces, reduces]).toEqual([3, 1]);
  });

  test("gets the configured number of maps", () => {
    const world = capacityWorld(["sharing.mapsMax=2"], { offers: "manual" });
    world.submit({ maps: 8 });
    world.offer("n1");
    expect(world.launches()).toHaveLength(2);
  });
});

describe("initialised jobs", () => {
  const admitted = (world: World) => [...world.view.jobs()].map(({ name }) => name);

  test("a queue has its share of the system's jobs, rounded up", () => {
    const world = capacityWorld([
      "sharing.queues=a:capacity=50;b:capacity=50",
      "sharing.maximumSystemJobs=3",
    ]);
    for (const name of ["a1", "a2", "a3"]) world.submit({ name, maps: 1, pool: "a" });
    expect(admitted(world)).toEqual(["a1", "a2"]);
  });

  test("a queue's tasks are limited: a job that does not fit holds back all later jobs", () => {
    const world = capacityWorld(["sharing.maximumActiveTasks=10"]);
    world.submit({ name: "six", maps: 6 });
    world.submit({ name: "five", maps: 5, user: "ann" });
    world.submit({ name: "one", maps: 1, user: "bob" });
    expect(admitted(world)).toEqual(["six"]);
  });

  test("a user's tasks are limited: other users' jobs overtake, the same user's do not", () => {
    const world = capacityWorld(["sharing.maximumActiveTasksPerUser=10"]);
    world.submit({ name: "six", maps: 6, user: "ann" });
    world.submit({ name: "five", maps: 5, user: "ann" });
    world.submit({ name: "one", maps: 1, user: "ann" });
    world.submit({ name: "bob", maps: 1, user: "bob" });
    expect(admitted(world)).toEqual(["six", "bob"]);
  });

  test("tasks up to the limit itself fit", () => {
    const world = capacityWorld(["sharing.maximumActiveTasks=10"]);
    world.submit({ name: "six", maps: 6 });
    world.submit({ name: "four", maps: 2, reduces: 2 });
    expect(admitted(world)).toEqual(["six", "four"]);
  });

  test("a user has a share of the queue's jobs", () => {
    const world = capacityWorld([
      "sharing.maximumSystemJobs=4",
      "sharing.minimumUserLimitPercent=50",
    ]);
    for (const name of ["a1", "a2", "a3"]) world.submit({ name, maps: 1, user: "ann" });
    world.submit({ name: "b1", maps: 1, user: "bob" });
    expect(admitted(world)).toEqual(["a1", "a2", "b1"]);
  });

  test("a job that is too large by itself runs alone", () => {
    const world = capacityWorld(["sharing.maximumActiveTasks=10"], { runs: () => steadily(1000) });
    world.submit({ name: "huge", maps: 50 });
    world.submit({ name: "next", maps: 1 });
    expect(admitted(world)).toEqual(["huge"]);
    expect(world.finish()).toBe(8000);
  });
});

describe("on random claims", () => {
  const queues = fc.array(
    fc.record({
      capacity: fc.integer({ min: 1, max: 9 }),
      maps: fc.integer({ min: 0, max: 30 }),
    }),
    { minLength: 1, maxLength: 5 },
  );

  test("no slot is idle while a task waits, and a queue has its own slots if it wants them", () => {
    fc.assert(
      fc.property(queues, (some) => {
        const sum = some.reduce((total, one) => total + one.capacity, 0);
        const text = some.map(({ capacity }, at) => `q${at}:capacity=${(100 * capacity) / sum}`);
        // Rounding may lose tenths of a per cent; the last queue has the rest up to 100.
        const rest = some
          .slice(0, -1)
          .reduce((left, one) => left - (100 * one.capacity) / sum, 100);
        text[text.length - 1] = `q${some.length - 1}:capacity=${rest}`;
        const world = capacityWorld(
          [`sharing.queues=${text.join(";")}`, "sharing.userLimitFactor=1000"],
          { nodes: 3, offers: "manual", explain: false },
        );
        some.forEach(({ maps }, at) => {
          if (maps > 0) world.submit({ maps, pool: `q${at}` });
        });
        for (const node of ["n1", "n2", "n3"]) world.offer(node);
        const demand = some.reduce((total, one) => total + one.maps, 0);
        expect(world.view.running(MAP)).toBe(Math.min(24, demand));
        some.forEach(({ capacity, maps }, at) => {
          const own = Math.floor((24 * capacity) / sum - 1e-9);
          const running = world.view.running(MAP, { pool: `q${at}` });
          expect(running).toBeGreaterThanOrEqual(Math.min(own, maps));
        });
      }),
      { seed: 8, numRuns: 60 },
    );
  });
});

describe("in random worlds with faults every job ends", () => {
  test.each([
    [
      "sharing.queues=red:capacity=70,maximumCapacity=80;blue:capacity=30,supportsPriority=true",
      "sharing.minimumUserLimitPercent=25",
      "sharing.maximumSystemJobs=3",
    ],
    [
      "sharing.queues=red:capacity=0;blue:capacity=100,userLimitFactor=0.5",
      "sharing.maximumActiveTasks=12",
      "sharing.maximumActiveTasksPerUser=8",
    ],
  ])("with %s", (...sets) => {
    for (const seed of [1, 2, 3, 36]) {
      const plan = planWorld(seed);
      const discipline = "capacity";
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
