import { expect, test } from "vitest";
import { lasting, lostIn, saidOf, smallJob } from "../../../test/diagnose/support/small-job.ts";

test("waits for shuffled data beyond those of the peers are a cause", () => {
  const waits = smallJob((task) =>
    task === 20 ? { ...lasting(task, 18_000), fetchWaitMs: 8_000 } : { fetchWaitMs: 100 },
  );
  const [headline] = saidOf(waits);
  expect(Math.abs(lostIn(headline, "waiting for shuffled data") - 7_900)).toBeLessThan(200);
});

test("waits that all attempts have are none", () => {
  const job = smallJob((task) => ({ fetchWaitMs: 4_000, ...(task === 20 && lasting(20, 18_000)) }));
  expect(saidOf(job).join()).not.toMatch(/shuffled data/);
});
