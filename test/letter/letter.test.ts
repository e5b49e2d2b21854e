import { describe, expect, it } from "vitest";
import { differenceText, drive } from "./drive.ts";
import { LETTERS } from "./letters.ts";

/** Of each policy; `npm run letter -- --decisions N` compares as many as one likes. */
const DECISIONS = 12_000;
/** Of those that share out whole heartbeats. */
const HEARTBEATS = 1_000;

describe("each decision is the one that the letter of the paper or the source takes", () => {
  it.each(LETTERS.map((letter) => [letter.policy, letter] as const))("%s", (_name, letter) => {
    const driven = drive(letter, 1, letter.world?.pools === undefined ? DECISIONS : HEARTBEATS);
    expect(driven.differences.map(differenceText)).toEqual([]);
    expect(driven.copies + driven.requests).toBeGreaterThan(0);
  });
});
