import { describe, expect, test } from "vitest";
import { steadily } from "../../../test/support/curves.ts";
import { World } from "../../../test/support/world.ts";
import { nodeLimit } from "./fifo.ts";

const counts = (launches: readonly string[]): Record<string, number> => {
  const perNode: Record<string, number> = {};
  for (const launch of launches) {
    const node = launch.split(" ").at(-1) ?? "";
    perNode[node] = (perNode[node] ?? 0) + 1;
  }
  return perNode;
};

const jobsOf = (world: World): readonly string[] =>
  world.launches().map((launch) => launch.split("/")[0] ?? "");

describe("whose turn", () => {
  test("the higher priority first, then the earlier submission", () => {
    const world = new World({ nodes: 1, offers: "manual" });
    world.submit({ name: "first", maps: 1 });
    world.submit({ name: "second", maps: 1 });
    world.advance(1).submit({ name: "urgent", maps: 1, priority: "high" });
    world.submit({ name: "idle", maps: 1, priority: "very-low" });
    for (let second = 0; second < 40; second += 10) world.advance(second * 1000 + 1).offer("n1");
    const order = world.launches().map((launch) => launch.split("/")[0]);
    expect(order).toEqual(["urgent", "first", "second", "idle"]);
  });

  test("a job that waits again comes before the later jobs that wait", () => {
    const world = new World({ nodes: 2 });
    world.submit({ name: "first", maps: 2 });
    world.submit({ name: "second", maps: 9 });
    world.advance(5000).kill(world.attempt("map", 0));
    expect(world.launches().at(-1)).toBe("first/map/0 rerun n1");
  });

  test("an ended job gets no turn", () => {
    const world = new World({ nodes: 1 });
    world.submit({ name: "first", maps: 1 });
    world.submit({ name: "second", maps: 1 });
    expect(world.finish()).toBe(20_000);
    expect(world.submit({ name: "third", maps: 1 }).name).toBe("third");
    expect(world.finish()).toBe(30_000);
  });
});

