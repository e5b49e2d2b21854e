import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { unitsOf } from "../../src/diagnose/units.ts";
import { diagnose } from "../../src/diagnose/why.ts";
import { ColumnsBuilder } from "../../src/history/columns-builder.ts";
import { phasesIn, queriesIn, sparkJobsIn } from "../../src/history/job-parts.ts";
import type { JobSpan, TraceJob, TracePhase } from "../../src/history/model.ts";
import { partAsJob } from "../../src/history/part-as-job.ts";
import { jobOf } from "../../src/library/job-of-history.ts";
import { checkJob } from "../../src/trace/check-job.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import { addAttempt } from "./support/attempt.ts";
import { adds } from "./support/idle-count.ts";

const SHARED = "../shared/data/spark";
const FEW = ["fixtures/spark/two-workers.ndjson", "fixtures/pairs/spark/on.ndjson.zst"];
const LOGS = [
  ...FEW,
  "fixtures/hadoop/json.jhist",
  ...["apache", "rapids", "sparklint"].flatMap((folder) => {
    const path = join(SHARED, folder);
    return existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : [];
  }),
].filter((path) => !/README|\.md$|\.py$|empty_eventlog/.test(path));
if (!existsSync(SHARED)) console.log(`skipped: parts of others' jobs, since ${SHARED} is absent`);

function whyOf(job: TraceJob) {
  const found = diagnose({ notes: [] }, job, { intervals: false, audit: false });
  if (found.kind === "contradiction") throw new Error(`${found.contradiction.attempt} contradicts`);
  return found.kind === "why" ? found.why : undefined;
}

describe("each query, job and stage is diagnosed as a job of its own", () => {
  test.each(LOGS)("%s", async (path) => {
    const { jobs } = await openTrace(path);
    for (const job of jobs) {
      for (const part of [...queriesIn(job), ...sparkJobsIn(job), ...phasesIn(job)]) {
        const own = partAsJob(job, part);
        checkJob(own);
        const why = whyOf(own);
        if (why === undefined) continue;
        adds(why, own, part.name);
        expect(why.delayMs, part.name).toBeLessThanOrEqual(why.responseMs);
        expect(why.verdict).toMatch(new RegExp(`^${part.name} of `));
      }
    }
  });
});

/** An application of one executor with two slots; jobs as [from, to, tasks as [from, to]]. */
function applicationOf(
  jobs: readonly (readonly [number, number, readonly (readonly [number, number])[]])[],
): TraceJob {
  const phases = jobs.map(([from, , tasks], span): TracePhase => {
    const builder = new ColumnsBuilder();
    for (const [task, [startedAt, endedAt]] of tasks.entries()) {
      const more = { as: "original", ended: "succeeded" } as const;
      addAttempt(builder, { ...more, task, ordinal: 0, node: 0, executor: 0, startedAt, endedAt });
    }
    const attempts = builder.build();
    const known = { reads: [], span, submittedAt: from, tasks: tasks.length };
    return { name: `stage ${span}`, kind: "stage", ...known, attempts };
  });
  const spans = jobs.map(
    ([submittedAt, endedAt], n): JobSpan => ({
      name: `job ${n}`,
      ...{ outcome: "succeeded", submittedAt, endedAt },
    }),
  );
  const slot = { kind: "stage", node: 0, executor: 0, from: 0 } as const;
  return {
    ...{ id: "app", name: "app", submittedAt: 0, endedAt: 20_000, outcome: "succeeded" },
    ...{ phases, spans, nodes: ["n1"], executors: ["1"], slots: [slot, slot] },
    settings: { values: {} },
    lacks: new Set(),
  };
}

