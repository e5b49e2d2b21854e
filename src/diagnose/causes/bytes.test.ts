import { expect, test } from "vitest";
import { lasting, lostIn, saidOf, smallJob } from "../../../test/diagnose/support/small-job.ts";

test("an input much larger than those of the peers is a cause, and to be parted", () => {
  const job = smallJob((task) =>
    task === 20 ? { ...lasting(task, 30_000), inputBytes: 3_000 } : {},
  );
  const [headline, , advice] = saidOf(job);
  expect(Math.abs(lostIn(headline, "to uneven inputs") - 19_900)).toBeLessThan(400);
  expect(advice).toMatch(/^Repartition: stage 0\/20 reads 3.0 kB, 3.0 times the median of 24/);
});

test("inputs that are even are none, however late the attempt", () => {
  const said = saidOf(smallJob((task) => (task === 20 ? lasting(task, 30_000) : {})));
  expect(said.join()).not.toMatch(/uneven|Repartition/);
});

test("a costly attempt that reads less than its peers gains by that, as the answer says", () => {
  const job = smallJob((task) => {
    const bytes = task === 20 ? 300 : 100 * (6 + ((task * 5) % 9));
    return { ...lasting(task, task === 20 ? 24_000 : 10 * bytes), inputBytes: bytes };
  });
  expect(saidOf(job)[0]).toMatch(
    /, less \d+\.\d s since the costly attempts read less than their peers\.$/,
  );
});
