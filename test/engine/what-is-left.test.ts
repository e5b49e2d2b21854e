import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunEvent, run } from "broomwagon/engine";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { stuck } from "./support/jobs.ts";
import { outputsIn } from "./support/journal.ts";
import { disciplineOf, only, Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 3, bytes: 20_000 });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

const SMALL = join(workshop.path, "small");
mkdirSync(SMALL);
for (const [name, text] of [
  ["a", "x y\ny\n"],
  ["b", "x\n"],
  ["c", "z z z\n\n"],
] as const) {
  writeFileSync(join(SMALL, `${name}.txt`), text);
}

describe("what a run leaves behind", () => {
  test("agrees with a hand count: bytes, records, skew", async () => {
    const job = workshop.job(
      "hand",
      `import { count, defineJob, words } from "broomwagon/job";
export default defineJob({ map: words(), reduce: count() });`,
    );
    const { result } = await workshop.run(job, { input: [SMALL], reduces: 2, nodes: 2 });
    const outputs = outputsIn(workshop.runs);
    const [map, reduce] = result.phases;
    expect(map).toMatchObject({
      ...{ name: "map", tasks: 3, inputBytes: 6 + 2 + 7, inputRecords: 2 + 1 + 2 },
      // Each file's distinct words.
      ...{ outputRecords: 2 + 1 + 1, spills: 0, merges: 0, copiesWon: 0, copiesLost: 0 },
      skew: { largestBytes: 7, medianBytes: 6, factor: 7 / 6 },
    });
    expect(outputs).toHaveLength(3);
    const partitions = [0, 1].map((at) =>
      outputs.reduce((sum, { byPartition }) => sum + (byPartition[at] ?? 0), 0),
    );
    const [one = 0, other = 0] = partitions;
    expect(reduce).toMatchObject({
      ...{ name: "reduce", tasks: 2, inputBytes: one + other, inputRecords: 4 },
      ...{ outputRecords: 3, outputBytes: "x\t2\ny\t2\nz\t3\n".length },
      skew: { largestBytes: Math.max(one, other), medianBytes: (one + other) / 2 },
    });
    const slotMs = result.attempts.reduce((sum, one) => sum + one.endedAt - one.launchedAt, 0);
    expect((map?.slotMs ?? 0) + (reduce?.slotMs ?? 0)).toBe(slotMs);
    expect([result.totals.wastedMs, map?.wastedMs, reduce?.wastedMs]).toEqual([0, 0, 0]);
    expect(JSON.parse(readFileSync(join(result.runDirectory, "summary.json"), "utf8"))).toEqual(
      JSON.parse(JSON.stringify(result)),
    );
  });

  test("shows which copies won, and the cost of the others", async () => {
    // The gate stays shut: the first attempt waits until its copy has won.
    const never = stuck(workshop.gate).replace(/if \(ctx.task === 0 && ctx.attempt > 0\).*/, "");
    const job = workshop.job("stuck", never);
    const { result } = await workshop.run(job, {
      ...{ nodes: 3, reduces: 1 },
      discipline: disciplineOf("late", [
        "speculation.runtimeMsMin=300",
        "speculation.speculativeCap=1",
      ]),
    });
    const losers = result.attempts.filter(({ end }) => end.kind !== "succeeded");
    const wasted = losers.reduce((sum, one) => sum + one.endedAt - one.launchedAt, 0);
    const copies = result.attempts.filter(({ as }) => as === "speculative");
    const won = copies.filter(({ end }) => end.kind === "succeeded").length;
    expect(won).toBeGreaterThan(0);
    expect(wasted).toBeGreaterThan(0);
    const sums = (of: "copiesWon" | "copiesLost" | "wastedMs"): number =>
      result.phases.reduce((sum, phase) => sum + phase[of], 0);
    expect([sums("copiesWon"), sums("copiesLost"), sums("wastedMs")]).toEqual([
      won,
      copies.length - won,
      wasted,
    ]);
    expect(result.totals.wastedMs).toBe(wasted);
  });
});

