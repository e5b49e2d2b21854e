import { expect, test } from "vitest";
import { Dice } from "../../../test/diagnose/support/dice.ts";
import { lasting, smallJob, whyOf } from "../../../test/diagnose/support/small-job.ts";
import { allAtOnce } from "./all-at-once.ts";
import type { Seen } from "./seen.ts";

interface Attempt {
  readonly start: number;
  readonly end: number;
  readonly node: number;
  readonly isLate: boolean;
}

/** Attempts of 5 s at any time; those that begin within a second of some moment may be late. */
function drawn(dice: Dice): readonly Attempt[] {
  const moment = dice.whole(20, 80) * 1_000;
  const share = dice.pick([0.3, 0.9, 1]);
  const nodes = dice.whole(2, 12);
  return Array.from({ length: dice.whole(60, 200) }, () => {
    const isNear = dice.chance(0.15);
    const start = isNear ? moment + dice.whole(0, 1_000) : dice.whole(0, 100_000);
    const isLate = isNear ? dice.chance(share) : dice.chance(0.02);
    const end = start + (isLate ? dice.whole(10_000, 20_000) : dice.whole(0, 5_000));
    return { start, end, node: dice.whole(0, nodes - 1), isLate };
  }).sort((a, b) => a.start - b.start);
}

function seenOf(attempts: readonly Attempt[]): Seen {
  const count = attempts.length;
  const plan = {
    count,
    job: { submittedAt: 0 },
    start: Float64Array.from(attempts, ({ start }) => start),
    end: Float64Array.from(attempts, ({ end }) => end),
    phase: new Int32Array(count),
  };
  const late = [...attempts.keys()].filter((i) => attempts[i]?.isLate);
  const signals = { node: Int32Array.from(attempts, ({ node }) => node) };
  const causes = { expected: new Float64Array(count).fill(5_000) };
  return { plan, late, signals, causes } as unknown as Seen;
}

/** Looks at every moment at which a late attempt begins, and counts all attempts there. */
function counted(attempts: readonly Attempt[]): string | undefined {
  let most = 4;
  let found: string | undefined;
  for (const { start: at } of attempts.filter(({ isLate }) => isLate)) {
    const ran = attempts.filter(({ start, end }) => start <= at && at < end);
    const late = ran.filter(({ isLate }) => isLate);
    const isFirst = (one: Attempt): boolean =>
      attempts.every(({ node, end }) => node !== one.node || end > one.start);
    const nodes = new Set(late.map(({ node }) => node)).size;
    const areFirst = late.filter(isFirst).length > late.length / 2;
    if (late.length <= most || areFirst || nodes < 3 || late.length < 0.6 * ran.length) continue;
    most = late.length;
    found =
      `${(at / 1_000).toFixed(1)} s after the submission, ${late.length} of the ${ran.length} ` +
      `attempts that ran were late, on ${nodes} nodes: look for what these nodes share.`;
  }
  return found;
}

test("the moment is the one with most late attempts of all moments at which one begins", () => {
  let named = 0;
  for (let seed = 1; seed <= 150; seed++) {
    const attempts = drawn(new Dice(seed));
    const [hint] = allAtOnce(seenOf(attempts));
    if (hint === undefined) continue;
    named += 1;
    expect(hint.text, `seed ${seed}`).toBe(counted(attempts));
  }
  expect(named).toBeGreaterThan(30);
});

test("where no moment is like that, no chance is asked for", () => {
  for (let seed = 1; seed <= 150; seed++) {
    const attempts = drawn(new Dice(seed)).map((one) => ({ ...one, node: one.node % 2 }));
    expect(counted(attempts)).toBeUndefined();
    expect(allAtOnce(seenOf(attempts)), `seed ${seed}`).toEqual([]);
  }
});

test("a moment at which most attempts were late is named", () => {
  const job = smallJob((task) =>
    task >= 16 && task < 22 ? lasting(task, 19_000 + task * 31) : {},
  );
  expect(whyOf(job).hints.map(({ kind, text }) => [kind, text])).toEqual([
    [
      "all-at-once",
      "21.0 s after the submission, 6 of the 6 attempts that ran were late, on 4 nodes: look for " +
        "what these nodes share.",
    ],
  ]);
});

test("as many late attempts at different times share nothing", () => {
  const job = smallJob((task) => (task % 8 < 2 ? lasting(task, 19_000 + task * 31) : {}));
  expect(whyOf(job).hints).toEqual([]);
});
