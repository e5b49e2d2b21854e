import { expect, test } from "vitest";
import type { Compare } from "./compare.ts";
import { pairText, shownBy } from "./compare-text.ts";

const found = (more: Partial<Compare>, chance: number, matched = 10): Compare => ({
  a: { id: "a", responseMs: 97_500, copies: 0 },
  b: { id: "b", responseMs: 96_500, copies: 0 },
  ...{ changeMs: -1_000, causes: [], phases: [], settings: [] },
  ...{ tasks: { matched, unmatched: 0, medianChange: 0, chance, most: [] }, ...more },
});

test("a change within chance is told from luck and placement by no single pair", () => {
  expect(pairText(found({}, 0.27))).toEqual([
    "The tasks as a whole changed by no more than chance: one pair of runs cannot tell a " +
      "difference of 1.0 s from luck and placement.",
  ]);
  const settings = [{ name: "spark.speculation", a: "false", b: "true" }];
  expect(pairText(found({ settings }, 0.27))[0]).toMatch(
    /, nor what these settings do on average\.$/,
  );
});

test("what copies saved is another question, which why answers", () => {
  const b = { id: "b", responseMs: 96_500, copies: 2 };
  expect(pairText(found({ b }, 0.27))[1]).toBe("`why` estimates what the copies of a run saved.");
});

test("a change beyond chance is still in part luck", () => {
  expect(pairText(found({}, 0.001))).toEqual([
    "The tasks as a whole changed by more than chance; luck and placement may still be a part of " +
      "the 1.0 s, and one pair cannot tell how large a part.",
  ]);
});

test("without matched tasks, or without a change, there is nothing to say", () => {
  expect(pairText(found({}, 1, 0))).toEqual([]);
  expect(pairText(found({ changeMs: 0 }, 1))).toEqual([]);
});

test("of matched tasks stand how far they changed, and which part of bad luck came back", () => {
  const [tasks] = shownBy(found({}, 0.27));
  expect(tasks).toBe(
    "10 of 10 tasks matched; median change 0.0 %; chance alone changes as much in 27.0 % of sign " +
      "flips.",
  );
  const again = found({}, 0.27);
  const [more] = shownBy({ ...again, tasks: { ...again.tasks, rho: 0.4 } });
  expect(more).toMatch(/ Of what late tasks lost in A, 40 % came back in B \(rho\)\.$/);
});
