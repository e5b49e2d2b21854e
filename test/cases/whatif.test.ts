import { expect, test } from "vitest";
import { jobOf } from "../../src/library/job-of-history.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import type { WhatIf } from "../../src/whatif/document.ts";
import { tryPolicies } from "../../src/whatif/try-policies.ts";
import { promisesOf } from "../support/promises.ts";
import { CASES, describeCases } from "./support/case.ts";

async function whatIfOf(
  file: string,
  policies: readonly string[],
  advise = false,
): Promise<WhatIf> {
  const trace = await openTrace(`${CASES}/reports/${file}`);
  const job = jobOf({ trace, place: file });
  return tryPolicies(job, { policies, advise, source: trace.source, seeds: 4 });
}

describeCases("a history in which no policy would have helped:", () => {
  test("one task throws three times, and its copies would throw as well", async () => {
    const found = await whatIfOf("s21-three-failures.ndjson", ["spark-4"], true);
    expect(found.gate.verdict).toBe("good");
    expect(promisesOf(found)).toEqual([]);
    expect(found.cannot[0]).toMatch(/^3 attempts of stage 0 failed: cannot parse row 17/);
    expect(found.cannot[1]).toMatch(
      /^stage 0\/40 failed 3 times, for 90\.0 s in all: its copies would fail as well/,
    );
    expect(found.verdict[0]).toBe("No policy would have helped by more than chance.");
    expect(found.advice).toMatchObject({ kind: "none" });
  });

  test("the same in Hadoop", async () => {
    const found = await whatIfOf("h20-three-failures.jhist", ["late", "yarn", "spark-4", "mantri"]);
    expect(found.gate.verdict).toBe("good");
    expect(promisesOf(found)).toEqual([]);
    expect(found.cannot[0]).toMatch(/^3 attempts of map failed: .*bad record 17/);
    expect(found.cannot[1]).toMatch(/failed 3 times, for 180 s in all: its copies would fail/);
  });

  test("a task is launched 30 s late, and cannot be copied before", async () => {
    const found = await whatIfOf("s16b-locality-wait.ndjson", ["spark-4"]);
    expect(found.gate.verdict).toBe("good");
    expect(promisesOf(found)).toEqual([]);
    for (const { byAttempt, thatRun } of found.rows) {
      expect(byAttempt.ms).toBe(0);
      expect(thatRun?.byAttempt.ms).toBe(0);
    }
    expect(found.assumed.join(" ")).toContain("1 attempt was launched late beside a free slot");
  });

  test("one task reads 19 times the bytes of its peers, and so would its copy", async () => {
    const found = await whatIfOf("s10k-gz-all-equal.ndjson", ["spark-4"]);
    expect(found.gate.verdict).toBe("good");
    expect(promisesOf(found)).toEqual([]);
  });

  test("one task reads 20 times the records of its peers in as many bytes", async () => {
    const found = await whatIfOf("s11-skew-in-records.ndjson", ["spark-4"]);
    expect(promisesOf(found)).toEqual([]);
  });

  test("tasks wait for the node where their data are cached", async () => {
    const found = await whatIfOf("p02-cached-on-one-node.ndjson.gz", [], true);
    expect(promisesOf(found)).toEqual([]);
    expect(found.advice).toMatchObject({ kind: "none" });
  });
});
