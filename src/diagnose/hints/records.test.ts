import { expect, test } from "vitest";
import { lasting, smallJob, whyOf } from "../../../test/diagnose/support/small-job.ts";
import { ColumnsBuilder } from "../../history/columns-builder.ts";
import { manyRecords } from "./records.ts";
import type { Seen } from "./seen.ts";

type Read = readonly [records: number, bytes: number];

/** Attempts by the records and bytes that they read; the first ones are late. */
function hintsOf(read: readonly Read[], late: number): readonly string[] {
  const builder = new ColumnsBuilder();
  for (const [index, [records, bytes]] of read.entries()) {
    const row = builder.append();
    builder.columns.startedAt[row] = row;
    builder.columns.task[row] = index;
    builder.columns.inputRecords[row] = records;
    builder.columns.inputBytes[row] = bytes;
  }
  const plan = {
    job: { phases: [{ name: "stage 0", attempts: builder.build() }] },
    count: read.length,
    phase: new Int32Array(read.length),
    row: Int32Array.from(read.keys()),
  };
  const seen = { plan, late: Array.from({ length: late }, (_, n) => n) } as unknown as Seen;
  return manyRecords(seen).map(({ text }) => text);
}

const PEERS: readonly Read[] = Array.from({ length: 12 }, (_, n) => [100_000 + n, 20_000_000]);

test("a single late attempt with many more records than any peer is named", () => {
  expect(hintsOf([[2_000_000, 21_000_000], ...PEERS], 1)).toEqual([
    "stage 0/0 read 20.0 times the records of its peers in as many bytes.",
  ]);
  expect(hintsOf([[2_000_000, 60_000_000], ...PEERS], 1)).toEqual([
    "stage 0/0 read 20.0 times the records of its peers in 3.0 times the bytes.",
  ]);
  // As many more bytes as records: its records are no reason of their own.
  expect(hintsOf([[2_000_000, 400_000_000], ...PEERS], 1)).toEqual([]);
  expect(hintsOf([[150_000, 20_000_000], ...PEERS], 1)).toEqual([]);
  expect(hintsOf([[2_000_000, 20_000_000], ...PEERS.slice(0, 3)], 1)).toEqual([]);
});

test("several late attempts are compared by their medians", () => {
  const late: readonly Read[] = [
    [300_000, 20_000_000],
    [320_000, 20_000_000],
    [310_000, 20_000_000],
  ];
  expect(hintsOf([...late, ...PEERS], 3)).toEqual([
    "The late attempts read 3.1 times as many records per byte.",
  ]);
});

test("a diagnosis says that its late attempts had more records, unless they had as many", () => {
  const late = (inputRecords: number) =>
    smallJob((task) =>
      task % 7 === 3 ? { ...lasting(task, 25_000), cpuMs: 22_500, inputRecords } : {},
    );
  expect(whyOf(late(300)).hints.map(({ kind, text }) => [kind, text])).toEqual([
    ["records", "The late attempts read 3.0 times as many records per byte."],
  ]);
  expect(whyOf(late(100)).hints).toEqual([]);
});
