import { describe, expect, test } from "vitest";
import { Line } from "../../../test/golden/format.ts";
import { Script } from "../../../test/golden/script.ts";
import { integer, nextFloat, type RandomState, randomState } from "../../base/random.ts";
import { placeExactly } from "./mantri-placement/exact.ts";
import { placeGreedily } from "./mantri-placement/greedy.ts";
import { Loads, type Network, type Placement } from "./mantri-placement/loads.ts";

const equal = (bytes: Network["bytes"], racks: number): Network => {
  const all = new Array<number>(racks).fill(1);
  return { bytes, up: all, down: all };
};

const costOf = (network: Network, placement: Placement): number =>
  new Loads(network, placement).slowest().cost;

describe("§5.2, Figure 11: three reduces on three racks, each reads one block of every map", () => {
  // Three partitions on each rack, one for each reduce.
  const blocks = equal(
    [
      [1, 1, 1],
      [1, 1, 1],
      [1, 1, 1],
    ],
    3,
  );

  test("two on one rack bring four blocks over its downlink, one on each rack two", () => {
    const adHoc = new Loads(blocks, [0, 0, 1]);
    expect([0, 1, 2].map((rack) => adHoc.cost(rack))).toEqual([4, 2, 3]);
    const even = new Loads(blocks, [0, 1, 2]);
    expect([0, 1, 2].map((rack) => even.cost(rack))).toEqual([2, 2, 2]);
  });

  test("both searches find the even placement", () => {
    for (const placement of [placeGreedily(blocks), placeExactly(blocks, [0, 0, 1])]) {
      expect(new Set(placement).size).toBe(3);
      expect(costOf(blocks, placement)).toBe(2);
    }
  });
});

describe("§5.2: arg min max_j c_j, j = 1 .. 2r", () => {
  test("c is data over bandwidth: a rack with a slow downlink gets fewer tasks", () => {
    const rows = Array.from({ length: 6 }, () => [10, 10]);
    const slow: Network = { bytes: rows, up: [100, 100], down: [30, 10] };
    // Of 6 tasks k on the second rack: max(10 (6 - k) / 30, 10 k / 10).
    const placement = placeExactly(slow, placeGreedily(slow));
    expect(placement.filter((rack) => rack === 1)).toHaveLength(1);
    expect(costOf(slow, placement)).toBeCloseTo(50 / 30);
  });

  test("transfers of less than a millisecond are compared like others", () => {
    const short = equal(
      Array.from({ length: 3 }, () => [0.1, 0.1, 0.1]),
      3,
    );
    expect(costOf(short, [0, 0, 1])).toBeCloseTo(0.4);
    expect(costOf(short, placeExactly(short, [0, 0, 1]))).toBeCloseTo(0.2);
  });

  test("uplinks count too: a task that reads most from one rack runs there", () => {
    const network = equal(
      [
        [90, 5, 5],
        [5, 90, 5],
        [5, 5, 90],
      ],
      3,
    );
    expect(placeExactly(network, [1, 2, 0])).toEqual([0, 1, 2]);
    expect(placeGreedily(network)).toEqual([0, 1, 2]);
  });

  function drawn(random: RandomState): Network {
    const racks = 2 + integer(random, 3);
    const tasks = 1 + integer(random, racks === 4 ? 6 : 7);
    const isEven = nextFloat(random) < 0.3;
    const even = Array.from({ length: racks }, () => integer(random, 100));
    const bytes = Array.from({ length: tasks }, () =>
      isEven ? even : even.map(() => integer(random, 100)),
    );
    const bandwidths = () => even.map(() => 1 + integer(random, 10));
    return { bytes, up: bandwidths(), down: bandwidths() };
  }

  /** The best placement, found by trying all. */
  function dumb(network: Network): number {
    const racks = network.up.length;
    let least = Number.POSITIVE_INFINITY;
    for (let code = 0; code < racks ** network.bytes.length; code++) {
      const placement = network.bytes.map((_, task) => Math.floor(code / racks ** task) % racks);
      least = Math.min(least, costOf(network, placement));
    }
    return least;
  }

  test("the exact search is as good as trying all, the greedy one never better and near", () => {
    const random = randomState(5);
    let sum = 0;
    let most = 0;
    const count = 200;
    for (let n = 0; n < count; n++) {
      const network = drawn(random);
      const greedy = placeGreedily(network);
      const exact = costOf(network, placeExactly(network, greedy));
      expect(exact).toBeCloseTo(dumb(network), 9);
      const found = costOf(network, greedy);
      expect(found).toBeGreaterThanOrEqual(exact - 1e-9);
      const excess = exact === 0 ? 0 : found / exact - 1;
      sum += excess;
      most = Math.max(most, excess);
    }
    expect(sum / count).toBeLessThan(0.005);
    expect(most).toBeLessThan(0.25);
  });

  test("no single move or swap betters what the greedy search finds for a large phase", () => {
    const random = randomState(9);
    const racks = 12;
    const bytes = Array.from({ length: 150 }, () =>
      Array.from({ length: racks }, () => integer(random, 1000)),
    );
    const network = equal(bytes, racks);
    const placement = placeGreedily(network);
    const found = costOf(network, placement);
    const spread = new Set(placement).size;
    expect(spread).toBe(racks);
    bytes.forEach((_, task) => {
      for (let rack = 0; rack < racks; rack++) {
        const moved = placement.map((at, index) => (index === task ? rack : at));
        expect(costOf(network, moved)).toBeGreaterThanOrEqual(found - 1e-6);
      }
    });
  });
});

