import { expect, test } from "vitest";
import { journalsAmong } from "./yarn-run.ts";

test("journals are in the order of their masters, and other files are no journals", () => {
  const names = [
    "journal-job_1_0001.ndjson.10",
    "journal-job_1_0001.ndjson",
    "journal-job_1_0001.ndjson.2",
  ];
  const others = [
    ".journal-job_1_0001.ndjson.part",
    ".journal-job_1_0001.ndjson.2.part",
    "tasks.ndjson",
    "out",
    "journal.ndjson",
  ];
  expect(journalsAmong([...names, ...others].map((name) => `/s/job-1/${name}`))).toEqual([
    { path: "/s/job-1/journal-job_1_0001.ndjson", master: 1 },
    { path: "/s/job-1/journal-job_1_0001.ndjson.2", master: 2 },
    { path: "/s/job-1/journal-job_1_0001.ndjson.10", master: 10 },
  ]);
});

test("a second master may have the only journal", () => {
  expect(journalsAmong(["/s/job-1/journal-job_1_0001.ndjson.2"])).toEqual([
    { path: "/s/job-1/journal-job_1_0001.ndjson.2", master: 2 },
  ]);
});
