import { describe, expect, test } from "vitest";
import { failsAfter, steadily } from "../../../../test/support/curves.ts";
import { World, type WorldOptions } from "../../../../test/support/world.ts";

const forLong = () => steadily(86_400_000);

const capacityWorld = (sets: readonly string[], options: WorldOptions = {}): World =>
  new World({ discipline: "capacity", sets, nodes: 1, slots: [8, 8], runs: forLong, ...options });

describe("locality", () => {
  /** A job with its data on n1 alone; n1 and n3 are on one rack, n2 and n4 on another. */
  const placed = (maps: number, options: WorldOptions = {}) => {
    const world = capacityWorld([], {
      nodes: 4,
      racks: 2,
      slots: [2, 0],
      offers: "manual",
      ...options,
    });
    world.submit({ maps, replicas: () => ["n1"] });
    return world;
  };

  test("a map on its rack is near enough", () => {
    const world = placed(8);
    world.offer("n3");
    expect(world.launches()).toHaveLength(2);
  });

  test("a job goes off its rack after as many offers as maps left, times the input's share", () => {
    // 4 nodes, 1 with the input: min(8, 4) / 4 = 1 offer is missed; more than that are needed.
    const many = placed(8);
    many.offer("n2");
    expect(many.launches()).toEqual([]);
    many.offer("n4");
    expect(many.launches()).toEqual(["map/0 original n4"]);
    // 2 maps left: half an offer.
    const few = placed(2);
    few.offer("n2");
    expect(few.launches()).toEqual(["map/0 original n2"]);
  });

  test("a job whose queue stays when queues change keeps its missed offers", () => {
    const world = placed(8);
    world.offer("n2");
    const value = "default:capacity=50;other:capacity=50";
    world.step({ at: world.at, kind: "sharing-tuned", parameter: "queues", value });
    world.offer("n4");
    expect(world.launches()).toEqual(["map/0 original n4"]);
  });

  test("a job whose queue is removed keeps the share of its initialisation", () => {
    const world = capacityWorld(["sharing.queues=a:capacity=50;b:capacity=50"], {
      nodes: 4,
      racks: 2,
      slots: [2, 0],
      offers: "manual",
    });
    world.submit({ maps: 8, pool: "b", replicas: () => ["n1"] });
    const value = "a:capacity=25;c:capacity=75";
    world.step({ at: world.at, kind: "sharing-tuned", parameter: "queues", value });
    // A quarter of the nodes: one offer is missed. Without a share it would be four.
    world.offer("n2");
    expect(world.launches()).toEqual([]);
    world.offer("n4");
    expect(world.launches()).toEqual(["map/0 original n4"]);
  });

  test("a configured factor is used as it is: only the default is replaced by the share", () => {
    const offersUntilFar = (factor: number, inputNodes: number): number => {
      const world = capacityWorld([`sharing.localityWaitFactor=${factor}`], {
        nodes: 20,
        racks: 20,
        slots: [1, 0],
        offers: "manual",
      });
      const replicas = (index: number) => [`n${(index % inputNodes) + 1}`];
      world.submit({ maps: 40, replicas });
      for (let offers = 1; offers <= 20; offers++) {
        world.offer("n20");
        if (world.launches().length > 0) return offers;
      }
      return Number.POSITIVE_INFINITY;
    };
    // min(40, 20) nodes times the factor are missed, and the next offer is taken.
    expect(offersUntilFar(0.5, 4)).toBe(11);
    expect(offersUntilFar(0.9, 2)).toBe(19);
    expect(offersUntilFar(1, 4)).toBe(5);
  });

  test("the share is of the nodes at the job's initialisation", () => {
    const world = placed(8);
    world.step({ at: world.at, kind: "node-left", node: world.node("n3") });
    // 3 nodes are left of 4, times a quarter: less than one offer.
    world.offer("n2");
    expect(world.launches()).toEqual(["map/0 original n2"]);
  });

  test("near data at once and off the rack after it, also in an order by size", () => {
    const at = (node: string): readonly string[] => {
      const world = capacityWorld([], {
        discipline: "capacity,order=largest-first",
        nodes: 4,
        racks: 2,
        slots: [2, 0],
        offers: "manual",
      });
      world.submit({ maps: 8, replicas: () => ["n1"] });
      world.offer(node, [1, 0]);
      return world.launches();
    };
    expect(at("n1")).toEqual(["map/0 original n1"]);
    expect(at("n3")).toEqual(["map/0 original n3"]);
    expect(at("n2")).toEqual([]);
  });

  test("recomputed maps count as left again", () => {
    const world = capacityWorld(["sharing.localityWaitFactor=0.4"], {
      nodes: 4,
      racks: 4,
      slots: [2, 1],
      offers: "manual",
      runs: ({ node }) => (node === "n1" ? steadily(1000) : forLong()),
    });
    world.submit({ maps: 4, reduces: 1, replicas: () => ["n1"] });
    world.offer("n1", [2, 0]);
    world.advance(1000);
    world.step({ at: world.at, kind: "node-left", node: world.node("n1") });
    world.offer("n2", [2, 0]);
    expect(world.launches().slice(2)).toEqual(["map/0 recompute n2", "map/1 recompute n2"]);
    // Four maps are left and three nodes: 1.2 offers are missed. Of two maps it would be 0.8.
    world.offer("n3", [2, 0]);
    expect(world.launches()).toHaveLength(4);
    world.offer("n3", [2, 0]);
    expect(world.launches()).toHaveLength(5);
  });

  test("nodes that are gone do not count", () => {
    const world = capacityWorld(["sharing.localityWaitFactor=0.5"], {
      nodes: 4,
      racks: 2,
      slots: [1, 0],
      offers: "manual",
    });
    world.submit({ maps: 9, replicas: () => ["n1"] });
    for (const node of ["n3", "n4"]) {
      world.step({ at: world.at, kind: "node-left", node: world.node(node) });
    }
    // Half of two nodes: one offer is missed.
    world.offer("n2");
    expect(world.launches()).toEqual([]);
    world.offer("n2");
    expect(world.launches()).toHaveLength(1);
  });

  test("finished maps are not left", () => {
    const world = placed(8, { runs: () => steadily(1000) });
    for (let second = 1; second <= 3; second++) world.advance(second * 1100).offer("n1");
    world.advance(5000).offer("n2");
    expect(world.launches().at(-1)).toBe("map/6 original n2");
  });

  test("a job that may go off its rack does so at each offer, until a map runs near data", () => {
    const world = placed(9);
    world.offer("n2");
    world.offer("n4");
    world.offer("n2");
    expect(world.launches()).toHaveLength(2);
    world.offer("n1", [1, 0]);
    world.offer("n4", [1, 0]);
    expect(world.launches()).toHaveLength(3);
  });

  test("a failed map goes anywhere, and counts as near its data", () => {
    const world = placed(9, {
      runs: ({ task, as }) =>
        task.index === 0 && as === "original" ? failsAfter(1000) : forLong(),
    });
    world.offer("n1");
    world.advance(1000).offer("n2");
    // One of n2's two slots went to the failed map; the other one waits again.
    expect(world.launches().slice(2)).toEqual(["map/0 retry n2"]);
  });

  test("with a smaller factor a job waits less", () => {
    const world = capacityWorld(["sharing.localityWaitFactor=0"], {
      nodes: 4,
      racks: 2,
      offers: "manual",
    });
    world.submit({ maps: 8, replicas: () => ["n1"] });
    world.offer("n2");
    expect(world.launches()).toHaveLength(1);
  });
});
