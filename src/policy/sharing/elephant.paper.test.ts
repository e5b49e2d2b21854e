import { describe, expect, test } from "vitest";
import { failsAfter, steadily } from "../../../test/support/curves.ts";
import { type Launch, World } from "../../../test/support/world.ts";
import { slotKind } from "../../model/ids.ts";
import { foundAfter } from "../detection/fixed-expiry.ts";
import { heartbeatMsOf } from "./fair/delay.ts";

// Ibrahim, Phuong, Antoniu: An Eye on the Elephant in the Wild (ARMS-CC 2015), by section.

const MAP = slotKind(0);
const SECOND = 1000;
const forLong = () => steadily(86_400 * SECOND);

const jobsOf = (world: World): readonly string[] =>
  world.launches().map((launch) => launch.split("/")[0] ?? "");

describe("§2.2", () => {
  test("20 TaskTrackers send a heartbeat every 0.3 s", () => {
    expect(heartbeatMsOf(20)).toBe(300);
  });

  test("a look every 200 s finds the nodes that have been silent for 600 s", () => {
    const hadoop = { expiryMs: 600 * SECOND, checkEveryMs: 200 * SECOND, firstLookMs: 0 };
    expect(foundAfter({ since: 80 * SECOND, ...hadoop })).toBe(720 * SECOND);
    // §3.2, §5: 60 s, with a look every third of it; the tracker is killed at 80 s.
    const set = { expiryMs: 60 * SECOND, checkEveryMs: 20 * SECOND, firstLookMs: 0 };
    expect(foundAfter({ since: 80 * SECOND, ...set })).toBe(60 * SECOND);
  });

  test("a task fails its job with its fourth failure", () => {
    const world = new World({ discipline: "fair", nodes: 5, runs: () => failsAfter(SECOND) });
    world.submit({ maps: 1 });
    world.finish();
    expect(world.launches()).toHaveLength(4);
  });
});

describe("§2.3, Fair", () => {
  test("each user has a pool by default: a user with more jobs gets no more slots", () => {
    const world = new World({ discipline: "fair", nodes: 20, slots: [6, 2], offers: "manual" });
    for (const name of ["a1", "a2", "a3"]) world.submit({ name, maps: 240, user: "ann" });
    world.submit({ name: "b", maps: 240, user: "bob" });
    for (let node = 1; node <= 20; node++) world.offer(`n${node}`);
    const counts = ["a1", "a2", "a3", "b"].map((job) => jobsOf(world).filter((one) => one === job));
    expect(counts.map(({ length }) => length)).toEqual([20, 20, 20, 60]);
  });

  test("minimum shares of more slots than there are shrink together", () => {
    const world = new World({
      discipline: "fair",
      sets: ["sharing.pools=p:minMaps=180,weight=0.001;q:minMaps=60,weight=1000"],
      nodes: 20,
      slots: [6, 2],
      offers: "manual",
    });
    world.submit({ name: "p", maps: 240, pool: "p" });
    world.submit({ name: "q", maps: 240, pool: "q" });
    for (let node = 1; node <= 20; node++) world.offer(`n${node}`);
    // 120 of 240 slots: 90 and 30.
    expect(world.view.running(MAP, { pool: "p" })).toBe(90);
    expect(world.view.running(MAP, { pool: "q" })).toBe(30);
  });

  test("the Kill action brings a pool to its minimum share", () => {
    const world = new World({
      discipline: "fair",
      sets: [
        "sharing.preemption=true",
        "sharing.pools=late:minMaps=24,minSharePreemptionTimeoutMs=10000",
      ],
      nodes: 20,
      slots: [6, 2],
      runs: forLong,
    });
    world.submit({ maps: 240, pool: "early" });
    world.advance(20 * SECOND).submit({ maps: 240, pool: "late" });
    expect(world.advance(29 * SECOND).view.running(MAP, { pool: "late" })).toBe(0);
    expect(world.advance(60 * SECOND).view.running(MAP, { pool: "late" })).toBe(24);
  });

  test("a task is postponed for a slot with its data, and launched anywhere in the end", () => {
    const world = new World({
      discipline: "fair",
      nodes: 20,
      slots: [1, 0],
      offers: "manual",
      setup: { askAgainMs: 100 },
    });
    world.submit({ maps: 2, replicas: () => ["n1"] });
    world.offer("n2");
    expect(world.advance(400).launches()).toEqual([]);
    world.advance(500);
    expect(world.launches()).toEqual(["map/0 original n2"]);
  });
});

