import { describe, expect, test } from "vitest";
import type { WorkResult } from "../hosts/engine/messages.ts";
import { rule } from "../model/why.ts";
import { phaseFacts, skewOf } from "./phase-facts.ts";
import type { AttemptFacts } from "./run-result.ts";

test.each([
  { bytes: [], skew: { largestBytes: 0, medianBytes: 0, factor: 1 } },
  { bytes: [0, 0], skew: { largestBytes: 0, medianBytes: 0, factor: 1 } },
  { bytes: [5], skew: { largestBytes: 5, medianBytes: 5, factor: 1 } },
  { bytes: [10, 2, 4, 6], skew: { largestBytes: 10, medianBytes: 5, factor: 2 } },
  { bytes: [0, 0, 7], skew: { largestBytes: 7, medianBytes: 0, factor: 7 } },
])("the skew of $bytes is the largest over the median", ({ bytes, skew }) => {
  expect(skewOf(bytes)).toEqual(skew);
});

const made = { path: "", bytes: 10, records: 1, checksum: "", counters: {}, inputRecords: 2 };

const shuffled = (inputBytes: number, spills: number): WorkResult => ({
  kind: "shuffle-output",
  output: { ...made, byPartition: [10], inputBytes, spills, merges: 1 },
});

const part = (inputBytes: number): WorkResult => ({ kind: "part", part: { ...made, inputBytes } });

const attempt = (
  [job, phase, last]: readonly [job: string, phase: string, last: `${number}#${number}`],
  as: AttemptFacts["as"],
  [launchedAt, endedAt]: readonly [number, number],
  kind: "succeeded" | "killed",
): AttemptFacts => ({
  attempt: `${job}/${phase}/${last}`,
  task: `${job}/${phase}/${Number.parseInt(last, 10)}`,
  phase,
  as,
  node: "n1",
  why: rule("any"),
  launchedAt,
  endedAt,
  slotMs: endedAt - launchedAt,
  end:
    kind === "succeeded"
      ? { kind, bytes: 10, records: 1 }
      : { kind, by: "core", why: rule("twin-succeeded") },
});

describe("the facts of phases", () => {
  const facts = phaseFacts(
    [
      { name: "map", tasks: 2, results: [shuffled(100, 0), shuffled(300, 3)] },
      { name: "reduce", tasks: 1, results: [part(20)] },
      { name: "map", tasks: 1, results: [shuffled(200, 0)] },
    ],
    [
      attempt(["a", "map", "0#0"], "original", [5, 20], "succeeded"),
      attempt(["a", "map", "1#0"], "original", [6, 50], "killed"),
      attempt(["a", "map", "1#1"], "speculative", [30, 45], "succeeded"),
      attempt(["a.2", "map", "0#0"], "original", [60, 70], "succeeded"),
      attempt(["a.2", "map", "0#1"], "speculative", [65, 71], "killed"),
      attempt(["a", "reduce", "0#0"], "original", [46, 58], "succeeded"),
    ],
  );

  test("appear once per name, in order", () => {
    expect(facts.map(({ name, tasks }) => `${name} ${tasks}`)).toEqual(["map 3", "reduce 1"]);
  });

  test("count bytes, records, spills, merges and skew over tasks", () => {
    expect(facts[0]).toMatchObject({
      inputBytes: 600,
      inputRecords: 6,
      outputBytes: 30,
      outputRecords: 3,
      spills: 3,
      merges: 3,
      skew: { largestBytes: 300, medianBytes: 200, factor: 1.5 },
    });
    expect(facts[1]).toMatchObject({ inputBytes: 20, spills: 0, merges: 0 });
  });

  test("count copies and slot time over attempts", () => {
    expect(facts[0]).toMatchObject({ copiesWon: 1, copiesLost: 1, slotMs: 90, wastedMs: 50 });
    expect(facts[0]).toMatchObject({ from: 5, to: 71 });
    expect(facts[1]).toMatchObject({ copiesWon: 0, copiesLost: 0, slotMs: 12, wastedMs: 0 });
  });
});
