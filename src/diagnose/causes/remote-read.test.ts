import { expect, test } from "vitest";
import { lasting, lostIn, saidOf, smallJob } from "../../../test/diagnose/support/small-job.ts";

const isFar = (task: number): boolean => task % 8 === 5 || task === 20 || task === 22;

test("what attempts away from their data take more is a cause", () => {
  const job = smallJob((task) =>
    isFar(task) ? { ...lasting(task, 15_000), locality: "any" } : { locality: "node" },
  );
  const [headline] = saidOf(job);
  expect(Math.abs(lostIn(headline, "reading data from other nodes") - 4_900)).toBeLessThan(200);
});

test("away from the data is no cause where it takes no longer", () => {
  const job = smallJob((task) => ({
    locality: isFar(task) ? "any" : "node",
    ...(task === 19 && lasting(19, 18_000)),
  }));
  expect(saidOf(job).join()).not.toMatch(/other nodes/);
});
