import { describe, expect, it } from "vitest";
import { LETTERS } from "./letters.ts";
import { Play } from "./play.ts";

const WORLDS = 12;
/**
 * YARN uses only reports; Mantri and eSplash also look between reports, and Spark before those of
 * the same moment. A curve tells when a stage began, and a report only that it has.
 */
const NOT_BY_REPORTS = ["yarn", "mantri", "esplash", "spark-3.5", "spark-4", "phase-aware"];

describe("one world, given as reports, as curves seen every 3 s and as curves always fresh", () => {
  // Fair and Capacity see no progress: under them Hadoop's rule chooses the copies.
  const letters = LETTERS.filter(
    ({ policy, world }) => !NOT_BY_REPORTS.includes(policy) && world?.pools === undefined,
  );
  it.each(letters.map((letter) => [letter.policy, letter] as const))(
    "%s decides the same",
    (_name, letter) => {
      for (let seed = 1; seed <= WORLDS; seed++) {
        const [first, ...others] = (["reported", "curve-3s", "curve-fresh"] as const).map(
          (form) => new Play(letter, seed, { form, onTheBeat: true }).run(120).story,
        );
        for (const other of others) expect(other, `seed ${seed}`).toEqual(first);
      }
    },
  );
});
