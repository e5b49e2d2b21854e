import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { endAt, kindAt } from "../columns.ts";
import type { Trace } from "../model.ts";
import { JobTrackerReader } from "./read-jobtracker.ts";
import { parseCounters, parseRecord } from "./record.ts";

const GOLDEN = "../shared/data/hadoop/rumen-golden";
const IS_THERE = existsSync(GOLDEN);
if (!IS_THERE) console.log(`skipped: JobTracker's logs of 2009, since ${GOLDEN} is absent`);

function read(text: string | Uint8Array): Trace {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const reader = new JobTrackerReader("log");
  for (let at = 0; at < bytes.length; at += 9_973) reader.push(bytes.subarray(at, at + 9_973));
  return reader.end();
}

describe("a record", () => {
  test("has values whose escapes are resolved", () => {
    const record = parseRecord(
      'Task TASKID="task_1_m_0" SPLITS="/rack/h1\\.x\\.com" ERROR="a \\"b\\"" .',
    );
    expect(record?.kind).toBe("Task");
    expect(record?.values.get("SPLITS")).toBe("/rack/h1.x.com");
    expect(record?.values.get("ERROR")).toBe('a "b"');
  });

  test("has counters by name", () => {
    const text =
      "{(FileSystemCounters)(FileSystemCounters)[(HDFS_BYTES_READ)(HDFS_BYTES_READ)(148286)]}";
    expect(parseCounters(text)).toEqual(new Map([["HDFS_BYTES_READ", 148_286]]));
  });
});

const HEAD = 'Meta VERSION="1" .\nJob JOBID="job_1_0001" USER="ann" SUBMIT_TIME="100000" .\n';
const TASK = 'TASKID="task_1_0001_m_000000" TASK_TYPE="MAP"';
const task = (start: number, finish: number): string =>
  [
    `Task ${TASK} START_TIME="${start}" .`,
    `Task ${TASK} TASK_STATUS="SUCCESS" FINISH_TIME="${finish}" .\n`,
  ].join("\n");
const ATTEMPT = `MapAttempt ${TASK} TASK_ATTEMPT_ID="attempt_1_0001_m_000000_0"`;
const TRACKER = 'TRACKER_NAME="tracker_h1:localhost/127\\.0\\.0\\.1:1"';
const attempt = (start: number, finish: number): string =>
  [
    `${ATTEMPT} START_TIME="${start}" ${TRACKER} .`,
    `${ATTEMPT} TASK_STATUS="SUCCESS" FINISH_TIME="${finish}" HOSTNAME="/r1/h1" .\n`,
  ].join("\n");

describe("a log", () => {
  test("with a tracker whose clock is ahead: the attempt is moved into its task's times", () => {
    const { jobs, notes } = read(HEAD + task(101_000, 105_000) + attempt(131_000, 134_000));
    const columns = jobs[0]?.phases[0]?.attempts;
    expect([columns?.startedAt[0], columns?.endedAt[0]]).toEqual([2_000, 5_000]);
    expect(notes).toEqual([
      { kind: "clocks", text: "job_1_0001: 1 tracker's clock was corrected by up to 29 s" },
    ]);
  });

  test("with right clocks stays as it is", () => {
    const { jobs, notes } = read(HEAD + task(101_000, 105_000) + attempt(101_500, 104_000));
    expect(jobs[0]?.phases[0]?.attempts.startedAt[0]).toBe(1_500);
    expect(notes).toEqual([]);
  });

  test("that is cut off within a record says so, and keeps the records before", () => {
    const { jobs, notes } = read(
      `${HEAD}${task(1e5, 2e5)}${attempt(1e5, 2e5)}Job JOBID="job_1_0001" FIN`,
    );
    expect(jobs[0]?.outcome).toBe("cut-off");
    expect(notes).toEqual([{ kind: "cut-off", text: "the last record is cut off" }]);
  });

  test("without attempts is refused", () => {
    expect(() => read(HEAD)).toThrow("log: expected a job with attempts that began");
  });
});

/** Rumen's JSON, read here with nothing but JSON.parse. */
interface GoldenAttempt {
  readonly attemptID: string;
  readonly startTime: number;
  readonly finishTime: number;
  readonly result: string;
  /** null for attempts that failed or were killed. */
  readonly hostName: string | null;
}
interface GoldenJob {
  readonly jobID: string;
  readonly mapTasks: readonly { readonly taskID: string; readonly attempts: GoldenAttempt[] }[];
  readonly reduceTasks: GoldenJob["mapTasks"];
}

function golden(): readonly GoldenJob[] {
  const text = gunzipSync(readFileSync(`${GOLDEN}/dispatch-trace-output.json.gz`)).toString();
  const parsed: readonly GoldenJob[] = JSON.parse(`[${text.replaceAll(/^\}\s*\{/gm, "},{")}]`);
  return parsed;
}

describe.skipIf(!IS_THERE)("check 4: the logs of 2009 beside what Rumen made of them", () => {
  const trace = (): Trace =>
    read(gunzipSync(readFileSync(`${GOLDEN}/dispatch-sample-v20-jt-log.gz`)));

  test("every attempt has Rumen's duration, result and host", () => {
    const { jobs } = trace();
    let compared = 0;
    for (const expected of golden()) {
      const job = jobs.find(({ id }) => id === expected.jobID);
      for (const [name, tasks] of [
        ["map", expected.mapTasks],
        ["reduce", expected.reduceTasks],
      ] as const) {
        const columns = job?.phases.find((phase) => phase.name === name)?.attempts;
        const sorted = tasks.toSorted((a, b) => (a.taskID < b.taskID ? -1 : 1));
        for (const [index, { attempts }] of sorted.entries()) {
          if (columns === undefined) throw new Error(`${expected.jobID} has no ${name} phase`);
          const rows = [...columns.task.keys()].filter((row) => columns.task[row] === index);
          const found = rows.map((row) => {
            const duration = (columns.endedAt[row] ?? 0) - (columns.startedAt[row] ?? 0);
            const isWhole = endAt(columns, row) === "succeeded";
            const host = isWhole ? job?.nodes[columns.node[row] ?? -1] : "?";
            return `${Math.round(duration)} ${endAt(columns, row)} ${host}`;
          });
          const wanted = attempts.map(({ startTime, finishTime, result, hostName }) => {
            const end = { SUCCESS: "succeeded", KILLED: "killed", FAILED: "failed" }[result];
            const host = hostName?.slice(hostName.lastIndexOf("/") + 1).replaceAll("\\.", ".");
            return `${finishTime - startTime} ${end} ${host ?? "?"}`;
          });
          expect(found.toSorted()).toEqual(wanted.toSorted());
          compared += found.length;
        }
      }
    }
    // Set-up and clean-up tasks are no phase: 7 of Rumen's 283 attempts.
    expect(compared).toBe(276);
  });

  test("38 tasks have attempts that overlap, and the copy won 7 races", () => {
    const { jobs, notes } = trace();
    const copied = new Set<string>();
    let won = 0;
    for (const job of jobs) {
      for (const { name, attempts } of job.phases) {
        for (let row = 0; row < attempts.length; row++) {
          if (kindAt(attempts, row) !== "speculative") continue;
          copied.add(`${job.id}/${name}/${attempts.task[row]}`);
          if (endAt(attempts, row) === "succeeded") won += 1;
        }
      }
    }
    // By the trackers' own clocks 37 overlap; with right clocks one more does.
    expect([copied.size, won]).toEqual([38, 7]);
    expect(notes.map(({ text }) => text)).toContain(
      "job_200904211745_0004: 36 trackers' clocks were corrected by up to 128 s",
    );
  });
});
