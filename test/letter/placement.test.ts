import { expect, test } from "vitest";
import { judgePlacement, type Placed } from "./placement.ts";

const WORLDS = 300;

test("no placement of reduces has a less busy link than Mantri's", () => {
  const seen = new Map<Placed["how"], number>();
  for (let seed = 1; seed <= WORLDS; seed++) {
    const { fault, how } = judgePlacement(seed);
    expect(fault, `seed ${seed}, ${how}`).toBeUndefined();
    seen.set(how, (seen.get(how) ?? 0) + 1);
  }
  expect(seen.size).toBe(4);
  for (const [how, count] of seen) expect(count, how).toBeGreaterThan(20);
});
