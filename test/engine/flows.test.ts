import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type RunEvent, type RunOptions, resume } from "broomwagon/engine";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { importProgram, prepareJobFile } from "../../src/data/index.ts";
import { cases } from "../support/cases.ts";
import { compareOutput, runReference } from "../support/reference.ts";
import { replayOf } from "./support/journal.ts";
import { childrenOf } from "./support/processes.ts";
import { disciplineOf, only, Workshop } from "./support/workshop.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const workshop = new Workshop({ files: 1, bytes: 1000 });
const data = join(workshop.path, "data");
const VISITS = join(ROOT, "examples", "visits.ts");
const PAGERANK = join(ROOT, "examples", "pagerank.ts");
const visitsInput = [`visits=${data}/visits.csv`, `countries=${data}/countries.csv`];
const pagerankInput = [`links=${data}/links.txt`];
/** So that there are several tasks, and few rounds. */
const few = { reduces: 3, params: { tolerance: 10 }, nodes: 2 } as const;

beforeAll(() => {
  execFileSync(process.execPath, [join(ROOT, "examples", "make-data.mjs"), data]);
});
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

/** Compares the output directories with a single thread's output, byte for byte. */
async function checkOutputs(
  jobFile: string,
  query: { readonly params?: RunOptions["params"]; readonly by?: "part" | "whole" } = {},
): Promise<void> {
  const into = join(workshop.path, "reference");
  const program = await importProgram(await prepareJobFile({ file: jobFile, into }));
  rmSync(into, { recursive: true });
  const outputs = await runReference({
    program,
    params: { ...program.params, ...query.params },
    files: (read) =>
      [["visits", "countries"].includes(read) ? `${read}.csv` : `${read}.txt`].map((name) =>
        join(data, name),
      ),
    reduces: few.reduces,
  });
  const several = program.outputs.length > 1;
  for (const [i, { name }] of program.outputs.entries()) {
    const directory = several ? join(workshop.output, name) : workshop.output;
    const { by = "part" } = query;
    expect(compareOutput({ directory, parts: outputs[i] ?? [], by })).toEqual({ equal: true });
  }
}

describe("a flow", () => {
  test("with several inputs, outputs and a join is one run with one commit", async () => {
    const { result } = await workshop.run(VISITS, { input: visitsInput, ...few, params: {} });
    expect(workshop.outputFiles()).toEqual(["_SUCCESS", "countries", "pages"]);
    expect(readdirSync(join(workshop.output, "pages"))).toEqual(["part-00000"]);
    await checkOutputs(VISITS);
    const lines = readFileSync(result.journal, "utf8").trimEnd().split("\n");
    const hosts = lines.map((line) => JSON.parse(line).host?.kind).filter((kind) => kind);
    expect(hosts.filter((kind) => kind === "commit")).toHaveLength(1);
    expect(result.phases.map(({ name }) => name)).toContain("bytes-by-country");
    expect(result.parts.map(({ path }) => path.slice(workshop.output.length + 1)).sort()).toEqual([
      "countries/part-00000",
      "countries/part-00001",
      "countries/part-00002",
      "pages/part-00000",
    ]);
  });

  test("with a loop has a job for each round, whose state outlives the nodes", async () => {
    const killed = { kind: "kill", at: 400, node: "n2" } as const;
    const { result, events } = await workshop.run(PAGERANK, {
      ...{ input: pagerankInput, ...few, nodes: 3, faults: [killed] },
      discipline: disciplineOf("late", ["detection.expiryMs=1000"]),
    });
    const jobs = only(events, "job-ended").map(({ job }) => job);
    expect(jobs.slice(0, 4)).toEqual([
      "pagerank",
      "pagerank round start",
      "pagerank round 1",
      "pagerank round 2",
    ]);
    expect(jobs.length).toBeLessThan(50);
    expect(result.outcome).toBe("succeeded");
    await checkOutputs(PAGERANK, { params: few.params, by: "whole" });
  });

  test("that is stopped in a round leaves no files", async () => {
    const controller = new AbortController();
    const run = workshop.run(PAGERANK, {
      ...{ input: pagerankInput, ...few, signal: controller.signal },
      onEvent(event) {
        if (event.kind === "job-submitted" && event.job.endsWith("round 2")) controller.abort();
      },
    });
    await expect(run).rejects.toThrow("job pagerank was stopped");
    expect(existsSync(workshop.output)).toBe(false);
  });

  test("names the read that has no files, and its job", async () => {
    const [visits = ""] = visitsInput;
    const bare = workshop.run(VISITS, { input: ["data.csv"] });
    await expect(bare).rejects.toThrow("expected NAME=PATH, since it reads countries, visits");
    const job = workshop.job(
      "two",
      `import { defineFlow, text } from "broomwagon/job";
export default defineFlow("two", (f) =>
  f.read("visits", text()).union(f.read("other", text())).write(text()));`,
    );
    const one = workshop.run(job, { input: [visits] });
    await expect(one).rejects.toThrow(
      "input other: expected a path, in the job file or by --input",
    );
  });
});

