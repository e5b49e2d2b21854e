import { expect, test } from "vitest";
import { steadily } from "../../../test/support/curves.ts";
import { probing } from "../../../test/support/probe.ts";
import { World } from "../../../test/support/world.ts";
import { timeLeft } from "./progress-rate.ts";

test("§4.2: T1, 60 % after 20 s, has 13.3 s left; T2, 50 % after 10 s, has 10 s", () => {
  expect(timeLeft({ score: 0.6, rate: 0.6 / 20 })).toBeCloseTo(13.333, 3);
  expect(timeLeft({ score: 0.5, rate: 0.5 / 10 })).toBeCloseTo(10);
});

test("without progress the time left is infinite; with a full score it is 0", () => {
  expect(timeLeft({ score: 0, rate: 0 })).toBe(Number.POSITIVE_INFINITY);
  expect(timeLeft({ score: 1, rate: 0.1 })).toBe(0);
  expect(timeLeft({ score: 1, rate: 0 })).toBe(0);
});

test("a new copy takes as long as its phase's succeeded attempts, and no others, took", () => {
  const { discipline, newCopies } = probing("none,sharing=fifo-plain");
  const world = new World({
    discipline,
    nodes: 4,
    slots: [1, 0],
    runs: ({ task }) => steadily([20_000, 5000, 30_000, 90_000][task.index] ?? 0),
  });
  world.submit({ maps: 4 });
  world.advance(1000);
  world.advance(40_000);
  expect(newCopies()).toEqual([{ kind: "samples", rising: [5000, 20_000, 30_000] }]);
  world.finish();
  world.submit({ maps: 1 });
  world.advance(world.now + 5000);
  expect(newCopies()).toEqual([{ kind: "unknown" }]);
});
