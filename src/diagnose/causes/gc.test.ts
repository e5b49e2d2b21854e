import { expect, test } from "vitest";
import { lasting, lostIn, saidOf, smallJob } from "../../../test/diagnose/support/small-job.ts";

const collecting = smallJob((task) =>
  task === 20 ? { ...lasting(task, 18_000), gcMs: 8_000 } : { gcMs: 100 },
);

test("garbage collection beyond that of the peers is a cause, and its place is named", () => {
  const [headline, , advice] = saidOf(collecting);
  expect(Math.abs(lostIn(headline, "in garbage collection on n0") - 7_900)).toBeLessThan(200);
  expect(advice).toMatch(
    /^Look what else n0 keeps in memory: its attempts collect garbage where their peers do not;/,
  );
});

test("garbage that all collect is none, and neither is an attempt late without it", () => {
  const said = saidOf(
    smallJob((task) => ({ gcMs: 4_000, ...(task === 20 && lasting(20, 18_000)) })),
  );
  expect(said.join()).not.toMatch(/garbage/);
});
