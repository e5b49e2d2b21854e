import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "broomwagon/engine";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { gated } from "./support/jobs.ts";
import { journalOf, outputsIn, recomputed } from "./support/journal.ts";
import { StoppedNode } from "./support/stopped-node.ts";
import { disciplineOf, only, Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 3, bytes: 200_000 });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

describe("a paused node", () => {
  test("is silent during a short pause, is heard again and continues", async () => {
    const job = workshop.job("gated", gated({ gate: workshop.gate, tasks: "ctx.task >= 4" }));
    const { result, events } = await workshop.run(job, {
      nodes: 2,
      faults: [
        { kind: "pause", at: 100, node: "n2", forMs: 1_500 },
        // Later than Node's timers can be set.
        { kind: "kill", at: 3e9, node: "n1" },
      ],
      onEvent(event) {
        if (event.kind === "node-heard") workshop.openGate();
      },
    });
    await workshop.checkOutput(job);
    expect(only(events, "node-silent").map(({ node }) => node)).toContain("n2");
    expect(only(events, "node-lost")).toEqual([]);
    expect(only(events, "fault").map(({ node }) => node)).not.toContain("n1");
    // The pause happened, the kill did not.
    expect(result.faultsMissed.map(({ target, at }) => [target, at])).toEqual([["n1", 3e9]]);
    expect(result.totals).toMatchObject({ failed: 0, lost: 0 });
  });

  test("is lost in a pause beyond the expiry, and joins again without its outputs", async () => {
    const job = workshop.job("gated", gated({ gate: workshop.gate, tasks: "ctx.task >= 4" }));
    const { result, events } = await workshop.run(job, {
      nodes: 2,
      discipline: disciplineOf("none", ["detection.expiryMs=800"]),
      faults: [{ kind: "pause", at: 1_000, node: "n2", forMs: 2_500 }],
      onEvent(event) {
        if (event.kind === "node-joined" && event.again) workshop.openGate();
      },
    });
    await workshop.checkOutput(job);
    expect(only(events, "node-lost").map(({ node }) => node)).toContain("n2");
    expect(result.totals.lost).toBeGreaterThan(0);
    expect(recomputed(journalOf(result.journal))).toEqual(
      expect.arrayContaining([...result.outputsLost]),
    );
    const again = only(events, "node-joined").find((event) => event.again);
    const later = result.attempts.filter(({ launchedAt }) => launchedAt >= (again?.at ?? 0));
    expect(later.map(({ node }) => node)).toContain("n2");
  });
});

describe("an output that a lost node finishes later", () => {
  test("is refused, though it equals its replacement byte for byte", async () => {
    const late = join(workshop.path, "late");
    // The job's maps wait in the middle; the last map keeps the job running until the test is over.
    const job = workshop.job(
      "late",
      // Without a fold in the maps, so that their outputs are in order and always the same.
      gated({ gate: workshop.gate, tasks: "true" })
        .replace("reduce:", "combine: false, reduce:")
        .replace("existsSync(", `existsSync(ctx.task === 11 ? ${JSON.stringify(late)} : `),
    );
    const node = new StoppedNode(workshop.runs, "n2");
    let stopped = "";
    let mine = Buffer.alloc(0);
    let isEqual = false;
    const { result, events } = await workshop.run(job, {
      nodes: 2,
      discipline: disciplineOf("none", ["detection.expiryMs=3000"]),
      onEvent(event) {
        const isOfNode = "node" in event && event.node === "n2";
        if (event.kind === "attempt-started" && isOfNode && event.attempt.includes("/map/")) {
          if (stopped !== "") return;
          stopped = event.attempt;
          node.stop();
        } else if (event.kind === "node-lost" && isOfNode) {
          workshop.openGate();
        } else if (event.kind === "attempt-ended" && isRetryOf(stopped, event)) {
          // This process is paused meanwhile, so the node's report arrives before the node can be
          // told that it was lost.
          mine = readFileSync(node.finish());
        } else if (event.kind === "node-joined" && event.again && isOfNode) {
          const others = outputsIn(workshop.runs).find(({ task }) =>
            stopped.startsWith(`${task}#`),
          );
          isEqual = mine.equals(readFileSync(others?.path ?? ""));
          writeFileSync(late, "");
        }
      },
    });
    await workshop.checkOutput(job);
    expect(mine.length).toBeGreaterThan(0);
    expect(isEqual).toBe(true);
    const task = stopped.replace(/#\d+$/, "");
    const [first, ...more] = result.attempts.filter(({ attempt }) =>
      attempt.startsWith(`${task}#`),
    );
    expect(first).toMatchObject({ attempt: stopped, end: { kind: "lost" } });
    expect(more.map(({ end }) => end.kind)).toContain("succeeded");
    // Neither the host nor the core has accepted the output.
    const lines = journalOf(result.journal);
    const accepted = lines.flatMap(({ host }) => (host?.kind === "output" ? [host.attempt] : []));
    expect(accepted).not.toContain(stopped);
    expect(accepted.filter((attempt) => attempt.startsWith(`${task}#`))).toHaveLength(1);
    const told = lines.filter(({ event }) => event === "attempt-succeeded");
    expect(told.map(({ attempt }) => attempt)).not.toContain(stopped);
    const again = only(events, "node-joined").filter((event) => event.again);
    expect(again.map(({ node }) => node)).toContain("n2");
  });
});

/** Whether another attempt of the same task has succeeded. */
function isRetryOf(attempt: string, event: Extract<RunEvent, { kind: "attempt-ended" }>): boolean {
  const [task = ""] = attempt.split("#");
  return event.how.kind === "succeeded" && event.attempt.startsWith(`${task}#`) && task !== "";
}

describe("outputs that vanish from a node that lives", () => {
  test("are missed by their readers, and recomputed", async () => {
    // Two slots for three reduces, so the third begins when the outputs are gone.
    const job = workshop.job("gated", gated({ gate: workshop.gate, tasks: "ctx.task === 5" }));
    const { result, events } = await workshop.run(job, {
      nodes: 2,
      faults: [{ kind: "lose-outputs", at: 3_000, node: "n2" }],
      onEvent(event) {
        if (event.kind === "fault") workshop.openGate();
      },
    });
    await workshop.checkOutput(job);
    const lines = journalOf(result.journal);
    expect(lines.filter(({ event }) => event === "fetch-failed").length).toBeGreaterThanOrEqual(3);
    expect(recomputed(lines).length).toBeGreaterThan(0);
    expect(only(events, "node-lost")).toEqual([]);
  });
});

describe("a full disk", () => {
  test("fails writing attempts with ENOSPC; other nodes do the work", async () => {
    // Maps write as little as possible, at their end: all wait before it until the disk is full.
    const job = workshop.job("gated", gated({ gate: workshop.gate, tasks: "true" }));
    const { result } = await workshop.run(job, {
      nodes: 2,
      attemptsMax: 100,
      faults: [{ kind: "fill-disk", at: 0, node: "n2", forMs: 1_500 }],
      onEvent(event) {
        if (event.kind !== "fault" || !event.what.startsWith("disk full")) return;
        // The node is notified at the same time, and may be busy.
        setTimeout(() => workshop.openGate(), 500);
      },
    });
    await workshop.checkOutput(job);
    const failed = result.attempts.filter(({ end }) => end.kind === "failed");
    expect(failed.length).toBeGreaterThan(0);
    expect(new Set(failed.map(({ node }) => node))).toEqual(new Set(["n2"]));
    for (const { end } of failed) {
      expect(end).toMatchObject({ message: expect.stringContaining("ENOSPC") });
    }
  });
});
