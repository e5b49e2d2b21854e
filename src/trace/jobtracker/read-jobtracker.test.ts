import { describe, expect, test } from "vitest";
import { InputError } from "../../base/input-error.ts";
import { endAt, kindAt, localityAt } from "../../history/columns.ts";
import { JobTrackerReader } from "./read-jobtracker.ts";
import { recordIn } from "./record.ts";

const JOB = "200904211745_0001";
const MAP = `task_${JOB}_m_000000`;
const T0 = 1_240_336_000_000;
const at = (ms: number): string => String(T0 + ms);

const attempt = (n: number, from: number, host: string): string =>
  `MapAttempt TASK_TYPE="MAP" TASKID="${MAP}" TASK_ATTEMPT_ID="attempt_${JOB}_m_000000_${n}" ` +
  `START_TIME="${at(from)}" ` +
  `TRACKER_NAME="tracker_${host}\\.example:localhost/127\\.0\\.0\\.1:53" .`;

const end = (n: number, to: number, status: string, more: string): string =>
  `MapAttempt TASK_TYPE="MAP" TASKID="${MAP}" TASK_ATTEMPT_ID="attempt_${JOB}_m_000000_${n}" ` +
  `TASK_STATUS="${status}" FINISH_TIME="${at(to)}" ${more} .`;

const LOG = [
  'Meta VERSION="1" .',
  `Job JOBID="job_${JOB}" JOBNAME="a \\"quoted\\" name\\." USER="u" SUBMIT_TIME="${at(0)}" .`,
  `Job JOBID="job_${JOB}" LAUNCH_TIME="${at(500)}" TOTAL_MAPS="2" TOTAL_REDUCES="0" .`,
  `Task TASKID="${MAP}" TASK_TYPE="MAP" START_TIME="${at(1_000)}" ` +
    'SPLITS="/10\\.0/a\\.example,/10\\.1/b\\.example" .',
  attempt(0, 1_200, "a"),
  end(
    0,
    5_000,
    "FAILED",
    'HOSTNAME="a\\.example" ERROR="java\\.io\\.IOException: it said \\"no\\"\\.\n\tat X\\.y\n"',
  ),
  attempt(1, 6_000, "c"),
  end(
    1,
    9_000,
    "SUCCESS",
    'HOSTNAME="/10\\.1/c\\.example" COUNTERS="{(FileSystemCounters)(FileSystemCounters)' +
      "[(HDFS_BYTES_READ)(HDFS_BYTES_READ)(77)]}{(g)(G)[(odd (name\\))(odd)(5)]" +
      '[(MAP_INPUT_RECORDS)(Map input records)(11)]}"',
  ),
  `Task TASKID="${MAP}" TASK_TYPE="MAP" TASK_STATUS="SUCCESS" FINISH_TIME="${at(9_500)}" .`,
  `Job JOBID="job_${JOB}" FINISH_TIME="${at(10_000)}" JOB_STATUS="SUCCESS" .`,
];

function read(text: string, piece = text.length) {
  const reader = new JobTrackerReader("jt.log");
  const bytes = new TextEncoder().encode(text);
  for (let from = 0; from < bytes.length; from += piece) {
    reader.push(bytes.slice(from, from + piece));
  }
  return reader.end();
}

