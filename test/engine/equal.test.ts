import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { GREP, PLACES, wordCount } from "./support/jobs.ts";
import { disciplineOf, only, Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 3, bytes: 300_000 });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

const BIN = fileURLToPath(new URL("../../bin/broomwagon.js", import.meta.url));
const PARTS = ["_SUCCESS", "part-00000", "part-00001", "part-00002"];

describe("the output equals that of a single thread", () => {
  test.each([
    { nodes: 1, slots: 1 },
    { nodes: 2, slots: 1 },
    { nodes: 4, slots: 2 },
  ])("on $nodes nodes with $slots slots", async (cluster) => {
    const job = workshop.job("word-count", wordCount());
    const { result } = await workshop.run(job, cluster);
    expect(result.outcome).toBe("succeeded");
    expect(workshop.outputFiles()).toEqual(PARTS);
    await workshop.checkOutput(job);
    expect(result.counters.lines).toBe(result.phases[0]?.inputRecords);
    expect(result.totals).toMatchObject({ failed: 0, killed: 0, speculative: 0 });
  });

  test("with a reduce that sees its values in the order of the input", async () => {
    const job = workshop.job("places", PLACES);
    await workshop.run(job, { nodes: 4 });
    await workshop.checkOutput(job);
  });

  test("for a job that only maps: a part for each split", async () => {
    const job = workshop.job("grep", GREP);
    const { result } = await workshop.run(job, { nodes: 2, slots: 2 });
    expect(result.phases.map(({ name }) => name)).toEqual(["map"]);
    expect(result.parts).toHaveLength(result.phases[0]?.tasks ?? 0);
    await workshop.checkOutput(job, "whole");
  });

  test("under a policy that wants a capability that this host lacks, with a message", async () => {
    const job = workshop.job("word-count", wordCount());
    const none = disciplineOf("none");
    const wanting = { ...none.speculation.policy, wants: ["replicate"] as const };
    const discipline = { ...none, speculation: { ...none.speculation, policy: wanting } };
    const { events } = await workshop.run(job, { nodes: 1, discipline });
    expect(only(events, "want-unmet")).toMatchObject([{ policy: "none", capability: "replicate" }]);
    await workshop.checkOutput(job);
  });

  test("for an empty input: empty parts", async () => {
    const empty = new Workshop({ files: 1, bytes: 0 });
    const job = empty.job("word-count", wordCount());
    const { result } = await empty.run(job, { nodes: 1 });
    expect(empty.outputFiles()).toEqual(PARTS);
    expect(result.parts.map(({ records }) => records)).toEqual([0, 0, 0]);
    empty.remove();
  });
});

describe("without WebAssembly", () => {
  test("a job is refused with a message that says what to do", () => {
    const job = workshop.job("word-count", wordCount());
    const args = ["--jitless", BIN, "run", job, "--output", workshop.output];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect(status).toBe(2);
    expect(stderr).toContain("expected WebAssembly with SIMD: run node without flags");
  });
});

describe("a run", () => {
  test("writes a line into its journal for each output and for the commit", async () => {
    const job = workshop.job("word-count", wordCount());
    const { result } = await workshop.run(job, { nodes: 2 });
    const lines = readFileSync(result.journal, "utf8").trimEnd().split("\n");
    const host = lines.map((line) => JSON.parse(line).host).filter((line) => line !== undefined);
    const outputs = host.filter(({ kind }) => kind === "output");
    expect(outputs).toHaveLength(result.totals.succeeded);
    const parts = outputs.filter(({ part }) => part !== undefined);
    expect(parts.map(({ part, result }) => `${part} ${result.part.checksum}`).sort()).toEqual(
      result.parts.map(({ path, checksum }) => `${path.slice(-10)} ${checksum}`).sort(),
    );
    for (const { output } of outputs.map(({ result }) => result).filter(({ output }) => output)) {
      expect(output.path).toMatch(/\/nodes\/n[12]\/attempt-\d+\/output$/);
      expect([output.bytes, output.records]).toEqual([expect.any(Number), expect.any(Number)]);
      expect(output.checksum).toMatch(/^crc32:[0-9a-f]{8}$/);
    }
    expect(host.at(-1)).toMatchObject({ kind: "commit", output: workshop.output, parts: 3 });
  });

  test("leaves journal and summary in its directory", async () => {
    const job = workshop.job("word-count", wordCount());
    const { result } = await workshop.run(job, { nodes: 1 });
    const summary = JSON.parse(readFileSync(join(result.runDirectory, "summary.json"), "utf8"));
    expect(summary).toEqual(result);
  });

  test("reports each attempt's launch, start and end", async () => {
    const job = workshop.job("word-count", wordCount());
    const { result, events } = await workshop.run(job, { nodes: 2 });
    const launched = only(events, "attempt-launched").map(({ attempt }) => attempt);
    expect(launched).toHaveLength(result.totals.launched);
    expect(new Set(only(events, "attempt-started").map(({ attempt }) => attempt))).toEqual(
      new Set(launched),
    );
    expect(new Set(only(events, "attempt-ended").map(({ attempt }) => attempt))).toEqual(
      new Set(launched),
    );
    expect(events.at(-1)).toMatchObject({ kind: "job-ended", outcome: "succeeded" });
  });

  test("prints the user code's output, with the node that printed it", async () => {
    const job = workshop.job(
      "talk",
      wordCount().replace(
        'ctx.count("lines");',
        'if (ctx.task === 2) console.log("hello from 2");',
      ),
    );
    const { result, events } = await workshop.run(job, { nodes: 2 });
    const lines = only(events, "log").map(({ line }) => line);
    expect(lines).toContain("hello from 2");
    const log = readFileSync(join(result.runDirectory, "nodes.log"), "utf8");
    expect(log).toMatch(/^n[12] stdout: hello from 2$/m);
  });

  test("does not copy tasks of a job that forbids it", async () => {
    const text = wordCount(300).replace('name: "word-count",', "speculate: false,");
    const { result } = await workshop.run(workshop.job("alone", text), {
      nodes: 4,
      discipline: disciplineOf("late", ["speculation.runtimeMsMin=100"]),
      faults: [{ kind: "slow", at: 0, node: "n2", factor: 8 }],
    });
    expect(result.totals.speculative).toBe(0);
    expect(readFileSync(result.journal, "utf8")).toContain('"job-forbids-copies"');
  });
});
