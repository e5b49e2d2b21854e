import type { RunResult } from "broomwagon/engine";
import { parseDiscipline, REGISTRY } from "broomwagon/policies";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { cases } from "../support/cases.ts";
import { stuck, troubled, wordCount } from "./support/jobs.ts";
import { journalOf } from "./support/journal.ts";
import { disciplineOf, Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 2, bytes: 200_000 });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

const CLUSTER = {
  nodes: 4,
  racks: 2,
  splitBytes: 32 * 1024,
  faults: [{ kind: "slow", at: 0, node: "n2", factor: 3 }],
} as const;

/** Parameters by policy: their default minutes are as long as a whole job here. */
const IMPATIENT: ReadonlyMap<string, readonly string[]> = new Map([
  ["hadoop", ["speculation.lagMs=300"]],
  ["hadoop-paper", ["speculation.lagMs=300"]],
  ["late", ["speculation.runtimeMsMin=300"]],
  ["late-early", ["speculation.runtimeMsMin=300"]],
  ["late-0.21", ["speculation.lagMs=300", "speculation.slowTaskThreshold=0"]],
  ["mantri", ["speculation.periodMs=100", "estimator.periodMs=100", "speculation.delta=0.1"]],
  ["mantri-protect", ["data.lossProbability=1", "data.replicationBudget=1"]],
  ["yarn", ["speculation.retryAfterNoSpeculateMs=100"]],
  ["yarn-corrected", ["speculation.retryAfterNoSpeculateMs=100"]],
  ["esplash", eagerEsplash("speculation.tau=1")],
  ["esplash-printed", eagerEsplash()],
  ["flink", ["speculation.checkIntervalMs=100", "speculation.baselineLowerBoundMs=300"]],
]);

function eagerEsplash(...more: readonly string[]): readonly string[] {
  const often = ["epochMs=300", "clusterEveryMs=300", "retryAfterNoCopyMs=100"];
  return [...often.map((set) => `speculation.${set}`), ...more];
}

/** The actions that a policy must show, as `action rule`. */
const ACTS: ReadonlyMap<string, string> = new Map([
  ["mantri-placement", "prefer busiest-link"],
  ["mantri-protect", "replicate costly-to-redo"],
  ["copy-outputs", "replicate copied-while-written"],
]);

/** The kinds of launches of a task that was launched before, and did not fail. */
const SECOND_LAUNCHES: ReadonlySet<string> = new Set(["speculative", "restart"]);

/**
 * For a discipline, this host launches copies or not, carries out the asks of its data policies,
 * and detects dead nodes: the sample has the first discipline of each sort. The conformance suite
 * has every policy, on the simulator.
 */
const DISCIPLINES = cases({
  all: REGISTRY.disciplines,
  sample: REGISTRY.disciplines.filter(
    (one, i, all) => i === all.findIndex((other) => sortOf(other) === sortOf(one)),
  ),
});

function sortOf({ speculation, data, detection }: (typeof REGISTRY.disciplines)[number]): string {
  return [speculation === "none", detection, ...data].join(" ");
}

describe("word count on four nodes of two racks, one of them slow", () => {
  test.each(DISCIPLINES)("under $name", async ({ name, speculation, data }) => {
    const sets = [speculation, ...data].flatMap((policy) => IMPATIENT.get(policy) ?? []);
    const copies = speculation !== "none";
    const text = copies ? stuck(workshop.gate) : wordCount();
    const job = workshop.job("word-count", text);
    const discipline = disciplineOf(name, sets);
    const { result } = await workshop.run(job, { ...CLUSTER, discipline });
    await workshop.checkOutput(job);
    const acts = actsIn(result.journal);
    for (const policy of data) expect(acts).toContain(ACTS.get(policy));
    const second = launchesAs(result.journal).filter((as) => SECOND_LAUNCHES.has(as));
    if (copies) expect(second).not.toEqual([]);
    else expect(second).toEqual([]);
  });
});

test("Mantri's order is by size", async () => {
  const job = workshop.job("word-count", wordCount());
  const { result } = await workshop.run(job, {
    ...CLUSTER,
    discipline: parseDiscipline("mantri-order"),
  });
  const launched = bytesLaunched(result);
  expect(launched).toEqual([...launched].sort((left, right) => right - left));
  expect(new Set(launched).size).toBeGreaterThan(1);
});

test("Mantri kills an attempt that would take longer than a restart", async () => {
  const job = workshop.job("word-count", stuck(workshop.gate, 600));
  const discipline = disciplineOf("mantri-restart", IMPATIENT.get("mantri"));
  // Enough tasks that some wait when the stuck one stands out; otherwise it would be copied.
  const splitBytes = 12 * 1024;
  const { result } = await workshop.run(job, { ...CLUSTER, splitBytes, discipline });
  await workshop.checkOutput(job);
  const acts = actsIn(result.journal);
  expect(acts).toContain("kill restart-is-sooner");
  expect(acts).toContain("launch restart-is-sooner");
});

test("a failed map gets the slot of an attempt beside its data, which runs again", async () => {
  // Map 1 never ends at its first attempt; map 0, once it has failed on n1, may run on n2 alone.
  const [fails, hangs] = ['throw new Error("the first attempt fails");', "for (;;);"];
  const first = `if (ctx.task === 0) { ${fails} } else if (ctx.task === 1) { ${hangs} }`;
  const anyTask = troubled({ task: 0, attempts: 1, first }).replace("ctx.task === 0 &&", "");
  const job = workshop.job("word-count", anyTask);
  const { result } = await workshop.run(job, {
    ...{ nodes: 2, slots: 1, replication: 2, splitBytes: 64 * 1024 },
    discipline: parseDiscipline("none,order=local-preempt"),
  });
  await workshop.checkOutput(workshop.job("plain", wordCount()));
  const kills = journalOf(result.journal)
    .flatMap(({ actions = [] }) => actions)
    .filter(({ rule }) => rule === "slot-for-failed-task");
  expect(kills).toHaveLength(1);
  expect(kills[0]).toMatchObject({ attempt: "word-count/map/1#0", for: "word-count/map/0" });
  expect(actsIn(result.journal)).toContain("launch kept-slot");
  const rerun = result.attempts.filter(({ attempt }) => attempt.includes("/map/1#"));
  expect(rerun.map(({ end }) => end.kind)).toEqual(["killed", "succeeded"]);
});

const actsIn = (journal: string): readonly string[] =>
  journalOf(journal)
    .flatMap(({ actions = [] }) => actions)
    .map(({ kind, rule }) => `${kind} ${rule}`);

const launchesAs = (journal: string): readonly string[] =>
  journalOf(journal)
    .flatMap(({ actions = [] }) => actions)
    .flatMap(({ kind, as }) => (kind === "launch" && as !== undefined ? [as] : []));

/** The maps, in the order of their first launches. */
function bytesLaunched({ attempts, journal }: RunResult): readonly number[] {
  const [map] = journalOf(journal).flatMap(({ phases = [] }) => phases);
  return attempts.flatMap(({ attempt }) => {
    const [, task] = /\/map\/(\d+)#0$/.exec(attempt) ?? [];
    return task === undefined ? [] : (map?.inputBytes?.each?.[Number(task)] ?? []);
  });
}
