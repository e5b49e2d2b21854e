import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { InputError } from "../../src/base/input-error.ts";
import { diagnose } from "../../src/diagnose/why.ts";
import type { Trace } from "../../src/history/model.ts";
import { detect } from "../../src/trace/detect.ts";
import { JobHistoryReader } from "../../src/trace/jhist/read-jhist.ts";
import { JobTrackerReader } from "../../src/trace/jobtracker/read-jobtracker.ts";
import { JournalReader } from "../../src/trace/journal/read-journal.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import type { TraceReader } from "../../src/trace/reader.ts";
import { RumenReader } from "../../src/trace/rumen/read-rumen.ts";

const HADOOP = "../shared/data/hadoop";
const IS_THERE = existsSync(HADOOP);
if (!IS_THERE) console.log(`skipped: Hadoop's histories of others, since ${HADOOP} is absent`);

function filesIn(folder: string): readonly string[] {
  if (!IS_THERE) return [];
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? filesIn(path) : [path]));
}

/** Files that are no histories: networks, configurations, SLS's own formats, lists. */
const NO_HISTORY = /topology|\.xml$|event-classes|sls\/(?!2jobs)/;

describe("every file of Hadoop", () => {
  const files = filesIn(HADOOP);

  test.skipIf(!IS_THERE)("is found", () => {
    expect(files.length).toBeGreaterThan(30);
  });

  test.each(files.filter((path) => !NO_HISTORY.test(path)))("%s is diagnosed", async (path) => {
    const trace = await openTrace(path);
    for (const job of trace.jobs) {
      // Check 7: a schedule that is not reproduced exactly would be a contradiction.
      expect(diagnose(trace, job, { intervals: false, audit: false }).kind).toBe("why");
      for (const phase of job.phases) checkPhase(phase, job.nodes.length);
    }
  });

  test.each(files.filter((path) => NO_HISTORY.test(path)))("%s is refused", async (path) => {
    await expect(openTrace(path)).rejects.toThrow(InputError);
    await expect(openTrace(path)).rejects.toThrow("expected");
  });
});

function checkPhase({ tasks, attempts }: Trace["jobs"][0]["phases"][0], nodes: number): void {
  for (let row = 0; row < attempts.length; row++) {
    expect(attempts.task[row]).toBeLessThan(tasks);
    expect(attempts.node[row]).toBeLessThan(nodes);
    const [from = Number.NaN, to] = [attempts.startedAt[row], attempts.endedAt[row]];
    expect(to).toBeGreaterThanOrEqual(from);
    const assigned = attempts.assignedAt[row] ?? Number.NaN;
    if (!Number.isNaN(assigned)) expect(assigned).toBeLessThanOrEqual(from);
  }
}

/** Check 6: 20 cuts and 20 flipped bits per file, at places drawn from the file's length. */
describe("a damaged history of Hadoop", () => {
  const OWN = ["fixtures/hadoop/json.jhist", "fixtures/hadoop/binary.jhist"];
  const JOURNALS = ["test/replay/late.ndjson", "test/replay/yarn/late-copies.ndjson"];
  const SHARED = [
    "rumen-golden/truncated-job-tracker-log",
    "rumen-golden/sample-job-tracker-logs.gz",
    "rumen-golden/truncated-trace-output",
    "rumen-golden/counters-test-trace.json.gz",
  ].map((name) => `${HADOOP}/${name}`);
  const DAMAGED = [...OWN, ...JOURNALS, ...(IS_THERE ? SHARED : [])];

  test.each(DAMAGED)("%s, cut anywhere, gives a trace or an InputError", (path) => {
    const bytes = bytesOf(path);
    for (const at of placesIn(bytes.length)) answers(bytes.subarray(0, at), bytes);
  });

  test.each(DAMAGED)("%s, with a bit flipped, gives a trace or an InputError", (path) => {
    const whole = bytesOf(path);
    for (const [n, at] of placesIn(whole.length).entries()) {
      const bytes = Uint8Array.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (n % 8));
      answers(bytes, whole);
    }
  });

  function answers(bytes: Uint8Array, whole: Uint8Array): void {
    const reader = readerFor(whole);
    try {
      reader.push(bytes);
      const trace = reader.end();
      if (bytes.length < whole.length) expect(saysSo(trace)).toBe(true);
      for (const job of trace.jobs) diagnose(trace, job, { intervals: false, audit: false });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
  }

  /** Notes name the loss; a cut between two jobs loses whole jobs, and cannot be seen. */
  const saysSo = ({ notes, jobs }: Trace): boolean =>
    notes.some(({ kind }) => kind === "cut-off" || kind === "damaged") ||
    jobs.every(({ outcome }) => outcome !== "cut-off");
});

function bytesOf(path: string): Uint8Array {
  const bytes = readFileSync(path);
  return path.endsWith(".gz") ? gunzipSync(bytes) : bytes;
}

const placesIn = (length: number): readonly number[] =>
  Array.from({ length: 20 }, (_, n) => ((n + 1) * 15_485_863) % length);

function readerFor(head: Uint8Array): TraceReader {
  switch (detect(head)) {
    case "jhist":
      return new JobHistoryReader("file");
    case "rumen":
      return new RumenReader("file");
    case "jobtracker":
      return new JobTrackerReader("file");
    case "journal":
      return new JournalReader("file");
    default:
      throw new Error("a format of Hadoop or a journal");
  }
}
