import fc from "fast-check";
import { expect, test } from "vitest";
import { mean, percentile } from "../../../base/stats.ts";
import { lookAtStartUps, noStartUps, recordStartUp } from "./start-up.ts";

const MOST = 5;
const times = fc.oneof(fc.constant(0), fc.double({ min: 1, max: 1e6, noNaN: true }));
const steps = fc.array(
  fc.oneof(
    times,
    fc.array(times, { maxLength: 4 }).map((running) => ({ running })),
  ),
);

test("the usual start-up is the mean and the 90th percentile of all that were seen", () => {
  fc.assert(
    fc.property(steps, (steps) => {
      const startUps = noStartUps();
      const seen: number[] = [];
      let usual: unknown;
      const usualOf = (shown: readonly number[]) => ({
        meanMs: mean(shown),
        longMs: percentile(
          [...shown].sort((a, b) => a - b),
          90,
        ),
      });
      for (const step of steps) {
        if (typeof step === "number") {
          recordStartUp(startUps, step, MOST);
          if (seen.length < MOST) seen.push(step);
          usual ??= usualOf(seen);
        } else {
          lookAtStartUps(startUps, step.running);
          const shown = [...seen, ...step.running];
          if (shown.length > 0) usual = usualOf(shown);
        }
        expect(startUps.usual).toEqual(usual);
      }
    }),
  );
});
