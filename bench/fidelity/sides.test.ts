import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sideOf } from "./sides.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "broomwagon-sides-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

test("a journal gives times by phase, the response, and what was done", () => {
  const journal = join(directory, "journal.ndjson");
  const launch = (attempt: string, as: string) => ({ kind: "launch", attempt, as });
  const lines = [
    { journal: "broomwagon", version: 1 },
    { host: { at: 3, kind: "run" } },
    { at: 100, event: "job-submitted", actions: [launch("count/map/0#0", "original")] },
    { at: 900, event: "woken", actions: [launch("count/map/0#1", "speculative")] },
    {
      at: 1_100,
      event: "attempt-succeeded",
      attempt: "count/map/0#1",
      actions: [{ kind: "kill", attempt: "count/map/0#0" }, launch("count/reduce/0#0", "original")],
    },
    { at: 1_500, event: "woken", actions: [{ kind: "declare-lost" }, { kind: "recompute" }] },
    {
      at: 1_600,
      event: "attempt-succeeded",
      attempt: "count/reduce/0#0",
      actions: [{ kind: "end-job" }],
    },
  ];
  writeFileSync(journal, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  expect(sideOf(journal)).toEqual({
    response_s: 1.5,
    phases: new Map([
      ["map", 1],
      ["reduce", 0.5],
    ]),
    counts: { launched: 3, copies: 1, killed: 1, recomputed: 1, "lost nodes": 1 },
  });
});
