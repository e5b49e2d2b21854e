import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type AttemptColumns, endAt, kindAt } from "../../history/columns.ts";
import type { Trace, TraceJob } from "../../history/model.ts";
import { RumenReader } from "../rumen/read-rumen.ts";
import { JobTrackerReader } from "./read-jobtracker.ts";

/**
 * Histories that Yahoo's Rumen was tested with, and the JSON that Rumen itself made of them. The
 * golden side is read by JSON.parse alone.
 */
const GOLDENS = "../shared/data/hadoop/rumen-golden";
const IS_THERE = existsSync(GOLDENS);
if (!IS_THERE) console.log(`skipped: Rumen's goldens, since ${GOLDENS} is absent`);

interface GoldenAttempt {
  readonly attemptID: string;
  readonly hostName: string | null;
  readonly result: "SUCCESS" | "FAILED" | "KILLED";
  readonly startTime: number;
  readonly finishTime: number;
  readonly shuffleFinished: number;
  readonly sortFinished: number;
  readonly hdfsBytesRead: number;
  readonly mapInputRecords: number;
  readonly reduceShuffleBytes: number;
  readonly reduceInputRecords: number;
}

interface GoldenTask {
  readonly taskID: string;
  readonly startTime: number;
  readonly finishTime: number;
  readonly attempts: readonly GoldenAttempt[];
}

interface GoldenJob {
  readonly jobID: string;
  readonly user: string;
  readonly submitTime: number;
  readonly launchTime: number;
  readonly finishTime: number;
  readonly outcome: string;
  readonly mapTasks: readonly GoldenTask[];
  readonly reduceTasks: readonly GoldenTask[];
}

function bytesOf(name: string): Uint8Array {
  const bytes = readFileSync(`${GOLDENS}/${name}`);
  return name.endsWith(".gz") ? gunzipSync(bytes) : bytes;
}

function goldenJobs(name: string): readonly GoldenJob[] {
  const text = Buffer.from(bytesOf(name)).toString();
  return JSON.parse(`[${text.replaceAll(/^\}\s*\{/gm, "},{")}]`);
}

function read(reader: JobTrackerReader | RumenReader, ...names: readonly string[]): Trace {
  for (const name of names) reader.push(bytesOf(name));
  return reader.end();
}

const PAIRS = [
  ["sample-job-tracker-logs.gz", "job-tracker-logs-trace-output.gz"],
  ["dispatch-sample-v20-jt-log.gz", "dispatch-trace-output.json.gz"],
  ["truncated-job-tracker-log", "truncated-trace-output"],
] as const;

const ENDS = { SUCCESS: "succeeded", FAILED: "failed", KILLED: "killed" };
const OUTCOMES = { SUCCESS: "succeeded", FAILED: "failed", KILLED: "killed" };

