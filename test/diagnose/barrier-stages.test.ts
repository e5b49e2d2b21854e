import { expect, test } from "vitest";
import { diagnose } from "../../src/diagnose/why.ts";
import { SparkReader } from "../../src/trace/spark/read-spark.ts";

const ORIGIN = 1_790_000_000_000;
const HOSTS = ["n1", "n2", "n3", "n4"];
const CORES = 2;

interface Launch {
  readonly slot: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Two jobs at once, as Spark writes them: one of 8 slots, and one whose stage is a barrier. Spark
 * launches all tasks of such a stage in one round, once it is offered as many slots.
 */
function whyOf(first: readonly Launch[], barrier: readonly Launch[], submittedAt: number) {
  const stages = [
    { id: 0, at: 0, tasks: first, isBarrier: false },
    { id: 1, at: submittedAt, tasks: barrier, isBarrier: true },
  ];
  const endOf = (tasks: readonly Launch[]): number => Math.max(...tasks.map(({ to }) => to));
  const info = ({ id, at, tasks, isBarrier }: (typeof stages)[number]) => ({
    ...{ "Stage ID": id, "Stage Attempt ID": 0, "Stage Name": `stage ${id}`, "Parent IDs": [] },
    ...{ "Number of Tasks": tasks.length, "Submission Time": ORIGIN + at },
    "RDD Info": [{ "RDD ID": id, Name: "MapPartitionsRDD", "Parent IDs": [], Barrier: isBarrier }],
  });
  const lines = [
    { Event: "SparkListenerLogStart", "Spark Version": "3.5.1" },
    {
      ...{ Event: "SparkListenerApplicationStart", "App Name": "two jobs", "App ID": "app-1" },
      ...{ Timestamp: ORIGIN, User: "someone" },
    },
    ...HOSTS.map((Host, n) => ({
      ...{ Event: "SparkListenerExecutorAdded", Timestamp: ORIGIN, "Executor ID": String(n) },
      "Executor Info": { Host, "Total Cores": CORES },
    })),
    ...stages.flatMap((stage) => [
      {
        ...{ Event: "SparkListenerJobStart", "Job ID": stage.id, "Stage IDs": [stage.id] },
        "Submission Time": ORIGIN + stage.at,
      },
      { Event: "SparkListenerStageSubmitted", "Stage Info": info(stage) },
    ]),
    ...stages.flatMap(({ id, tasks }) =>
      tasks.map(({ slot, from, to }, index) => ({
        ...{ Event: "SparkListenerTaskEnd", "Stage ID": id, "Stage Attempt ID": 0 },
        ...{ "Task Type": "ResultTask", "Task End Reason": { Reason: "Success" } },
        "Task Info": {
          ...{ "Task ID": 100 * id + index, Index: index, Attempt: 0, Locality: "PROCESS_LOCAL" },
          ...{ "Executor ID": String(slot % HOSTS.length), Host: HOSTS[slot % HOSTS.length] },
          ...{ "Launch Time": ORIGIN + from, "Finish Time": ORIGIN + to, Speculative: false },
        },
        "Task Metrics": { "JVM GC Time": 0 },
      })),
    ),
    ...stages.flatMap((stage) => {
      const at = ORIGIN + endOf(stage.tasks);
      return [
        {
          Event: "SparkListenerStageCompleted",
          "Stage Info": { ...info(stage), "Completion Time": at },
        },
        {
          ...{ Event: "SparkListenerJobEnd", "Job ID": stage.id, "Completion Time": at },
          "Job Result": { Result: "JobSucceeded" },
        },
      ];
    }),
    {
      Event: "SparkListenerApplicationEnd",
      Timestamp: ORIGIN + Math.max(endOf(first), endOf(barrier)),
    },
  ];
  const reader = new SparkReader("two jobs");
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  reader.push(new TextEncoder().encode(text));
  const trace = reader.end();
  const [job] = trace.jobs;
  if (job === undefined) throw new Error("no job");
  const found = diagnose(trace, job);
  if (found.kind !== "why") throw new Error(found.kind);
  const { parts, causes, verdict } = found.why;
  return {
    parts: new Map(parts.map(({ part, ms }) => [part, ms])),
    causes: new Map(causes.map(({ cause, ms }) => [cause, ms])),
    headline: verdict.split("\n")[0],
  };
}

const at = (from: number, ms: number, slots: number): readonly Launch[] =>
  Array.from({ length: slots }, (_, slot) => ({ slot, from, to: from + ms }));

test("a barrier stage waits for slots for all its tasks, not to be launched", () => {
  // 4 of 8 slots are idle for 10 s.
  const { parts, causes, headline } = whyOf(
    [...at(0, 10_000, 8), ...at(10_000, 10_000, 4)],
    at(20_000, 10_000, 8),
    1_000,
  );
  expect(causes.get("waited-to-start")).toBe(0);
  expect(parts.get("no-slot")).toBeCloseTo(5_000, 6);
  expect(parts.get("few-tasks")).toBeCloseTo(0, 6);
  expect(parts.get("launching")).toBeCloseTo(0, 6);
  expect(parts.get("work")).toBeCloseTo(25_000, 6);
  expect(headline).toContain(
    "slots were idle for 5.0 s while stage 1 waited until all its 8 tasks could start at once",
  );
});

test("an attempt that is late holds up the barrier stage that needs its slot", () => {
  const [late, ...others] = at(0, 10_000, 8);
  const first = [...others, { slot: 0, from: 0, to: 30_000 }];
  expect(late).toBeDefined();
  const { causes } = whyOf(first, at(30_000, 10_000, 8), 1_000);
  expect(causes.get("waited-to-start")).toBe(0);
  expect(causes.get("unexplained")).toBeCloseTo(20_000, 6);
});

test("where there are as many free slots, a barrier stage waits for none", () => {
  const { parts, causes } = whyOf(at(0, 20_000, 4), at(1_000, 19_000, 4), 1_000);
  expect(causes.get("waited-to-start")).toBe(0);
  expect(parts.get("no-slot")).toBe(0);
});
