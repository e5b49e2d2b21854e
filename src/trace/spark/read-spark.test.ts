import { describe, expect, test } from "vitest";
import { endAt, kindAt, localityAt } from "../../history/columns.ts";
import type { Trace } from "../../history/model.ts";
import { SparkReader } from "./read-spark.ts";

const at = (ms: number): number => 1_700_000_000_000 + ms;

const taskEnd = (
  id: number,
  {
    index = id,
    from = 100,
    to = 900,
    speculative = false,
    reason = "Success",
    run = 700,
    executor = "1",
  } = {},
) => ({
  Event: "SparkListenerTaskEnd",
  "Stage ID": 0,
  "Stage Attempt ID": 0,
  "Task Type": "ResultTask",
  "Task End Reason": { Reason: reason },
  "Task Info": {
    "Task ID": id,
    Index: index,
    Attempt: 0,
    "Launch Time": at(from),
    "Executor ID": executor,
    Host: `h${executor}`,
    Locality: "NODE_LOCAL",
    Speculative: speculative,
    "Finish Time": at(to),
    Failed: reason !== "Success",
    Killed: reason === "TaskKilled",
    Accumulables: [{ ID: 1, Name: "Task Info" }],
  },
  "Task Metrics": {
    "Executor Run Time": run,
    "JVM GC Time": run === 0 ? 0 : 30,
    "Executor CPU Time": run * 1e6,
    "Input Metrics": { "Bytes Read": run === 0 ? 0 : 1_000 },
    "Shuffle Write Metrics": { "Shuffle Write Time": run === 0 ? 0 : 40e6 },
  },
});

const START = [
  { Event: "SparkListenerLogStart", "Spark Version": "3.5.1" },
  {
    Event: "SparkListenerApplicationStart",
    "App Name": "test",
    "App ID": "app-1",
    Timestamp: at(0),
    User: "ann",
  },
  {
    Event: "SparkListenerEnvironmentUpdate",
    "Spark Properties": { "spark.speculation": " TRUE", "spark.app.name": "test" },
  },
  ...["1", "2"].map((id) => ({
    Event: "SparkListenerExecutorAdded",
    Timestamp: at(50),
    "Executor ID": id,
    "Executor Info": { Host: `h${id}`, "Total Cores": 2 },
  })),
  { Event: "SparkListenerJobStart", "Job ID": 0, "Submission Time": at(80), "Stage IDs": [0] },
  {
    Event: "SparkListenerStageSubmitted",
    "Stage Info": {
      "Stage ID": 0,
      "Stage Attempt ID": 0,
      "Stage Name": "count",
      "Number of Tasks": 3,
    },
  },
];
const JOB_END = {
  Event: "SparkListenerJobEnd",
  "Job ID": 0,
  "Completion Time": at(2_000),
  "Job Result": { Result: "JobSucceeded" },
};
const END = { Event: "SparkListenerApplicationEnd", Timestamp: at(2_100) };

function read(events: readonly unknown[], { tail = "\n", space = false } = {}): Trace {
  const lines = events.map((event) => {
    const text = JSON.stringify(event);
    return space ? text.replaceAll('":', '": ') : text;
  });
  const bytes = new TextEncoder().encode(lines.join("\n") + tail);
  const reader = new SparkReader("log");
  // Pieces of seven bytes: lines and characters are cut anywhere.
  for (let from = 0; from < bytes.length; from += 7) reader.push(bytes.subarray(from, from + 7));
  return reader.end();
}

