import { describe, expect, test } from "vitest";
import { steadily } from "../../../../test/support/curves.ts";
import { World } from "../../../../test/support/world.ts";
import { slotKind } from "../../../model/ids.ts";

const MAP = slotKind(0);

/** No task ends during the test. */
const forLong = () => steadily(86_400_000);

const jobsOf = (world: World): readonly string[] =>
  world.launches().map((launch) => launch.split("/")[0] ?? "");

describe("pre-emption", () => {
  const starved = (sets: readonly string[], spec = { maps: 8 }) => {
    const world = new World({
      discipline: "fair",
      sets: ["sharing.preemption=true", ...sets],
      nodes: 1,
      slots: [8, 0],
      runs: forLong,
    });
    world.submit({ name: "a", maps: 8, pool: "a" });
    world.advance(1000).submit({ name: "b", pool: "b", ...spec });
    return world.advance(120_000);
  };

  test("is off and has no time-outs by default", () => {
    expect(
      jobsOf(starved(["sharing.preemption=false", "sharing.fairSharePreemptionTimeoutMs=1000"])),
    ).not.toContain("b");
    expect(jobsOf(starved([]))).not.toContain("b");
  });

  test("a pool below its minimum share gets no more than the minimum share", () => {
    const world = starved(["sharing.pools=b:minMaps=2,minSharePreemptionTimeoutMs=9000"]);
    expect(jobsOf(world).filter((job) => job === "b")).toHaveLength(2);
  });

  test("a pool below half of its fair share gets all of it, but no more than its demand", () => {
    const set = "sharing.fairSharePreemptionTimeoutMs=9000";
    expect(jobsOf(starved([set])).filter((job) => job === "b")).toHaveLength(4);
    expect(jobsOf(starved([set], { maps: 3 })).filter((job) => job === "b")).toHaveLength(3);
  });

  test("a pool that is short of both shares is due the larger, not their sum", () => {
    const world = new World({
      discipline: "fair",
      sets: [
        "sharing.preemption=true",
        "sharing.pools=b:minMaps=2,minSharePreemptionTimeoutMs=9000",
        "sharing.fairSharePreemptionTimeoutMs=9000",
      ],
      nodes: 1,
      slots: [12, 0],
      runs: forLong,
    });
    world.submit({ maps: 12, pool: "a" });
    world.advance(1000).submit({ maps: 12, pool: "b" });
    world.advance(14_000).submit({ maps: 12, pool: "c" });
    world.advance(16_000);
    // Four slots are fair for each of the three; c has not waited long enough.
    expect(world.actions.filter(({ action }) => action.kind === "kill")).toHaveLength(4);
  });

  test("a time-out that has just ended is not exceeded", () => {
    // b comes at 1 s; Fair looks at 15 s and at 30 s.
    const killedAt = (set: string) =>
      starved([set]).actions.find(({ action }) => action.kind === "kill")?.at;
    const pool = "sharing.pools=b:minMaps=2,minSharePreemptionTimeoutMs";
    expect([killedAt(`${pool}=13999`), killedAt(`${pool}=14000`)]).toEqual([15_000, 30_000]);
    const half = "sharing.fairSharePreemptionTimeoutMs";
    expect([killedAt(`${half}=13999`), killedAt(`${half}=14000`)]).toEqual([15_000, 30_000]);
  });

  test("the time-out counts from when the pool last had its share", () => {
    const world = new World({
      discipline: "fair",
      sets: [
        "sharing.preemption=true",
        "sharing.fairSharePreemptionTimeoutMs=20000",
        "sharing.pools=c:minMaps=4",
      ],
      nodes: 1,
      slots: [8, 0],
      runs: ({ task }) => steadily(task.id < 4 ? 99_000 : 86_400_000),
    });
    world.submit({ name: "b1", maps: 4, pool: "b" });
    world.submit({ name: "a", maps: 20, pool: "a" });
    // b's next job keeps the pool; c, below its minimum share, takes the slots of b's first job.
    world.advance(98_000).submit({ name: "b2", maps: 4, pool: "b" });
    world.submit({ name: "c", maps: 4, pool: "c" });
    world.advance(119_000);
    expect(world.actions.some(({ action }) => action.kind === "kill")).toBe(false);
    world.advance(125_000);
    expect(world.actions.some(({ action }) => action.kind === "kill")).toBe(true);
  });

  test("a pool without jobs has no claim to its minimum share", () => {
    const world = new World({
      discipline: "fair",
      sets: ["sharing.pools=gone:minMaps=8;p:minMaps=8,weight=0.001"],
      nodes: 1,
      slots: [8, 0],
      offers: "manual",
      runs: ({ task }) => steadily(task.id === 0 ? 1000 : 86_400_000),
    });
    world.submit({ name: "gone", maps: 1, pool: "gone" });
    world.offer("n1");
    world.advance(2000).submit({ name: "p", maps: 9, pool: "p" });
    world.submit({ name: "q", maps: 9, pool: "q" });
    world.offer("n1");
    expect(jobsOf(world).slice(1)).toEqual(new Array(8).fill("p"));
  });

  test("over all pools, the latest launches are killed", () => {
    const world = new World({
      discipline: "fair",
      sets: [
        "sharing.preemption=true",
        "sharing.pools=c:minMaps=3,minSharePreemptionTimeoutMs=1000",
      ],
      nodes: 1,
      slots: [8, 0],
      runs: forLong,
    });
    world.submit({ name: "a1", maps: 2, pool: "a" });
    world.advance(1000).submit({ name: "a2", maps: 2, pool: "a" });
    world.advance(2000).submit({ name: "b1", maps: 4, pool: "b" });
    world.advance(3000).submit({ name: "c", maps: 3, pool: "c" });
    world.advance(20_000);
    const killed = world.actions.flatMap(({ action }) =>
      action.kind === "kill" ? [world.view.attempt(action.attempt)] : [],
    );
    expect(killed.map(({ launchedAt }) => launchedAt)).toEqual([2000, 2000, 1000]);
  });

  test("no more is taken than the pools' excess, even if more is due", () => {
    const world = new World({
      discipline: "fair",
      sets: [
        "sharing.preemption=true",
        "sharing.adjustMinShares=false",
        "sharing.pools=a:minMaps=4;b:minMaps=2;c:minMaps=8,minSharePreemptionTimeoutMs=1000",
      ],
      nodes: 1,
      slots: [8, 0],
      runs: forLong,
    });
    world.submit({ name: "a", maps: 4, pool: "a" });
    world.submit({ name: "b", maps: 4, pool: "b" });
    world.advance(1000).submit({ name: "c", maps: 9, pool: "c" });
    world.advance(60_000);
    // c is short of eight. a has its four and b two too many.
    expect(jobsOf(world).filter((job) => job === "c")).toHaveLength(2);
  });

  test("the latest launches are killed, and go back into their queue", () => {
    const world = starved(["sharing.fairSharePreemptionTimeoutMs=9000"]);
    const kills = world.actions.flatMap(({ action }) => (action.kind === "kill" ? [action] : []));
    const killed = kills.map(
      ({ attempt }) => world.view.task(world.view.attempt(attempt).task).index,
    );
    expect(killed).toEqual([7, 6, 5, 4]);
    expect(kills.every(({ then }) => then === "requeue")).toBe(true);
    expect(world.view.waiting(MAP)).toBe(8);
  });

  test("no pool is brought below its fair share", () => {
    const world = new World({
      discipline: "fair",
      sets: [
        "sharing.preemption=true",
        "sharing.pools=c:minMaps=8,minSharePreemptionTimeoutMs=1000",
        "sharing.adjustMinShares=false",
      ],
      nodes: 1,
      slots: [8, 0],
      runs: forLong,
    });
    world.submit({ name: "a", maps: 8, pool: "a" });
    world.submit({ name: "b", maps: 8, pool: "b" });
    world.advance(1000).submit({ name: "c", maps: 2, pool: "c" });
    // Fair shares are 3, 3 and 2 slots: c is short of two, and a goes down from 8 to 6.
    world.advance(20_000);
    expect(world.actions.filter(({ action }) => action.kind === "kill")).toHaveLength(2);
  });
});
