import { expect, test } from "vitest";
import { responseClauses } from "./response-text.ts";

type Facts = Parameters<typeof responseClauses>[0];

const NO_IDLE = { ms: 0, driverMs: 0, noSlotMs: 0, launchingMs: 0, spells: 0 };

/** A response of 100 s, of which slots were idle for `few` beside the last tasks of a stage. */
function facts(few: number, late: number): Facts {
  const work = { part: "work", ms: 100_000 - few * 1_000, evidence: [] } as const;
  const evidence = [{ what: "stage 1", ms: few * 1_000 }];
  return {
    job: {},
    responseMs: 100_000,
    delayMs: late * 1_000,
    parts: [work, { part: "few-tasks", ms: few * 1_000, evidence }],
    idle: { ...NO_IDLE, places: [], kinds: [], longest: [] },
    slots: { most: 8, isRecorded: true },
    phases: [],
    format: "spark",
  };
}

test("idle slots beside too few tasks are named if they cost more than lateness, or much", () => {
  const texts = (few: number, late: number) => responseClauses(facts(few, late)).length;
  expect(texts(20, 5)).toBe(1);
  expect(texts(20, 22)).toBe(0);
  expect(texts(30, 32)).toBe(1);
  expect(texts(8, 0)).toBe(0);
  expect(responseClauses(facts(20, 5))[0]?.text).toBe(
    "slots were idle beside too few tasks for 20.0 s",
  );
});
