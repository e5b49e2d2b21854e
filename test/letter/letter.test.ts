import { describe, expect, it } from "vitest";
import { drive, faultsOf } from "./drive.ts";
import { LETTERS } from "./letters.ts";

/** Of each rule; `npm run letter -- --actions N` compares any number. */
const ACTIONS = 50;

describe("each decision agrees with the paper or the source, and each rule acts", () => {
  it.each(LETTERS.map((letter) => [letter.policy, letter] as const))("%s", (_name, letter) => {
    expect(faultsOf(drive(letter, 1, ACTIONS), ACTIONS)).toEqual([]);
  });
});
