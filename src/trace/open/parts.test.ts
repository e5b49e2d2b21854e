import { expect, test } from "vitest";
import { partsIn } from "./parts.ts";

const textsOf = (names: readonly string[]) => partsIn(names)?.notes.map(({ text }) => text);

test("parts are read by their number, whatever their codec", () => {
  const names = ["events_10_a.zstd", "appstatus_a", "events_9_a.lz4", ...range(8)];
  expect(partsIn(names)?.names).toEqual([...range(8), "events_9_a.lz4", "events_10_a.zstd"]);
  expect(textsOf(names)).toEqual([]);
});

test("a compacted part stands for all before it", () => {
  const names = [...range(5), "events_1_a.compact", "events_3_a.compact"];
  expect(partsIn(names)?.names).toEqual(["events_3_a.compact", "events_4_a", "events_5_a"]);
  expect(textsOf(names)).toEqual([expect.stringContaining("compacted the log up to events_3: ")]);
});

test.each([
  [["events_2_a", "events_3_a"], [["events_1", "events_1"]]],
  [
    ["events_1_a", "events_5_a", "events_7_a"],
    [
      ["events_2", "events_4"],
      ["events_6", "events_6"],
    ],
  ],
  [["events_2_a.compact", "events_4_a"], [["events_3", "events_3"]]],
])("parts that are missing in %j are named", (names, gaps) => {
  const missing = gaps.map(([from, to]) => ({ kind: "parts", from, to }));
  expect(partsIn(names)?.holes.missing).toEqual(missing);
});

test("a directory of Databricks is one history, the file that grows last", () => {
  const dated = ["eventlog-2026-09-21--20-00.gz", "eventlog-2026-09-21--21-00.gz"];
  expect(partsIn(["eventlog", ...[...dated].reverse()])?.names).toEqual([...dated, "eventlog"]);
});

test("other directories may hold several histories; one of a status alone has no part", () => {
  expect(partsIn(["eventlog", "app-1", "app-2"])).toBeUndefined();
  expect(partsIn(["appstatus_a"])).toEqual({ names: [], notes: [], holes: { missing: [] } });
});

const range = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `events_${n + 1}_a`);