describe("§2.3, Capacity", () => {
  test("slots that a tenant does not use go to the others, and nothing is pre-empted", () => {
    const world = new World({
      discipline: "capacity",
      sets: ["sharing.queues=a:capacity=50,userLimitFactor=2;b:capacity=50"],
      nodes: 20,
      slots: [6, 2],
      runs: forLong,
    });
    world.submit({ maps: 240, pool: "a" });
    expect(world.view.running(MAP)).toBe(120);
    world.advance(60 * SECOND).submit({ maps: 240, pool: "b" });
    world.advance(3600 * SECOND);
    expect(world.actions.some(({ action }) => action.kind === "kill")).toBe(false);
    expect(world.view.running(MAP, { pool: "b" })).toBe(0);
  });

  test("with a single queue, its order is Fifo's", () => {
    const order = (discipline: string) => {
      const world = new World({
        discipline,
        nodes: 20,
        slots: [6, 2],
        runs: () => steadily(20_000),
      });
      world.submit({ name: "first", maps: 200 });
      world.advance(10 * SECOND).submit({ name: "second", maps: 200 });
      world.finish();
      return jobsOf(world);
    };
    expect(order("capacity,speculation=none")).toEqual(order("none,sharing=fifo-plain"));
  });
});

describe("§6", () => {
  const fails = ({ task, as }: Launch) =>
    task.index === 0 && as === "original" ? failsAfter(SECOND) : forLong();

  test("a failed task goes to the first free slot; under the remedy it waits for its data", () => {
    const placeOf = (order: string): string | undefined => {
      const world = new World({
        discipline: `capacity,order=${order}`,
        nodes: 3,
        slots: [1, 0],
        offers: "manual",
        runs: fails,
      });
      world.submit({ maps: 6, replicas: (index) => (index === 0 ? ["n1", "n3"] : ["n2"]) });
      world.offer("n1");
      world.advance(SECOND).offer("n2");
      world.offer("n3");
      return world.launches("retry")[0];
    };
    expect(placeOf("hadoop")).toBe("map/0 retry n2");
    expect(placeOf("local-failed-first")).toBe("map/0 retry n3");
  });

  test("§7: pre-emption has a failed task beside its data at once, where no slot is freed", () => {
    const againAt = (order: string): readonly [string | undefined, number] => {
      const world = new World({
        discipline: `hadoop,order=${order}`,
        nodes: 3,
        slots: [1, 0],
        runs: ({ task, as }) =>
          task.index === 0 && as === "original" ? failsAfter(5 * SECOND) : steadily(100 * SECOND),
      });
      world.submit({ maps: 6, replicas: (index) => (index === 0 ? ["n1", "n2"] : ["n2", "n3"]) });
      world.advance(90 * SECOND);
      const retry = world.facts.find(
        (one) => one.kind === "attempt-launched" && one.as === "retry",
      );
      return [world.launches("retry")[0], retry === undefined ? Infinity : retry.at / SECOND];
    };
    expect(againAt("hadoop")).toEqual([undefined, Infinity]);
    expect(againAt("local-failed-first")).toEqual([undefined, Infinity]);
    expect(againAt("local-preempt")).toEqual(["map/0 retry n2", 5]);
  });

  test("ten minutes are many times the length of a small job; the adaptive expiry is not", () => {
    const endedAt = (detection: string): number => {
      const world = new World({
        discipline: `none,sharing=fifo-plain,detection=${detection}`,
        nodes: 20,
        slots: [6, 2],
        runs: () => steadily(20 * SECOND),
      });
      world.submit({ maps: 240 });
      world.advance(30 * SECOND).silence("n1");
      return world.finish();
    };
    expect(endedAt("fixed-expiry")).toBe(650 * SECOND);
    expect(endedAt("adaptive-expiry")).toBe(80 * SECOND);
  });
});
