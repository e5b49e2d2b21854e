import { expect, test } from "vitest";
import { lasting, lostIn, saidOf, smallJob } from "../../../test/diagnose/support/small-job.ts";

const NODES = ["n0", "n1", "n2", "n3", "n4"];
const lateOn4 = (late: readonly number[]) =>
  smallJob((task) => (late.includes(task) ? { ...lasting(task, 25_000), node: 4 } : {}), {
    nodes: NODES,
  });

test("lateness without a sign of its cause is unexplained", () => {
  const [headline] = saidOf(smallJob((task) => (task === 20 ? lasting(task, 18_000) : {})));
  expect(Math.abs(lostIn(headline, "that nothing in the log explains") - 7_900)).toBeLessThan(200);
});

test("a node of few attempts that are all late is a suspect", () => {
  expect(saidOf(lateOn4([21, 22]))[0]).toMatch(
    /on node n4, which may be slow: its 2 attempts took 2.5 \[2.4, 2.5\] times as long as peers/,
  );
  expect(saidOf(lateOn4([21]))[0]).toMatch(/on node n4, which may be slow: its only attempt took/);
});

test("of a job without late attempts nothing is left to explain", () => {
  expect(saidOf(smallJob(() => ({})))[0]).toMatch(
    /its attempts took as long as their peers: 0\.\d+ s lost \(1 %\)\.$/,
  );
});
