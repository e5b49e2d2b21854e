import { describe, expect, test } from "vitest";
import type { TraceJob } from "../../history/model.ts";
import { SparkReader } from "./read-spark.ts";

const ORIGIN = 1_700_000_000_000;
const UI = "org.apache.spark.sql.execution.ui.SparkListenerSQL";
const at = (ms: number): number => ORIGIN + ms;

const plan = (...names: readonly string[]): object =>
  names.reduceRight<object[]>(
    (children, nodeName) => [{ nodeName, simpleString: nodeName, children, metrics: [] }],
    [],
  )[0] ?? {};

const queryStart = (id: number, ms: number, more: object = {}) => ({
  Event: `${UI}ExecutionStart`,
  executionId: id,
  description: `query at App.scala:${id}`,
  details: "",
  physicalPlanDescription: "",
  sparkPlanInfo: plan("Exchange", "Scan old"),
  time: at(ms),
  ...more,
});
const queryEnd = (id: number, ms: number, more: object = {}) => ({
  Event: `${UI}ExecutionEnd`,
  executionId: id,
  time: at(ms),
  ...more,
});

const rdds = (rdd: number, scope: string, isBarrier = false) => [
  { "RDD ID": rdd, Scope: JSON.stringify({ id: "1", name: scope }), Barrier: isBarrier },
];
interface Stage {
  readonly id: number;
  readonly rdd: number;
  readonly scope?: string;
  readonly reads?: readonly number[];
  readonly isBarrier?: boolean;
}
const infoOf = ({ id, rdd, scope = "Exchange", reads = [], isBarrier = false }: Stage) => ({
  "Stage ID": id,
  "Stage Attempt ID": 0,
  "Stage Name": `stage at App.scala:${id}`,
  "Number of Tasks": 1,
  "RDD Info": rdds(rdd, scope, isBarrier),
  "Parent IDs": reads,
});

interface Job {
  readonly id: number;
  readonly query?: number;
  readonly from: number;
  readonly to: number;
  readonly ran: Stage;
  readonly skipped?: readonly Stage[];
}
const jobEvents = ({ id, query, from, to, ran, skipped = [] }: Job) => [
  {
    Event: "SparkListenerJobStart",
    "Job ID": id,
    "Submission Time": at(from),
    "Stage IDs": [...skipped, ran].map((stage) => stage.id),
    "Stage Infos": [...skipped, ran].map(infoOf),
    Properties: query === undefined ? {} : { "spark.sql.execution.id": String(query) },
  },
  {
    Event: "SparkListenerStageSubmitted",
    "Stage Info": { ...infoOf(ran), "Submission Time": at(from) },
  },
  {
    Event: "SparkListenerTaskEnd",
    "Stage ID": ran.id,
    "Stage Attempt ID": 0,
    "Task End Reason": { Reason: "Success" },
    "Task Info": {
      "Task ID": ran.id,
      Index: 0,
      "Launch Time": at(from + 1),
      "Finish Time": at(to - 1),
      "Executor ID": "1",
      Host: "h1",
      Locality: "ANY",
    },
  },
  {
    Event: "SparkListenerStageCompleted",
    "Stage Info": { ...infoOf(ran), "Submission Time": at(from), "Completion Time": at(to) },
  },
  {
    Event: "SparkListenerJobEnd",
    "Job ID": id,
    "Completion Time": at(to),
    "Job Result": { Result: "JobSucceeded" },
  },
];

function read(events: readonly object[], pieceBytes = 1 << 30): TraceJob {
  const reader = new SparkReader("log");
  const all = [
    { Event: "SparkListenerLogStart", "Spark Version": "3.5.1" },
    {
      Event: "SparkListenerApplicationStart",
      "App Name": "test",
      "App ID": "app-1",
      Timestamp: at(0),
      User: "ann",
    },
    ...events,
    { Event: "SparkListenerApplicationEnd", Timestamp: at(9_000) },
  ];
  const bytes = new TextEncoder().encode(all.map((event) => JSON.stringify(event)).join("\n"));
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    reader.push(bytes.slice(from, from + pieceBytes));
  }
  const [job] = reader.end().jobs;
  if (job === undefined) throw new Error("no job");
  return job;
}

