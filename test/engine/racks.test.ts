import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { RunEvent, RunResult } from "broomwagon/engine";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { gated, wordCount } from "./support/jobs.ts";
import { type JournalLine, journalOf } from "./support/journal.ts";
import { disciplineOf, only, Workshop } from "./support/workshop.ts";

const SPLIT_BYTES = 64 * 1024;
const workshop = new Workshop({ files: 3, bytes: 200_000 });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

/** One megabit per second. */
const BYTES_PER_MS = 125;
/** The bytes that an idle link lets through at once. */
const BURST_MS = 10;

const nodeNumber = (name: string): number => Number(name.slice(1)) - 1;
const rackOf = (node: string): number => nodeNumber(node) % 2;

describe("links between racks", () => {
  test("never exceed their bandwidth, whoever reads", async () => {
    const job = workshop.job("word-count", wordCount());
    const limits = { nodes: 4, racks: 2, rackMbps: 1 };
    const { result } = await workshop.run(job, limits);
    await workshop.checkOutput(job);
    const lines = journalOf(result.journal);
    for (const bytes of bytesOut(result, lines)) {
      expect(bytes).toBeGreaterThan(10_000);
      expect(result.responseMs).toBeGreaterThanOrEqual(bytes / BYTES_PER_MS - BURST_MS - 1);
    }
    const samples = lines.filter(({ event }) => event === "links-sampled");
    expect(samples).toMatchObject([
      { rack: "rack-1", upBytesPerMs: BYTES_PER_MS, downBytesPerMs: BYTES_PER_MS },
      { rack: "rack-2", upBytesPerMs: BYTES_PER_MS, downBytesPerMs: BYTES_PER_MS },
    ]);
  });

  test("carry splits to nodes that have no replica in their rack", async () => {
    const job = workshop.job("word-count", wordCount(200));
    const { result } = await workshop.run(job, {
      ...{ nodes: 2, racks: 2, rackMbps: 4, replication: 1 },
      // Far longer than the other job takes for its own splits, even when it is not alone.
      faults: [{ kind: "pause", at: 0, node: "n1", forMs: 5_000 }],
    });
    await workshop.checkOutput(job);
    const far = result.attempts.filter(
      ({ attempt, node, end }) =>
        end.kind === "succeeded" &&
        attempt.includes("/map/") &&
        Number(/map\/(\d+)/.exec(attempt)?.[1]) % 2 !== nodeNumber(node),
    );
    expect(far.length).toBeGreaterThan(0);
    expect(far.map(({ why }) => why.rule)).not.toContain("node-local");
    // The last split of a file is shorter, but not that short.
    const atLeastMs = 3_000 / (4 * BYTES_PER_MS) - BURST_MS;
    const whole = SPLIT_BYTES / (4 * BYTES_PER_MS) - BURST_MS;
    for (const { launchedAt, endedAt } of far) {
      expect(endedAt - launchedAt).toBeGreaterThanOrEqual(Math.max(0, Math.floor(atLeastMs)));
    }
    expect(Math.max(...far.map((one) => one.endedAt - one.launchedAt))).toBeGreaterThan(whole);
  });

  test("are shared by processes that do not know each other", async () => {
    const directory = mkdtempSync(join(tmpdir(), "broomwagon-links-"));
    try {
      const script = `
        import { Link } from ${JSON.stringify(LINK)};
        const [, path, role] = process.argv;
        const link = new Link(path);
        if (role === "master") link.setRate(1_000);
        else {
          let through = 0;
          for (let i = 0; i < 100; i++) through = link.reserve(20_000);
          console.log(through);
        }`;
      const link = join(directory, "link");
      const begin = (role: string): Promise<string> =>
        promisify(execFile)(process.execPath, ["--input-type=module", "-e", script, link, role], {
          encoding: "utf8",
        }).then(({ stdout }) => stdout);
      await begin("master");
      const from = Number(process.hrtime.bigint()) / 1e6;
      const ends = await Promise.all(["first", "second", "third"].map(begin));
      // Six million bytes at 1,000 per millisecond: no two reservations overlap. The processes only
      // reserve, without waiting.
      expect(Math.max(...ends.map(Number)) - from).toBeGreaterThanOrEqual(6_000 - BURST_MS);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

const LINK = new URL("../../dist/hosts/engine/racks/link.js", import.meta.url).href;

/** By rack, the bytes of its map outputs that reduces in the other rack read. */
function bytesOut({ attempts }: RunResult, lines: readonly JournalLine[]): readonly number[] {
  const succeeded = attempts.filter(({ end }) => end.kind === "succeeded");
  const reducers = succeeded.filter(({ attempt }) => attempt.includes("/reduce/"));
  const bytes = [0, 0];
  for (const { attempt, node } of succeeded) {
    const line = lines.find((one) => one.event === "attempt-succeeded" && one.attempt === attempt);
    for (const [partition, size] of (line?.byPartition ?? []).entries()) {
      const reader = reducers.find((one) => one.attempt.includes(`/reduce/${partition}#`));
      if (reader === undefined || rackOf(reader.node) === rackOf(node)) continue;
      bytes[rackOf(node)] = (bytes[rackOf(node)] ?? 0) + size;
    }
  }
  return bytes;
}

describe("splits that lie on nodes", () => {
  test("are read locally by jobs under Fair, which wait a little for a local slot", async () => {
    const job = workshop.job("word-count", wordCount(100));
    const { result } = await workshop.run(job, {
      ...{ nodes: 4, racks: 2, replication: 1 },
      discipline: disciplineOf("fair"),
      // The other nodes have no near splits left while this node's splits wait.
      faults: [{ kind: "slow", at: 0, node: "n2", factor: 6 }],
    });
    await workshop.checkOutput(job);
    const maps = result.attempts.filter(({ attempt }) => attempt.includes("/map/"));
    const near = maps.filter(({ why }) => why.rule === "node-local");
    expect(near.length).toBeGreaterThan(maps.length / 2);
    const rules = journalOf(result.journal).flatMap(({ actions = [] }) => actions);
    expect(rules.map(({ rule }) => rule)).toContain("locality-wait");
  });
});

describe("outputs under Mantri's protection", () => {
  const protection = (sets: readonly string[]) =>
    disciplineOf("mantri-protection", [
      "detection.expiryMs=800",
      "data.lossProbability=1",
      ...sets,
    ]);
  const dies = { nodes: 4, racks: 2, faults: [{ kind: "kill", at: 3_000, node: "n2" }] } as const;
  const gatedJob = (): string =>
    workshop.job("gated", gated({ gate: workshop.gate, tasks: "ctx.task >= 4" }));
  const openWhenLost = {
    onEvent: (event: RunEvent): void => {
      if (event.kind === "node-lost" && event.node === "n2") workshop.openGate();
    },
  };

  test("are copied to another node of their rack, and outlive their own node", async () => {
    const job = gatedJob();
    const discipline = protection(["data.replicationBudget=1"]);
    const { result, events } = await workshop.run(job, { ...dies, ...openWhenLost, discipline });
    await workshop.checkOutput(job);
    const copies = journalOf(result.journal).filter(({ event }) => event === "output-replicated");
    expect(copies.length).toBeGreaterThanOrEqual(4);
    const told = only(events, "output-copied").map(({ task, node }) => `${task} ${node}`);
    expect(result.outputsCopied.map(({ task, node }) => `${task} ${node}`)).toEqual(told);
    expect(told).toHaveLength(copies.length);
    expect(result.outputsCopied.every(({ bytes }) => bytes > 0)).toBe(true);
    expect(result.outputsLost.length).toBeGreaterThan(0);
    expect(result.recomputes).toEqual([]);
  });

  test("are recomputed before a reader misses them, if there is no copy", async () => {
    const job = gatedJob();
    const discipline = protection(["data.replicationBudget=0", "data.recomputeBudget=1"]);
    const { result, events } = await workshop.run(job, { ...dies, ...openWhenLost, discipline });
    await workshop.checkOutput(job);
    const made = only(events, "task-reopened").map(({ why }) => why.rule);
    expect(made).toContain("lost-before-missed");
    expect(result.recomputes.length).toBe(made.length);
  });
});
