import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import {
  count,
  csv,
  defineFlow,
  defineJob,
  distinct,
  type Flow,
  fixed,
  type Job,
  lines,
  mapBytes,
  matching,
  mean,
  ndjson,
  sum,
  text,
  tsv,
  words,
} from "../../job/index.ts";
import type { Program } from "../../job/program.ts";
import { programOf } from "../../job/program-of.ts";
import { importProgram, prepareJobFile } from "../index.ts";
import { fusedNarrowOf } from "./fuse-narrow.ts";
import { fusedReduceOf } from "./fuse-reduce.ts";
import { requiredLiteral } from "./required-literal.ts";

const root = mkdtempSync(join(tmpdir(), "broomwagon-fuse-"));
afterAll(() => rmSync(root, { recursive: true }));

/** How kernels alone handle each phase: its input, or its merged records. */
const fused = (program: Program): readonly string[] =>
  program.phases.map((phase) => {
    const narrow = fusedNarrowOf(program, phase, requiredLiteral);
    return `${phase.name}: ${(narrow ?? fusedReduceOf(phase))?.kind ?? "-"}`;
  });

// A phase missing here would only be slower: the results stay the same.
test.each([
  ["words", ["map: count-words", "reduce: fold"]],
  ["words-map", ["map: -", "reduce: fold"]],
  ["words-generator", ["map: -", "reduce: fold"]],
  ["sort", ["sort: sample: -", "lines: sort-lines", "sort: each"]],
  ["grep", ["lines: count-matching", "count: -"]],
  ["grep-rare", ["lines: count-matching", "count: -"]],
  ["sum-by-key", ["facts: fold-columns", "sum: fold"]],
  ["join", ["groups: keep-columns", "facts: join-columns", "sum: fold"]],
])("of the benchmark %s kernels do what operators say", async (name, phases) => {
  const file = fileURLToPath(new URL(`../../../bench/engine/jobs/${name}.ts`, import.meta.url));
  const into = join(root, "node_modules", name);
  expect(fused(await importProgram(await prepareJobFile({ file, into })))).toEqual(phases);
});

const heads = mapBytes((bytes, start, end, slice) => {
  const space = bytes.subarray(start, end).indexOf(0x20);
  slice(start, space < 0 ? end : start + space);
});
const TYPED = { columns: { k: "number", v: "number" } } as const;
const UNTYPED = { columns: ["k", "v"] } as const;

test.each<[what: string, of: Job | Flow, phases: readonly string[]]>([
  [
    "lines that are counted",
    defineJob({ map: lines(), reduce: count() }),
    ["map: count-lines", "reduce: fold"],
  ],
  [
    "lines, each once",
    defineFlow("f", (f) => f.read("lines", text()).distinct("once").write(text())),
    ["lines: count-lines", "once: keys"],
  ],
  [
    "words of some lines, each once",
    defineFlow("f", (f) =>
      f.read("in", text()).matching("a").words().distinct("once").write(tsv()),
    ),
    ["in: count-words", "once: keys"],
  ],
  [
    "slices of lines",
    defineJob({ map: heads, reduce: count() }),
    ["map: count-slices", "reduce: fold"],
  ],
  ["lines that match, written", defineJob({ map: matching(/th./) }), ["map: write-matching"]],
  [
    "a column that is only counted",
    defineFlow("f", (f) =>
      f.read("facts", csv(undefined, UNTYPED)).keyBy("k", "v").fold("n", count()).write(tsv()),
    ),
    ["facts: fold-columns", "n: fold"],
  ],
  [
    "the mean of a column",
    defineFlow("f", (f) =>
      f.read("facts", csv(undefined, TYPED)).keyBy("k", "v").fold("m", mean()).write(tsv()),
    ),
    ["facts: fold-columns", "m: fold"],
  ],
])("they do by themselves: %s", (_, of, phases) => {
  expect(fused(programOf(of))).toEqual(phases);
});

test.each<[what: string, of: Job | Flow, phases: readonly string[]]>([
  [
    "another encoding",
    defineJob({
      input: text(undefined, { encoding: "latin1" }),
      map: words(),
      reduce: count(),
    }),
    ["map: -", "reduce: fold"],
  ],
  [
    "records of a fixed size",
    defineJob({
      input: fixed(10, undefined, { encoding: "utf8" }),
      map: lines(),
      reduce: count(),
    }),
    ["map: -", "reduce: fold"],
  ],
  [
    "JSON",
    defineFlow("f", (f) => f.read("in", ndjson(undefined, String)).distinct("once").write(tsv())),
    ["in: -", "once: keys"],
  ],
  [
    "a step of the user's own",
    defineFlow("f", (f) =>
      f
        .read("in", text())
        .map((line) => line.trim())
        .keyBy()
        .fold("n", count())
        .map(([line, n]) => `${n} ${line}`)
        .write(text()),
    ),
    ["in: -", "n: -"],
  ],
  [
    "an expression without a text that all matches hold",
    defineJob({ map: matching(/a|b/), reduce: count() }),
    ["map: -", "reduce: fold"],
  ],
  [
    "another fold",
    defineFlow("f", (f) => f.read("in", text()).keyBy().fold("n", distinct()).write(tsv())),
    ["in: -", "n: -"],
  ],
  [
    "a fold that does not combine",
    defineJob({ map: words(), reduce: count(), combine: false }),
    ["map: -", "reduce: fold"],
  ],
  [
    "partitions of the user's own",
    defineJob({ map: words(), reduce: count(), partition: () => 0 }),
    ["map: -", "reduce: fold"],
  ],
  [
    "a join that shuffles, and columns of text",
    defineFlow("f", (f) => {
      const table = (name: string) => f.read(name, csv(undefined, UNTYPED)).keyBy("k", "v");
      table("one").join("both", table("other")).write(tsv());
    }),
    ["one: -", "other: -", "both: -"],
  ],
  [
    "a broadcast of columns of text",
    defineFlow("f", (f) => {
      const table = f.read("names", csv(undefined, UNTYPED)).keyBy("k", "v");
      f.read("facts", csv(undefined, UNTYPED))
        .keyBy("k", "v")
        .join("named", table, { by: "broadcast" })
        .keyBy(
          ([, [fact]]) => fact,
          ([key]) => key.length,
        )
        .fold("sum", sum())
        .write(tsv());
    }),
    ["names: -", "facts: -", "sum: fold"],
  ],
])("they leave to others: %s", (_, of, phases) => {
  expect(fused(programOf(of))).toEqual(phases);
});
