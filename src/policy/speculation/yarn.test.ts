import { describe, expect, test } from "vitest";
import { type Run, slowOriginals, steadily } from "../../../test/support/curves.ts";
import { requestsOf } from "../../../test/support/requests.ts";
import { type Launch, World, type WorldOptions } from "../../../test/support/world.ts";
import { defaultsOf } from "../policy.ts";
import { capOf, yarn } from "./yarn.ts";

/** Maps take 60 s, the numbered ones longer in their first attempt. */
const slow = (takesS: Readonly<Record<number, number>>) => slowOriginals(60, takesS);

function world(options: WorldOptions): World {
  return new World({ discipline: "yarn", nodes: 4, slots: [1, 0], ...options });
}

describe("capOf: the largest of three limits", () => {
  const cap = (tasks: number, running: number): number =>
    capOf({ ...defaultsOf(yarn), tasks, running });

  test("minimum-allowed-tasks for a small job", () => {
    expect(cap(100, 50)).toBe(10);
  });

  test("speculative-cap-total-tasks, cut to whole tasks", () => {
    expect(cap(1_199, 50)).toBe(11);
  });

  test("speculative-cap-running-tasks, cut to whole tasks", () => {
    expect(cap(1_199, 399)).toBe(39);
  });
});

test("nothing is copied before a twentieth of the phase, and at least one task, is done", () => {
  const runs = ({ task }: Launch): Run =>
    steadily(task.index < 2 ? 10_000 + task.index * 5_000 : 600_000);
  const forty = world({ nodes: 40, runs });
  forty.submit({ maps: 40 });
  expect(requestsOf(forty.advance(14_000))).toEqual([]);
  expect(requestsOf(forty.advance(16_000))).toEqual(["15s 2"]);
  // One of 21 is less than a twentieth.
  const more = world({ nodes: 21, runs });
  more.submit({ maps: 21 });
  expect(requestsOf(more.advance(14_000))).toEqual([]);
  const twenty = world({ nodes: 20, runs });
  twenty.submit({ maps: 20 });
  expect(requestsOf(twenty.advance(11_000))).toEqual(["10s 2"]);
});

test("each look makes one copy per phase, the most useful first, then rests for 15 s", () => {
  const three = world({ runs: slow({ 1: 300, 2: 500, 3: 400 }) });
  three.submit({ maps: 4 });
  expect(requestsOf(three.advance(61_000))).toEqual(["60s 2"]);
  expect(requestsOf(three.advance(75_000))).toEqual(["60s 2", "75s 3"]);
  // No slot is free for the second copy, and while it waits nothing is copied, until the first has
  // won.
  expect(requestsOf(three.advance(150_000))).toEqual(["60s 2", "75s 3", "121s 1"]);
});

test("ties go to the lower task", () => {
  const one = world({ nodes: 6, runs: slow({ 1: 300, 2: 300 }) });
  one.submit({ maps: 4 });
  expect(requestsOf(one.advance(80_000))).toEqual(["60s 1", "75s 2"]);
});

test("each job has its own speculator: one that rests does not delay another", () => {
  const one = world({ nodes: 8, runs: slow({ 3: 600 }) });
  one.submit({ maps: 4 });
  one.advance(5_000);
  one.submit({ maps: 4 });
  expect(requestsOf(one.advance(70_000))).toEqual(["60s 3", "65s 7"]);
});

test("a copy that would not end sooner is not made", () => {
  const one = world({ runs: slow({ 3: 119 }) });
  one.submit({ maps: 4 });
  one.advance(119_000);
  expect(requestsOf(one)).toEqual([]);
  expect(one.refusals()).toContain("too-late");
});

test("a stock copy may land beside its original; mended, only where the task has not run", () => {
  const runs = slow({ 1: 600 });
  const stock = world({ nodes: 1, slots: [3, 0], runs });
  stock.submit({ maps: 2 });
  stock.advance(70_000);
  expect(stock.copies()).toEqual(["map/1 n1"]);
  const mended = world({ discipline: "yarn-corrected", nodes: 2, slots: [3, 0], runs });
  mended.submit({ maps: 2 });
  mended.advance(70_000);
  expect(mended.copies()).toEqual(["map/1 n2"]);
});

test("mended, if there is no other node, any node will do", () => {
  const runs = slow({ 1: 600 });
  const one = world({ discipline: "yarn-corrected", nodes: 1, slots: [3, 0], runs });
  one.submit({ maps: 2 });
  one.advance(70_000);
  expect(one.copies()).toEqual(["map/1 n1"]);
});

describe("MAPREDUCE-7339: one copy is allowed, and runs", () => {
  const runs = ({ task, as }: Launch): Run => {
    if (as === "speculative") return steadily(300_000);
    // The second task slows down late; the first is copied.
    const pieces = [
      { forMs: 100_000, toScore: 0.5 },
      { forMs: 1_000_000, toScore: 1 },
    ];
    if (task.index === 2) return { pieces, end: "succeeded" };
    return steadily(task.index === 1 ? 300_000 : 60_000);
  };
  const requests = (discipline: string): string[] => {
    const sets = ["speculation.minimumAllowedTasks=1"];
    const one = world({ discipline, nodes: 6, sets, runs });
    one.submit({ maps: 4 });
    return requestsOf(one.advance(320_000));
  };

  test("a copy whose original no longer needs it is not counted, and the cap is exceeded", () => {
    expect(requests("yarn")).toEqual(["60s 1", "240s 2"]);
  });

  test("mended, the copy is counted until it ends", () => {
    expect(requests("yarn-corrected")).toEqual(["60s 1", "300s 2"]);
  });
});

test("a job that forbids copies gets none", () => {
  const one = world({ runs: slow({ 3: 600 }) });
  one.submit({ maps: 4, speculate: false });
  one.advance(100_000);
  expect(requestsOf(one)).toEqual([]);
  expect(one.refusals()).toContain("job-forbids-copies");
});
