import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { knownCores, knownCount } from "./counts.ts";
import { SparkReader } from "./spark/read-spark.ts";

test("counts beyond what any cluster has are unknown", () => {
  const wrong = [-1, 0.5, 2 ** 53, Number.POSITIVE_INFINITY, Number.NaN, undefined];
  for (const count of wrong) {
    expect(knownCount(count)).toBeUndefined();
    expect(knownCores(count)).toBeUndefined();
  }
  expect([knownCount(100_000), knownCores(64)]).toEqual([100_000, 64]);
});

interface Numbers {
  readonly tasks?: number;
  readonly cores?: number;
  readonly cpus?: string;
  readonly index?: number;
}

test.each<[string, Numbers]>([
  ["a stage's tasks", { tasks: 2 ** 53 }],
  ["an executor's cores", { cores: 2 ** 53 }],
  ["the cores that a task asks for", { cpus: "0" }],
  ["a task's place", { index: 2 ** 53 }],
])(
  "a damaged number of %s takes no memory",
  (_, { tasks = 2, cores = 2, cpus = "1", index = 1 }) => {
    const stage = {
      "Stage ID": 0,
      "Stage Name": "s",
      "Number of Tasks": tasks,
      "Submission Time": 1e12,
    };
    const info = {
      "Launch Time": 1e12 + 10,
      "Finish Time": 1e12 + 900,
      "Executor ID": "1",
      Host: "n1",
    };
    const end = (id: number, at: number) => ({
      ...{ Event: "SparkListenerTaskEnd", "Stage ID": 0, "Task End Reason": { Reason: "Success" } },
      "Task Info": { ...info, "Task ID": id, Index: at },
    });
    const events = [
      { Event: "SparkListenerApplicationStart", "App ID": "app-1", Timestamp: 1e12 },
      {
        Event: "SparkListenerEnvironmentUpdate",
        "Spark Properties": { "spark.task.cpus": cpus },
      },
      {
        ...{ Event: "SparkListenerExecutorAdded", Timestamp: 1e12, "Executor ID": "1" },
        "Executor Info": { Host: "n1", "Total Cores": cores },
      },
      { Event: "SparkListenerStageSubmitted", "Stage Info": stage },
      end(0, 0),
      end(1, index),
    ];
    const reader = new SparkReader("log");
    for (const event of events) reader.push(Buffer.from(`${JSON.stringify(event)}\n`));
    const [job] = reader.end().jobs;
    expect(job?.phases[0]?.tasks).toBe(2);
    expect(job?.slots.length).toBeLessThanOrEqual(2);
  },
);

test("a number beyond all numbers is none", () => {
  const log = readFileSync("fixtures/spark/two-workers.ndjson", "utf8");
  const reader = new SparkReader("log");
  let ends = 0;
  for (const line of log.split("\n")) {
    const isEnd = line.includes('"SparkListenerTaskEnd"');
    if (isEnd) ends += 1;
    const key = ["Launch Time", "Stage ID"][ends - 1];
    const changed =
      isEnd && key ? line.replace(new RegExp(`"${key}":\\s*\\d+`), `"${key}":1e999`) : line;
    reader.push(Buffer.from(`${changed}\n`));
  }
  const { jobs } = reader.end();
  expect(ends).toBeGreaterThan(2);
  expect(jobs.flatMap(({ phases }) => phases.map(({ name }) => name)).join()).not.toMatch(
    /Infinity/,
  );
});
