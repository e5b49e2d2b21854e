import { describe, expect, test } from "vitest";
import { steadily, stuckAt } from "../../../../test/support/curves.ts";
import { type Launch, World } from "../../../../test/support/world.ts";
import { meanOf } from "../../../base/distribution.ts";
import { type RackId, rackId } from "../../../model/ids.ts";
import { parseDiscipline } from "../../discipline.ts";
import { type Discipline, type SpeculationPolicy, use } from "../../policy.ts";
import { factorOf, noLeanings, recordRatio } from "./leaning.ts";
import { pathFactor } from "./path.ts";

const SECOND = 1000;
const BYTES = 1e6;

/**
 * Notes, for each idle slot, the time that a new copy of the last running task would take there.
 */
function watching(): {
  readonly discipline: Discipline;
  readonly takesMs: (node: string) => number;
} {
  const means = new Map<string, number | undefined>();
  const probe: SpeculationPolicy<object, null> = {
    name: "probe",
    source: "tests",
    params: {},
    needs: [],
    remember: () => null,
    onIdleSlot({ estimate, view }, job, { kind }) {
      for (const { id } of view.phases(job, kind)) {
        for (const task of view.runningTasks(id)) {
          for (const { id: node, name } of view.nodes()) {
            means.set(name, meanOf(estimate.newCopy(task.id, node)));
          }
        }
      }
      return [];
    },
  };
  const discipline = { ...parseDiscipline("mantri-restart"), speculation: use(probe) };
  return { discipline, takesMs: (node) => means.get(node) ?? Number.NaN };
}

