import { describe, expect, test } from "vitest";
import { failsAfter, steadily } from "../../../../test/support/curves.ts";
import { World, type WorldOptions } from "../../../../test/support/world.ts";

const DAY = 86_400_000;

/** No task ends during the test. */
const forLong = () => steadily(DAY);

/** A node in each of three racks, with the default delays. */
const inThreeRacks = (slots: readonly number[], runs: WorldOptions["runs"] = forLong) =>
  new World({
    discipline: "fair",
    sets: ["sharing.automaticLocalityDelay=false"],
    nodes: 3,
    racks: 3,
    slots,
    offers: "manual",
    runs,
  });

describe("delay scheduling", () => {
  const waiting = (sets: readonly string[] = []) => {
    const world = new World({
      discipline: "fair",
      sets: [
        "sharing.automaticLocalityDelay=false",
        "sharing.localityDelayNodeMs=5000",
        "sharing.localityDelayRackMs=10000",
        ...sets,
      ],
      nodes: 4,
      racks: 2,
      slots: [1, 0],
      offers: "manual",
      setup: { askAgainMs: 1000 },
      runs: forLong,
    });
    // n1 and n3 are on one rack; only n1 has the data.
    world.submit({ name: "j", maps: 9, replicas: () => ["n1"] });
    return world;
  };

  test("a job waits for its node, then for its rack, then goes anywhere", () => {
    const onRack = waiting();
    onRack.offer("n3");
    expect(onRack.advance(4999).launches()).toEqual([]);
    expect(onRack.advance(5000).launches()).toEqual(["map/0 original n3"]);
    const offRack = waiting();
    offRack.offer("n2");
    expect(offRack.advance(14_999).launches()).toEqual([]);
    expect(offRack.advance(15_000).launches()).toEqual(["map/0 original n2"]);
  });

  test.each([true, false])(
    "a job waits from the first slot it leaves (explained: %s)",
    (explain) => {
      const world = new World({
        discipline: "fair",
        sets: [
          "sharing.automaticLocalityDelay=false",
          "sharing.localityDelayNodeMs=5000",
          "sharing.localityDelayRackMs=10000",
        ],
        ...{ nodes: 2, racks: 2, offers: "manual", runs: () => steadily(1000), explain },
      });
      const start = { when: "done" } as const;
      world.submit({
        phases: [
          { name: "first", tasks: 1, slots: ["reduce"] },
          {
            name: "map",
            tasks: 1,
            slots: ["map"],
            after: [{ phase: "first", start }],
            replicas: () => ["n1"],
          },
        ],
      });
      // Another job has maps for the slot. Of this one nothing runs, and no map waits yet.
      world.submit({ maps: 9 });
      world.offer("n2", [1, 0]);
      world.advance(14_000).offer("n2", [0, 1]);
      world.advance(15_000).offer("n2", [1, 0]);
      expect(world.launches()).toEqual([
        "job2/map/0 original n2",
        "job1/first/0 original n2",
        "job1/map/0 original n2",
      ]);
    },
  );

  test("off its node a job then waits only for racks, and off its rack not at all", () => {
    const world = waiting();
    world.offer("n3");
    world.advance(5000);
    world.offer("n2");
    expect(world.advance(14_999).launches()).toHaveLength(1);
    expect(world.advance(15_000).launches()).toHaveLength(2);
    world.offer("n4");
    expect(world.launches()).toHaveLength(3);
  });

  test("a map beside its data makes the job wait again", () => {
    const world = waiting();
    world.offer("n2");
    world.advance(15_000).offer("n1");
    world.offer("n4");
    expect(world.launches()).toEqual(["map/0 original n2", "map/1 original n1"]);
  });

  test("tasks that may also take other slots than a map's are maps to the wait", () => {
    const world = inThreeRacks([1, 0]);
    const slots = ["map", "reduce"];
    const phases = [{ name: "map", tasks: 9, slots, replicas: () => ["n1"] }];
    world.submit({ phases });
    world.offer("n2");
    world.advance(30_000).offer("n1");
    world.offer("n3");
    expect(world.launches()).toEqual(["map/0 original n2", "map/1 original n1"]);
  });

  test("the wait counts from the first slot that was declined, not from submission", () => {
    const world = waiting();
    world.advance(60_000).offer("n3");
    expect(world.launches()).toEqual([]);
    expect(world.advance(65_000).launches()).toHaveLength(1);
  });

  test("a job with a map without a location does not wait", () => {
    const world = waiting();
    world.submit({ name: "k", maps: 2, replicas: (index) => (index === 0 ? ["n1"] : []) });
    world.offer("n2");
    expect(world.launches()).toEqual(["k/map/0 original n2"]);
    world.offer("n4");
    expect(world.launches().at(-1)).toBe("k/map/1 original n4");
  });

  test("a reduce does not wait, nor does it end the wait of the maps", () => {
    const world = inThreeRacks([1, 1]);
    const start = { when: "pipelined" } as const;
    world.submit({ maps: 3, reduces: 3, start, replicas: () => ["n1"] });
    world.offer("n2");
    expect(world.launches()).toEqual(["reduce/0 original n2"]);
    world.offer("n3");
    expect(world.launches().at(-1)).toBe("reduce/1 original n3");
    world.offer("n1");
    expect(world.launches().slice(2)).toEqual(["map/0 original n1", "reduce/2 original n1"]);
  });

  test("an idle reduce slot may be given to a copy, however far maps may go", () => {
    const world = new World({
      discipline: "fair,speculation=hadoop-paper",
      sets: ["sharing.automaticLocalityDelay=false", "sharing.localityDelayNodeMs=86400000"],
      nodes: 2,
      slots: [1, 1],
      setup: { askAgainMs: 1000 },
      runs: ({ phase, task, as }) =>
        steadily(phase === "reduce" && task.index === 1 && as === "original" ? 900_000 : 100_000),
    });
    world.submit({ maps: 2, reduces: 2, replicas: (index) => [`n${index + 1}`] });
    world.advance(201_000);
    expect(world.copies()).toEqual(["reduce/1 n1"]);
  });

  test("the automatic delay follows the number of nodes", () => {
    const world = new World({
      discipline: "fair",
      nodes: 60,
      slots: [1, 0],
      offers: "manual",
      setup: { askAgainMs: 50 },
      runs: forLong,
    });
    world.submit({ maps: 9, replicas: () => ["n1"] });
    world.offer("n2");
    expect(world.advance(899).launches()).toEqual([]);
    expect(world.advance(900).launches()).toHaveLength(1);
    world.offer("n1");
    for (let node = 21; node <= 60; node++) {
      world.step({ at: world.at, kind: "node-left", node: world.node(`n${node}`) });
    }
    world.offer("n3");
    expect(world.advance(1349).launches()).toHaveLength(2);
    expect(world.advance(1350).launches()).toHaveLength(3);
  });

  test("no job of a pool below half of its fair share waits", () => {
    const starving = waiting([
      "sharing.preemption=true",
      "sharing.fairSharePreemptionTimeoutMs=2000",
    ]);
    starving.offer("n2");
    expect(starving.advance(2000).launches()).toEqual([]);
    expect(starving.advance(3000).launches()).toHaveLength(1);
  });

  test("no job of a starving pool waits", () => {
    const starving = waiting([
      "sharing.preemption=true",
      "sharing.pools=user:minMaps=1,minSharePreemptionTimeoutMs=2000",
    ]);
    starving.offer("n2");
    // The pool has been below its minimum share for more than 2 s at the look at 3 s.
    expect(starving.advance(2000).launches()).toEqual([]);
    expect(starving.advance(3000).launches()).toHaveLength(1);
  });

  test("without pre-emption a job waits, whatever the time-outs are", () => {
    const world = waiting([
      "sharing.fairSharePreemptionTimeoutMs=2000",
      "sharing.pools=user:minMaps=1,minSharePreemptionTimeoutMs=2000",
    ]);
    world.offer("n2");
    expect(world.advance(4000).launches()).toEqual([]);
  });

  test("a failed map goes at once and anywhere, and takes the job's patience with it", () => {
    const world = inThreeRacks([1, 0], ({ task, as }) =>
      task.index === 0 && as === "original" ? failsAfter(1000) : steadily(DAY),
    );
    world.submit({ maps: 9, replicas: () => ["n1"] });
    world.offer("n1");
    world.advance(1000).offer("n2");
    world.offer("n3");
    expect(world.launches()).toEqual(["map/0 original n1", "map/0 retry n2", "map/1 original n3"]);
  });
});