describe("a part beside others", () => {
  const BOTH = applicationOf([
    [0, 10_000, [[0, 10_000]]],
    [
      2_000,
      12_000,
      [
        [2_000, 7_000],
        [7_000, 12_000],
      ],
    ],
  ]);
  const partOf = (job: TraceJob, n: number) => {
    const [first, second] = sparkJobsIn(job);
    const part = n === 0 ? first : second;
    if (part === undefined) throw new Error("no part");
    return partAsJob(job, part);
  };

  test("has the slots that the others leave", () => {
    const own = partOf(BOTH, 1);
    expect(own.part?.besideMs).toBe(8_000);
    expect(own.slots.map(({ from, until }) => [from, until])).toEqual([
      [10_000, undefined],
      [0, undefined],
    ]);
    // With two slots from the start, its two tasks would run side by side.
    const why = whyOf(own);
    expect(why?.parts.find(({ part }) => part === "no-slot")?.ms).toBe(5_000);
  });

  test("waited for the slots that others held, and not for executors", () => {
    const tasks = [
      [0, 10_000],
      [0, 10_000],
    ] as const;
    const late = applicationOf([
      [0, 10_000, tasks],
      [1_000, 14_000, [[10_000, 14_000]]],
    ]);
    const why = whyOf(partOf(late, 1));
    expect(why?.verdict).toContain(
      "no attempt ran for 9.0 of 13.0 s: tasks waited for slots that others held",
    );
  });

  test("ends with its job, although attempts of a cancelled job run on", () => {
    const cut = applicationOf([
      [0, 5_000, [[0, 9_000]]],
      [9_000, 12_000, [[9_000, 12_000]]],
    ]);
    const own = partOf(cut, 0);
    expect([...(own.phases[0]?.attempts.endedAt ?? [])]).toEqual([5_000]);
    expect(whyOf(own)?.responseMs).toBe(5_000);
  });

  test("the longest units stand first, with the time outside of all", () => {
    const why = whyOf(BOTH);
    if (why === undefined) throw new Error("no answer");
    const { units, outsideMs } = unitsOf(BOTH, why);
    expect(units.map(({ unit, tookMs, share }) => [unit, tookMs, share])).toEqual([
      ["job 0", 10_000, 0.5],
      ["job 1", 10_000, 0.5],
    ]);
    expect(outsideMs).toBe(8_000);
    expect(unitsOf(applicationOf([[0, 10_000, [[0, 10_000]]]]), why).units).toEqual([]);
  });
});

const AQE = join(SHARED, "rapids/eventlog_4nodes_8cores_dynamic_alloc.zstd");

describe.skipIf(!existsSync(AQE))("five queries under adaptive execution", () => {
  const opened = async () => ({ trace: await openTrace(AQE), place: AQE });

  test("are units with their jobs, and the stages that were skipped", async () => {
    const { trace } = await opened();
    const job = jobOf({ trace, place: AQE });
    const why = whyOf(job);
    if (why === undefined) throw new Error("no answer");
    const { units, outsideMs } = unitsOf(job, why);
    expect(
      units.map(({ unit, tookMs, jobs, stages, skipped }) => [unit, tookMs, jobs, stages, skipped]),
    ).toEqual([
      ["query 1", 19_632, 4, 4, 5],
      ["query 0", 19_040, 4, 4, 5],
      ["query 3", 6_760, 4, 4, 5],
      ["query 4", 5_101, 4, 4, 5],
      ["query 2", 4_194, 4, 4, 5],
    ]);
    const sum = units.reduce((total, { tookMs }) => total + tookMs, 0);
    expect(outsideMs).toBeCloseTo(why.responseMs - sum, 6);
  });

  test("a late task of a stage that the next job reads costs its query time", async () => {
    const why = whyOf(jobOf(await opened(), { query: "1" }));
    expect(why?.verdict).toContain("query 1 of application_1707709865217_0493 (count at <console>");
    const [worst] = why?.attempts ?? [];
    expect(worst?.attempt).toBe("stage 9/3#0");
    // It ended 13 s after the other stage's last task; the next job read both.
    expect(worst?.delayMs).toBeGreaterThan(12_000);
  });

  test("stages say what they do", async () => {
    const { phases } = jobOf(await opened(), { query: "1" });
    expect(phases.map(({ name, operators }) => [name, operators?.join(" > ")])).toEqual([
      ["stage 9", "Scan > SerializeFromObject > Project > Exchange"],
      ["stage 10", "Scan > SerializeFromObject > Project > Exchange"],
      [
        "stage 13",
        "Exchange > AQEShuffleRead > Sort > SortMergeJoin > Project > HashAggregate > Exchange",
      ],
      ["stage 17", "Exchange > HashAggregate"],
    ]);
  });
});
