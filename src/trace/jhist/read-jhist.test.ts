import { existsSync, readdirSync, readFileSync } from "node:fs";
import { Type } from "avsc";
import { describe, expect, test } from "vitest";
import { InputError } from "../../base/input-error.ts";
import type { Json } from "../../base/json.ts";
import { endAt, kindAt, localityAt } from "../../history/columns.ts";
import type { Trace } from "../../history/model.ts";
import { AvroDecoder } from "./avro.ts";
import { unwrapped } from "./events.ts";
import { JobHistoryReader } from "./read-jhist.ts";

const JSON_FILE = readFileSync("fixtures/hadoop/json.jhist");
const BINARY_FILE = readFileSync("fixtures/hadoop/binary.jhist");

function read(bytes: Uint8Array, piece = bytes.length): Trace {
  const reader = new JobHistoryReader("a.jhist");
  for (let from = 0; from < bytes.length; from += piece) {
    reader.push(bytes.slice(from, from + piece));
  }
  return reader.end();
}

const text = (...lines: readonly string[]): Uint8Array => Buffer.from(lines.join("\n"));

/** The magic word, the schema and the rest of a file. */
function parts(file: Buffer): readonly [magic: string, schema: string, rest: Buffer] {
  const first = file.indexOf("\n");
  const second = file.indexOf("\n", first + 1);
  return [
    file.subarray(0, first).toString(),
    file.subarray(first + 1, second).toString(),
    file.subarray(second + 1),
  ];
}

const typeOf = (schema: string): Type => Type.forSchema(JSON.parse(schema), { wrapUnions: true });

/** The file's events, as avsc reads them from the binary encoding. */
function eventsByAvsc(file: Buffer): readonly unknown[] {
  const [, schema, rest] = parts(file);
  const type = typeOf(schema);
  const events: unknown[] = [];
  for (let at = 0; at < rest.length; ) {
    const { value, offset } = type.decode(rest, at);
    if (offset < 0) break;
    events.push(value);
    at = offset;
  }
  return events;
}

describe("Avro's two encodings", () => {
  test("our decoder reads every event as avsc does", () => {
    const [, schema, rest] = parts(BINARY_FILE);
    const decoder = new AvroDecoder(JSON.parse(schema));
    const expected = eventsByAvsc(BINARY_FILE);
    let at = 0;
    for (const event of expected) {
      const found = decoder.decode(rest, at);
      // Avsc's records have classes of its own.
      const plain: Json = JSON.parse(JSON.stringify(event));
      expect(found?.value).toEqual(unwrapped(plain));
      at = found?.end ?? Number.NaN;
    }
    expect([expected.length, at]).toEqual([56, rest.length]);
  });

  test("a JSON history is the same trace when avsc has made it binary", () => {
    const [, schema, rest] = parts(JSON_FILE);
    const type = typeOf(schema);
    const lines = rest
      .toString()
      .split("\n")
      .filter((line) => line.trim() !== "");
    const events = lines.map((line) => type.toBuffer(type.fromString(line)));
    const binary = Buffer.concat([Buffer.from(`Avro-Binary\n${schema}\n`), ...events]);
    expect(read(binary)).toEqual(read(JSON_FILE));
  });

  test("a binary history is the same trace when avsc has made it JSON", () => {
    const [, schema] = parts(BINARY_FILE);
    const type = typeOf(schema);
    const lines = eventsByAvsc(BINARY_FILE).map((event) => type.toString(event));
    expect(read(text("Avro-Json", schema, "", ...lines, ""))).toEqual(read(BINARY_FILE));
  });

  test.each([
    ["JSON", JSON_FILE],
    ["binary", BINARY_FILE],
  ])("%s is read the same in pieces of any size", (_, file) => {
    const whole = read(file);
    for (const piece of [97, 4_096]) expect(read(file, piece)).toEqual(whole);
  });
});

