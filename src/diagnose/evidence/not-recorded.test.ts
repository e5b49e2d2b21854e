import { expect, test } from "vitest";
import type { LogEvidence } from "../../history/evidence.ts";
import type { CauseRow } from "../document.ts";
import type { Failure } from "./evidence.ts";
import { notRecorded } from "./not-recorded.ts";

const row = (ms: number): CauseRow => ({ cause: "unexplained", ms, aloneMs: ms, evidence: [] });
const evidenceWith = (
  missing: NonNullable<LogEvidence["missing"]>,
  failures: readonly Failure[] = [],
) => ({ missing, failures, isWhole: false, isCutOff: false, neverBegan: [], endedWithJob: [] });

const notesOf = (asked: Partial<Parameters<typeof notRecorded>[0]>): readonly string[] =>
  notRecorded({
    ...{ format: "spark", evidence: undefined, causes: [row(0)], responseMs: 1_000 },
    ...asked,
  }).map(({ text }) => text);

const TASKS = { kind: "tasks", phase: "stage 0", count: 2, of: 8 } as const;

test("events that Spark dropped have a setting, unless parts of the log are gone", () => {
  expect(notesOf({ evidence: evidenceWith([TASKS]) })).toEqual([
    "Spark drops events when their queue is full: a larger " +
      "spark.scheduler.listenerbus.eventqueue.eventLog.capacity keeps them",
  ]);
  const parts = { kind: "parts", from: "events_2", to: "events_2" } as const;
  expect(notesOf({ evidence: evidenceWith([parts, TASKS]) })).toEqual([]);
  expect(notesOf({ evidence: evidenceWith([{ kind: "beginning" }, TASKS]) })).toEqual([]);
});

test("what Rumen leaves out is in the job's own history", () => {
  const failed = { phase: "map", ended: "failed", count: 1, reason: "" } as const;
  const evidence = evidenceWith([], [failed]);
  expect(notesOf({ format: "rumen", evidence })).toEqual([
    "Rumen does not record why attempts failed: the job's own history does",
  ]);
  expect(notesOf({ format: "jobtracker", evidence })).toEqual([]);
  expect(notesOf({ format: "rumen", causes: [row(60)] })).toEqual([
    "Rumen does not record garbage collection: the job's own history (.jhist) does",
  ]);
});

test("nothing is said where the answer misses nothing", () => {
  expect(notesOf({})).toEqual([]);
  expect(notesOf({ format: "rumen", causes: [row(10)] })).toEqual([]);
  expect(notesOf({ format: "rumen", causes: [] })).toEqual([]);
  // An interval that holds zero carries no sentence.
  expect(notesOf({ format: "rumen", causes: [{ ...row(60), lowMs: 0 }] })).toEqual([]);
});
