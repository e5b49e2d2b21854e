import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Fault } from "../../src/model/fault.ts";
import { cases } from "../support/cases.ts";
import { gated, wordCount } from "./support/jobs.ts";
import { journalOf, recomputed } from "./support/journal.ts";
import { randomFrom } from "./support/text.ts";
import { disciplineOf, only, type Ran, Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 4, bytes: 200_000 });
afterAll(() => workshop.remove());

/**
 * The number of random moments, one in each equal part of the run: the sample has some while maps
 * run, and some while reduces run.
 */
const MOMENTS = cases({ all: { one: 20, two: 8 }, sample: { one: 5, two: 2 } });
const SEED = 1717;

/** Long enough that a node can die in the middle of it. */
const JOB = wordCount(150);

async function runAndKill(nodes: number, kills: readonly Fault[]): Promise<Ran> {
  const job = workshop.job("word-count", JOB);
  workshop.clear();
  const ran = await workshop.run(job, {
    nodes,
    discipline: disciplineOf("none", ["detection.expiryMs=800"]),
    faults: kills,
  });
  await workshop.checkOutput(job);
  return ran;
}

/** The number of lost outputs, over all moments. */
let lost = 0;

describe.each([
  { what: "a node that dies", moments: MOMENTS.one, nodes: 3, dead: 1 },
  { what: "two nodes of four that die at once", moments: MOMENTS.two, nodes: 4, dead: 2 },
])(`$what, at any of $moments moments, seed ${SEED}`, ({ moments, nodes, dead }) => {
  let usualMs = 0;
  const random = randomFrom(SEED);

  beforeAll(async () => {
    usualMs = (await runAndKill(nodes, [])).result.responseMs;
  });

  test.each(Array.from({ length: moments }, (_, i) => i))("moment %d", async (moment) => {
    const at = Math.round(((moment + random()) / moments) * usualMs);
    const first = Math.floor(random() * nodes);
    const killed = Array.from({ length: dead }, (_, i) => `n${1 + ((first + i) % nodes)}`);
    const kills = killed.map((node): Fault => ({ kind: "kill", at, node }));
    const { result, events } = await runAndKill(nodes, kills);
    for (const { at: killedAt, node } of only(events, "fault")) {
      // If the job ended first, the node's death went unnoticed. On a busy machine a node may have
      // been lost once before, and have come back.
      const isLoss = (one: { at: number; node: string }) => one.node === node && one.at >= killedAt;
      const lostAt = only(events, "node-lost").find(isLoss)?.at;
      const its = result.attempts.filter((attempt) => attempt.node === node);
      const won = its.filter(({ end }) => end.kind === "succeeded");
      expect(won.filter(({ endedAt }) => endedAt > killedAt)).toEqual([]);
      expect(its.filter(({ launchedAt }) => launchedAt > (lostAt ?? Infinity))).toEqual([]);
    }
    expect(result.attempts.filter(({ end }) => end.kind === "failed")).toEqual([]);
    // An output that died with its node is recomputed if a reader still needs it.
    expect(recomputed(journalOf(result.journal))).toEqual(
      expect.arrayContaining([...result.outputsLost]),
    );
    const remade = result.attempts.filter(({ as }) => as === "recompute");
    expect(result.recomputes.map(({ task }) => task)).toEqual(
      expect.arrayContaining(remade.map(({ attempt }) => attempt.replace(/#\d+$/, ""))),
    );
    lost += result.outputsLost.length;
  });
});

test("at some of these moments outputs were lost and recomputed", () => {
  expect(lost).toBeGreaterThan(0);
});

describe("a node that was killed", () => {
  test("is detected only by its silence, after the expiry", async () => {
    const job = workshop.job("gated", gated({ gate: workshop.gate, tasks: "true" }));
    workshop.clear();
    const { events } = await workshop.run(job, {
      nodes: 2,
      discipline: disciplineOf("none", ["detection.expiryMs=800"]),
      faults: [{ kind: "kill", at: 200, node: "n2" }],
      onEvent(event) {
        if (event.kind === "node-lost" && event.node === "n2") workshop.openGate();
      },
    });
    await workshop.checkOutput(job);
    const [killed] = only(events, "fault");
    const silent = only(events, "node-silent").findLast(({ node }) => node === "n2");
    const lost = only(events, "node-lost").find(({ node }) => node === "n2");
    expect(silent?.at).toBeGreaterThan(killed?.at ?? Number.POSITIVE_INFINITY);
    expect(lost?.at).toBeGreaterThanOrEqual((silent?.since ?? 0) + 800);
    expect(lost?.why.rule).toBe("silent-too-long");
  });

  test("comes back empty, and is used again", async () => {
    const job = workshop.job("gated", gated({ gate: workshop.gate, tasks: "ctx.task >= 6" }));
    workshop.clear();
    const { result, events } = await workshop.run(job, {
      nodes: 2,
      faults: [{ kind: "kill", at: 1_000, node: "n2", backAfterMs: 300 }],
      onEvent(event) {
        if (event.kind === "node-joined" && event.again) workshop.openGate();
      },
    });
    await workshop.checkOutput(job);
    const again = only(events, "node-joined").find((event) => event.again);
    expect(again?.node).toBe("n2");
    expect(only(events, "node-lost")).toEqual([]);
    const later = result.attempts.filter(({ launchedAt }) => launchedAt >= (again?.at ?? 0));
    expect(later.map(({ node }) => node)).toContain("n2");
    expect(recomputed(journalOf(result.journal))).toEqual(
      expect.arrayContaining([...result.outputsLost]),
    );
  });
});

describe("a node that is killed while its process begins", () => {
  test("is dead too, and the job continues without it", async () => {
    const job = workshop.job("gated", gated({ gate: workshop.gate, tasks: "ctx.task >= 6" }));
    workshop.clear();
    const { events } = await workshop.run(job, {
      nodes: 2,
      discipline: disciplineOf("none", ["detection.expiryMs=800"]),
      faults: [
        { kind: "kill", at: 300, node: "n2", backAfterMs: 600 },
        // A process takes longer than this to be ready.
        { kind: "kill", at: 910, node: "n2" },
      ],
      onEvent(event) {
        if (event.kind === "node-lost" && event.node === "n2") workshop.openGate();
      },
    });
    await workshop.checkOutput(job);
    expect(only(events, "fault").map(({ what }) => what)).toEqual([
      "killed",
      "comes back, empty",
      "killed",
    ]);
    expect(only(events, "node-lost").filter(({ node }) => node === "n2")).toHaveLength(1);
  });
});

test("a node that is killed again before its process is gone does not come back", async () => {
  const job = workshop.job("gated", gated({ gate: workshop.gate, tasks: "ctx.task >= 6" }));
  workshop.clear();
  const { events } = await workshop.run(job, {
    nodes: 2,
    discipline: disciplineOf("none", ["detection.expiryMs=800"]),
    faults: [
      { kind: "kill", at: 300, node: "n2", backAfterMs: 1 },
      { kind: "kill", at: 303, node: "n2" },
    ],
    onEvent(event) {
      const isAgain = event.kind === "node-joined" && event.again;
      if ((event.kind === "node-lost" || isAgain) && event.node === "n2") workshop.openGate();
    },
  });
  await workshop.checkOutput(job);
  expect(only(events, "fault").at(-1)?.what).toBe("killed");
  expect(only(events, "node-lost").filter(({ node }) => node === "n2")).toHaveLength(1);
});

describe("when every node was killed", () => {
  test.each([
    { what: "the run ends with an error, and no output", later: [] },
    {
      what: "it ends so whatever else was still to happen to them",
      later: [{ kind: "stress", at: 0, node: "n1", factor: 2, onMs: 300, offMs: 300 }],
    },
    {
      what: "it ends so after one that came back was killed again",
      later: [
        { kind: "kill", at: 100, node: "n1", backAfterMs: 400 },
        { kind: "kill", at: 400, node: "n1", backAfterMs: 600 },
        { kind: "kill", at: 2_500, node: "n1" },
      ],
    },
  ] satisfies { what: string; later: Fault[] }[])("$what", async ({ later }) => {
    const job = workshop.job("gated", gated({ gate: workshop.gate, tasks: "true" }));
    workshop.clear();
    const run = workshop.run(job, {
      nodes: 2,
      discipline: disciplineOf("none", ["detection.expiryMs=300"]),
      faults: [
        { kind: "kill", at: 200, node: "n1" },
        { kind: "kill", at: 300, node: "n2" },
        ...later,
      ],
    });
    await expect(run).rejects.toThrow("every node has been killed, and none comes back");
    expect(() => workshop.outputFiles()).toThrow(/ENOENT/);
  });
});
