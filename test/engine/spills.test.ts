import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { cases } from "../support/cases.ts";
import { gated } from "./support/jobs.ts";
import { isRunFile, journalOf, newestRun, recomputed } from "./support/journal.ts";
import { Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 1, bytes: 600_000 });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

const HARMS: readonly { readonly what: string; harm(path: string): void }[] = [
  { what: "cut short", harm: (path) => truncateSync(path, readFileSync(path).length >> 1) },
  { what: "another by one bit", harm: flipBit },
  { what: "gone", harm: (path) => rmSync(path) },
];

/** Spills and copies are read by the same code: the sample has one kind of damage for each. */
const [SPILL_HARMS, COPY_HARMS] = cases({
  all: [HARMS, HARMS],
  sample: [HARMS.slice(1, 2), HARMS.slice(2)],
});

function flipBit(path: string): void {
  const bytes = readFileSync(path);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 0x10;
  writeFileSync(path, bytes);
}

/** The files of all attempts of the newest run. */
function filesOf(name: RegExp): readonly string[] {
  const nodes = join(newestRun(workshop.runs), "nodes");
  if (!existsSync(nodes)) return [];
  const files = readdirSync(nodes, { recursive: true, encoding: "utf8" });
  return files.filter((file) => name.test(basename(file))).map((file) => join(nodes, file));
}

/**
 * A job whose maps write fifty times their input, and wait for the gate where the condition holds.
 */
const wide = (waits: string): string => `import { existsSync } from "node:fs";
import { defineJob } from "broomwagon/job";

const clock = new Int32Array(new SharedArrayBuffer(4));
let lines = 0;
export default defineJob({
  *map(line: string, ctx) {
    lines++;
    if (${waits}) {
      while (!existsSync(${JSON.stringify(workshop.gate)})) Atomics.wait(clock, 0, 0, 20);
    }
    for (const word of line.split(" ")) yield [word, line.repeat(6)] as const;
  },
  *reduce(word, lines) {
    let count = 0;
    for (const _ of lines) count++;
    yield [word, count] as const;
  },
});
`;

describe("a map's output that, before a reduce reads it, is", () => {
  test.each(HARMS)("$what: is missed, and recomputed", async ({ harm }) => {
    // The last map keeps the reduces waiting: none has read the first maps' outputs.
    const job = workshop.job("gated", gated({ gate: workshop.gate, tasks: "ctx.task > 0" }));
    let harmed = "";
    const { result } = await workshop.run(job, {
      nodes: 2,
      slots: 1,
      reduces: 3,
      onEvent(event) {
        if (harmed !== "" || event.kind !== "attempt-ended") return;
        // The only output, just reported: no reader has been sent there yet.
        harmed = filesOf(/^output$/)[0] ?? "";
        harm(harmed);
        workshop.openGate();
      },
    });
    await workshop.checkOutput(job);
    const lines = journalOf(result.journal);
    const missed = lines.flatMap(({ host }) => (host?.kind === "fetch-failed" ? [host.path] : []));
    expect(new Set(missed)).toEqual(new Set([harmed]));
    expect(recomputed(lines)).toEqual(["word-count/map/0"]);
  });
});

describe("a spill that, before its own map merges it, is", () => {
  test.each(SPILL_HARMS)("$what: fails the attempt, which is made again", async ({ harm }) => {
    // More than a map may hold under so little memory; half of the input waits for the gate.
    const job = workshop.job("spilling", wide("ctx.attempt === 0 && lines === 9000"));
    let harmed = "";
    const { result } = await workshop.run(job, {
      nodes: 1,
      memoryBytes: 64e6,
      splitBytes: 1e6,
      onEvent(event) {
        if (harmed !== "" || event.kind !== "job-progressed") return;
        // The spill is complete: the map is at the next one, or waits.
        const [spill] = filesOf(/^spill-0\.run$/).filter(isRunFile);
        if (spill === undefined) return;
        harmed = spill;
        harm(spill);
        workshop.openGate();
      },
    });
    await workshop.checkOutput(job);
    const failed = result.attempts.filter(({ end }) => end.kind === "failed");
    expect(failed).toMatchObject([
      { attempt: "spilling/map/0#0", end: { message: expect.stringContaining(harmed) } },
    ]);
    expect(result.phases[0]?.spills).toBeGreaterThan(1);
  });
});

describe("a copy that, before its own reduce merges it, is", () => {
  test.each(COPY_HARMS)("$what: fails the attempt, which is made again", async ({ harm }) => {
    // The last maps keep the reduces waiting, which have memory for one of six copies.
    const job = workshop.job("copied", wide("ctx.task > 5"));
    let harmed = "";
    const { result } = await workshop.run(job, {
      nodes: 1,
      slots: 2,
      memoryBytes: 64e6,
      onEvent(event) {
        if (harmed !== "" || event.kind !== "job-progressed") return;
        // The copy is complete: no reduce opens it before all outputs are copied.
        const [copy] = filesOf(/^segment-\d+\.run$/).filter(isRunFile);
        if (copy === undefined) return;
        harmed = copy;
        harm(copy);
        workshop.openGate();
      },
    });
    await workshop.checkOutput(job);
    const failed = result.attempts.filter(({ end }) => end.kind === "failed");
    expect(failed).toMatchObject([
      {
        attempt: expect.stringMatching(/^copied\/reduce\/[01]#0$/),
        end: { message: expect.stringContaining(harmed) },
      },
    ]);
    // The source output counts as sound.
    expect(recomputed(journalOf(result.journal))).toEqual([]);
  });
});
