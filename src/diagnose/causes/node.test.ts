import { expect, test } from "vitest";
import { lasting, lostIn, saidOf, smallJob } from "../../../test/diagnose/support/small-job.ts";

const withSlow = (isSlow: (node: number) => boolean) =>
  smallJob((task) => lasting(task, isSlow(task % 4) ? 10_450 : 6_000 + ((task * 37) % 11) * 20));

test("a node that is slow in all its attempts is a cause, and to be repaired", () => {
  const [headline, sentence, advice] = saidOf(withSlow((node) => node === 1));
  expect(Math.abs(lostIn(headline, "on slow node n1") - 4_400)).toBeLessThan(200);
  expect(sentence).toBe(
    "Node n1 ran everything 1.7 times slower than its peers in this job, all the time (6 " +
      "attempts).",
  );
  expect(advice).toMatch(/^Repair node n1, or take it out of service: that alone would save 4.3 s/);
});

test("two are named together", () => {
  const [headline, , advice] = saidOf(withSlow((node) => node === 1 || node === 2));
  expect(headline).toContain("on 2 slow nodes, n1 first (");
  expect(advice).toMatch(/^Repair or take out of service nodes n1, n2: that alone would save/);
});

test("a node with one late attempt is not slow", () => {
  const said = saidOf(smallJob((task) => (task === 21 ? lasting(task, 18_000) : {})));
  expect(said[1]).toBe("No node is slow.");
  expect(said.join()).not.toMatch(/slow node|Repair/);
});
