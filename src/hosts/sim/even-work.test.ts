import { expect, test } from "vitest";
import { integer, nextFloat, randomState } from "../../base/random.ts";
import { instant } from "../../model/ids.ts";
import { endOf, evenWork, lineOf, runOf } from "./even-work.ts";
import { FixedRun } from "./fixed-run.ts";
import { EVEN_STEPS, type Profile } from "./profile.ts";

const EVEN: Profile = {
  totalMs: 700,
  steps: EVEN_STEPS,
  startMs: 0,
  bytesRead: 90,
  slowedByNode: true,
};
const start = { startedAt: instant(3), speed: 1 };

test("even work proceeds and ends like a run of its profile, also after changes of speed", () => {
  const random = randomState(1, "even work");
  for (let n = 0; n < 500; n += 1) {
    const totalMs = 1_000 * nextFloat(random) + 1;
    const profile = { ...EVEN, totalMs, bytesRead: integer(random, 1_000) };
    const startedAt = instant(integer(random, 1_000));
    const speed = 1 / (1 + nextFloat(random));
    const even = evenWork(profile, { startedAt, speed });
    if (even === undefined) return expect.fail("the work is even");
    const run = new FixedRun(profile, { failsAt: undefined, at: startedAt, speed });
    expect(endOf(even)).toBe(run.endsAt);
    expect(lineOf(even, 50)).toEqual(run.progress(50));
    const later = runOf(even);
    for (const one of [run, later]) one.changeSpeed(startedAt + totalMs / 3, speed / 2);
    expect(later.endsAt).toBe(run.endsAt);
    expect(later.progress(50)).toEqual(run.progress(50));
    expect([later.bytesRead, later.ends, later.slowedByNode]).toEqual([
      even.bytesRead,
      "succeeded",
      true,
    ]);
  }
});

test.each<[string, Partial<Profile>]>([
  ["reads records", { records: 1 }],
  ["starts up first", { startMs: 10 }],
  ["fails", { failsAfterMs: 500 }],
  ["is evicted", { evictedAfterMs: 500 }],
  ["takes no time", { totalMs: 0 }],
  ["has two steps", { steps: [...EVEN_STEPS, ...EVEN_STEPS] }],
  ["is in a later stage", { steps: [{ stage: 1, share: 1, score: 1 }] }],
  ["stops short of a score of 1", { steps: [{ stage: 0, share: 1, score: 0.5 }] }],
])("work that %s is not even", (_, other) => {
  expect(evenWork(EVEN, start)).toBeDefined();
  expect(evenWork({ ...EVEN, ...other }, start)).toBe(undefined);
});