describe("§5.5, eq. 3: the locationFactor of t_new", () => {
  test("a machine is slow when it has been so for many attempts of any job", () => {
    const machines = noLeanings<string>();
    recordRatio(machines, "unlucky", 10, 20);
    for (let i = 0; i < 20; i++) recordRatio(machines, "unlucky", 1, 20);
    for (let i = 0; i < 100; i++) recordRatio(machines, "slow", 3, 20);
    expect(factorOf(machines, "unknown")).toBe(1);
    expect(factorOf(machines, "unlucky")).toBe(1);
    expect(factorOf(machines, "slow")).toBe(3);
    // The machine's old attempts are forgotten.
    for (let i = 0; i < 100; i++) recordRatio(machines, "slow", 1, 20);
    expect(factorOf(machines, "slow")).toBe(1);
  });

  test("one slow attempt brands no machine, nor do two of five", () => {
    const machines = noLeanings<string>();
    const factorAfter = (...ratios: readonly number[]): number => {
      for (const ratio of ratios) recordRatio(machines, "n", ratio, 20);
      return factorOf(machines, "n");
    };
    expect(factorAfter(10)).toBe(1);
    expect(factorAfter(10, 1, 1)).toBe(1);
    expect(factorAfter(1)).toBe(1);
    // Three of five are no longer chance.
    machines.clear();
    expect(factorAfter(10, 8, 1, 6)).toBe(1);
    expect(factorAfter(1)).toBe(6);
  });

  test("a machine's effect on tasks of earlier jobs is expected again", () => {
    const { discipline, takesMs } = watching();
    const world = new World({
      discipline,
      nodes: 4,
      slots: [1],
      slotKinds: ["map"],
      runs: ({ node }) => steadily((node === "n1" ? 50 : 10) * SECOND),
    });
    for (let job = 0; job < 6; job++) world.submit({ maps: 24, inputBytes: BYTES });
    world.finish();
    world.submit({ maps: 2, inputBytes: BYTES });
    world.advance(world.now + 15 * SECOND);
    world.look();
    expect(takesMs("n1") / takesMs("n2")).toBeGreaterThan(3);
    expect(takesMs("n3")).toBeCloseTo(takesMs("n2"), -3);
  });

  describe("an attempt that is killed after a ninth of its input", () => {
    const slowdown = (by: "us" | "host", kills = 5): number => {
      const { discipline, takesMs } = watching();
      const world = new World({
        discipline,
        nodes: 4,
        slots: [6],
        slotKinds: ["map"],
        runs: ({ node }) => steadily((node === "n1" ? 900 : 100) * SECOND),
      });
      world.submit({ maps: 24, inputBytes: BYTES });
      world.advance(105 * SECOND);
      for (const { id: attempt } of [...world.view.runningOn(world.node("n1"))].slice(0, kills)) {
        world.step({ at: world.at, kind: "attempt-killed", attempt, by });
      }
      world.advance(150 * SECOND).offer("n4");
      return takesMs("n1") / takesMs("n4");
    };

    test("by us, counts for its machine five times: it takes as long as they would have", () => {
      expect(slowdown("us")).toBeCloseTo(9, 6);
      expect(slowdown("us", 4)).toBe(1);
    });

    test("by others, does not count", () => {
      expect(slowdown("host")).toBe(1);
    });
  });

  describe("for maps, machine and distance of the data are told apart", () => {
    /** n1 and n2 on racks of their own, then n3 and n4, without a history. */
    const recordFrom = (
      jobs: readonly (string | undefined)[],
      takes: (launch: Launch, near: boolean) => number,
    ) => {
      const { discipline, takesMs } = watching();
      const world: World = new World({
        discipline,
        nodes: 2,
        racks: 2,
        slots: [1],
        slotKinds: ["map"],
        runs: (launch) => {
          const { replicas } = launch.task;
          return steadily(takes(launch, replicas.includes(world.node(launch.node))));
        },
      });
      const submit = (maps: number, on: string | undefined): void => {
        const replicas = on === undefined ? {} : { replicas: () => [on] };
        world.submit({ maps, inputBytes: BYTES, ...replicas });
      };
      for (const on of jobs) {
        submit(40, on);
        world.finish();
      }
      world.join();
      world.join();
      /** The times that a new job's tasks would take on each node. */
      return (on: string | undefined, nodes: readonly [string, string]): number => {
        submit(1, on);
        world.advance(world.now + 5 * SECOND).look();
        const ratio = takesMs(nodes[1]) / takesMs(nodes[0]);
        world.finish();
        return ratio;
      };
    };

    test("off the rack attempts take twice as long, and so will a copy on any machine", () => {
      const compare = recordFrom(["n1", "n2", "n1", "n2", "n1", "n2"], (_, near) =>
        near ? 10 * SECOND : 20 * SECOND,
      );
      expect(compare("n1", ["n1", "n2"])).toBeCloseTo(2, 0);
      expect(compare("n1", ["n1", "n2"])).toBeGreaterThan(1.8);
      expect(compare("n2", ["n1", "n2"])).toBeLessThan(1 / 1.8);
      // The machines are not the cause.
      expect(compare(undefined, ["n1", "n2"])).toBeGreaterThan(0.9);
      expect(compare(undefined, ["n1", "n2"])).toBeLessThan(1.1);
    });

    test("a slow machine that is far from all data does not make the way look long", () => {
      const compare = recordFrom([undefined, undefined, undefined, "n1"], ({ node }) =>
        node === "n2" ? 30 * SECOND : 10 * SECOND,
      );
      // n3 is on the rack of n1, n4 on that of n2.
      expect(compare("n1", ["n3", "n4"])).toBeLessThan(1.15);
      expect(compare(undefined, ["n1", "n2"])).toBeGreaterThan(2.5);
    });
  });

  describe("for reduces, the links to their inputs count", () => {
    /**
     * Two maps on n1 have written 1 MB for each reduce; a rack's link takes 20 s for that. The
     * reduces take 90 s on the rack where it lies and 110 s on the other.
     */
    const shuffled = (reduces: number) => {
      const { discipline, takesMs } = watching();
      const world = new World({
        discipline,
        nodes: 1,
        racks: 2,
        slots: [3, 2],
        runs: ({ phase, node }) => {
          if (phase === "map") return stuckAt(1, SECOND);
          return steadily((node === "n1" ? 90 : 110) * SECOND);
        },
      });
      world.submit({ maps: 2, reduces, inputBytes: BYTES });
      world.join();
      const perMs = BYTES / (20 * SECOND);
      for (const rack of [rackId(0), rackId(1)]) {
        const links = { upBytesPerMs: perMs, downBytesPerMs: perMs };
        world.step({ at: world.at, kind: "links-sampled", rack, ...links });
      }
      world.advance(10 * SECOND);
      const byPartition = new Array<number>(reduces).fill(BYTES / 2);
      const output = { bytes: (reduces * BYTES) / 2, records: 0, byPartition };
      const maps = [world.attempt("map", 0), world.attempt("map", 1)];
      for (const attempt of maps) {
        world.step({ at: world.at, kind: "attempt-succeeded", attempt, output });
      }
      return { world, takesMs };
    };

    test("a copy takes less time on the rack of its input", () => {
      const { world, takesMs } = shuffled(2);
      world.offer("n1");
      world.advance(50 * SECOND).look();
      world.offer("n2");
      // Two run on n1: 90 s on average; the mean transfer of 10 s is gained or lost.
      expect(takesMs("n1")).toBeCloseTo(80 * SECOND, -2);
      expect(takesMs("n2")).toBeCloseTo(100 * SECOND, -2);
    });

    test("slowness that the links explain does not count against the machines", () => {
      const { world, takesMs } = shuffled(40);
      world.offer("n1");
      world.offer("n2");
      world.finish();
      world.submit({ maps: 1, inputBytes: BYTES });
      world.advance(world.now + 5 * SECOND).look();
      world.offer("n2");
      expect(takesMs("n2") / takesMs("n1")).toBeCloseTo(1, 1);
    });
  });

  test("less capacity on the path to the inputs makes a place slower", () => {
    const links = new Map([
      [rackId(0), { upBytesPerMs: 100, downBytesPerMs: 100 }],
      [rackId(1), { upBytesPerMs: 100, downBytesPerMs: 10 }],
    ]);
    const on = (rack: RackId, known = links): number =>
      pathFactor({
        byRack: new Map([
          [rackId(0), 1000],
          [rackId(1), 1000],
        ]),
        rack,
        meanMs: 110,
        racks: [rackId(0), rackId(1)],
        links: (of) => known.get(of),
      });
    // 10 ms over the wide downlink, 100 ms over the narrow one, 55 ms on average.
    expect(on(rackId(0))).toBeCloseTo(1 - 45 / 110);
    expect(on(rackId(1))).toBeCloseTo(1 + 45 / 110);
    expect(on(rackId(1), new Map())).toBe(1);
    // All of the input on the rack itself needs no link.
    const near = new Map([[rackId(1), 2000]]);
    const racks = [rackId(0), rackId(1)];
    const path = { byRack: near, meanMs: 1000, racks, links: (of: RackId) => links.get(of) };
    expect(pathFactor({ ...path, rack: rackId(1) })).toBeLessThan(1);
    expect(pathFactor({ ...path, rack: rackId(0) })).toBeGreaterThan(1);
    // 10 ms on average for a task of 5 ms: no place reduces a task's time to 0 or less.
    expect(pathFactor({ ...path, meanMs: 5, rack: rackId(1) })).toBe(0.1);
  });
});
