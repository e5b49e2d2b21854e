import { expect, test } from "vitest";
import { ownHistories } from "./histories.ts";
import { tryWorlds } from "./judge-worlds.ts";
import { compared } from "./known.ts";
import { tryMutations } from "./mutations.ts";
import { Tally } from "./tally.ts";

/** Larger ones are left to the long test. */
const BYTES_MAX = 300_000;

test("answers about damaged histories and generated jobs can be relied on", async () => {
  const tally = new Tally();
  const histories = ownHistories().filter(({ plain }) => plain.length <= BYTES_MAX);
  await tryMutations({ seed: 1, count: 20, histories }, tally);
  await tryWorlds({ seed: 1, count: 5 }, tally);
  const { worse, better } = compared(tally, "few");
  for (const text of better) console.log(text);
  expect(worse).toEqual([]);
});
