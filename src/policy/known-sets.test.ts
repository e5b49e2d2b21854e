import { expect, test } from "vitest";
import { knownSets } from "./known-sets.ts";

test("a setting goes to the disciplines that have its parameter", () => {
  const [cap, gap] = ["speculation.speculativeCap=0.3", "speculation.gap=0.3"];
  expect(knownSets(["none", "late", "yarn", "hadoop"], [cap, gap])).toEqual([[], [cap], [], [gap]]);
});

test("a setting that no discipline has is an error that names the nearest of any seat", () => {
  expect(() => knownSets(["none", "late"], ["speculation.cap=1"])).toThrow(
    "--set speculation.cap=1: no policy of none, late has this parameter; " +
      "did you mean speculation.speculativeCap?",
  );
  expect(() => knownSets(["none", "late"], ["order.speculativeCap=1"])).toThrow(
    "did you mean speculation.speculativeCap?",
  );
});

test("a setting of policies that are not among the disciplines names these policies", () => {
  expect(() => knownSets(["none", "hadoop"], ["speculation.slowNodeThreshold=1"])).toThrow(
    "has this parameter; it is a parameter of late, late-early, late-0.21",
  );
});

test("a single discipline's error lists its parameters", () => {
  expect(() => knownSets(["late"], ["speculation.cap=1"])).toThrow(
    /late has no parameter cap; known: .*did you mean speculation\.speculativeCap\?/,
  );
});

test("a value that is not allowed is an error wherever its parameter exists", () => {
  expect(() => knownSets(["none", "late"], ["speculation.speculativeCap=2"])).toThrow(
    "speculativeCap of late is a number from 0 to 1 (default 0.1), found 2",
  );
});
