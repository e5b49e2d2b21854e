import { describe, expect, test } from "vitest";
import { type Run, steadily, stuckAt } from "../../../test/support/curves.ts";
import { type Launch, World, type WorldOptions } from "../../../test/support/world.ts";
import { nodeId } from "../../model/ids.ts";
import type { EsplashMemory } from "./esplash/memory.ts";

const SECOND = 1000;
const LEVELS = "speculation.levels=n1:1,n2:1,n3:2,n4:2";

interface Choices extends WorldOptions {
  /** Launches take 40 s on n1 and n2 and 20 s elsewhere, with the given exceptions. */
  readonly except?: (launch: Launch) => Run | undefined;
}

function testbed({ except, sets = [LEVELS], ...options }: Choices = {}): World {
  return new World({
    discipline: "esplash",
    slotKinds: ["container"],
    slots: [1],
    sets: ["speculation.epochMs=10000", "speculation.deviationMin=0.1", ...sets],
    runs: (launch) => {
      const isSlow = launch.node === "n1" || launch.node === "n2";
      return except?.(launch) ?? steadily((isSlow ? 40 : 20) * SECOND);
    },
    ...options,
  });
}

const maps = (tasks: number) => ({ phases: [{ name: "map", tasks, slots: ["container"] }] });

/** Originals of these maps crawl. */
const crawling =
  (...tasks: readonly number[]) =>
  ({ task, as }: Launch): Run | undefined =>
    as === "original" && tasks.includes(task.index) ? steadily(900 * SECOND) : undefined;

/** The times of requests, in seconds, and their maps. */
function requests(world: World): readonly string[] {
  const indices = new Map(
    world.events.flatMap((event) =>
      event.kind === "job-submitted"
        ? event.job.phases.flatMap(({ tasks }) =>
            Array.from(tasks, ({ id, index }) => [id, index] as const),
          )
        : [],
    ),
  );
  return world.actions.flatMap(({ at, action }) => {
    if (action.kind !== "request") return [];
    const { where } = action;
    const nodes = where.on === "only" ? where.nodes.map((node) => `n${node + 1}`) : [where.on];
    return [`${at / SECOND} s map ${indices.get(action.task)} on ${nodes.join(" ")}`];
  });
}

describe("a slow node that is as slow as its level", () => {
  test("is no straggler, so nothing is copied", () => {
    const world = testbed();
    world.submit(maps(23));
    expect(world.finish()).toBe(160 * SECOND);
    expect(world.copies()).toEqual([]);
    expect(new Set(world.refusals())).toEqual(new Set(["no-straggler-node"]));
  });

  test("needs no configuration once levels are found by performance", () => {
    const world = testbed({ sets: ["speculation.k=2"], except: crawling(12) });
    world.submit(maps(20));
    world.finish();
    // Map 12 runs on n1 from 80 s on.
    expect(world.launches("original")).toContain("map/12 original n1");
    expect(world.copies().map((copy) => copy.split(" ")[0])).toEqual(["map/12"]);
    expect(world.refusals().indexOf("no-levels")).toBe(0);
    expect(world.refusals().lastIndexOf("no-levels")).toBeLessThan(50);
  });
});

test("a node is a straggler if its value is above tau, and not if it is tau", () => {
  // n3 and n4 are one level, and n3 is twice as slow: its value is 2 in every epoch.
  const at = (tau: number): World => {
    const world = testbed({
      except: ({ task }) => (task.index < 2 ? undefined : steadily(task.index === 2 ? 4e5 : 2e5)),
      sets: [LEVELS, "speculation.timeCoefficient=0", `speculation.tau=${tau}`],
    });
    world.submit(maps(4));
    world.advance(60 * SECOND);
    return world;
  };
  expect(requests(at(2))).toEqual([]);
  expect(requests(at(1.999))).toEqual(["40 s map 2 on n4"]);
});

