import { expect, test } from "vitest";
import { checkWorlds } from "./worlds.ts";

const WORLDS = Number(process.env.WORLDS ?? 1_000);
const AT_ONCE = 100;

for (let first = 0; first < WORLDS; first += AT_ONCE) {
  test(`all books say the same of each attempt: worlds from ${first}`, () => {
    expect(checkWorlds({ first, count: AT_ONCE })).toBeGreaterThan(0);
  });
}
