import { afterAll, afterEach, describe, expect, test } from "vitest";
import { cases } from "../support/cases.ts";
import { wordCount } from "./support/jobs.ts";
import { journalOf } from "./support/journal.ts";
import { disciplineOf, only, Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 3, bytes: 300_000 });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

/** The more a node is slowed, the longer its pauses, which look like silence. */
const FACTORS = cases({ all: [4, 10], sample: [10] });

const impatientLate = disciplineOf("late", ["speculation.runtimeMsMin=300"]);

describe("with a node that is really slow", () => {
  test("LATE copies its tasks, and the copies win", async () => {
    // The maps take long enough for a copy to win on a busy machine.
    const job = workshop.job("word-count", wordCount(2_000));
    const { result, events } = await workshop.run(job, {
      nodes: 4,
      discipline: impatientLate,
      faults: [{ kind: "slow", at: 0, node: "n2", factor: 20 }],
    });
    await workshop.checkOutput(job);
    const copies = result.attempts.filter(({ as }) => as === "speculative");
    expect(copies.length).toBeGreaterThan(0);
    expect(result.totals.speculativeWon).toBeGreaterThan(0);
    expect(copies.map(({ why }) => why.rule)).toContain("longest-time-left");
    const losers = only(events, "attempt-dying").filter(({ why }) => why.rule === "twin-succeeded");
    expect(losers.map(({ node }) => node)).toContain("n2");
  });

  test.each(FACTORS)("%d-fold: the achieved factor is reported, and no silence", async (factor) => {
    // Long enough for the slowed node, which also starts slowly, to get a map.
    const job = workshop.job("word-count", wordCount(2_000));
    const { result, events } = await workshop.run(job, {
      nodes: 3,
      // Five missing heartbeats make it silent: on a busy machine, some are late.
      heartbeatMs: 500,
      faults: [{ kind: "slow", at: 0, node: "n1", factor }],
    });
    await workshop.checkOutput(job);
    const [slow, ...others] = result.nodes;
    expect(slow?.slowed?.factor).toBeCloseTo(factor);
    // Usually a few hundredths off; on a busy machine the process is stopped too late.
    expect(slow?.slowed?.achieved).toBeGreaterThan(factor / 2);
    expect(others.map(({ slowed }) => slowed)).toEqual([undefined, undefined]);
    const slowed = journalOf(result.journal).flatMap(({ host }) =>
      host?.kind === "slowed" ? [host] : [],
    );
    expect(slowed).toMatchObject([{ node: "n1", ...slow?.slowed }]);
    expect(only(events, "node-silent")).toEqual([]);
  });

  test("stress comes and goes", async () => {
    // Longer than the stress.
    const job = workshop.job("word-count", wordCount(1_200));
    const { events } = await workshop.run(job, {
      nodes: 2,
      faults: [
        { kind: "stress", at: 100, node: "n2", factor: 4, onMs: 200, offMs: 200, until: 800 },
      ],
    });
    await workshop.checkOutput(job);
    expect(only(events, "fault").map(({ what }) => what)).toEqual([
      "slowed 4-fold",
      "no longer slowed",
      "slowed 4-fold",
      "no longer slowed",
    ]);
  });
});