describe("a JobTracker's log", () => {
  test("gives the job, its tasks and its attempts", () => {
    const { jobs, notes, originMs } = read(LOG.join("\n"));
    const [job] = jobs;
    expect(notes).toEqual([]);
    expect(originMs).toBe(T0);
    expect([job?.name, job?.user, job?.outcome]).toEqual(['a "quoted" name.', "u", "succeeded"]);
    expect([job?.submittedAt, job?.launchedAt, job?.endedAt]).toEqual([0, 500, 10_000]);
    const [map, ...others] = job?.phases ?? [];
    expect([map?.name, map?.tasks, others.length]).toEqual(["map", 2, 0]);
    if (map === undefined) return;
    const { attempts } = map;
    expect([kindAt(attempts, 0), kindAt(attempts, 1)]).toEqual(["original", "retry"]);
    expect([endAt(attempts, 0), endAt(attempts, 1)]).toEqual(["failed", "succeeded"]);
    expect([...attempts.startedAt]).toEqual([1_200, 6_000]);
    expect([...attempts.endedAt]).toEqual([5_000, 9_000]);
    expect([...attempts.assignedAt]).toEqual([1_000, Number.NaN]);
    expect([...attempts.inputBytes]).toEqual([Number.NaN, 77]);
    expect(attempts.inputRecords[1]).toBe(11);
    expect(job?.nodes).toEqual(["a.example", "c.example"]);
    expect([localityAt(attempts, 0), localityAt(attempts, 1)]).toEqual(["node", "rack"]);
  });

  test("is the same in pieces of any size", () => {
    const whole = read(LOG.join("\n"));
    for (const piece of [1, 7, 100]) expect(read(LOG.join("\n"), piece)).toEqual(whole);
  });

  test("may be a section beside the job's conf.xml, in any order", () => {
    const conf = [
      "!!FILE=jt_1_job_200904211745_0001_conf.xml!!",
      "<configuration>",
      "<property><name>mapred.map.tasks.speculative.execution</name><value>true</value></property>",
      "</configuration>",
    ];
    const log = ["\f!!FILE=jt_1_job_200904211745_0001_u_a!!", ...LOG];
    for (const lines of [
      [...conf, ...log],
      [...log, ...conf],
    ]) {
      const { jobs, notes } = read(lines.join("\n"));
      expect(notes).toEqual([]);
      expect(jobs[0]?.settings.discipline).toBe("hadoop");
    }
  });

  test("that is cut off is read up to the cut, and a note says so", () => {
    const text = LOG.join("\n");
    const { jobs, notes } = read(text.slice(0, text.indexOf("COUNTERS")));
    expect(jobs[0]?.outcome).toBe("cut-off");
    const attempts = jobs[0]?.phases[0]?.attempts;
    expect(attempts && [endAt(attempts, 0), endAt(attempts, 1)]).toEqual(["failed", "cut-off"]);
    expect(notes.map(({ kind }) => kind)).toEqual(["damaged", "cut-off"]);
    expect(notes[0]?.text).toContain("line 10");
  });

  test("loses no record but the one with a damaged quote", () => {
    const lines = LOG.map((line, index) =>
      index === 3 ? line.replace('SPLITS="', "SPLITS=") : line,
    );
    const { jobs, notes } = read(lines.join("\n"));
    expect(notes).toEqual([
      { kind: "damaged", text: "records that cannot be read: 1, the first at line 4" },
    ]);
    expect(jobs[0]?.phases[0]?.attempts.length).toBe(2);
  });

  test("takes no record that joins the halves of two", () => {
    const at = LOG.findIndex((line) => line.startsWith("MapAttempt"));
    const record = (LOG[at] ?? "").replace("_m_000000_", "_m_000077_");
    const torn = LOG.toSpliced(at, 0, record);
    expect(record).toContain("_m_000077_");
    const { jobs, notes } = read(torn.join("\n"));
    expect(notes).toEqual([
      { kind: "damaged", text: `records that cannot be read: 1, the first at line ${at + 1}` },
    ]);
    expect(jobs[0]?.phases[0]?.attempts).toEqual(read(LOG.join("\n")).jobs[0]?.phases[0]?.attempts);
    expect(jobs[0]?.evidence?.unread).toBe(1);
  });

  test("without a record is refused with what was expected", () => {
    expect(() => read("hello\nworld\n")).toThrow(InputError);
    expect(() => read("hello\nworld\n")).toThrow(
      'expected records of a JobTracker, such as Job JOBID="job_..." .',
    );
    expect(() => read(LOG.slice(0, 3).join("\n"))).toThrow(/expected attempts of tasks/);
  });
});

describe("a record", () => {
  test("ends with a full stop outside its values", () => {
    expect(recordIn('Task A="x\\." .')?.fields.get("A")).toBe("x.");
    expect(recordIn('Task A="x .')).toBeUndefined();
    expect(recordIn('Task A="x"')).toBeUndefined();
    expect(recordIn('Task A="x" B .')).toBeUndefined();
  });
});
