import { expect, test } from "vitest";
import { defined } from "../../../base/assert.ts";
import { ProgramCourse } from "../../../data/task/course.ts";
import { defineJob, sum } from "../../../job/index.ts";
import { programOf } from "../../../job/program-of.ts";
import { runMeasures } from "../../../measures/run-measures.ts";
import { totals } from "../../../run/sum-up.ts";
import { historyOf } from "./job-history.ts";
import { mapReduceJobs } from "./map-reduce-jobs.ts";
import { TaskNames } from "./task-names.ts";
import type { AttemptRow } from "./yarn-rest.ts";
import { factsByTask, recomputes } from "./yarn-result.ts";

const BEGAN = 1_000;

function names(maps: number): TaskNames {
  const job = defineJob({ map: (line, ctx) => ctx.emit(line, 1), reduce: sum() });
  const program = programOf(job);
  const file = { file: "hdfs://m1:8020/in", compression: "none", fileBytes: maps } as const;
  const splits = Array.from({ length: maps }, (_, index) => {
    return { ...file, index, start: index, end: index + 1 };
  });
  const inputs = new Map([["input", { splits, totalBytes: maps }]]);
  const course = new ProgramCourse({ program, name: "job", inputs, reduces: 1 });
  const jobs = mapReduceJobs(defined(course.job(), "a job"), program.outputs);
  const whole = defined(jobs[0], "a job of Hadoop's");
  const line = { hosts: [], bytes: 1, task: { kind: "pass-on", source: 0, path: "" } } as const;
  return new TaskNames(
    whole,
    whole.maps.map((work) => ({ work, line })),
  );
}

const row = (attempt: string, state: string, startedAt: number, endedAt: number): AttemptRow => {
  const container = { host: "n1", hostWeb: "n1:8042", container: "c", progress: 1 };
  const diagnostics =
    state === "KILLED" ? "TaskAttempt killed because it ran on unusable node" : "";
  return { attempt, state, startedAt, endedAt, ...container, diagnostics };
};

/** One lost output is made again; the other is not, because all reduces had it. */
const ended = () => {
  const first = [
    row("m_000000_0", "KILLED", 1_100, 1_200),
    row("m_000000_1", "SUCCEEDED", 1_400, 1_500),
  ];
  const attempts = new Map([
    ["m_000000", first],
    ["m_000001", [row("m_000001_0", "KILLED", 1_100, 1_250)]],
  ]);
  const text = {
    application: "application_1_0001",
    outcome: "succeeded",
    diagnostics: "",
  } as const;
  const end = { ...text, endedAt: 1_600, attempts, decisions: [], failures: new Map() };
  const lost = ["m_000000_0", "m_000001_0"].map((attempt) => ({ at: 1_300, attempt }));
  return { names: names(2), end, lost };
};

test("a lost output is recomputed only if a reduce needs it", () => {
  expect(recomputes(ended(), BEGAN)).toEqual([
    { at: 300, task: "job/map/0", why: { rule: "output-lost", numbers: {} } },
  ]);
});

test("an attempt whose output was lost has succeeded; the next one is a recompute", () => {
  const facts = [...factsByTask(ended(), BEGAN).values()].flat();
  expect(facts.map(({ attempt, as, end }) => [attempt, as, end.kind])).toEqual([
    ["job/map/0#0", "original", "succeeded"],
    ["job/map/0#1", "recompute", "succeeded"],
    ["job/map/1#0", "original", "succeeded"],
  ]);
  expect(totals(facts)).toMatchObject({ recomputed: 1, killed: 0, lost: 0, wastedMs: 0 });
  const unknown = [...factsByTask({ ...ended(), lost: [] }, BEGAN).values()].flat();
  expect(unknown[0]).toMatchObject({ end: { kind: "lost" } });
});

test("the papers' measures are of the same attempts", () => {
  const job = ended();
  const made = historyOf({
    ...{ names: job.names, outcome: "succeeded", reduces: "reduce" },
    attempts: factsByTask(job, BEGAN),
  });
  expect(made.phases.map(({ name, kind, tasks }) => [name, kind, tasks])).toEqual([
    ["map", "map", 2],
    ["reduce", "reduce", 1],
  ]);
  const { measures, phases } = runMeasures([made]);
  // The second map took 150 ms, the first 100 ms, and 100 ms again after its loss.
  expect(measures).toMatchObject({ copies: 0, recomputes: 1, recomputedMs: 100, wastedMs: 0 });
  expect(measures).not.toHaveProperty("nodeLocal");
  expect(phases).toMatchObject([{ phase: "map", measures: { tasks: 2, medianMs: 125 } }]);
});
