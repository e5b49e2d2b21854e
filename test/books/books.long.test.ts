import { expect, test } from "vitest";
import { cases } from "../support/cases.ts";
import { checkWorlds } from "./worlds.ts";

/** The sample has the worlds of a minute. */
const WORLDS = cases({ all: 1_000, sample: 200 });
const AT_ONCE = 100;

for (let first = 0; first < WORLDS; first += AT_ONCE) {
  test(`all books say the same of each attempt: worlds from ${first}`, () => {
    expect(checkWorlds({ first, count: AT_ONCE })).toBeGreaterThan(0);
  });
}
