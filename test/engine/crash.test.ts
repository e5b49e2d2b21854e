import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "broomwagon/engine";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { defined } from "../../src/base/assert.ts";
import { cases } from "../support/cases.ts";
import { gated, wordCount } from "./support/jobs.ts";
import { journalOf, newestRun, recomputed } from "./support/journal.ts";
import { type NodeProcess, nodeProcesses } from "./support/processes.ts";
import { randomFrom } from "./support/text.ts";
import { only, type Ran, Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 3, bytes: 150_000 });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

const JOB = workshop.job("word-count", wordCount());
const SEED = 2323;
const random = randomFrom(SEED);

/** Nine maps and three reduces are launched, start and end. */
const NEWS = (9 + 3) * 3;
/** After this, the run may be over before the crash is noticed. */
const LATEST = NEWS - 6;

/** Crashes nodes after `news` events about attempts. */
interface Crash {
  readonly news: number;
  readonly nodes: number;
  /** Whether the outputs of the crashed nodes stay or are removed. */
  readonly outputs: "stay" | "go";
}

const moments = (count: number, nodes: number): Crash[] =>
  Array.from({ length: count }, (_, i) => ({
    news: 1 + Math.floor(((i + random()) / count) * LATEST),
    nodes,
    outputs: i % 2 === 0 ? "stay" : "go",
  }));

async function runAndCrash({ news, nodes, outputs }: Crash): Promise<Ran & { crashed: number }> {
  let told = 0;
  let crashed = 0;
  const ran = await workshop.run(JOB, {
    nodes: nodes + 2,
    onEvent(event) {
      if (!/^attempt-(launched|started|ended)$/.test(event.kind) || ++told !== news) return;
      crashed = crash(nodes, outputs);
    },
  });
  await workshop.checkOutput(JOB);
  return { ...ran, crashed };
}

/** Crashes up to `count` of the nodes that have a process. Returns the number of crashed nodes. */
function crash(count: number, outputs: Crash["outputs"]): number {
  const run = newestRun(workshop.runs);
  const left = [...nodeProcesses(run)];
  const struck = Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(Math.floor(random() * left.length), 1),
  ).flat();
  for (const one of struck) crashOne(run, one, outputs);
  return struck.length;
}

function crashOne(run: string, { node, pid }: NodeProcess, outputs: Crash["outputs"]): void {
  if (outputs === "go") removeOutputs(join(run, "nodes", node));
  process.kill(pid, "SIGKILL");
}

function removeOutputs(directory: string): void {
  // The node's process may just have begun.
  if (!existsSync(directory)) return;
  for (const attempt of readdirSync(directory)) {
    rmSync(join(directory, attempt, "output"), { force: true });
  }
}

/** The outputs stay at every other moment, and are removed at the others. */
const COUNTS = cases({ all: { one: 20, two: 4 }, sample: { one: 6, two: 2 } });

describe.each([
  { what: "a node that crashes", count: COUNTS.one, nodes: 1 },
  { what: "two nodes of four that crash at once", count: COUNTS.two, nodes: 2 },
])(`$what, at any of $count moments, seed ${SEED}`, ({ count, nodes }) => {
  let crashes = 0;

  test.each(moments(count, nodes))("after $news news, outputs $outputs", async (moment) => {
    const { result, events, crashed } = await runAndCrash(moment);
    expect(crashed).toBeGreaterThan(0);
    const found = only(events, "node-crashed");
    expect(found.length).toBeLessThanOrEqual(crashed);
    // A crash is not a silence: the master waits for no expiry.
    expect(only(events, "node-lost")).toEqual([]);
    for (const { end } of result.attempts) {
      if (end.kind !== "failed") continue;
      expect(end.message).toMatch(/its node ended while it ran: SIGKILL/);
    }
    if (moment.outputs === "stay") expect(result.outputsLost).toEqual([]);
    expect(recomputed(journalOf(result.journal))).toEqual(
      expect.arrayContaining([...result.outputsLost]),
    );
    crashes += found.length;
  });

  test("most crashes were noticed", () => {
    expect(crashes).toBeGreaterThan((count * nodes) / 2);
  });
});

test.each(["stay", "go"] as const)("a map's node crashes; outputs %s", async (outputs) => {
  const job = workshop.job("gated", gated({ gate: workshop.gate, tasks: "ctx.task >= 6" }));
  let first: Extract<RunEvent, { kind: "attempt-ended" }> | undefined;
  const { result, events } = await workshop.run(job, {
    nodes: 3,
    onEvent(event) {
      if (event.kind === "node-crashed") workshop.openGate();
      if (event.kind !== "attempt-ended" || first !== undefined) return;
      first = event;
      const run = newestRun(workshop.runs);
      const its = nodeProcesses(run).find(({ node }) => node === event.node);
      crashOne(run, defined(its, `the process of ${event.node}`), outputs);
    },
  });
  await workshop.checkOutput(job);
  expect(only(events, "node-crashed")).toMatchObject([{ node: first?.node }]);
  const task = first?.attempt.replace(/#\d+$/, "");
  if (outputs === "stay") expect(result.outputsLost).toEqual([]);
  else expect(result.outputsLost).toContain(task);
  expect(recomputed(journalOf(result.journal))).toEqual(
    expect.arrayContaining([...result.outputsLost]),
  );
});
