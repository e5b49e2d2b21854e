import { describe, expect, test } from "vitest";
import type { Run } from "../../../../test/support/curves.ts";
import { type Launch, World } from "../../../../test/support/world.ts";
import { draw } from "../../../base/chance.ts";
import { randomState, split } from "../../../base/random.ts";
import { nodeId } from "../../../model/ids.ts";
import type { EsplashMemory } from "./memory.ts";

const SECOND = 1000;

interface Slow {
  readonly node: string;
  readonly from: number;
  readonly to: number;
  readonly factor: number;
}

/** Work of `workMs` milliseconds on a node that is slower by a factor for a while. */
function runOf(workMs: number, { node, at }: Launch, slow: Slow | undefined): Run {
  const pieces = [];
  let done = 0;
  let now = at;
  while (done < workMs - 1e-6) {
    const isSlow = slow !== undefined && node === slow.node && now >= slow.from && now < slow.to;
    const factor = isSlow ? slow.factor : 1;
    let forMs = (workMs - done) * factor;
    if (slow !== undefined && node === slow.node) {
      if (now < slow.from) forMs = Math.min(forMs, slow.from - now);
      else if (now < slow.to) forMs = Math.min(forMs, slow.to - now);
    }
    done += forMs / factor;
    now += forMs;
    pieces.push({ forMs, toScore: Math.min(1, done / workMs) });
  }
  return { pieces, end: "succeeded" };
}

const isOurs = (memory: unknown): memory is EsplashMemory =>
  typeof memory === "object" && memory !== null && "stragglers" in memory;

const maps = (tasks: number) => ({ phases: [{ name: "map", tasks, slots: ["container"] }] });

describe("levels of two nodes, as in the paper's testbed", () => {
  /** Four levels, two nodes of four containers each; one node becomes slower at 100 s. */
  function requests(seed: number, slow: { node: string; factor: number } | undefined): number {
    const chance = randomState(seed, "pairs");
    const speeds = [4, 2.5, 1.6, 1];
    const world = new World({
      discipline: "esplash",
      slotKinds: ["container"],
      slots: [4],
      nodes: 8,
      sets: ["speculation.levels=n1:1,n2:1,n3:2,n4:2,n5:3,n6:3,n7:4,n8:4"],
      explain: false,
      setup: { seed },
      runs: (launch) => {
        const own = split(chance, launch.attempt);
        const usual = draw(own, { kind: "lognormal", median: 20 * SECOND, sigma: 0.16 });
        const level = Math.floor((Number(launch.node.slice(1)) - 1) / 2);
        return runOf(usual * (speeds[level] ?? 1), launch, slow && { ...LATER, ...slow });
      },
    });
    world.submit(maps(150));
    world.finish();
    return world.actions.filter(({ action }) => action.kind === "request").length;
  }
  const LATER = { from: 100 * SECOND, to: Number.POSITIVE_INFINITY };
  const SEEDS = [1, 2, 3, 4, 5, 6];
  const seen = (node: string, factor: number): number =>
    SEEDS.filter((seed) => requests(seed, { node, factor }) > 0).length;

  test.each(["n1", "n3", "n5", "n7"])("%s, twice as slow, is seen in every run", (node) => {
    expect(seen(node, 2)).toBe(SEEDS.length);
  });

  // On the fastest level, a copy of 20 s would save nothing of the time left of 30 s.
  test.each(["n1", "n3", "n5"])("%s, half as slow again, is seen in most runs", (node) => {
    expect(seen(node, 1.5)).toBeGreaterThanOrEqual(4);
  });

  test("without slow nodes almost nothing is copied: one task of 900", () => {
    expect(SEEDS.map((seed) => requests(seed, undefined))).toEqual([0, 0, 0, 0, 1, 0]);
  });
});

describe("a node that has recovered", () => {
  /** Eight nodes, tasks of 10 s; n1 is eight times slower from 30 to 90 s. */
  function stragglersAt(times: readonly number[], sets: readonly string[] = []): number[] {
    let ours: EsplashMemory | undefined;
    const slow = { node: "n1", from: 30 * SECOND, to: 90 * SECOND, factor: 8 };
    const world = new World({
      discipline: "esplash",
      slotKinds: ["container"],
      slots: [1],
      nodes: 8,
      sets: ["speculation.levels=n*:1", ...sets],
      explain: false,
      memory: (one) => {
        if (isOurs(one)) ours = one;
        return one;
      },
      runs: (launch) => runOf(10 * SECOND, launch, slow),
    });
    world.submit(maps(480));
    return times.map((at) => {
      world.advance(at * SECOND);
      return ours?.stragglers.has(nodeId(0)) === true ? 1 : 0;
    });
  }

  test("is judged by its finished tasks if they are shorter than an epoch", () => {
    expect(stragglersAt([60, 85, 125, 300])).toEqual([1, 1, 0, 0]);
  });

  test("in the paper's letter, only running tasks judge: it stays a straggler", () => {
    expect(stragglersAt([60, 300, 600], ["speculation.judgesFinished=false"])).toEqual([1, 1, 1]);
  });
});