describe("where a copy may run", () => {
  test("on nodes of the least level and above, stragglers excluded", () => {
    const world = testbed({ except: crawling(6, 8) });
    world.submit(maps(10));
    world.advance(62 * SECOND);
    // Map 6 is on n1, map 8 on n3: both are stragglers, and n4 is all that is left of level 2.
    expect(requests(world)).toHaveLength(1);
    expect(requests(world)[0]).toMatch(/^50 s map \d on n4$/);
    expect(world.copies()).toHaveLength(1);
  });

  test("not beside its original, even if that node has recovered while the request waited", () => {
    // n3 crawls from 4 to 44 s; n4, the other of its level, is busy all the time.
    const world = testbed({
      except: ({ task }) => {
        if (task.index === 3) return steadily(200 * SECOND);
        if (task.index !== 2) return undefined;
        const pieces = [
          { forMs: 4 * SECOND, toScore: 0.1 },
          { forMs: 40 * SECOND, toScore: 0.2 },
          { forMs: 150 * SECOND, toScore: 1 },
        ];
        return { pieces, end: "succeeded" };
      },
      sets: [LEVELS, "speculation.timeCoefficient=0", "speculation.tau=1.3"],
    });
    world.submit(maps(4));
    world.advance(58 * SECOND);
    expect(world.refusals().slice(-12)).toContain("no-straggler-node");
    expect(requests(world)).toEqual(["40 s map 2 on n4"]);
  });

  test("not on a node that is silent", () => {
    const world = testbed({ except: crawling(6) });
    world.submit(maps(8));
    world.advance(45 * SECOND);
    world.silence("n4");
    world.advance(55 * SECOND);
    expect(requests(world)[0]).toMatch(/on n3$/);
  });

  test("not on a node without a level, nor is it judged, unless it counts as lowest", () => {
    const sets = ["speculation.levels=n1:1,n2:1,n3:2", "speculation.newNodesAreLowest=false"];
    const alone = testbed({ except: crawling(6, 8), sets });
    alone.submit(maps(9));
    alone.advance(70 * SECOND);
    // n3, the only node of level 2, is a straggler with map 8: no node may host a copy of map 8.
    expect(requests(alone)).toEqual(["50 s map 6 on n2"]);
    const counted = testbed({ except: crawling(6, 8), sets: sets.slice(0, 1) });
    counted.submit(maps(9));
    counted.advance(70 * SECOND);
    expect(requests(counted)).toEqual(["50 s map 6 on n2 n4"]);
  });
});

test("where nothing of the type has finished, the next lower level gives its time", () => {
  const world = testbed({
    except: ({ node, task }) => {
      if (task.index === 2) return steadily(900 * SECOND);
      return node === "n4" ? steadily(100 * SECOND) : undefined;
    },
  });
  world.submit(maps(6));
  world.advance(39 * SECOND);
  // n3 is a straggler; neither n3 nor n4 nor any other node has finished anything.
  expect(requests(world)).toEqual([]);
  world.advance(41 * SECOND);
  // n1 and n2, of level 1, have finished in 40 s: level 2 takes no longer.
  expect(requests(world)).toEqual(["41 s map 2 on n4"]);
});

describe("when a copy is requested", () => {
  test("each job's requests are 15 s apart, whatever other jobs do", () => {
    // From 40 s on n1 crawls, with two maps of the first job and two of the second.
    const world = testbed({
      slots: [4],
      except: ({ as, at, node }) =>
        as === "original" && at > 0 && node === "n1" ? steadily(900 * SECOND) : undefined,
    });
    world.submit(maps(26));
    world.submit(maps(14));
    world.advance(90 * SECOND);
    // No task of the second job has finished before 60 s.
    expect(requests(world)).toEqual([
      "50 s map 24 on n3 n4",
      "60 s map 0 on n3 n4",
      "65 s map 25 on n3 n4",
      "75 s map 1 on n3 n4",
    ]);
  });

  test("not while attempts of the type wait for a container, unless configured", () => {
    const first = (sets: readonly string[]): number => {
      const world = testbed({ except: crawling(6), sets: [LEVELS, ...sets] });
      world.submit(maps(12));
      world.advance(90 * SECOND);
      return Number(requests(world)[0]?.split(" ")[0]);
    };
    expect(first(["speculation.whileTasksWait=true"])).toBe(50);
    expect(first([])).toBe(61);
  });

  test("also for a node that has fallen silent", () => {
    const world = testbed();
    world.submit(maps(8));
    world.advance(41 * SECOND);
    world.silence("n1");
    world.advance(62 * SECOND);
    expect(requests(world)[0]).toMatch(/^50 s map 6 on n3 n4$/);
  });
});

