import { afterAll, expect, test } from "vitest";
import { why } from "../../src/library/why.ts";
import { runMeasures } from "../../src/measures/run-measures.ts";
import type { RunResult } from "../../src/run/run-result.ts";
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

test("a run with a node that dies has the measures of its journal", async () => {
  const { result } = await workshop.run(workshop.job("word-count", wordCount(150)), {
    ...{ ...CLUSTER, faults: [{ kind: "kill", at: 300, node: "n2" }] },
  });
  const { measures, phases } = runMeasures(checkTrace(result.journal).jobs);
  expect(result.measures).toEqual(measures);
  expect(phasesOf(result)).toEqual(phases);
});

test("a run with a slow node has the measures that `why` gives", async () => {
  const { result } = await workshop.run(workshop.job("word-count", wordCount(150)), {
    ...{ ...CLUSTER, faults: [{ kind: "slow", at: 0, node: "n1", factor: 4 }] },
  });
  const found = await why(result.journal);
  expect(result.measures).toEqual(found.measures);
  expect(result.measures?.nodeLocal).toBeGreaterThan(0);
  expect(phasesOf(result)).toEqual(
    found.phases.map(({ phase, measures }) => ({ phase, measures })),
  );
});

const CLUSTER = {
  ...{ nodes: 4, racks: 2, replication: 1, overwrite: true },
  discipline: disciplineOf("late", ["detection.expiryMs=800"]),
};

const phasesOf = ({ phases }: RunResult) =>
  phases.map(({ name, measures }) => ({ phase: name, measures }));