describe("a job history of Hadoop 3.5", () => {
  const [job] = read(JSON_FILE).jobs;

  test("has the copies, their ends, their nodes and racks", () => {
    const attempts = job?.phases[0]?.attempts;
    if (job === undefined || attempts === undefined) throw new Error("no maps");
    const copies = Array.from({ length: attempts.length }, (_, row) => row)
      .filter((row) => kindAt(attempts, row) === "speculative")
      .map((row) => [
        `map/${attempts.task[row]}`,
        endAt(attempts, row),
        job.nodes[attempts.node[row] ?? -1],
        job.racks?.[attempts.node[row] ?? -1],
      ]);
    expect(copies).toEqual([
      ["map/7", "killed", "n2", "rack1"],
      ["map/5", "succeeded", "n4", "rack2"],
      ["map/1", "killed", "n4", "rack2"],
    ]);
    const nodes = attempts.localities.map((_, row) => (localityAt(attempts, row) ? 1 : 0));
    expect(nodes.every((known) => known === 1)).toBe(true);
  });

  // The splits of these three are filled up to the twelfth at their kill.
  test("has the progress of killed attempts only up to their reading", () => {
    const attempts = job?.phases[0]?.attempts;
    if (attempts?.curves === undefined) throw new Error("no curves");
    const { curves } = attempts;
    const reached = Array.from({ length: attempts.length }, (_, row) => row)
      .filter((row) => endAt(attempts, row) === "killed")
      .map((row) => curves.subarray(row * 12, row * 12 + 12).filter((ms) => ms >= 0).length);
    expect(reached).toEqual([2, 4, 0]);
  });
});

const event = (type: string, name: string, fields: object): string =>
  JSON.stringify({ type, event: { [`org.apache.hadoop.mapreduce.jobhistory.${name}`]: fields } });

const T0 = 1_400_000_000_000;
const TASK = "task_1400000000000_0001_m_000000";
const ATTEMPT = "attempt_1400000000000_0001_m_000000";

const SUBMITTED = event("JOB_SUBMITTED", "JobSubmitted", {
  jobid: "job_1400000000000_0001",
  jobName: "a job",
  userName: "u",
  submitTime: T0,
});
const INITED = event("JOB_INITED", "JobInited", {
  jobid: "job_1400000000000_0001",
  launchTime: T0 + 10,
  totalMaps: 3,
  totalReduces: 1,
});
const TASK_STARTED = event("TASK_STARTED", "TaskStarted", {
  taskid: TASK,
  taskType: "MAP",
  startTime: T0 + 14,
  splitLocations: "n1,n2",
});
const IN_WORKFLOW = event("JOB_SUBMITTED", "JobSubmitted", {
  ...{ jobid: "job_1400000000000_0001", jobName: "step", userName: "u", submitTime: T0 },
  workflowId: { string: "hive-7" },
  workflowName: { string: "nightly" },
  workflowNodeName: { string: "Stage-1" },
});
const FINISHED = event("JOB_FINISHED", "JobFinished", { finishTime: T0 + 900 });

const started = (n: number, ms: number, more = {}): string =>
  event("MAP_ATTEMPT_STARTED", "TaskAttemptStarted", {
    taskid: TASK,
    taskType: "MAP",
    attemptId: `${ATTEMPT}_${n}`,
    startTime: ms,
    trackerName: `n${n + 1}`,
    ...more,
  });

const UNSUCCESSFUL = "TaskAttemptUnsuccessfulCompletion";
const ended = (n: number, what: string, ms: number, more = {}): string =>
  event(`MAP_ATTEMPT_${what}`, what === "FINISHED" ? "MapAttemptFinished" : UNSUCCESSFUL, {
    taskid: TASK,
    taskType: "MAP",
    attemptId: `${ATTEMPT}_${n}`,
    finishTime: ms,
    status: what,
    ...more,
  });