test.each([15, 25])("§IV-D: a request that has waited for %d s is looked at again", (patience) => {
  // All are busy until 80 s. Map 4, on n1 from 40 s on, crawls, and at 52 s is nearly done.
  const world = testbed({
    sets: [
      LEVELS,
      `speculation.requestPatienceMs=${patience * SECOND}`,
      "speculation.whileTasksWait=true",
      // Map 4 leaps, and compared with map 4 alone n2 would be a straggler.
      "speculation.othersOnly=false",
    ],
    except: ({ node, task }) => {
      if (node === "n3" || node === "n4") return steadily(400 * SECOND);
      if (task.index !== 4) return undefined;
      const pieces = [
        { forMs: 11 * SECOND, toScore: 0.02 },
        { forMs: SECOND, toScore: 0.9 },
        { forMs: 300 * SECOND, toScore: 1 },
      ];
      return { pieces, end: "succeeded" };
    },
  });
  world.submit(maps(12));
  world.advance(120 * SECOND);
  expect(requests(world)).toEqual(["50 s map 4 on n3 n4 n2"]);
  const withdrawn = world.actions.flatMap(({ at, action }) =>
    action.kind === "withdraw" ? [`${at / SECOND} s ${action.why.rule}`] : [],
  );
  expect(withdrawn).toEqual([`${50 + patience} s no-longer-worth-it`]);
});

describe("judged attempts", () => {
  const slots = ["container"];

  test("exclude a reader of unfinished tasks, which waits for others, not for its node", () => {
    // Maps fill n1 and n2 and half of n3; of four reduces, those on n4 get nothing to read.
    const world = testbed({
      slots: [4],
      except: ({ phase, node }) =>
        phase === "reduce" && node === "n4" ? stuckAt(0.1, 5 * SECOND) : undefined,
    });
    const start = { when: "pipelined" as const };
    world.submit({
      phases: [
        { name: "map", tasks: 10, slots },
        { name: "reduce", tasks: 4, slots, after: [{ phase: "map", start }] },
      ],
    });
    world.advance(39 * SECOND);
    expect(world.launches()).toContain("reduce/3 original n4");
    const others = ["no-straggler-node", "nothing-waits", "upstream-waits"];
    expect(new Set(world.refusals())).toEqual(new Set(others));
  });

  test("exclude a task that has done everything and only waits for its end", () => {
    const world = testbed({
      except: ({ task }) => (task.index === 0 ? stuckAt(1, 40 * SECOND) : undefined),
    });
    world.submit(maps(20));
    world.advance(79 * SECOND);
    expect(new Set(world.refusals())).toEqual(new Set(["no-straggler-node"]));
  });

  test("exclude an attempt that began within the epoch", () => {
    // Map 6 begins at 40 s: the epoch that ends at 45 s does not see it.
    const world = testbed({
      except: ({ task, as }) =>
        task.index === 6 && as === "original" ? stuckAt(0, SECOND) : undefined,
      sets: [LEVELS, "speculation.epochMs=15000"],
    });
    world.submit(maps(8));
    world.advance(59 * SECOND);
    expect(requests(world)).toEqual([]);
    world.advance(60 * SECOND);
    expect(requests(world)).toHaveLength(1);
  });

  test("exclude an attempt that has not run for an epoch, whose end is unknown", () => {
    // n1 has two containers; map 12 crawls from 40 s on, another map from 80 s on.
    const world = testbed({
      slots: [2],
      except: ({ as, at, node, task }) =>
        as === "original" && node === "n1" && (task.index === 12 || at >= 80 * SECOND)
          ? steadily(900 * SECOND)
          : undefined,
      sets: [LEVELS, "speculation.whileTasksWait=true"],
    });
    world.submit(maps(100));
    world.advance(95 * SECOND);
    expect(requests(world).map((one) => one.split(" ")[0])).toEqual(["50", "90"]);
  });

  test("a lost node is no longer a straggler node", () => {
    const world = testbed({ except: crawling(6) });
    world.submit(maps(30));
    world.advance(52 * SECOND);
    expect(world.refusals().at(-1)).toBe("type-waits");
    world.step({ at: world.at, kind: "node-left", node: world.node("n1") });
    world.advance(54 * SECOND);
    expect(world.refusals().at(-1)).toBe("no-straggler-node");
  });

  test("a node that comes back starts afresh", () => {
    const world = testbed({ except: crawling(6) });
    world.submit(maps(30));
    world.advance(52 * SECOND);
    expect(world.refusals().at(-1)).toBe("type-waits");
    const node = world.view.node(world.node("n1"));
    world.step({ at: world.at, kind: "node-joined", node });
    world.advance(53 * SECOND);
    expect(world.refusals().at(-1)).toBe("no-straggler-node");
  });
});

