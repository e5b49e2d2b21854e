import { expect, test } from "vitest";
import type { NamedAttempt } from "../../../test/diagnose/support/attempt.ts";
import { lasting, lostIn, saidOf, smallJob } from "../../../test/diagnose/support/small-job.ts";

const retry: NamedAttempt = {
  ...{ task: 20, ordinal: 1, as: "retry", node: 0, ended: "succeeded" },
  ...{ startedAt: 29_100, endedAt: 39_100, inputBytes: 1_000 },
};

test("attempts that failed are a cause, and their reason is to be found out", () => {
  const failing = smallJob(
    (task) => (task === 20 ? { ...lasting(task, 8_000), ended: "failed" } : {}),
    {},
    [retry],
  );
  const [headline, , advice] = saidOf(failing);
  const lost = lostIn(headline, "to attempts that failed or were lost and ran again");
  expect(Math.abs(lost - 8_000)).toBeLessThan(200);
  expect(advice).toMatch(
    /^Find out why attempts failed, stage 0\/20#0 first; that alone would save/,
  );
});

test("nothing is lost to them where none failed", () => {
  const said = saidOf(smallJob((task) => (task === 20 ? lasting(task, 18_100) : {})));
  expect(said.join()).not.toMatch(/failed/);
});