describe("§6.4: bandwidths are a hybrid of Start and Equal", () => {
  /** Two maps on each of two racks, four reduces; the links of the second rack are nearly full. */
  function racksOf(...sets: readonly string[]): readonly string[] {
    const script = new Script(() => () => {});
    for (const command of [
      "cluster racks=r1,r2",
      `discipline mantri-placement ${sets.map((set) => `data.${set}`).join(" ")}`,
      "nodes n1 rack=r1 map=2 reduce=4",
      "nodes n2 rack=r2 map=2 reduce=4",
      "links r1 up=1000 down=1000",
      "links r2 up=1000 down=10",
      "job j map*4 reduce*4<map bytes=1000",
      "succeed j/map/0#0 j/map/1#0 j/map/2#0 j/map/3#0 bytes=400 parts=100,100,100,100",
    ]) {
      script.run(new Line(command));
    }
    const { view } = script.host.scheduler;
    const [job] = view.jobs();
    return Array.from(job?.phases[1]?.tasks ?? [], ({ id }) => {
      const racks = view.preference(id)?.racks ?? [];
      return racks.map((rack) => script.setup.racks[rack]).join();
    });
  }

  test("a phase with little data uses the bandwidths at its start", () => {
    expect(racksOf()).toEqual(["r1", "r1", "r1", "r1"]);
  });

  test("reduces are placed once all maps are done, whatever the slowstart of their edge", () => {
    const script = new Script(() => () => {});
    for (const command of [
      "cluster racks=r1,r2",
      "discipline mantri-placement",
      "nodes n1 rack=r1 map=2 reduce=4",
      "nodes n2 rack=r2 map=2 reduce=4",
      "job j map*4 reduce*2<map@0.05",
    ]) {
      script.run(new Line(command));
    }
    const { view } = script.host.scheduler;
    const [job] = view.jobs();
    const placed = () =>
      [...(job?.phases[1]?.tasks ?? [])].map(({ id }) => view.preference(id) !== undefined);
    script.run(new Line("succeed j/map/0#0 j/map/1#0 j/map/2#0 bytes=200 parts=100,100"));
    expect(placed()).toEqual([false, false]);
    script.run(new Line("succeed j/map/3#0 bytes=200 parts=100,100"));
    expect(placed()).toEqual([true, true]);
  });

  test("a phase with much data takes all bandwidths as equal", () => {
    // With all reduces on r1, 800 bytes come over links of 1,000 bytes per ms.
    expect(racksOf("startMsMax=0.79").filter((rack) => rack === "r2")).toHaveLength(2);
    expect(racksOf("startMsMax=0.8").filter((rack) => rack === "r2")).toHaveLength(0);
  });
});
