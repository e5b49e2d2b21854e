import { describe, expect, test } from "vitest";
import { InputError } from "../../base/input-error.ts";
import { endAt, kindAt } from "../../history/columns.ts";
import { RumenReader } from "./read-rumen.ts";

const T0 = 1_371_222_000_000;

const attempt = (job: string, task: number, n: number, from: number, to: number, more = {}) => ({
  attemptID: `attempt_${job}_m_00000${task}_${n}`,
  hostName: `/rack-1/n${n}\\.example`,
  startTime: T0 + from,
  finishTime: T0 + to,
  result: "SUCCESS",
  hdfsBytesRead: -1,
  mapInputRecords: -1,
  ...more,
});

const job = (id: string, submitTime: number, attempts: readonly object[][], more = {}) => ({
  jobID: `job_${id}`,
  jobName: null,
  user: "u",
  submitTime: T0 + submitTime,
  finishTime: T0 + submitTime + 9_000,
  outcome: "SUCCESS",
  mapTasks: attempts.map((of, task) => ({
    taskID: `task_${id}_m_00000${task}`,
    taskType: "MAP",
    startTime: T0 + submitTime + 100,
    finishTime: T0 + submitTime + 8_000,
    attempts: of,
    preferredLocations: [],
  })),
  reduceTasks: [],
  otherTasks: [],
  ...more,
});

function read(text: string, piece = text.length) {
  const reader = new RumenReader("trace.json");
  const bytes = new TextEncoder().encode(text);
  for (let from = 0; from < bytes.length; from += piece) {
    reader.push(bytes.slice(from, from + piece));
  }
  return reader.end();
}

const YARN = "1371222000000_0007";
const ONE = job(YARN, 0, [
  [attempt(YARN, 0, 0, 300, 5_000, { hdfsBytesRead: 64, cpuUsages: [100, 20, -1] })],
  [
    attempt(YARN, 1, 0, 300, 4_000, { result: "KILLED" }),
    attempt(YARN, 1, 1, 2_000, 3_900),
    attempt(YARN, 1, 2, -1 - T0, 3_900),
  ],
]);

describe("a trace of Rumen", () => {
  const text = JSON.stringify(ONE, undefined, 2);

  test("gives jobs, tasks and attempts; -1 is absent", () => {
    const { jobs, notes } = read(text);
    const [found] = jobs;
    expect(found?.outcome).toBe("succeeded");
    expect(found?.nodes).toEqual(["n0.example", "n1.example"]);
    expect(found?.racks).toEqual(["rack-1", "rack-1"]);
    const attempts = found?.phases[0]?.attempts;
    if (attempts === undefined) throw new Error("no maps");
    expect([...attempts.task]).toEqual([0, 1, 1]);
    expect([...attempts.startedAt]).toEqual([300, 300, 2_000]);
    expect([0, 1, 2].map((row) => kindAt(attempts, row))).toEqual([
      "original",
      "original",
      "speculative",
    ]);
    expect([...attempts.inputBytes]).toEqual([64, Number.NaN, Number.NaN]);
    expect([...attempts.cpuMs]).toEqual([120, Number.NaN, Number.NaN]);
    expect(notes).toEqual([
      {
        kind: "dropped",
        job: `job_${YARN}`,
        text: `job_${YARN}: 1 attempt without times left out`,
      },
    ]);
  });

  test("is cut into objects by brackets, in pieces of any size", () => {
    const id = "1371222000000_0008";
    const named = job(id, 5, [[attempt(id, 0, 0, 40, 60)]], { jobName: 'a } "{' });
    const two = `${text}\n${JSON.stringify(named)}`;
    const whole = read(two);
    expect(whole.jobs.map(({ id, name }) => [id, name])).toEqual([
      [`job_${YARN}`, `job_${YARN}`],
      ["job_1371222000000_0008", 'a } "{'],
    ]);
    for (const piece of [1, 13, 400]) expect(read(two, piece)).toEqual(whole);
  });

  test("leaves out an attempt that stands under another task, as where lines are torn", () => {
    const own = attempt(YARN, 0, 0, 300, 5_000);
    const { jobs, notes } = read(JSON.stringify(job(YARN, 0, [[own, attempt(YARN, 1, 1, 0, 9)]])));
    expect(jobs[0]?.phases[0]?.attempts.length).toBe(1);
    expect(jobs[0]?.evidence?.unread).toBe(1);
    expect(notes.map(({ text }) => text)).toEqual([
      "attempts that stand under another task, and are left out: 1",
    ]);
  });

  test("keeps one entry per job, by its id and its submission", () => {
    const again = JSON.stringify(ONE);
    const later = JSON.stringify(job(YARN, 50_000, [[attempt(YARN, 0, 0, 51_000, 52_000)]]));
    const { jobs, notes } = read(again + later + again);
    expect(jobs.map(({ submittedAt }) => submittedAt)).toEqual([0, 50_000]);
    expect(notes.filter(({ kind }) => kind === "duplicate")).toEqual([
      {
        kind: "duplicate",
        text: "1 more account of the same jobs: of each job the fullest is read",
      },
    ]);
  });

  test("corrects the clocks of trackers, and keeps early assignments of tasks", () => {
    const id = "200910281128_10050";
    const slow = job(id, 0, [[attempt(id, 0, 0, 5_000, 7_000)], [attempt(id, 1, 1, 60, 500)]]);
    const { jobs, notes } = read(JSON.stringify(slow));
    const attempts = jobs[0]?.phases[0]?.attempts;
    expect([...(attempts?.assignedAt ?? [])]).toEqual([100, 100]);
    expect([...(attempts?.startedAt ?? [])]).toEqual([100, 5_000]);
    expect([...(attempts?.endedAt ?? [])]).toEqual([540, 7_000]);
    expect(notes).toEqual([
      {
        kind: "clocks",
        job: `job_${id}`,
        text: `job_${id}: 1 tracker's clock was corrected by up to 40 ms`,
      },
    ]);
  });

  test("notes that failed attempts are missing if it has only winners", () => {
    expect(read(text).jobs[0]?.lacks.has("failed attempts")).toBe(false);
    const winners = job(YARN, 0, [[attempt(YARN, 0, 0, 300, 5_000)]]);
    expect(read(JSON.stringify(winners)).jobs[0]?.lacks.has("failed attempts")).toBe(true);
  });

  test("that is cut off is read up to its last whole job", () => {
    const { jobs, notes } = read(`${text}\n${text.slice(0, 300)}`);
    expect(jobs).toHaveLength(1);
    const line = text.split("\n").length + 1;
    expect(notes[0]).toEqual({
      kind: "cut-off",
      text: `the job that begins at line ${line} is cut off`,
    });
  });

  test("without a whole job is refused, with the line", () => {
    expect(() => read(text.slice(0, 300))).toThrow(InputError);
    expect(() => read('\n{"rack": "r", "nodes": []}')).toThrow(
      'trace.json:2: expected a whole job of Rumen: an object with "jobID"',
    );
    expect(() => read(JSON.stringify(job(YARN, 0, [])))).toThrow(/expected attempts of tasks/);
  });

  test("has each attempt's end, by the words of its result", () => {
    const attempts = read(text).jobs[0]?.phases[0]?.attempts;
    expect(attempts && [0, 1, 2].map((row) => endAt(attempts, row))).toEqual([
      "succeeded",
      "killed",
      "succeeded",
    ]);
  });
});