describe("an event log of Spark", () => {
  const whole = [...START, taskEnd(0), taskEnd(1, { executor: "2" }), taskEnd(2), JOB_END, END];

  test("gives jobs as spans, stages as phases, executors' cores as slots", () => {
    const [job] = read(whole).jobs;
    expect(job).toMatchObject({ id: "app-1", name: "test", user: "ann", outcome: "succeeded" });
    expect(job?.spans).toEqual([
      { name: "job 0", title: "count", outcome: "succeeded", submittedAt: 80, endedAt: 2_000 },
    ]);
    expect(job?.phases.map(({ name, title, tasks }) => [name, title, tasks])).toEqual([
      ["stage 0", "count", 3],
    ]);
    expect(job?.slots).toHaveLength(4);
    expect(job?.settings).toMatchObject({ speculation: true, discipline: "spark-3.5" });
    expect(job?.endedAt).toBe(2_100);
  });

  test("keeps an attempt's times, node, measures and locality", () => {
    const [job] = read(whole).jobs;
    const columns = job?.phases[0]?.attempts;
    if (columns === undefined) throw new Error("no attempts");
    expect([columns.startedAt[0], columns.endedAt[0], columns.gcMs[0]]).toEqual([100, 900, 30]);
    expect(columns.inputBytes[0]).toBe(1_000);
    expect(columns.cpuMs[0]).toBe(700);
    expect(columns.writeWaitMs[0]).toBe(40);
    expect(localityAt(columns, 0)).toBe("node");
    expect([...columns.node].map((node) => job?.nodes[node])).toEqual(["h1", "h2", "h1"]);
  });

  test("written with spaces reads the same", () => {
    expect(read(whole, { space: true })).toEqual(read(whole));
  });

  test("with a copy: it is speculative, and the killed original has no measures of 0", () => {
    const [job] = read([
      ...START,
      taskEnd(3, { index: 0, from: 500, to: 800, speculative: true, executor: "2" }),
      JOB_END,
      // The loser's end comes after the job's.
      taskEnd(0, { to: 1_300, reason: "TaskKilled", run: 0 }),
      END,
    ]).jobs;
    const columns = job?.phases[0]?.attempts;
    if (columns === undefined) throw new Error("no attempts");
    expect([0, 1].map((row) => [kindAt(columns, row), endAt(columns, row)])).toEqual([
      ["original", "killed"],
      ["speculative", "succeeded"],
    ]);
    expect(columns.gcMs[0]).toBeNaN();
    expect(columns.inputBytes[0]).toBeNaN();
    expect(columns.writeWaitMs[0]).toBeNaN();
  });

  test("without an end is cut off, and says which tasks were running", () => {
    const begun = { ...taskEnd(2), Event: "SparkListenerTaskStart" };
    const { jobs, notes } = read([...START, taskEnd(0), begun]);
    expect(jobs[0]?.outcome).toBe("cut-off");
    expect(notes.map(({ text }) => text)).toContain("1 task had not ended when the log did");
    const columns = jobs[0]?.phases[0]?.attempts;
    expect(columns && endAt(columns, 1)).toBe("cut-off");
  });

  test("whose last line is cut off keeps the lines before it", () => {
    const { jobs, notes } = read(whole, { tail: '\n{"Event":"SparkListen' });
    expect(jobs[0]?.phases[0]?.attempts.length).toBe(3);
    expect(notes).toEqual([{ kind: "cut-off", text: "line 13 is cut off" }]);
  });

  test("that is not one is refused with its name", () => {
    expect(() => read(["no event"])).toThrow(/^log: expected events of Spark, one JSON per line$/);
  });
});

test("a log of more events than are kept in memory is refused, with the limit", () => {
  const line = '{"Event":"SparkListenerTaskStart","Stage ID":0,"Task Info":{"Task ID":1}}\n';
  const bytes = new TextEncoder().encode(line);
  const reader = new SparkReader("log", 3);
  for (let n = 0; n < 3; n++) reader.push(bytes);
  expect(() => reader.push(bytes)).toThrow(
    "log: expected at most 3 events of a task start, which are kept in memory: read the " +
      "log in parts",
  );
  const others = new SparkReader("log", 3);
  const other = new TextEncoder().encode('{"Event":"SparkListenerExecutorRemoved"}\n');
  for (let n = 0; n < 3; n++) others.push(other);
  expect(() => others.push(other)).toThrow("expected at most 3 other events, which are kept");
  const skipped = new SparkReader("log", 3);
  const block = new TextEncoder().encode('{"Event":"SparkListenerBlockUpdated"}\n');
  for (let n = 0; n < 10; n++) skipped.push(block);
});
