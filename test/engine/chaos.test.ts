import type { Discipline } from "broomwagon/policies";
import { afterAll, afterEach, expect, test } from "vitest";
import { gated, wordCount } from "./support/jobs.ts";
import { journalOf } from "./support/journal.ts";
import { disciplineOf, only, Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 2, bytes: 300_000 });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

test("an evicted attempt runs again, and counts as no failure", async () => {
  const job = workshop.job("gated", gated({ gate: workshop.gate, tasks: "ctx.task < 2" }));
  const { result, events } = await workshop.run(job, {
    nodes: 2,
    attemptsMax: 1,
    faults: [{ kind: "evict", at: 500, node: "n*", share: 1 }],
    onEvent(event) {
      if (event.kind === "attempt-ended" && event.how.kind === "killed") workshop.openGate();
    },
  });
  await workshop.checkOutput(job);
  expect(
    only(events, "fault")
      .map(({ node }) => node)
      .sort(),
  ).toEqual(["n1", "n2"]);
  const evicted = result.attempts.filter(({ end }) => end.kind === "killed");
  expect(evicted.length).toBeGreaterThan(0);
  for (const { end } of evicted) {
    expect(end).toMatchObject({ by: "host", why: { rule: "evicted-by-host" } });
  }
  expect(result.attempts.map(({ as }) => as)).toContain("rerun");
});

test("a share of the outputs is lost, the same ones for the same seed", async () => {
  const job = workshop.job("gated", gated({ gate: workshop.gate, tasks: "ctx.task === 9" }));
  const { events } = await workshop.run(job, {
    nodes: 2,
    faults: [{ kind: "lose-outputs", at: 2_500, node: "*", share: 0.5 }],
    onEvent(event) {
      if (event.kind === "fault" && event.node === "n2") workshop.openGate();
    },
  });
  await workshop.checkOutput(job);
  for (const { what } of only(events, "fault"))
    expect(what).toMatch(/^\d+ of \d+ outputs removed$/);
});

test("others take a share of a rack's links, and the scheduler learns of it", async () => {
  const job = workshop.job("word-count", wordCount(300));
  const { result } = await workshop.run(job, {
    ...{ nodes: 4, racks: 2, rackMbps: 10 },
    faults: [{ kind: "congestion", at: 0, rack: "rack-2", share: 0.9, way: "up", forMs: 100 }],
  });
  await workshop.checkOutput(job);
  const samples = journalOf(result.journal).filter(({ event }) => event === "links-sampled");
  const whole = { upBytesPerMs: 1_250, downBytesPerMs: 1_250 };
  expect(samples.slice(2)).toMatchObject([
    { rack: "rack-2", upBytesPerMs: expect.closeTo(125), downBytesPerMs: 1_250 },
    { rack: "rack-2", ...whole },
  ]);
});

test("a node can be slow and stressed at once", async () => {
  const job = workshop.job("word-count", wordCount(400));
  const { events } = await workshop.run(job, {
    nodes: 2,
    faults: [
      { kind: "slow", at: 0, node: "n2", factor: 2 },
      { kind: "stress", at: 100, node: "n2", factor: 3, onMs: 200, offMs: 500, until: 400 },
    ],
  });
  await workshop.checkOutput(job);
  const told = only(events, "fault").map(({ what }) => what);
  expect(told).toEqual(["slowed 2-fold", "slowed 6-fold", "slowed 2-fold"]);
});

test("eSplash finds the levels of nodes that really differ", async () => {
  // Only maps, because a reduce's time depends on the maps that it waits for.
  const job = workshop.job("map-only", wordCount(1_200).replace("  reduce: sum(),\n", ""));
  const faults = ["n1", "n2"].map((node) => ({ kind: "slow", at: 0, node, factor: 4 }) as const);
  const { discipline, levels } = watched(
    disciplineOf("esplash", [
      "speculation.epochMs=200",
      "speculation.clusterEveryMs=200",
      "speculation.retryAfterNoCopyMs=100",
      "speculation.coverage=1",
      "speculation.k=2",
      // Each node must finish its attempts.
      "speculation.tau=1000",
    ]),
  );
  await workshop.run(job, { nodes: 4, splitBytes: 16 * 1024, discipline, faults });
  await workshop.checkOutput(job, "whole");
  // On a busy machine one of the slow nodes may have been much slower.
  const [first, second, ...fast] = levels();
  expect([first, second]).toContain(1);
  expect(fast).toEqual([2, 2]);
});

/** The discipline, and what its speculation has learned about nodes. */
function watched(discipline: Discipline) {
  const { policy, params } = discipline.speculation;
  let memory: unknown;
  const remember = (): unknown => {
    memory = policy.remember();
    return memory;
  };
  return {
    discipline: { ...discipline, speculation: { policy: { ...policy, remember }, params } },
    levels: (): readonly unknown[] => {
      const nodes = memory instanceof Object && "nodes" in memory ? memory.nodes : undefined;
      return nodes instanceof Map ? [...nodes.values()].map(({ level }) => level) : [];
    },
  };
}