describe.runIf(IS_THERE)("a JobTracker's log and what Rumen made of it", () => {
  test.each(PAIRS)("%s has the jobs, tasks and attempts of %s", (log, golden) => {
    const trace = read(new JobTrackerReader(log), log);
    // A job that was killed before any task ran has nothing to diagnose.
    const expected = goldenJobs(golden).filter((job) => job.mapTasks.length > 0);
    expect(trace.jobs.map(({ id }) => id)).toEqual(expected.map(({ jobID }) => jobID));
    for (const job of expected) compareJob(jobNamed(trace, job.jobID), job, trace.originMs);
  });

  test.each(PAIRS)("%s and %s, read by us, are one trace", (log, golden) => {
    const [one, two] = [
      read(new JobTrackerReader(log), log),
      read(new RumenReader(golden), golden),
    ];
    expect(two.jobs.map(({ id }) => id)).toEqual(one.jobs.map(({ id }) => id));
    for (const [index, job] of two.jobs.entries()) {
      for (const [phase, { attempts }] of job.phases.entries()) {
        const other = one.jobs[index]?.phases[phase]?.attempts;
        expect(attempts.startedAt).toEqual(other?.startedAt);
        expect(attempts.endedAt).toEqual(other?.endedAt);
        expect(attempts.kinds).toEqual(other?.kinds);
        expect(attempts.assignedAt).toEqual(other?.assignedAt);
      }
    }
  });

  test("the four jobs of 2009 have 203 tasks and 276 attempts", () => {
    const trace = read(new JobTrackerReader("log"), "sample-job-tracker-logs.gz");
    const phases = trace.jobs.flatMap((job) => job.phases);
    expect(phases.reduce((sum, { tasks }) => sum + tasks, 0)).toBe(203);
    expect(phases.reduce((sum, { attempts }) => sum + attempts.length, 0)).toBe(276);
  });

  test("36 trackers' clocks are up to 128 s off in the largest job", () => {
    const { notes } = read(new JobTrackerReader("log"), "sample-job-tracker-logs.gz");
    expect(notes.filter(({ kind }) => kind === "clocks").map(({ text }) => text)).toEqual([
      "job_200904211745_0002: 4 trackers' clocks were corrected by up to 106 s",
      "job_200904211745_0004: 36 trackers' clocks were corrected by up to 128 s",
    ]);
    for (const { job = "", text } of notes) expect(text.slice(0, job.length)).toBe(job);
    expect(notes.every(({ job }) => job !== undefined)).toBe(true);
  });

  test("37 copies begin while their original runs by the trackers' clocks, and 7 win", () => {
    const trace = read(new JobTrackerReader("log"), "sample-job-tracker-logs.gz");
    const job = jobNamed(trace, "job_200904211745_0004");
    const golden = goldenJobs("job-tracker-logs-trace-output.gz").find(
      ({ jobID }) => jobID === job.id,
    );
    const tasks = [...(golden?.mapTasks ?? []), ...(golden?.reduceTasks ?? [])];
    const doubled = tasks.filter(({ attempts }) =>
      attempts.some((copy) =>
        attempts.some(
          ({ result, startTime, finishTime }) =>
            result !== "FAILED" && startTime < copy.startTime && copy.startTime < finishTime,
        ),
      ),
    );
    expect(doubled).toHaveLength(37);
    const copies = job.phases.flatMap(({ attempts }) =>
      rowsOf(attempts).filter(({ kind }) => kind === "speculative"),
    );
    // No end had been reported when the JobTracker launched the other 32: each of their tasks
    // succeeded once, and no output was lost.
    expect(copies).toHaveLength(69);
    expect(copies.filter(({ ended }) => ended === "succeeded")).toHaveLength(7);
  });

  // Attempts of a task whose input is elsewhere may wait for minutes after their assignment.
  test("a task that was assigned at 14 s, and began at 270 s, keeps both times", () => {
    const trace = read(new RumenReader("folder"), "folder-input-trace.json.gz");
    const job = jobNamed(trace, "job_200910281128_10050");
    const [map] = job.phases;
    const row = map?.attempts.task.indexOf(39) ?? -1;
    const waitedMs = (map?.attempts.startedAt[row] ?? 0) - (map?.attempts.assignedAt[row] ?? 0);
    expect(waitedMs).toBe(252_553);
  });
});

test.runIf(IS_THERE)("counters in both spellings agree with Rumen's", () => {
  const folder = "counters-format-test-logs/megacluster.megacorp.com_1265616107882";
  const golden = goldenJobs("counters-test-trace.json.gz");
  for (const [number, day] of [
    ["40864", "20100210"],
    ["50510", "20100208"],
  ]) {
    const name = `${folder}_job_201002080801_${number}_job_name-DAILY%2F${day}%5D.gz`;
    const trace = read(new JobTrackerReader(name), name);
    const id = `job_201002080801_${number}`;
    const expected = golden.find(({ jobID }) => jobID === id);
    expect(expected).toBeDefined();
    if (expected !== undefined) compareJob(jobNamed(trace, id), expected, trace.originMs);
  }
});

