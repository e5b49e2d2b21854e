import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Fault } from "../../src/model/fault.ts";
import { gated, wordCount } from "./support/jobs.ts";
import { journalOf, recomputed } from "./support/journal.ts";
import { randomFrom } from "./support/text.ts";
import { disciplineOf, only, type Ran, Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 4, bytes: 200_000 });
afterAll(() => workshop.remove());

const MOMENTS = 20;
const SEED = 1717;

/** Long enough that a node can die in the middle of it. */
const JOB = wordCount(250);

async function runAndKill(kill?: { at: number; node: string }): Promise<Ran> {
  const job = workshop.job("word-count", JOB);
  workshop.clear();
  const ran = await workshop.run(job, {
    nodes: 3,
    discipline: disciplineOf("none", ["detection.expiryMs=800"]),
    faults: kill === undefined ? [] : [{ kind: "kill", ...kill }],
  });
  await workshop.checkOutput(job);
  return ran;
}

describe(`a node that dies at any of ${MOMENTS} moments, seed ${SEED}`, () => {
  let usualMs = 0;
  let lost = 0;
  const random = randomFrom(SEED);

  beforeAll(async () => {
    usualMs = (await runAndKill()).result.responseMs;
  });

  test.each(Array.from({ length: MOMENTS }, (_, i) => i))("moment %d", async () => {
    const at = Math.round(random() * usualMs);
    const node = `n${1 + Math.floor(random() * 3)}`;
    const { result, events } = await runAndKill({ at, node });
    // Where the job was over first, nobody has missed the node.
    const found = only(events, "node-lost").map((event) => event.node);
    if (found.length > 0) expect(found).toContain(node);
    expect(result.attempts.filter(({ end }) => end.kind === "failed")).toEqual([]);
    // Whoever still needs an output that died with its node gets it made again.
    expect(recomputed(journalOf(result.journal))).toEqual(
      expect.arrayContaining([...result.outputsLost]),
    );
    const remade = result.attempts.filter(({ as }) => as === "recompute");
    expect(result.recomputes.map(({ task }) => task)).toEqual(
      expect.arrayContaining(remade.map(({ attempt }) => attempt.replace(/#\d+$/, ""))),
    );
    lost += result.outputsLost.length;
  });

  test("outputs were lost and made again in some of them", () => {
    expect(lost).toBeGreaterThan(0);
  });
});

describe("a node that was killed", () => {
  test("is found out by its silence alone, when it has lasted", async () => {
    const job = workshop.job("gated", gated({ gate: workshop.gate, tasks: "true" }));
    workshop.clear();
    const { events } = await workshop.run(job, {
      nodes: 2,
      discipline: disciplineOf("none", ["detection.expiryMs=800"]),
      faults: [{ kind: "kill", at: 200, node: "n2" }],
      onEvent(event) {
        if (event.kind === "node-lost") workshop.openGate();
      },
    });
    await workshop.checkOutput(job);
    const [killed] = only(events, "fault");
    const silent = only(events, "node-silent").find(({ node }) => node === "n2");
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
  test("is dead all the same, and the job goes on without it", async () => {
    const job = workshop.job("gated", gated({ gate: workshop.gate, tasks: "ctx.task >= 6" }));
    workshop.clear();
    const { events } = await workshop.run(job, {
      nodes: 2,
      discipline: disciplineOf("none", ["detection.expiryMs=800"]),
      faults: [
        { kind: "kill", at: 300, node: "n2", backAfterMs: 200 },
        // A process takes longer than this to be ready.
        { kind: "kill", at: 510, node: "n2" },
      ],
      onEvent(event) {
        if (event.kind === "node-lost") workshop.openGate();
      },
    });
    await workshop.checkOutput(job);
    expect(only(events, "fault").map(({ what }) => what)).toEqual([
      "killed",
      "comes back, empty",
      "killed",
    ]);
    expect(only(events, "node-lost").map(({ node }) => node)).toEqual(["n2"]);
  });
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
