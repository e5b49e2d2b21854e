import { expect, test } from "vitest";
import { editsBetween, nearNames } from "./hint.ts";

test("edits are insertions, deletions and changes", () => {
  expect(editsBetween("late", "late")).toBe(0);
  expect(editsBetween("lat", "late")).toBe(1);
  expect(editsBetween("kitten", "sitting")).toBe(3);
  expect(editsBetween("", "abc")).toBe(3);
});

test("prefixes come first, then few edits, then the alphabet; distant names are left out", () => {
  const known = ["late", "late-0.21", "hadoop", "hadoop-paper", "none"];
  expect(nearNames("late0.21", known)).toEqual(["late-0.21"]);
  expect(nearNames("hadoo", known)).toEqual(["hadoop", "hadoop-paper"]);
  expect(nearNames("lete", known)).toEqual(["late"]);
  expect(nearNames("cap", ["speculativeCap", "slots"])).toEqual(["speculativeCap"]);
  expect(nearNames("mantri", known)).toEqual([]);
  expect(nearNames("y", ["x"])).toEqual([]);
  expect(nearNames("", known)).toEqual([]);
});
