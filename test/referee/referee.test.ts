import { describe, expect, test } from "vitest";
import { faultsOf, judgeWorlds } from "./referee.ts";
import { REFEREES } from "./referees.ts";

/** `npm run referee -- --worlds N` judges any number. */
const WORLDS = 20;

describe(`each step of ${WORLDS} worlds is as the paper says, and each kind of step occurs`, () => {
  test.each(REFEREES.map((referee) => [referee.name, referee] as const))("%s", (_name, referee) => {
    expect(faultsOf(judgeWorlds(referee, 1, WORLDS))).toEqual([]);
  });
});
