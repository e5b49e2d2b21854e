import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Note } from "../history/model.ts";
import { readTrace } from "../trace/index.ts";
import { diagnose } from "./why.ts";

test("a diagnosis has the notes about its own job and about the history, and no others", () => {
  const trace = readTrace([readFileSync("fixtures/hadoop/json.jhist")]);
  const [job] = trace.jobs;
  if (job === undefined) throw new Error("the history holds a job");
  const note = (text: string, of?: string): Note => ({
    ...{ kind: "clocks", text },
    ...(of !== undefined && { job: of }),
  });
  const notes = [note("of all"), note("of this", job.id), note("of another", "job_1_0002")];
  const found = diagnose({ ...trace, notes }, job, { intervals: false, audit: false });
  if (found.kind !== "why") throw new Error("the job is diagnosed");
  expect(found.why.notes.map(({ text }) => text)).toEqual(["of all", "of this"]);
});