describe("queries of SQL", () => {
  const first = { id: 0, rdd: 3, scope: "Scan new" };
  const ADAPTIVE = [
    queryStart(7, 100),
    ...jobEvents({ id: 0, query: 7, from: 200, to: 1_000, ran: first }),
    {
      Event: `${UI}AdaptiveExecutionUpdate`,
      executionId: 7,
      physicalPlanDescription: "",
      sparkPlanInfo: plan("Sort", "AQEShuffleRead", "ShuffleQueryStage", "Exchange", "Scan new"),
    },
    ...jobEvents({
      id: 1,
      query: 7,
      from: 1_200,
      to: 2_000,
      ran: { id: 2, rdd: 9, scope: "Sort", reads: [1] },
      skipped: [{ id: 1, rdd: 3, scope: "Scan new" }],
    }),
    queryEnd(7, 2_100, { errorMessage: "" }),
  ];

  test("have their jobs, their times and their name", () => {
    const { queries, spans } = read(ADAPTIVE);
    expect(queries).toEqual([
      {
        name: "query 7",
        title: "query at App.scala:7",
        outcome: "succeeded",
        submittedAt: 100,
        endedAt: 2_100,
      },
    ]);
    expect(spans.map(({ name, query, skipped }) => [name, query, skipped])).toEqual([
      ["job 0", 0, undefined],
      ["job 1", 0, 1],
    ]);
  });

  test("tell what their stages do by the latest plan, and no stage of others", () => {
    const rest = jobEvents({ id: 2, from: 3_000, to: 4_000, ran: { id: 3, rdd: 20 } });
    const { phases } = read([...ADAPTIVE, ...rest]);
    expect(phases.map(({ name, operators }) => [name, operators])).toEqual([
      ["stage 0", ["Scan new"]],
      ["stage 2", ["Sort"]],
      ["stage 3", undefined],
    ]);
  });

  test("read the output of the stage that a skipped one stands for", () => {
    expect(read(ADAPTIVE).phases.map(({ reads }) => reads.map(({ phase }) => phase))).toEqual([
      [],
      [0],
    ]);
  });

  test("failed by their own error, or in old logs by their last job's", () => {
    const failed = (end: object) =>
      read([queryStart(1, 100), queryEnd(1, 200, end)]).queries?.[0]?.outcome;
    expect(failed({ errorMessage: "boom" })).toBe("failed");
    expect(failed({ errorMessage: "" })).toBe("succeeded");
    expect(failed({})).toBe("succeeded");
    expect(read([queryStart(1, 100)]).queries?.[0]?.outcome).toBe("cut-off");
  });

  test("may begin others", () => {
    const events = [
      queryStart(1, 100),
      queryStart(2, 150, { rootExecutionId: 1 }),
      ...jobEvents({ id: 0, query: 2, from: 200, to: 1_000, ran: first }),
      queryEnd(2, 1_100),
      queryEnd(1, 1_200),
    ];
    const { queries, spans } = read(events);
    expect(queries?.map(({ name, within }) => [name, within])).toEqual([
      ["query 1", undefined],
      ["query 2", 0],
    ]);
    expect(spans[0]?.query).toBe(1);
  });

  test("with a plan of any length keep their names, and the line is no damage", () => {
    const long = { physicalPlanDescription: "x".repeat(17 << 20) };
    const events = ADAPTIVE.map((event) =>
      event.Event === `${UI}ExecutionStart` ? { ...event, ...long } : event,
    );
    // A piece at a time, as files come: the line is cut. As a whole it is read to its end.
    const [cut, whole] = [read(events, 1 << 20), read(events)];
    expect(cut.queries?.map(({ title }) => title)).toEqual(["query at App.scala:7"]);
    // Without its start, a query begins with its first job.
    expect(cut.queries?.[0]?.submittedAt).toBe(200);
    expect(whole.queries?.[0]?.submittedAt).toBe(100);
  });
});

test("a stage whose tasks run all at once has no copies", () => {
  const ran = { id: 0, rdd: 1, isBarrier: true };
  const { phases } = read(jobEvents({ id: 0, from: 100, to: 900, ran }));
  expect(phases.map(({ forbidsCopies }) => forbidsCopies)).toEqual([true]);
});
