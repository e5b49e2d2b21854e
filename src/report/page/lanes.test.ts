import { expect, test } from "vitest";
import { ColumnsBuilder } from "../../history/columns-builder.ts";
import { laneAttempts, type Placed } from "./lanes.ts";

const columns = new ColumnsBuilder().build();
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
