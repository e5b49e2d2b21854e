import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { importProgram, prepareJobFile } from "../../src/data/index.ts";
import { anyFiles } from "../support/any-bytes.ts";
import { cases, runsAll } from "../support/cases.ts";
import { compareOutput, runReference } from "../support/reference.ts";
import { pairwise } from "./support/pairwise.ts";
import { disciplineOf, Workshop } from "./support/workshop.ts";

/**
 * Sums that only exact addition keeps, texts in the order of values, medians, and everything in
 * order; with `combine` less data is shuffled.
 */
const flow = (combine: boolean): string => `
import { defineFlow, distinct, quantile, sum, text, tsv } from "broomwagon/job";

const joined = (values: Iterable<string>): string => [...values].join("|");

export default defineFlow("equal", (f) => {
  const lines = f.read("lines", text());
  const words = lines.flatMap((line) => line.split(" "));
  const parts = words.keyBy((word) => word.slice(0, 2), (word) => word);
  words
    .keyBy((word) => word, (word) => 0.1 ** word.length * 1e9)
    .fold("sums", sum())
    .write(tsv(), "sums");
  parts
    .reduce("joined", (key, values) => [\`\${key}\\t\${joined(values)}\`], {
      ${combine ? "combine: (_, values) => [joined(values)]," : ""}
    })
    .write(text(), "joined");
  words
    .keyBy((word) => word.length, (word) => word.length / 3)
    .fold("medians", quantile(0.5))
    .write(tsv(undefined, { compress: "gzip" }), "medians");
  parts.fold("different", distinct()).write(tsv(), "different");
  lines.sortBy("sorted").write(text(), "sorted");
});
`;

/**
 * Hundreds of times as large as the input, with some records far larger than others; the result
 * depends on the order of a key's values.
 */
const WIDE = `
import { defineFlow, text, tsv } from "broomwagon/job";

export default defineFlow("wide", (f) => {
  const wide = (word: string, line: string): string => line.repeat(word.endsWith("77") ? 6000 : 20);
  f.read("lines", text())
    .flatMap((line) => line.split(" ").map((word) => [word, wide(word, line)] as const))
    .keyBy(([word]) => word, ([, wide]) => wide)
    .reduce("wide", (word, wides: Iterable<string>) => {
      let [count, hash] = [0, 0];
      for (const wide of wides) {
        count++;
        for (let i = 0; i < wide.length; i += 37) {
          hash = (Math.imul(hash, 31) + wide.charCodeAt(i)) | 0;
        }
      }
      return [[word, count, hash] as const];
    })
    .write(tsv());
});
`;

const POLICIES = ["late", "mantri", "none", "esplash", "yarn"] as const;
const DATA = {
  memoryMb: [64, 256, 1000],
  slots: [1, 2],
  combine: [true, false],
  compress: [false, true],
} as const;

/**
 * The policy decides where a task runs, and does not affect the task's output: the sample has each
 * policy once or twice, and every pair of the other choices, with one node and with several.
 */
const ROWS = cases({
  all: pairwise({ nodes: [1, 2, 4, 8], policy: POLICIES, ...DATA }),
  sample: pairwise({ nodes: [1, 4], ...DATA }).map((row, i) => ({
    ...row,
    policy: POLICIES[i % POLICIES.length] ?? "none",
  })),
});

const REDUCES = 3;

const workshop = new Workshop({ files: 2, bytes: 60_000 });
fc.sample(anyFiles, { seed: 7, numRuns: 4 })
  .flat()
  .forEach((content, i) => {
    writeFileSync(join(workshop.input, `any-${i}.txt`), content);
  });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

const reference = await meant();

async function meant(): Promise<ReadonlyMap<string, readonly string[]>> {
  const into = join(workshop.path, "reference");
  const job = workshop.job("equal", flow(false));
  const program = await importProgram(await prepareJobFile({ file: job, into }));
  const files = readdirSync(workshop.input).map((name) => join(workshop.input, name));
  const outputs = await runReference({
    program,
    params: program.params,
    files: () => files.sort(),
    reduces: REDUCES,
  });
  rmSync(into, { recursive: true });
  return new Map(program.outputs.map(({ name }, i) => [name, outputs[i] ?? []]));
}

describe("the output is that of one thread, to the byte", () => {
  test.each(ROWS)(
    "$nodes nodes, $slots slots, $policy, $memoryMb MB, combined: $combine, deflated: $compress",
    async ({ nodes, slots, policy, memoryMb, combine, compress }) => {
      const job = workshop.job("equal", flow(combine));
      const discipline = disciplineOf(policy);
      const memoryBytes = memoryMb * 1e6;
      const { result } = await workshop.run(job, {
        ...{ nodes, slots, discipline, memoryBytes, compress, splitBytes: 32 * 1024 },
      });
      expect(result.outcome).toBe("succeeded");
      for (const [name, parts] of reference) {
        // A sample decides into which part a line goes.
        const by = name === "sorted" ? "whole" : "part";
        const directory = join(workshop.output, name);
        expect(compareOutput({ directory, parts, by }), name).toEqual({ equal: true });
      }
    },
  );
});

describe("the output is the same where records are many times as large as a task's memory", () => {
  test.each([
    { nodes: 1, compress: true },
    { nodes: 4, compress: false },
  ])("$nodes nodes, deflated: $compress", async ({ nodes, compress }) => {
    const job = workshop.job("wide", WIDE);
    const { result } = await workshop.run(job, {
      ...{ nodes, compress, slots: 2, memoryBytes: 64e6, splitBytes: 32 * 1024 },
    });
    await workshop.checkOutput(job);
    const [map] = result.phases;
    expect(map?.spills).toBeGreaterThan(map?.tasks ?? Number.POSITIVE_INFINITY);
    // Too many runs to be merged at once.
    expect(map?.merges).toBeGreaterThan(0);
  });
});

test.runIf(runsAll)("every two choices meet", () => {
  const met = (is: (row: (typeof ROWS)[number]) => boolean): boolean => ROWS.some(is);
  for (const { policy } of ROWS) {
    for (const nodes of [1, 2, 4, 8]) {
      expect(met((row) => row.policy === policy && row.nodes === nodes)).toBe(true);
    }
    for (const compress of [true, false]) {
      expect(met((row) => row.policy === policy && row.compress === compress)).toBe(true);
    }
  }
});
