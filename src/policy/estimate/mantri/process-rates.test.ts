import fc from "fast-check";
import { expect, test } from "vitest";
import { mixed } from "./process-rates.ts";

const rates = (maxLength: number) =>
  fc.array(fc.oneof(fc.nat(9), fc.double({ min: 0, max: 10, noNaN: true })), { maxLength });
const risingOf = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);

test("a few rates of finished and running tasks are all kept, rising", () => {
  fc.assert(
    fc.property(rates(40), rates(60), (finished, running) => {
      const all = mixed({
        finished: { rising: risingOf(finished), seen: finished.length },
        running,
        runningTasks: running.length,
        most: 100,
      });
      expect(all).toEqual(risingOf([...finished, ...running]));
    }),
  );
});

test("of many rates a part of each kind is kept, in proportion to the tasks, rising", () => {
  fc.assert(
    fc.property(rates(60), rates(60), fc.integer({ min: 1, max: 9 }), (finished, running, per) => {
      const most = 20;
      const runningTasks = per * running.length;
      const sample = { rising: risingOf(finished), seen: finished.length };
      const some = mixed({ finished: sample, running, runningTasks, most });
      expect(some).toEqual(risingOf(some));
      expect(some.length).toBeLessThanOrEqual(most + 1);
      const left = [...finished, ...running];
      for (const one of some) left.splice(left.indexOf(one), 1);
      expect(left.length).toBe(finished.length + running.length - some.length);
    }),
  );
});
