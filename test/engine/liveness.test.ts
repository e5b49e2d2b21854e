import { afterAll, afterEach, describe, expect, test } from "vitest";
import { gatedReduce } from "./support/jobs.ts";
import { journalOf, recomputed } from "./support/journal.ts";
import { disciplineOf, only, Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 4, bytes: 100_000 });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

/** A run that waits for ever ends as one that was stopped. */
const LONG_MS = 45_000;

describe("a node that dies while reduces run, with a reduce that must be run again", () => {
  // The budget is spent at once: the policy makes nothing again by itself.
  test.each(["mantri", "mantri-protection"])("under %s", async (name) => {
    const job = workshop.job("gated", gatedReduce(workshop.gate));
    const discipline = disciplineOf(name, ["detection.expiryMs=800", "data.recomputeBudget=1e-9"]);
    const { result, events } = await workshop.run(job, {
      discipline,
      nodes: 4,
      splitBytes: 32 * 1024,
      faults: [{ kind: "kill", at: 2_500, node: "n2" }],
      signal: AbortSignal.timeout(LONG_MS),
      onEvent(event) {
        if (event.kind === "node-lost") workshop.openGate();
      },
    });
    await workshop.checkOutput(job);
    expect(only(events, "outputs-lost")).not.toEqual([]);
    const remade = recomputed(journalOf(result.journal));
    expect(remade).not.toEqual([]);
    const missed = journalOf(result.journal).filter(({ event }) => event === "fetch-failed");
    expect(missed).not.toEqual([]);
  });
});
