import { expect, test } from "vitest";
import { tableFrom } from "../../../test/support/tables.ts";
import { PAGE_ATTEMPT } from "./document.ts";
import { laneAttempts } from "./lanes.ts";

type Attempt = readonly [node: number, kind: string, startedAt: number, endedAt: number];

/** Attempts of two phases, whose kinds they have. */
function placed(...all: readonly Attempt[]) {
  const kinds = ["map", "reduce", "stage"];
  const table = tableFrom(PAGE_ATTEMPT, all.length, {
    node: all.map(([node]) => node),
    phase: all.map(([, kind]) => kinds.indexOf(kind)),
    startedAt: all.map(([, , startedAt]) => startedAt),
    endedAt: all.map(([, , , endedAt]) => endedAt),
  });
  return { ...table, kinds };
}

test("each attempt takes the first slot of its node that is free", () => {
  const attempts = placed(
    [0, "map", 0, 10],
    [0, "map", 5, 20],
    [0, "map", 10, 15],
    [0, "reduce", 0, 30],
    [1, "map", 0, 5],
  );
  const { rows, row } = laneAttempts(attempts, [0, 1], new Map());
  expect([...row]).toEqual([0, 1, 0, 2, 3]);
  expect(rows.map(({ node, kind }) => `${node} ${kind}`)).toEqual([
    "0 map",
    "0 map",
    "0 reduce",
    "1 map",
  ]);
});

test("slots that the source names are rows, even if unused", () => {
  const { rows } = laneAttempts(placed([0, "map", 0, 5]), [0, 1], new Map([["1 map", 2]]));
  expect(rows.map(({ node }) => node)).toEqual([0, 1, 1]);
});

test("an attempt has a row where the slots that are known lasted for no time", () => {
  const { rows, row } = laneAttempts(placed([0, "map", 0, 5]), [0], new Map([["0 map", 0]]));
  expect([rows.length, ...row]).toEqual([1, 0]);
});

test("a launch stamped before the end that made room for it opens no row", () => {
  const two = [
    [0, "stage", 0, 5_000],
    [0, "stage", 0, 6_000],
  ] as const;
  const known = new Map([["0 stage", 2]]);
  const soon = placed(...two, [0, "stage", 4_994, 9_000], [0, "stage", 5_500, 7_000]);
  expect([...laneAttempts(soon, [0], known).row]).toEqual([0, 1, 0, 1]);
  // Long before an end there is no room: a row more than slots shows that.
  const early = placed(...two, [0, "stage", 3_000, 9_000]);
  expect([...laneAttempts(early, [0], known).row]).toEqual([0, 1, 2]);
});
