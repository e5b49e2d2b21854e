import { expect, test } from "vitest";
import type { OutputLocation, Work } from "../messages.ts";
import { awaitsOutputs, withFound } from "./slot.ts";

const reading = (
  sources: readonly (readonly number[])[],
  found: readonly OutputLocation[],
): Work => ({
  ...{ kind: "reduce", job: 0, phase: 1, task: 0, begun: 0, partitions: 0, tables: [] },
  reads: { kind: "shuffle", sources, found },
});

test("a reduce awaits outputs until all of each side are there", () => {
  const none = reading([[0, 1], [2]], []);
  const some = withFound(none, [
    { source: 0, path: "a" },
    { source: 2, path: "c" },
  ]);
  expect(awaitsOutputs(some)).toBe(true);
  expect(awaitsOutputs(withFound(some, [{ source: 1, path: "b" }]))).toBe(false);
});

test("a lost output is awaited again, and a moved one has its new place", () => {
  const all = reading(
    [[0, 1]],
    [
      { source: 0, path: "a" },
      { source: 1, path: "b" },
    ],
  );
  expect(awaitsOutputs(withFound(all, [{ source: 1 }]))).toBe(true);
  const moved = withFound(all, [{ source: 1 }, { source: 1, path: "elsewhere" }]);
  expect(awaitsOutputs(moved)).toBe(false);
  expect(moved.reads).toMatchObject({
    found: [
      { source: 0, path: "a" },
      { source: 1, path: "elsewhere" },
    ],
  });
});

test("a reduce does not await outputs of other phases, and a map awaits none", () => {
  const others = reading([[3]], [{ source: 1, path: "b" }]);
  expect(awaitsOutputs(others)).toBe(true);
  const map: Work = { ...others, kind: "map", reads: { kind: "part", path: "a" } };
  expect(awaitsOutputs(withFound(map, [{ source: 1, path: "b" }]))).toBe(false);
});
