import { RunError, type RunEvent } from "broomwagon/engine";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { phaseId, type TaskId } from "../../src/model/ids.ts";
import type { View } from "../../src/model/view.ts";
import { troubled, wordCount } from "./support/jobs.ts";
import { disciplineOf, only, Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 1, bytes: 200_000 });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

/** A run that waits for ever is stopped. */
const LONG_MS = 60_000;

describe("a map in an endless loop", () => {
  test("is reported with the line of the user's code, early and in its failure", async () => {
    const text = troubled({
      task: 1,
      attempts: 1,
      first: "for (let i = 0; ; i++) grind('a' + i);",
    });
    const job = workshop.job("endless", text);
    const { events } = await workshop.run(job, { nodes: 2, taskTimeoutMs: 4_000 });
    await workshop.checkOutput(job);
    const lines = text.split("\n");
    const loop = lines.findIndex((line) => line.includes("for (let i = 0; ; i++)")) + 1;
    const grind = lines.findIndex((line) => line.includes("function grind")) + 1;
    const [still] = only(events, "attempt-still");
    expect(still).toMatchObject({ attempt: "word-count/map/1#0", records: expect.any(Number) });
    expect(still?.forMs).toBeGreaterThanOrEqual(2_000);
    const places = [loop, grind, grind + 1, grind + 2, grind + 3, grind + 5];
    expect(places.map((line) => `${job}:${line}`)).toContain(still?.place);
    const failed = only(events, "attempt-ended").find(({ how }) => how.kind === "failed");
    expect(failed?.how).toMatchObject({ cause: "timeout", place: still?.place });
  });
});

describe("a reader that waits for a task that never runs", () => {
  test("is reported with its missing outputs, and fails after the task timeout", async () => {
    const job = workshop.job("starved", wordCount());
    const discipline = disciplineOf("none");
    const { policy, params } = discipline.order;
    const told: RunEvent[] = [];
    const run = workshop.run(job, {
      nodes: 2,
      taskTimeoutMs: 20_000,
      attemptsMax: 1,
      splitBytes: 40 * 1024,
      discipline: {
        ...discipline,
        // The fourth map never gets its turn.
        order: {
          params,
          policy: { ...policy, eligible: (ctx, task) => !isFourth(ctx.view, task) },
        },
      },
      signal: AbortSignal.timeout(LONG_MS),
      onEvent: (event) => told.push(event),
    });
    const failure = await run.then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof RunError) return error.result.failure;
        throw error;
      },
    );
    const waits = only(told, "waiting").map(({ wait }) => wait);
    expect(waits).toContainEqual({
      kind: "outputs",
      attempt: "word-count/reduce/0#0",
      node: expect.any(String),
      of: [{ task: "word-count/map/3", state: "waits for a slot" }],
      more: 0,
    });
    expect(waits).toContainEqual({
      kind: "slot",
      phase: "map",
      tasks: 1,
      slot: "map",
      taken: 0,
      slots: 2,
    });
    expect(failure).toMatchObject({
      cause: "timeout",
      message:
        "no progress for 20 s: it waits for word-count/map/3 (waits for a slot), " +
        "and nothing is at work at that",
    });
  });
});

/** Phases and tasks of a run's first job are numbered from 0. */
const isFourth = (view: View, id: TaskId): boolean => {
  const { index, phase } = view.task(id);
  return phase === phaseId(0) && index === 3;
};
