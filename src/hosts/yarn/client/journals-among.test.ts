import { expect, test } from "vitest";
import { journalsAmong } from "./journals-among.ts";

test("journals stand in the order of their masters, and nothing else is one", () => {
  const names = ["journal.ndjson.10", "journal.ndjson", "journal.ndjson.2"];
  const others = [".journal.ndjson.part", ".journal.ndjson.2.part", "tasks.ndjson", "out"];
  expect(journalsAmong([...names, ...others].map((name) => `/s/job-1/${name}`))).toEqual([
    { path: "/s/job-1/journal.ndjson", master: 1 },
    { path: "/s/job-1/journal.ndjson.2", master: 2 },
    { path: "/s/job-1/journal.ndjson.10", master: 10 },
  ]);
});

test("a second master may have the only one", () => {
  expect(journalsAmong(["/s/job-1/journal.ndjson.2"])).toEqual([
    { path: "/s/job-1/journal.ndjson.2", master: 2 },
  ]);
});
