import { expect, test } from "vitest";
import { ColumnsBuilder } from "../../history/columns-builder.ts";
import { laneAttempts, type Placed } from "./lanes.ts";

const builder = new ColumnsBuilder();
builder.append();
const columns = builder.build();
const attempt = (node: number, kind: string, startedAt: number, endedAt: number): Placed => ({
  phase: 0,
  at: 0,
  columns,
  node,
  kind,
  startedAt,
  endedAt,
});

test("each attempt takes the first slot of its node that is free", () => {
  const placed = [
    attempt(0, "map", 0, 10),
    attempt(0, "map", 5, 20),
    attempt(0, "map", 10, 15),
    attempt(0, "reduce", 0, 30),
    attempt(1, "map", 0, 5),
  ];
  const { rows, row } = laneAttempts(placed, [0, 1], new Map());
  expect([...row]).toEqual([0, 1, 0, 2, 3]);
  expect(rows.map(({ node, kind }) => `${node} ${kind}`)).toEqual([
    "0 map",
    "0 map",
    "0 reduce",
    "1 map",
  ]);
});

test("slots that the source names are rows, even if unused", () => {
  const { rows } = laneAttempts([attempt(0, "map", 0, 5)], [0, 1], new Map([["1 map", 2]]));
  expect(rows.map(({ node }) => node)).toEqual([0, 1, 1]);
});

test("a launch stamped before the end that made room for it opens no row", () => {
  const placed = [
    attempt(0, "stage", 0, 5_000),
    attempt(0, "stage", 0, 6_000),
    attempt(0, "stage", 4_994, 9_000),
    attempt(0, "stage", 5_500, 7_000),
  ];
  const known = new Map([["0 stage", 2]]);
  expect([...laneAttempts(placed, [0], known).row]).toEqual([0, 1, 0, 1]);
  // Long before an end there is no room: a row more than slots shows that.
  const early = [...placed.slice(0, 2), attempt(0, "stage", 3_000, 9_000)];
  expect([...laneAttempts(early, [0], known).row]).toEqual([0, 1, 2]);
});
