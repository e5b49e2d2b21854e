import { describe, expect, test } from "vitest";
import { drive, faultsOf } from "../letter/drive.ts";
import { LETTERS } from "../letter/letters.ts";
import { judgeWorlds } from "../referee/referee.ts";
import { REFEREES } from "../referee/referees.ts";
import { runWorld } from "../simulate/run-world.ts";

/** A sample of the worlds that the project `worlds` runs. */
const WORLDS = 30;
/** Of each rule of each policy. */
const ACTIONS = 5;
/** Of each referee. */
const JUDGED = 1;

test(`${WORLDS} random worlds end, and keep every invariant`, () => {
  // Other worlds than the project's first ones.
  for (let seed = 10_000; seed < 10_000 + WORLDS; seed++) runWorld(seed);
});

test.each([6168, 8181, 10693])("world %d, which broke once, keeps every invariant", (seed) => {
  runWorld(seed);
});

describe("each decision agrees with the paper or the source, and each rule acts", () => {
  test.each(LETTERS.map((letter) => [letter.policy, letter] as const))("%s", (_name, letter) => {
    expect(faultsOf(drive(letter, 2, ACTIONS), ACTIONS)).toEqual([]);
  });
});

describe("each step of a whole world is as the paper says", () => {
  test.each(REFEREES.map((referee) => [referee.name, referee] as const))("%s", (_name, referee) => {
    expect(judgeWorlds(referee, 10_000, JUDGED).differences).toEqual([]);
  });
});
