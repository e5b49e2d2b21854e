import fc from "fast-check";
import { expect, test } from "vitest";
import { RecentIds } from "./recent-ids.ts";

test("agrees with a map, for any deletions and however long some ids stay", () => {
  const step = fc.record({ adds: fc.nat(200), keepsOneIn: fc.integer({ min: 1, max: 50 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const ids = new RecentIds();
      const dumb = new Map<number, number>();
      let next = 0;
      for (const { adds, keepsOneIn } of steps) {
        for (let n = 0; n < adds; n += 1) {
          ids.add(next, next % 7);
          dumb.set(next, next % 7);
          next += 1;
        }
        for (const id of [...dumb.keys()]) {
          if (id % keepsOneIn === 0) continue;
          ids.delete(id);
          dumb.delete(id);
        }
        ids.delete(next);
        const wrong = Array.from({ length: next + 1 }, (_, id) => id).filter(
          (id) => ids.find(id) !== (dumb.get(id) ?? -1),
        );
        expect(wrong).toEqual([]);
      }
    }),
    { numRuns: 50 },
  );
});
