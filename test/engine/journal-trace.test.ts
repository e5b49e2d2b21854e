import { afterAll, expect, test } from "vitest";
import { why } from "../../src/library/why.ts";
import { checkTrace } from "../support/journal-trace.ts";
import { wordCount } from "./support/jobs.ts";
import { disciplineOf, Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 4, bytes: 100_000 });
afterAll(() => workshop.remove());

test("the journal of a run is a trace with the attempts, times and ends of its facts", async () => {
  const job = workshop.job("word-count", wordCount(150));
  const { result } = await workshop.run(job, {
    nodes: 3,
    discipline: disciplineOf("none", ["detection.expiryMs=800"]),
    faults: [{ kind: "kill", at: 300, node: "n2" }],
  });
  const { jobs } = checkTrace(result.journal);
  expect(jobs.map(({ outcome }) => outcome)).toEqual(["succeeded"]);
  const attempts = jobs.flatMap(({ phases }) => phases.map((phase) => phase.attempts.length));
  expect(attempts.reduce((sum, count) => sum + count, 0)).toBe(result.attempts.length);
});

test.each([
  ["a node dies", [{ kind: "kill", at: 300, node: "n2" }] as const],
  ["a node is slow", [{ kind: "slow", at: 0, node: "n1", factor: 4 }] as const],
])("a run has the measures of its journal: %s", async (_, faults) => {
  const job = workshop.job("word-count", wordCount(150));
  const { result } = await workshop.run(job, {
    ...{ nodes: 4, racks: 2, replication: 1, faults, overwrite: true },
    discipline: disciplineOf("late", ["detection.expiryMs=800"]),
  });
  const found = await why(result.journal);
  expect(result.measures).toEqual(found.measures);
  expect(result.measures?.nodeLocal).toBeGreaterThan(0);
  expect(result.phases.map(({ name, measures }) => ({ phase: name, measures }))).toEqual(
    found.phases.map(({ phase, measures }) => ({ phase, measures })),
  );
});
