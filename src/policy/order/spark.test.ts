import { describe, expect, test } from "vitest";
import { jobOf, lasting, nodes, phase, readsAll, runJob } from "../../../test/support/recorded.ts";
import { World } from "../../../test/support/world.ts";
import { parseDiscipline } from "../discipline.ts";

const onN0 = { replicas: ["n0"] };

/** When and where each attempt was launched, with a look at idle slots every 100 ms. */
function launches(job: Parameters<typeof runJob>[0], ...sets: readonly string[]) {
  const under = "none,sharing=fifo-plain,order=spark";
  const run = runJob(job, {
    discipline: parseDiscipline(
      under,
      sets.map((set) => `order.${set}`),
    ),
    timing: { askAgainMs: 100 },
  });
  return run.attempts.map(({ launchedAtMs, node, task }) => `${launchedAtMs} ${task} ${node}`);
}

const apart = (count: number) => nodes(count).map((node, n) => ({ ...node, rack: `r${n}` }));

describe("a phase under Spark's order", () => {
  const two = phase("map", [lasting(9_000, {}, onN0), lasting(9_000, {}, onN0)]);

  test("leaves a slot off its node for the wait, and one off its rack for a second wait", () => {
    expect(launches(jobOf(nodes(2), two))).toEqual(["0 0 n0", "3000 1 n1"]);
    expect(launches(jobOf(apart(2), two))).toEqual(["0 0 n0", "6000 1 n1"]);
    expect(launches(jobOf(apart(2), two), "nodeWaitMs=500", "rackWaitMs=200")).toEqual([
      "0 0 n0",
      "700 1 n1",
    ]);
  });

  test("does not wait if no task has data, or no node with the data exists", () => {
    const anywhere = phase("map", [lasting(9_000), lasting(9_000)]);
    expect(launches(jobOf(apart(2), anywhere))).toEqual(["0 0 n0", "0 1 n1"]);
    const gone = { name: "gone", slots: [{ kind: "core", count: 1, fromMs: 8_000 }] };
    const far = phase("map", [lasting(100, {}, { replicas: ["gone"] })]);
    expect(launches(jobOf([...nodes(1), gone], far))).toEqual(["0 0 n0"]);
  });

  test("does not wait for nodes that have been lost", () => {
    const world = new World({
      discipline: "none,sharing=fifo-plain,order=spark",
      nodes: 2,
      slots: [1, 0],
      offers: "manual",
    });
    world.submit({ maps: 2, replicas: () => ["n1"] });
    world.offer("n2");
    expect(world.launches()).toEqual([]);
    world.step({ at: world.at, kind: "node-left", node: world.node("n1") });
    world.offer("n2");
    expect(world.launches()).toEqual(["map/0 original n2"]);
  });

  test("waits from its own begin", () => {
    const later = phase("reduce", two.tasks, { ...readsAll, gapMs: 250 });
    const all = launches(jobOf(nodes(2), phase("map", [lasting(1_000)]), later));
    expect(all).toEqual(["0 0 n0", "1250 0 n0", "4250 1 n1"]);
  });

  test("restarts its wait after each launch before Spark 3.1, then until it refuses a slot", () => {
    // n0 takes a task every second: before 3.1, n1 stays idle.
    const chain = phase(
      "map",
      Array.from({ length: 6 }, () => lasting(1_000, {}, onN0)),
    );
    const idle = launches(jobOf(nodes(2), chain), "resetsOnLaunch=true");
    expect(idle.every((line) => line.endsWith("n0"))).toBe(true);
    expect(idle.at(-1)).toBe("5000 5 n0");
    const used = launches(jobOf(nodes(2), chain));
    expect(used.filter((line) => line.endsWith("n1"))).toEqual(["3000 3 n1", "4000 5 n1"]);
  });

  test("takes a failed task first", () => {
    const fails = { attempts: [{ workMs: 1_000, failsAfterMs: 400 }, { workMs: 1_000 }] };
    const tasks = [fails, lasting(1_000), lasting(1_000)];
    const order = launches(jobOf(nodes(1), phase("map", tasks))).map((line) => line.split(" ")[1]);
    expect(order).toEqual(["0", "0", "1", "2"]);
  });
});