const isOurs = (memory: unknown): memory is EsplashMemory =>
  typeof memory === "object" && memory !== null && "stragglers" in memory;

describe("levels found by performance", () => {
  test("are recomputed once clusterEveryMs has passed", () => {
    const found = new Set<number | undefined>();
    const memory = (one: unknown): unknown => {
      if (isOurs(one)) found.add(one.clusteredAt);
      return one;
    };
    const world = testbed({ sets: ["speculation.clusterEveryMs=35000"], memory });
    world.submit(maps(40));
    world.advance(130 * SECOND);
    found.delete(undefined);
    // At the ends of epochs: three of the four nodes have finished a map at 40 s.
    expect([...found]).toEqual([40, 80, 120].map((at) => at * SECOND));
  });

  test("the table has each time at its node's current level", () => {
    const levelsOfN2 = new Set<number | undefined>();
    let ours: EsplashMemory | undefined;
    const memory = (one: unknown): unknown => {
      if (isOurs(one)) {
        ours = one;
        levelsOfN2.add(one.nodes.get(nodeId(1))?.level);
      }
      return one;
    };
    // n2 is as slow as n1 for 130 s, then the fastest of all.
    const world = testbed({
      sets: ["speculation.k=2", "speculation.clusterEveryMs=30000"],
      except: ({ at, node }) =>
        node === "n2" && at > 130 * SECOND ? steadily(5 * SECOND) : undefined,
      memory,
    });
    world.submit(maps(120));
    world.advance(42 * SECOND);
    const [first] = [...(ours?.table.values() ?? [])];
    // Tasks that had finished before there were levels; n2, at 40 s, was too late to get one.
    expect(first?.get(1)).toMatchObject({ count: 1, sum: 40 * SECOND });
    expect(first?.get(2)).toMatchObject({ count: 4, sum: 80 * SECOND });
    world.advance(400 * SECOND);
    expect([...levelsOfN2]).toEqual([undefined, 1, 2]);
    const [byNode] = [...(ours?.times.values() ?? [])];
    const [table] = [...(ours?.table.values() ?? [])];
    for (const level of [1, 2]) {
      const nodes = [...(byNode ?? [])].filter(([id]) => ours?.nodes.get(id)?.level === level);
      const count = nodes.reduce((sum, [, moments]) => sum + moments.count, 0);
      expect(table?.get(level)?.count).toBe(count);
    }
  });

  test("are kept for a node that comes back", () => {
    let levels: readonly (number | undefined)[] = [];
    const memory = (one: unknown): unknown => {
      if (isOurs(one)) levels = [...one.nodes.values()].map(({ level }) => level);
      return one;
    };
    const world = testbed({ sets: ["speculation.k=2"], memory });
    world.submit(maps(40));
    world.advance(45 * SECOND);
    // At 40 s, n2 had not finished its first map.
    expect(levels).toEqual([1, undefined, 2, 2]);
    const node = world.view.node(world.node("n1"));
    world.step({ at: world.at, kind: "node-joined", node });
    world.look();
    expect(levels).toEqual([1, undefined, 2, 2]);
  });
});

test("levels that are not NAME:LEVEL are refused", () => {
  expect(() => testbed({ sets: ["speculation.levels=n1"] })).toThrow(/speculation.levels/);
});
