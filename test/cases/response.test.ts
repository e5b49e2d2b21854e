import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Part } from "../../src/diagnose/response/part.ts";
import { diagnose } from "../../src/diagnose/why.ts";
import { pageOf } from "../../src/report/page/from-trace.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";

/** Small inputs with their right values, made after public reports and from real runs. */
const CASES = "../shared/cases";
const IS_THERE = existsSync(CASES);
if (!IS_THERE) console.log(`skipped: cases of the whole response, since ${CASES} is absent`);

async function whyOf(name: string, intervals = true) {
  const trace = await openTrace(`${CASES}/${name}`);
  const [job] = trace.jobs;
  if (job === undefined) throw new Error("no job");
  const found = diagnose(trace, job, { intervals });
  if (found.kind !== "why") throw new Error(found.kind);
  const { why } = found;
  const [headline = "", ...sentences] = why.verdict.split("\n");
  const seconds = (part: Part): number =>
    (why.parts.find((row) => row.part === part)?.ms ?? Number.NaN) / 1_000;
  const cause = (name: string): number =>
    (why.causes.find((row) => row.cause === name)?.ms ?? Number.NaN) / 1_000;
  return { why, headline, sentences: sentences.join("\n"), seconds, cause };
}

describe.runIf(IS_THERE)("the whole response", () => {
  test("s19: the driver worked alone for 300 of 323 s", async () => {
    const { headline, seconds } = await whyOf("reports/s19-driver-idle-300s.ndjson");
    expect(headline).toContain(
      "no attempt ran for 300 of 323 s: the driver worked alone between job 0 and job 1",
    );
    expect(headline).not.toContain("as long as their peers");
    // The time from the start of the application to its first job is 4 s.
    expect(seconds("driver")).toBeCloseTo(304, 0);
  });

  test("driver-idle: 20 of 26.4 s between jobs", async () => {
    const { headline, seconds } = await whyOf("histories/driver-idle.ndjson");
    expect(headline).toMatch(
      /no attempt ran for 20\.\d of 26\.4 s: the driver worked alone between/,
    );
    expect(seconds("driver")).toBeGreaterThan(20);
    expect(seconds("driver")).toBeLessThan(20.5);
  });

  test("s27: 16 of 20 slots came 30 s late", async () => {
    const { headline, seconds } = await whyOf("reports/s27-executors-late.ndjson");
    expect(headline).toMatch(
      /16 of 20 slots came 30\.0 s late: 70\.3 s where (41\.9|42\.0) s would/,
    );
    expect(seconds("no-slot")).toBeCloseTo(28.3, 0);
  });

  test("s30: 60 s fetching the result of stage 0/7", async () => {
    const { headline, seconds, why } = await whyOf("reports/s30-result-of-2gb.ndjson");
    expect(headline).toContain("fetching the result of stage 0/7 (60.0 s)");
    // 4 s before the job, and what is left of the fetching after the other tasks.
    expect(seconds("driver")).toBeGreaterThan(54);
    expect(seconds("driver")).toBeLessThan(60);
    expect(why.delayMs).toBeLessThan(1_000);
  });

  test("h03: the ApplicationMaster started twice; 69 s between", async () => {
    const { headline, seconds, cause } = await whyOf("reports/h03-am-restart.jhist");
    expect(headline).toContain(
      "no attempt ran for 68.7 of 121 s: the ApplicationMaster started twice (28.3 s to 97.0 s " +
        "after the submission)",
    );
    // With 6 s before the first map.
    expect(seconds("no-slot")).toBeCloseTo(68.7 + 6, 0);
    expect(cause("waited-to-start")).toBeCloseTo(0, 1);
  });
});

describe.runIf(IS_THERE)("a slot is what a task asks for", () => {
  test("p01: four GPUs are four slots, all busy to the last wave", async () => {
    const { why, headline, sentences, seconds, cause } = await whyOf(
      "reports/p01-gpu-per-task.ndjson.gz",
    );
    expect(why.slots.most).toBe(4);
    expect(cause("waited-to-start")).toBeCloseTo(0, 1);
    expect(`${headline}\n${sentences}`).not.toMatch(/beside|locality/);
    // 40 tasks of 9 s on 4 slots, beside 4 s before the job.
    expect(seconds("work")).toBeCloseTo(90, 0);
  });

  test("launch-before-end: four slots, and four rows of the page", async () => {
    const { why } = await whyOf("histories/launch-before-end.ndjson");
    expect(why.slots.most).toBe(4);
    const trace = await openTrace(`${CASES}/histories/launch-before-end.ndjson`);
    const { head } = pageOf(trace, { host: "spark", source: "case" });
    expect(head.rows.length).toBe(4);
  });
});

describe.runIf(IS_THERE)("inputs", () => {
  test("s10k: about 115 s by input bytes, where all peers read alike", async () => {
    const { sentences, cause, headline } = await whyOf("reports/s10k-gz-all-equal.ndjson");
    expect(cause("bytes")).toBeCloseTo(115, 0);
    expect(cause("unexplained")).toBeCloseTo(0, 0);
    expect(headline).toMatch(/115 s \[[^\]]+\] to uneven inputs/);
    expect(sentences).toContain(
      "Repartition: stage 0/22 reads 2.5 GB, 18.8 times the median of 80 tasks (134.2 MB)",
    );
  });

  test("one-hot-partition: 1 GB, its peers 100 MB each", async () => {
    const { sentences, cause } = await whyOf("histories/one-hot-partition.ndjson");
    expect(cause("bytes")).toBeCloseTo(7.4, 0);
    expect(sentences).toContain(
      "Repartition: stage 0/11 reads 1.0 GB, 10.0 times the median of 24 tasks (100.0 MB)",
    );
  });

  test("s11: 20 times the records in as many bytes", async () => {
    const { why } = await whyOf("reports/s11-skew-in-records.ndjson");
    expect(why.hints.map(({ text }) => text)).toEqual([
      "stage 0/17 read 20.0 times the records of its peers in as many bytes.",
    ]);
  });

  test("p03: a full split is read by most: nobody reads too much", async () => {
    const { headline, sentences, cause } = await whyOf("reports/p03-full-splits.ndjson.gz");
    expect(cause("bytes")).toBeCloseTo(0, 1);
    expect(`${headline}\n${sentences}`).not.toMatch(/uneven|Repartition/);
  });
});

describe.runIf(IS_THERE)("waits and hints", () => {
  test("p02: tasks waited for n1, where their cached data are", async () => {
    const { sentences, cause } = await whyOf("reports/p02-cached-on-one-node.ndjson.gz");
    expect(cause("waited-to-start")).toBeCloseTo(20.8, 0);
    expect(sentences).toMatch(
      /Tasks waited 20\.8 s for n1, where their data are, .* spark\.locality\.wait \(3s\)/,
    );
  });

  test("no-time-out: a smooth tail has as many attempts near 120 s", async () => {
    const { why } = await whyOf("histories/no-time-out.ndjson.gz", false);
    expect(why.hints).toEqual([]);
  });
});
