import { describe, expect, test } from "vitest";
import { steadily } from "../../../test/support/curves.ts";
import { World } from "../../../test/support/world.ts";
import { timeLeft } from "./adaptive-expiry.ts";

/** How long until n1 is lost, silent from 100 s on; maps take 10 s on one slot of two nodes. */
const lostAfter = (maps: readonly number[], sets: readonly string[] = []): number | undefined => {
  const world = new World({
    discipline: "none,sharing=fifo-plain,detection=adaptive-expiry",
    sets,
    nodes: 2,
    slots: [1, 0],
    runs: () => steadily(10_000),
  });
  for (const count of maps) world.submit({ maps: count });
  world.advance(100_000).silence("n1");
  world.advance(2_000_000);
  const lost = world.actions.find(({ action }) => action.kind === "declare-lost");
  return lost === undefined ? undefined : lost.at - 100_000;
};

describe("the time that a job has left", () => {
  test("is its time so far, times the tasks left over the tasks done", () => {
    expect(timeLeft({ elapsedMs: 100_000, tasks: 80, done: 2 })).toBe(3_900_000);
    expect(timeLeft({ elapsedMs: 100_000, tasks: 4, done: 4 })).toBe(0);
  });

  test("is unknown before a task is done, and for a job that came after the silence began", () => {
    expect(timeLeft({ elapsedMs: 100_000, tasks: 4, done: 0 })).toBe(Number.POSITIVE_INFINITY);
    expect(timeLeft({ elapsedMs: -1, tasks: 4, done: 2 })).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("a silent node is lost", () => {
  test("after a fifth of the job's time left, counting tasks finished since", () => {
    // At 100 s 20 of 200 maps are done; then n2 alone does one every 10 s. At 210 s 31 are done:
    // 100 s times 169 / 31 were left, a fifth of that is 109 s, and the silence has lasted 110 s.
    expect(lostAfter([200])).toBe(110_000);
  });

  test("after at least 30 s, and at most 600 s", () => {
    expect(lostAfter([30])).toBe(30_000);
    expect(lostAfter([20_000])).toBe(600_000);
  });

  test("after the configured bounds", () => {
    expect(lostAfter([30], ["detection.expiryMsMin=12000"])).toBe(12_000);
    expect(lostAfter([20_000], ["detection.expiryMs=50000"])).toBe(50_000);
    expect(lostAfter([30], ["detection.expiryMs=20000"])).toBe(20_000);
  });

  test("by the job that ends next: small jobs do not wait for large ones", () => {
    expect(lostAfter([24, 20_000])).toBe(30_000);
  });
});