describe("Hadoop's limits", () => {
  test("a node gets its share of the remaining tasks, rounded up", () => {
    expect(nodeLimit({ left: 4, slots: 8, nodeSlots: 4 })).toBe(2);
    expect(nodeLimit({ left: 1, slots: 8, nodeSlots: 4 })).toBe(1);
    expect(nodeLimit({ left: 80, slots: 8, nodeSlots: 4 })).toBe(4);
    expect(nodeLimit({ left: 0, slots: 8, nodeSlots: 4 })).toBe(0);
  });

  test("the last tasks are spread over the nodes; fifo-plain fills the first", () => {
    const launched = (discipline: string) => {
      const world = new World({ discipline, nodes: 2, slots: [4, 0], offers: "manual" });
      world.submit({ maps: 4 });
      world.offer("n1");
      world.offer("n2");
      return counts(world.launches());
    };
    expect(launched("none")).toEqual({ n1: 2, n2: 2 });
    expect(launched("none,sharing=fifo-plain")).toEqual({ n1: 4 });
  });

  test("fifo-0.18 answers an offer with one task, a reduce once no map gets a slot", () => {
    const discipline = "none,sharing=fifo-0.18";
    const world = new World({ discipline, nodes: 2, slots: [3, 3], offers: "manual" });
    world.submit({ name: "maps", maps: 12 });
    world.submit({ name: "reduces", maps: 0, reduces: 12 });
    const kinds: (string | undefined)[] = [];
    for (let offers = 1; offers <= 7; offers += 1) {
      world.offer("n1");
      kinds.push(world.launches()[offers - 1]?.split("/")[0]);
    }
    const [maps, reduces] = ["maps", "reduces"];
    expect(kinds).toEqual([maps, maps, maps, reduces, reduces, reduces, undefined]);
  });

  test("fifo-0.18 has no limits within an offer: it answers with one task", () => {
    const world = (set: string) =>
      new World({ discipline: "none,sharing=fifo-0.18", sets: [`sharing.${set}`] });
    expect(() => world("farMax=2")).toThrow("no parameter farMax");
    expect(() => world("reducesMax=2")).toThrow("no parameter reducesMax");
    expect(() => world("padding=0")).not.toThrow();
  });

  test("fifo-0.18 keeps to a node's share of the remaining tasks", () => {
    const discipline = "none,sharing=fifo-0.18";
    const world = new World({ discipline, nodes: 2, slots: [2, 0], offers: "manual" });
    world.submit({ maps: 2 });
    for (let i = 0; i < 3; i += 1) world.offer("n1");
    expect(world.launches()).toHaveLength(1);
    world.offer("n2");
    expect(counts(world.launches())).toEqual({ n1: 1, n2: 1 });
  });

  test("one offer gets one reduce; fifo-plain fills every slot", () => {
    const launched = (discipline: string) => {
      const world = new World({ discipline, nodes: 2, slots: [2, 2], offers: "manual" });
      world.submit({ maps: 0, reduces: 8 });
      world.offer("n1");
      return world.launches().length;
    };
    expect(launched("none")).toBe(1);
    expect(launched("none,sharing=fifo-plain")).toBe(2);
  });

  test("one offer gets one off-rack map; fifo-plain fills every slot", () => {
    const launched = (discipline: string) => {
      const world = new World({ discipline, nodes: 2, racks: 2, slots: [3, 0], offers: "manual" });
      world.submit({ maps: 8, replicas: () => ["n2"] });
      world.offer("n1");
      return world.launches().length;
    };
    expect(launched("none")).toBe(1);
    expect(launched("none,sharing=fifo-plain")).toBe(3);
  });

  // 200 maps: 1 % of them are 2, and the last two slots of the cluster are held back.
  const padded = (nodes: number, reduces: number, discipline = "none") => {
    const world = new World({ discipline, nodes, slots: [2, 1], offers: "manual" });
    world.submit({ maps: 200, reduces });
    for (let node = 1; node <= nodes; node++) world.offer(`n${node}`);
    return counts(world.launches());
  };

  test("with the padding reached, an offer gets one map", () => {
    expect(padded(4, 1)).toEqual({ n1: 2, n2: 2, n3: 2, n4: 1 });
    expect(padded(4, 1, "none,sharing=fifo-plain")).toEqual({ n1: 2, n2: 2, n3: 2, n4: 2 });
  });

  test("what is held back of the reduce slots goes to the first job with reduces", () => {
    const world = new World({ discipline: "none", nodes: 4, slots: [1, 1], offers: "manual" });
    const reduces = (tasks: number) => ({ name: "reduce", tasks, slots: ["reduce"] });
    const map = { name: "map", tasks: 1, slots: ["map"] };
    world.submit({ name: "both", phases: [map, reduces(400)] });
    for (const node of ["n1", "n2", "n3"]) world.offer(node, [0, 1]);
    // Only one phase: no slots are held back for the job.
    world.submit({ name: "urgent", priority: "high", phases: [reduces(1)] });
    world.offer("n4", [0, 1]);
    expect(jobsOf(world)).toEqual(["both", "both", "both", "both"]);
  });

  test("up to three nodes, and for jobs without reduces, nothing is held back", () => {
    expect(padded(3, 1)).toEqual({ n1: 2, n2: 2, n3: 2 });
    expect(padded(4, 0)).toEqual({ n1: 2, n2: 2, n3: 2, n4: 2 });
  });

  test("with the padding reached, only the first job with reduces may have a reduce", () => {
    const launched = (discipline: string) => {
      const runs = ({ phase }: { phase: string }) => steadily(phase === "map" ? 10 : 1e6);
      const world = new World({ discipline, nodes: 4, slots: [1, 1], offers: "manual", runs });
      world.submit({ name: "first", maps: 1, reduces: 3 });
      world.submit({ name: "second", maps: 1, reduces: 200 });
      world.offer("n1", [1, 0]);
      world.offer("n2", [1, 0]);
      world.advance(1000);
      for (const node of ["n1", "n2", "n3", "n4"]) world.offer(node, [0, 1]);
      return world.launches().filter((launch) => launch.includes("reduce"));
    };
    const first = [
      "first/reduce/0 original n1",
      "first/reduce/1 original n2",
      "first/reduce/2 original n3",
    ];
    expect(launched("none")).toEqual(first);
    expect(launched("none,sharing=fifo-plain")).toEqual([...first, "second/reduce/0 original n4"]);
  });
});