function jobNamed(trace: Trace, id: string): TraceJob {
  const job = trace.jobs.find((one) => one.id === id);
  if (job === undefined) throw new Error(`the trace lacks ${id}`);
  return job;
}

function compareJob(job: TraceJob, golden: GoldenJob, originMs: number): void {
  expect(job.outcome).toBe(OUTCOMES[golden.outcome as keyof typeof OUTCOMES]);
  expect([job.submittedAt, job.launchedAt, job.endedAt, job.user]).toEqual([
    ...[golden.submitTime, golden.launchTime, golden.finishTime].map((ms) => ms - originMs),
    golden.user,
  ]);
  const phases = [golden.mapTasks, golden.reduceTasks].filter((tasks) => tasks.length > 0);
  expect(job.phases.map(({ tasks }) => tasks)).toEqual(phases.map((tasks) => tasks.length));
  /** Every tracker has one correction in a job. */
  const shiftOf = new Map<string, number>();
  for (const [index, tasks] of phases.entries()) {
    const attempts = job.phases[index]?.attempts;
    if (attempts === undefined) throw new Error("a phase is missing");
    const rows = rowsOf(attempts);
    for (const task of tasks) {
      const own = rows.filter((row) => row.task === Number(task.taskID.slice(-6)));
      expect(own).toHaveLength(task.attempts.length);
      const byNumber = [...task.attempts].sort((a, b) => (a.attemptID < b.attemptID ? -1 : 1));
      for (const [ordinal, attempt] of byNumber.entries()) {
        const row = own.find((one) => one.ordinal === ordinal);
        if (row === undefined) throw new Error(`${attempt.attemptID} is missing`);
        const host = job.nodes[row.node] ?? "";
        const named = attempt.hostName?.split("/").at(-1)?.replaceAll("\\", "");
        if (named !== undefined) expect(host).toBe(named);
        const shift = row.startedAt + originMs - attempt.startTime;
        expect(row.endedAt + originMs - attempt.finishTime).toBe(shift);
        expect(shiftOf.get(host) ?? shift).toBe(shift);
        shiftOf.set(host, shift);
        compareAttempt(attempts, row, attempt, originMs - shift);
        expect(row.startedAt + originMs).toBeGreaterThanOrEqual(task.startTime);
        if (attempt.result !== "KILLED" && task.finishTime > 0) {
          expect(row.endedAt + originMs).toBeLessThanOrEqual(task.finishTime);
        }
      }
    }
  }
}

function compareAttempt(
  columns: AttemptColumns,
  { row, ended }: Row,
  golden: GoldenAttempt,
  originMs: number,
): void {
  const known = (value: number): number => (value < 0 ? Number.NaN : value);
  expect(ended).toBe(ENDS[golden.result]);
  expect(columns.shuffleEndAt[row]).toBe(known(golden.shuffleFinished) - originMs);
  expect(columns.sortEndAt[row]).toBe(known(golden.sortFinished) - originMs);
  const isReduce = golden.attemptID.includes("_r_");
  const [bytes, records] = isReduce
    ? [columns.shuffleBytes[row], columns.shuffleRecords[row]]
    : [columns.inputBytes[row], columns.inputRecords[row]];
  expect(bytes).toBe(known(isReduce ? golden.reduceShuffleBytes : golden.hdfsBytesRead));
  expect(records).toBe(known(isReduce ? golden.reduceInputRecords : golden.mapInputRecords));
}

interface Row {
  readonly row: number;
  readonly task: number;
  readonly ordinal: number;
  readonly node: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly ended: string;
  readonly kind: string;
}

function rowsOf(columns: AttemptColumns): readonly Row[] {
  return Array.from({ length: columns.length }, (_, row) => ({
    row,
    task: columns.task[row] ?? -1,
    ordinal: columns.ordinal[row] ?? -1,
    node: columns.node[row] ?? -1,
    startedAt: columns.startedAt[row] ?? Number.NaN,
    endedAt: columns.endedAt[row] ?? Number.NaN,
    ended: endAt(columns, row),
    kind: kindAt(columns, row),
  }));
}
