import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { JobHistoryReader } from "./jhist/read-jhist.ts";
import { JobTrackerReader } from "./jobtracker/read-jobtracker.ts";
import { JournalReader } from "./journal/read-journal.ts";
import type { TraceReader } from "./reader.ts";
import { RumenReader } from "./rumen/read-rumen.ts";

const JHIST = readFileSync("fixtures/hadoop/json.jhist", "utf8");
const JOURNAL = gunzipSync(readFileSync("fixtures/pairs/engine/late.ndjson.gz")).toString();
const JOBTRACKER =
  'MapAttempt TASKID="task_1_0001_m_000000" TASK_ATTEMPT_ID="attempt_1_0001_m_000000_0" .\n';
const RUMEN = JSON.stringify({ jobID: "job_1_0001", mapTasks: [], reduceTasks: [] });

/** The beginning of a stream without end. */
const pushed =
  (reader: TraceReader, piece: string, times = 10) =>
  () => {
    for (let n = 0; n < times; n++) reader.push(Buffer.from(piece));
  };

test.each([
  ["job history", new JobHistoryReader("log", "", 3), "events", JHIST],
  ["log of a JobTracker", new JobTrackerReader("log", 3), "records", JOBTRACKER],
  ["trace of Rumen", new RumenReader("log", 3), "attempts", RUMEN],
  ["journal", new JournalReader("log", undefined, 3), "lines", JOURNAL],
])("a %s of more than is kept in memory is refused, with the limit", (_, reader, what, piece) => {
  expect(pushed(reader, piece)).toThrow(
    `log: expected at most 3 ${what}, which are kept in memory: read the log in parts`,
  );
});

test("blank lines and unread objects take no memory", () => {
  pushed(new JobHistoryReader("log", "", 3), "Avro-Json\n\n{}\n\n\n\n", 1)();
  pushed(new JobTrackerReader("log", 3), "\n\n\n\n\n")();
});
