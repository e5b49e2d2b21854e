import { describe, expect, it } from "vitest";
import { differenceText, drive } from "./drive.ts";
import { LETTERS } from "./letters.ts";

/** Decisions per policy; `npm run letter -- --decisions N` compares any number. */
const DECISIONS = 12_000;
/** For policies that assign whole heartbeats. */
const HEARTBEATS = 1_000;

describe("each decision agrees with the letter of the paper or the source", () => {
  it.each(LETTERS.map((letter) => [letter.policy, letter] as const))("%s", (_name, letter) => {
    const driven = drive(letter, 1, letter.world?.pools === undefined ? DECISIONS : HEARTBEATS);
    expect(driven.differences.map(differenceText)).toEqual([]);
    expect(driven.copies + driven.requests).toBeGreaterThan(0);
  });
});
