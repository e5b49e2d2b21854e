import { describe, expect, test } from "vitest";
import { ownHistories, SHARED, sharedHistories } from "./histories.ts";
import { tryWorlds } from "./judge-worlds.ts";
import { compared } from "./known.ts";
import { tryMutations } from "./mutations.ts";
import { trySimulated } from "./simulated/judge.ts";
import { Tally } from "./tally.ts";

const others = sharedHistories();
if (others.length === 0) console.log(`skipped: mutations, since ${SHARED} is absent`);

describe("answers can be relied on", () => {
  test.skipIf(others.length === 0)("about damaged histories", async () => {
    const tally = new Tally();
    const histories = [...ownHistories(), ...others];
    await tryMutations({ seed: 2, count: 200, histories }, tally);
    judge(tally, "damaged");
  });

  test("about generated jobs", async () => {
    const tally = new Tally();
    await tryWorlds({ seed: 2, count: 40 }, tally);
    judge(tally, "generated");
  });

  test("about simulated jobs", async () => {
    const tally = new Tally();
    await trySimulated({ seed: 2, count: 40 }, tally);
    judge(tally, "simulated");
  });
});

function judge(tally: Tally, net: "damaged" | "generated" | "simulated"): void {
  const { worse, better } = compared(tally, net);
  for (const text of better) console.log(text);
  expect(worse).toEqual([]);
}