function attemptsOf(...events: readonly string[]) {
  const trace = read(text("Avro-Json", "{}", SUBMITTED, INITED, TASK_STARTED, ...events));
  const attempts = trace.jobs[0]?.phases[0]?.attempts;
  if (attempts === undefined) throw new Error("no maps");
  const rows = Array.from({ length: attempts.length }, (_, row) => row);
  return {
    trace,
    attempts,
    ends: rows.map((row) => [kindAt(attempts, row), endAt(attempts, row), attempts.endedAt[row]]),
  };
}

describe("an event", () => {
  test("of a task says when its job was ready, not when a container was assigned", () => {
    const { attempts, trace } = attemptsOf(started(0, T0 + 270), ended(0, "FINISHED", T0 + 300));
    expect([attempts.startedAt[0], attempts.assignedAt[0]]).toEqual([270, Number.NaN]);
    expect(trace.jobs[0]?.lacks.has("time of assignment")).toBe(true);
    expect(trace.jobs[0]?.phases.map(({ tasks }) => tasks)).toEqual([3, 1]);
  });

  test("of a submission says of which workflow the job is a step", () => {
    const events = [started(0, T0 + 270), ended(0, "FINISHED", T0 + 300), FINISHED];
    const workflow = (...more: readonly string[]) => attemptsOf(...more, ...events).trace.jobs[0];
    expect(workflow()?.workflow).toBeUndefined();
    expect(workflow(IN_WORKFLOW)?.workflow).toEqual({
      ...{ id: "hive-7", name: "nightly", step: "Stage-1" },
    });
  });

  test("with a start of 0 or less means that the attempt never ran", () => {
    const { trace, ends } = attemptsOf(
      started(0, -1),
      ended(0, "KILLED", T0 + 20),
      started(1, T0 + 30),
      ended(1, "FINISHED", T0 + 90),
      FINISHED,
    );
    expect(ends).toEqual([["original", "succeeded", 90]]);
    expect(trace.notes.map(({ kind }) => kind)).toEqual(["dropped"]);
  });

  test("after a success means a lost output, which the next attempt recomputes", () => {
    const { ends } = attemptsOf(
      started(0, T0 + 30),
      ended(0, "FINISHED", T0 + 90),
      ended(0, "FAILED", T0 + 200, { error: "Too many fetch failures.Failing the attempt" }),
      started(1, T0 + 210),
      ended(1, "KILLED", T0 + 250),
      FINISHED,
    );
    expect(ends).toEqual([
      ["original", "succeeded", 90],
      ["recompute", "killed", 250],
    ]);
  });

  test("of a kill on a lost node means a loss", () => {
    const error = "TaskAttempt killed because it ran on unusable node n1. AttemptId: lost node";
    const { ends } = attemptsOf(started(0, T0 + 30), ended(0, "KILLED", T0 + 90, { error }));
    expect(ends).toEqual([["original", "lost", 90]]);
  });

  test("of an unknown kind is counted, and a note names the kind", () => {
    const odd = event("TASK_DREAMT", "TaskDreamt", { taskid: TASK });
    const { trace } = attemptsOf(started(0, T0 + 30), odd, odd, FINISHED);
    expect(trace.notes).toContainEqual({
      kind: "unknown",
      text: "events of the unknown kind TASK_DREAMT: 2",
    });
  });
});