describe("when the master is killed in the middle of a flow", () => {
  /** Runs PageRank in a process that kills itself. The run's folder. */
  async function killed(when: string): Promise<string> {
    const dist = (path: string): string => JSON.stringify(join(ROOT, "dist", path));
    const slow = { kind: "slow", at: 0, node: "n1", factor: 2 };
    const options = {
      ...{
        faults: [slow],
        input: pagerankInput,
        output: workshop.output,
        ...few,
      },
      ...{ runDirectory: workshop.runs, splitBytes: 64 * 1024, heartbeatMs: 100 },
    };
    const program = `import { run } from ${dist("hosts/engine/index.js")};
import { parseDiscipline } from ${dist("policy/index.js")};
let count = 0;
await run(${JSON.stringify(PAGERANK)}, {
  ...${JSON.stringify(options)}, discipline: parseDiscipline("none"),
  onEvent(event) { if (${when}) process.kill(process.pid, "SIGKILL"); } });`;
    mkdirSync(workshop.runs, { recursive: true });
    const before = readdirSync(workshop.runs);
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
    const how = await new Promise((resolve) => child.on("exit", (_, signal) => resolve(signal)));
    expect(how).toBe("SIGKILL");
    // Ids of runs that began in one second are in no order.
    const made = readdirSync(workshop.runs).filter((run) => !before.includes(run));
    expect(made).toHaveLength(1);
    return join(workshop.runs, made[0] ?? "");
  }

  test.each([
    [
      "within a round",
      `event.kind === "attempt-ended" && event.attempt.includes("round 2/spread")`,
    ],
    ["between two rounds", `event.kind === "job-ended" && event.job.endsWith("round 2")`],
    // The master learns of both moments between two rounds in one turn: the sample has one.
    ...cases({
      all: [
        ["when a round begins", `event.kind === "job-submitted" && event.job.endsWith("round 3")`],
      ],
      sample: [],
    }),
    [
      "when all but the commit is done",
      `event.kind === "job-ended" && event.job.endsWith(" by-rank")`,
    ],
  ])("%s, it goes on from there", async (_, when) => {
    const run = await killed(when);
    const events: RunEvent[] = [];
    const running = resume(run, { onEvent: (event) => void events.push(event) });
    const { journal, attempts, outcome, nodes } = await running;
    expect(outcome).toBe("succeeded");
    // Faults that were injected are not repeated.
    expect(only(events, "fault")).toEqual([]);
    expect(nodes.map(({ slowed }) => slowed)).toEqual([undefined, undefined]);
    await checkOutputs(PAGERANK, { params: few.params, by: "whole" });
    const lines = readFileSync(journal, "utf8").trimEnd().split("\n");
    expect(replayOf(lines)).toMatchObject({ kind: "same" });
    const done = attempts.filter(({ end }) => end.kind === "succeeded");
    const tasks = done.map(({ attempt }) => attempt.replace(/#\d+$/, ""));
    expect(new Set(tasks).size).toBe(tasks.length);
    expect(childrenOf(process.pid)).toEqual([]);
    expect(workshop.litter()).toEqual([]);
  });
});
