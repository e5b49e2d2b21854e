import { describe, expect, test } from "vitest";
import type { Against, Among } from "./against.ts";
import { againstText } from "./against-text.ts";

const among = (medianOfGood: number, lowest: number, highest: number, own: number): Among => ({
  ...{ medianOfGood, lowest, highest, own, change: own - medianOfGood },
  isBeyond: own < lowest || own > highest,
});

const found: Against = {
  b: { id: "b", responseMs: 105_000, copies: 0 },
  runs: 10,
  runsWithHoles: 0,
  response: among(60_000, 57_000, 63_000, 105_000),
  causes: [
    { cause: "node", ...among(200, 0, 1_200, 38_400) },
    { cause: "driver", ...among(4_000, 3_900, 4_100, 4_050) },
    // Beyond all, but of no weight.
    { cause: "gc", ...among(0, 0, 0, 300) },
  ],
  phases: [],
  settings: [],
  slowNodes: ["n3"],
  sizes: [{ size: "attempts", ...among(100, 100, 102, 140) }],
};

describe("a run among good ones", () => {
  test("what is beyond all of them is named, with what it was before", () => {
    expect(againstText(found)).toEqual([
      "B took 105 s, 45.0 s more than the median of 10 runs (60.0 s, 57.0 to 63.0): " +
        "slow node +38.2 s (n3).",
      "Beyond all 10 runs before: slow node +38.2 s (38.4 s, 0 to 1.2 before).",
      "Slow in this run, and in none before: n3.",
      "Never so before: 1.40 times the attempts (140; 100 to 102 before).",
    ]);
  });

  test("a run like the others has nothing of that kind", () => {
    const response = among(60_000, 57_000, 63_000, 59_000);
    const like = { ...found, response, causes: [], slowNodes: [], sizes: [] };
    expect(againstText(like)).toEqual([
      "B took 59.0 s, 1.0 s less than the median of 10 runs (60.0 s, 57.0 to 63.0).",
      "Beyond all 10 runs before: no cause.",
    ]);
  });

  test("holes in the logs stand right after the answer", () => {
    const missing = [{ kind: "parts", from: "events_2", to: "events_3" }] as const;
    const ends = { isCutOff: false, failures: [], neverBegan: [], endedWithJob: [] };
    const b = { ...found.b, evidence: { missing, isWhole: false, ...ends } };
    expect(againstText({ ...found, b, runsWithHoles: 2 }).slice(1, 3)).toEqual([
      "B: The log lacks events_2 to events_3: no cause is certain.",
      "The logs of 2 of the 10 runs before have holes.",
    ]);
    expect(againstText({ ...found, runsWithHoles: 1 })[1]).toBe(
      "The log of 1 of the 10 runs before has holes.",
    );
  });

  test("uneven inputs have the task that reads most beside them", () => {
    const causes = [{ cause: "bytes", ...among(200, 0, 1_200, 38_400) }] as const;
    const sizes = [{ size: "input skew", ...among(1.1, 1, 1.2, 3) }] as const;
    const [headline, , ...others] = againstText({ ...found, causes, sizes, slowNodes: [] });
    expect(headline).toMatch(
      /input bytes \+38\.2 s \(a task with 3\.0 times its peers' input\)\.$/,
    );
    expect(others).toEqual([
      "Never so before: a task with 3.0 times its peers' input (3.0; 1.0 to 1.2 before).",
    ]);
  });
});
