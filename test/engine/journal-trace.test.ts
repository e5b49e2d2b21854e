import { afterAll, expect, test } from "vitest";
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