describe("a run that collects", () => {
  const folds = (): string =>
    workshop.job(
      "folds",
      `import { collect, count, defineFlow, quantile, text, topK, tsv } from "broomwagon/job";
export default defineFlow({ name: "folds", counters: ["lines"] }, (f) => {
  const lines = f.read("lines", text()).filter((_, ctx) => (ctx.count("lines"), true));
  const counts = lines.words().keyBy().fold("counts", count());
  counts.write(tsv(), "counts");
  const ranked = counts.map(([word, n]) => [n, word] as const);
  ranked.total("top", topK(2)).write(tsv(), "top");
  lines.keyBy((line) => line.length).fold("by-length", collect()).write(tsv(), "by-length");
  lines.map((line) => line.length).total("median", quantile(0.5)).write(tsv(), "median");
});`,
    );

  test("gives each output's records as values, and counters", async () => {
    const events: RunEvent["kind"][] = [];
    const running = run(folds(), {
      ...{ input: SMALL, collect: true, nodes: 2 },
      ...{ runDirectory: join(workshop.path, "collected"), discipline: disciplineOf("none") },
    });
    for await (const { kind } of running.events) events.push(kind);
    const all = async (name: string): Promise<unknown[]> => {
      const records: unknown[] = [];
      for await (const record of running.records(name)) records.push(record);
      return records;
    };
    const { counters } = await running;
    expect(counters).toEqual({ lines: 3 * 5 });
    expect(events.slice(-1)).toEqual(["job-ended"]);
    expect(await all("counts")).toEqual([
      ["x", 2],
      ["y", 2],
      ["z", 3],
    ]);
    expect(await all("top")).toEqual([
      [
        [3, "z"],
        [2, "y"],
      ],
    ]);
    expect(await all("by-length")).toEqual([
      [0, [""]],
      [1, ["x", "y"]],
      [3, ["x y"]],
      [5, ["z z z"]],
    ]);
    expect(await all("median")).toEqual([1]);
    await expect(all("other")).rejects.toThrow(
      "records other: expected by-length, counts, median, top",
    );
  });

  test("takes no output besides, and other runs have no records", async () => {
    const both = run(folds(), { input: SMALL, collect: true, output: workshop.output });
    await expect(both).rejects.toThrow("collect: expected no output beside it");
    await expect(both.records()[Symbol.asyncIterator]().next()).rejects.toThrow(
      "collect: expected no output beside it",
    );
  });
});

describe("a phase that brings records together", () => {
  /** The first task waits for the gate. */
  const counts = (pipeline: boolean): string =>
    workshop.job(
      "counts",
      `import { existsSync } from "node:fs";
import { defineFlow, sum, text, tsv } from "broomwagon/job";
const gate = ${JSON.stringify(workshop.gate)};
export default defineFlow("counts", (f) => {
  f.read("maps", text())
    .flatMap((line, { task }) => {
      const clock = new Int32Array(new SharedArrayBuffer(4));
      while (task === 0 && !existsSync(gate)) Atomics.wait(clock, 0, 0, 20);
      return line.split(" ");
    })
    .keyBy((word) => word, () => 1)
    .fold("sums", sum(), { pipeline: ${pipeline} })
    .write(tsv());
});`,
    );

  /** Events of attempts of the two phases, in order. */
  const course = (events: readonly RunEvent[]): readonly string[] =>
    [...only(events, "attempt-started"), ...only(events, "attempt-ended")]
      .sort((one, other) => events.indexOf(one) - events.indexOf(other))
      .map(({ kind, attempt }) => `${attempt.split("/")[1]} ${kind}`);

  test("begins while its input phase still runs, with `pipeline`", async () => {
    const job = counts(true);
    const { result, events } = await workshop.run(job, {
      onEvent(event) {
        const isReader = event.kind === "attempt-started" && event.attempt.includes("/sums/");
        if (isReader) workshop.openGate();
      },
    });
    const order = course(events);
    expect(order.indexOf("sums attempt-started")).toBeLessThan(
      order.lastIndexOf("maps attempt-ended"),
    );
    expect(result.outcome).toBe("succeeded");
    await workshop.checkOutput(job);
  });

  test("waits for the input phase's end by default", async () => {
    const job = counts(false);
    workshop.openGate();
    const { events } = await workshop.run(job);
    const order = course(events);
    expect(order.indexOf("sums attempt-started")).toBeGreaterThan(
      order.lastIndexOf("maps attempt-ended"),
    );
    await workshop.checkOutput(job);
  });
});