describe("a job history", () => {
  test("may begin with a licence and blank lines", () => {
    const [magic, schema, rest] = parts(JSON_FILE);
    const licensed = text("/* Licensed to", " * the ASF */", "", magic, schema, rest.toString());
    expect(read(licensed)).toEqual(read(JSON_FILE));
  });

  test("that is cut within a line is read up to that line, which is named", () => {
    const whole = text(
      "Avro-Json",
      "{}",
      SUBMITTED,
      INITED,
      TASK_STARTED,
      started(0, T0 + 30),
      "{",
    );
    const { notes, jobs } = read(whole);
    expect(jobs[0]?.outcome).toBe("cut-off");
    expect(notes.map(({ text: note }) => note)).toEqual([
      "line 7 cannot be read",
      "the history ends before job_1400000000000_0001 does",
    ]);
  });

  test("leaves out a record that joins the beginning of one and the end of another", () => {
    const [magic, schema, rest] = parts(JSON_FILE);
    const lines = rest.toString().split("\n");
    const [start = "", other = "", end = ""] = [
      ...lines.filter((line) => line.includes('"MAP_ATTEMPT_STARTED"')).slice(0, 2),
      ...lines.filter((line) => line.includes('"MAP_ATTEMPT_FINISHED"')).slice(-1),
    ];
    const joined = (own: string, from: string, at: string): string =>
      own.slice(0, own.indexOf(at)) + from.slice(from.indexOf(at));
    const torn = [
      // The ids are of two tasks, the fields of two kinds, or the kind is another than the record.
      joined(start, other, '"attemptId"'),
      joined(start, end, '"attemptId"'),
      joined(start, end, '{"org.apache'),
    ];
    expect(torn.map((line) => JSON.parse(line))).toHaveLength(3);
    for (const line of torn) {
      const { jobs, notes } = read(text(magic, schema, ...lines, line));
      expect(notes).toEqual([
        { kind: "damaged", text: expect.stringMatching(/^line \d+ cannot be read$/) },
      ]);
      expect(jobs[0]?.evidence?.unread).toBe(1);
      expect(jobs[0]?.phases).toEqual(read(JSON_FILE).jobs[0]?.phases);
    }
  });

  test("counts lines of JSON that are no events", () => {
    const lines = ["{}", SUBMITTED, "null", "17", '{"type":"JOB_FINISHED"}', started(0, T0 + 30)];
    expect(read(text("Avro-Json", ...lines)).jobs[0]?.evidence?.unread).toBe(3);
  });

  test("with its job's conf.xml has the settings", () => {
    const property = (name: string, value: string): string =>
      `<property><name>mapreduce.${name}</name><value>${value}</value></property>`;
    const conf =
      property("map.speculative", "true") + property("job.reduce.slowstart.completedmaps", "1");
    const reader = new JobHistoryReader("a.jhist", conf);
    reader.push(JSON_FILE);
    const [job] = reader.end().jobs;
    expect(job?.settings.discipline).toBe("yarn");
    expect(job?.phases[1]?.reads).toEqual([{ phase: 0, start: { when: "fraction", of: 1 } }]);
  });

  test("without a job, or without an attempt, is refused", () => {
    expect(() => read(text("Avro-Json", "{}"))).toThrow(InputError);
    expect(() => read(text("Avro-Json", "{}", SUBMITTED))).toThrow(
      /expected attempts of tasks; the history has none that began$/,
    );
    expect(() => read(text("Avro-Binary", "{]"))).toThrow(/expected events of a Hadoop job/);
    expect(() => read(text("Avro-Binary", "{]", ""))).toThrow("a.jhist:2: expected Avro's schema");
  });
});

const SHARED = "../shared/data/hadoop/jhist";
const OTHERS = existsSync(SHARED)
  ? readdirSync(SHARED).filter((name) => name.endsWith(".jhist"))
  : [];
if (OTHERS.length === 0) console.log(`skipped: job histories of others, as ${SHARED} is absent`);

test.each(OTHERS)("%s has an attempt, and the outcome in its name", (name) => {
  const { jobs, notes } = read(readFileSync(`${SHARED}/${name}`));
  expect(jobs[0]?.phases[0]?.attempts.length).toBeGreaterThan(0);
  const outcome = /^truncated/.test(name)
    ? "cut-off"
    : /FAILED/.test(name)
      ? "failed"
      : "succeeded";
  expect(jobs[0]?.outcome).toBe(outcome);
  expect(notes.map(({ kind }) => kind)).toEqual(outcome === "cut-off" ? ["cut-off"] : []);
});
