import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RunError } from "broomwagon/engine";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { blocking, leaveBehind, PRINT, PRINTED_EACH, troubled, wordCount } from "./support/jobs.ts";
import { journalOf, outputsIn, recomputed } from "./support/journal.ts";
import { disciplineOf, only, Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 2, bytes: 200_000 });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

/** Changes one byte in the middle of the file. */
function damage(path: string): void {
  const bytes = readFileSync(path);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

const lineOf = (path: string, text: string): number =>
  1 +
  readFileSync(path, "utf8")
    .split("\n")
    .findIndex((line) => line.includes(text));

describe("a map that throws", () => {
  test("on its first two attempts is retried until it succeeds", async () => {
    const first = 'throw new RangeError("not yet");';
    const job = workshop.job("early", troubled({ task: 2, attempts: 2, first }));
    const { result } = await workshop.run(job, { nodes: 2 });
    await workshop.checkOutput(job);
    const tries = result.attempts.filter(({ attempt }) => attempt.startsWith("word-count/map/2#"));
    expect(tries.map(({ as, end }) => `${as} ${end.kind}`)).toEqual([
      "original failed",
      "retry failed",
      "retry succeeded",
    ]);
    const place = `${job}:${lineOf(job, "not yet")}`;
    expect(tries[0]?.end).toMatchObject({ cause: "error", place });
    const failures = journalOf(result.journal).flatMap(({ host }) =>
      host?.kind === "failure" ? [host.place] : [],
    );
    expect(failures).toEqual([place, place]);
  });

  test("four times fails the job: the error names file and line; no output is left", async () => {
    const first = 'throw new RangeError("never");';
    const job = workshop.job("never", troubled({ task: 1, attempts: 9, first }));
    const failed = workshop.run(job, { nodes: 2 });
    const error: unknown = await failed.catch((thrown: unknown) => thrown);
    if (!(error instanceof RunError)) throw error;
    const place = `${job}:${lineOf(job, "never")}`;
    expect(error.message).toMatch(/word-count\/map\/1 failed 4 times.*RangeError: never/);
    expect(error.message).toContain(place);
    expect(error.result).toMatchObject({
      outcome: "failed",
      failure: { task: "word-count/map/1", place },
      parts: [],
    });
    expect(() => workshop.outputFiles()).toThrow(/ENOENT/);
  });

  test("a thrown value that is not an Error also fails the attempt", async () => {
    const first = 'throw "a string";';
    const job = workshop.job("string", troubled({ task: 1, attempts: 1, first }));
    const { result } = await workshop.run(job, { nodes: 1 });
    await workshop.checkOutput(job);
    expect(result.totals.failed).toBe(1);
  });
});

describe("a map that never ends", () => {
  test("is ended after the task timeout, and tried again", async () => {
    const job = workshop.job("endless", troubled({ task: 1, attempts: 1, first: "for (;;) {}" }));
    const { result } = await workshop.run(job, { nodes: 2, taskTimeoutMs: 3_000 });
    await workshop.checkOutput(job);
    const failed = result.attempts.filter(({ end }) => end.kind === "failed");
    expect(failed).toMatchObject([{ attempt: "word-count/map/1#0", end: { cause: "timeout" } }]);
  });

  test("loses against a copy", async () => {
    const job = workshop.job("endless", troubled({ task: 1, attempts: 1, first: "for (;;) {}" }));
    const { result, events } = await workshop.run(job, {
      nodes: 4,
      discipline: disciplineOf("late", [
        "speculation.runtimeMsMin=300",
        "speculation.slowNodeThreshold=0",
      ]),
    });
    await workshop.checkOutput(job);
    expect(only(events, "attempt-dying").map(({ attempt }) => attempt)).toContain(
      "word-count/map/1#0",
    );
    expect(result.totals).toMatchObject({ failed: 0 });
    expect(result.totals.speculativeWon).toBeGreaterThan(0);
  });
});

describe("a map that blocks in a call", () => {
  const blocked = (): string =>
    workshop.job("blocked", troubled({ task: 1, attempts: 1, first: blocking(workshop.pids) }));

  test("is ended after the task timeout, and tried again", async () => {
    const job = blocked();
    const { result, events } = await workshop.run(job, { nodes: 1, taskTimeoutMs: 2_000 });
    await workshop.checkOutput(job);
    const failed = result.attempts.filter(({ end }) => end.kind === "failed");
    expect(failed).toMatchObject([{ attempt: "word-count/map/1#0", end: { cause: "timeout" } }]);
    expect(only(events, "node-crashed")).toEqual([]);
  });

  test("does not keep an aborted run from ending", async () => {
    const abort = new AbortController();
    const run = workshop.run(blocked(), {
      nodes: 1,
      signal: abort.signal,
      onEvent(event) {
        if (event.kind === "job-progressed" && existsSync(workshop.pids)) abort.abort();
      },
    });
    await expect(run).rejects.toThrow("was stopped");
  });
});

describe("a program that a map leaves behind", () => {
  test("delays nothing, though it holds the node's output open", async () => {
    const first = leaveBehind(workshop.pids);
    const job = workshop.job("behind", troubled({ task: 1, attempts: 1, first }));
    await workshop.run(job, { nodes: 2 });
    await workshop.checkOutput(job);
  });
});

describe("a map that prints a line for each record", () => {
  test("loses no line, and its node is heard all the time", async () => {
    const job = workshop.job("chatty", troubled({ task: 1, attempts: 1, first: "print(line);" }));
    const text = readFileSync(job, "utf8");
    writeFileSync(job, `${text}\n${PRINT}`);
    // Five missing heartbeats make a node silent; on a busy machine a few may be late.
    const { result, events } = await workshop.run(job, { nodes: 2, heartbeatMs: 500 });
    const count = result.counters.lines;
    expect(count).toBeGreaterThan(0);
    const records = only(events, "log").filter(({ line }) => line.startsWith("record "));
    const printed = new Set(records.map(({ line }) => line.split(" ", 2)[1]));
    expect(printed.size).toBe(records.length);
    expect(records.length % PRINTED_EACH).toBe(0);
    expect(records.length).toBeGreaterThan(50_000);
    expect(only(events, "node-silent")).toEqual([]);
    const log = readFileSync(join(result.runDirectory, "nodes.log"), "utf8");
    expect(log.split("\n").filter((line) => line.includes(": record "))).toHaveLength(
      records.length,
    );
  });
});

describe("a map that ends more than itself", () => {
  test("by process.exit ends its thread: the attempt has failed, the node lives", async () => {
    const job = workshop.job("exit", troubled({ task: 1, attempts: 1, first: "process.exit(3);" }));
    const { result, events } = await workshop.run(job, { nodes: 2 });
    await workshop.checkOutput(job);
    const [failed] = result.attempts.filter(({ end }) => end.kind === "failed");
    const how = /text-\d\.txt:\d+: the code ended its thread with process\.exit\(3\)$/;
    expect(failed?.end).toMatchObject({
      message: expect.stringMatching(how),
      place: `${job}:${lineOf(job, "process.exit(3)")}`,
    });
    expect(only(events, "node-crashed")).toEqual([]);
  });

  test("by an error in a callback ends its thread too, and the job goes on", async () => {
    const first = 'setTimeout(() => { throw new Error("later"); });';
    const job = workshop.job("later", troubled({ task: 1, attempts: 1, first }));
    const { events } = await workshop.run(job, { nodes: 2 });
    await workshop.checkOutput(job);
    expect(only(events, "node-crashed")).toEqual([]);
  });

  test("by ending its whole process: the node is replaced, and its outputs are kept", async () => {
    const first = 'process.kill(process.pid, "SIGKILL");';
    const job = workshop.job("crash", troubled({ task: 5, attempts: 1, first }));
    const { result, events } = await workshop.run(job, { nodes: 2 });
    await workshop.checkOutput(job);
    expect(only(events, "node-crashed")).toHaveLength(1);
    expect(only(events, "node-lost")).toEqual([]);
    expect(result.outputsLost).toEqual([]);
    expect(result.totals.recomputed).toBe(0);
  });

  test("again and again fails the job, not the cluster", async () => {
    const first = 'process.kill(process.pid, "SIGKILL");';
    const job = workshop.job("crash", troubled({ task: 5, attempts: 99, first }));
    const error: unknown = await workshop.run(job, { nodes: 2 }).catch((thrown: unknown) => thrown);
    if (!(error instanceof RunError)) throw error;
    expect(error.result.outcome).toBe("failed");
    expect(error.result.failure?.message).toMatch(/its node ended while it ran: SIGKILL/);
  });
});

describe("outputs of a process that crashed", () => {
  test("are recomputed if their checksum does not match, and kept if it does", async () => {
    const first = `while (!existsSync(${JSON.stringify(workshop.gate)})) {}
      process.kill(process.pid, "SIGKILL");`;
    const text = troubled({ task: 3, attempts: 1, first });
    const job = workshop.job("damaged", `import { existsSync } from "node:fs";${text}`);
    let damaged = false;
    const { result, events } = await workshop.run(job, {
      nodes: 1,
      onEvent(event) {
        if (damaged || event.kind !== "job-progressed") return;
        const outputs = outputsIn(workshop.runs);
        if (outputs.length < 3) return;
        damaged = true;
        damage(outputs[1]?.path ?? "");
        workshop.openGate();
      },
    });
    await workshop.checkOutput(job);
    expect(only(events, "node-crashed")).toHaveLength(1);
    expect(result.outputsLost).toEqual(["word-count/map/1"]);
    expect(recomputed(journalOf(result.journal))).toEqual(["word-count/map/1"]);
  });
});

describe("a reduce that throws", () => {
  test("on its first attempt is retried, and reads the same outputs", async () => {
    const text = wordCount().replace(
      "reduce: sum(),",
      `combine: false,
  *reduce(word, counts, ctx) {
    if (ctx.task === 1 && ctx.attempt === 0) throw new Error("not yet");
    let total = 0;
    for (const count of counts) total += count;
    yield [word, total] as const;
  },`,
    );
    const job = workshop.job("reduce", text);
    const { result } = await workshop.run(job, { nodes: 2 });
    const [failed] = result.attempts.filter(({ end }) => end.kind === "failed");
    expect(failed?.attempt).toBe("word-count/reduce/1#0");
    expect(failed?.end).toMatchObject({ place: `${job}:${lineOf(job, "not yet")}` });
    expect(workshop.outputFiles()).toContain("part-00001");
  });
});

describe("an unusable result of a job's code", () => {
  const job = (name: string, map: string): string =>
    workshop.job(
      name,
      `import { defineJob, sum } from "broomwagon/job";
export default defineJob({
  ${map},
  reduce: sum(),
});
`,
    );

  test.each([
    ["a text to add", "map: (line) => [[line, line]]", "found string"],
    [
      "a pair of one",
      "map: (line) => [[line]]",
      "expected pairs [key, value], found an array of 1",
    ],
    ["no pair", "*map(line) { yield 1; }", "expected pairs [key, value], found number"],
    [
      "a promise",
      "map(line) { return Promise.resolve([]); }",
      "found Promise: map may not be async",
    ],
    ["no key", "map: (line) => [[undefined, 1]]", "key: expected a string, number, bigint"],
  ])("fails it at once, at the line of the function: %s", async (name, map, says) => {
    const file = job(name.replaceAll(" ", "-"), map);
    const error = await workshop.run(file, { nodes: 1 }).catch((thrown: unknown) => thrown);
    if (!(error instanceof RunError)) throw error;
    const { failure, totals } = error.result;
    expect(failure?.message).toMatch(/^\/.*text-\d\.txt:\d+: /);
    expect(failure?.message).toContain(says);
    expect(failure?.place).toBe(`${file}:3`);
    expect(totals.failed).toBe(1);
  });

  test("is an async function, refused before the job begins", async () => {
    const file = job("async", "async map(line) { return [[line, 1]]; }");
    // For a module that this test's own process loads, line numbers differ from the file's.
    await expect(workshop.run(file)).rejects.toThrow(
      /async\.ts:\d+: defineJob: map: .*found an async function, which only mapAsync takes$/,
    );
  });
});

test("the whole stack of an error thrown deep in a helper is in the summary", async () => {
  const job = workshop.job(
    "deep",
    `import { defineJob } from "broomwagon/job";
const deep = (line: string): never => { throw new TypeError("too deep"); };
const middle = (line: string) => deep(line);
export default defineJob({ map: (line) => [[middle(line), 1]] });
`,
  );
  const error = await workshop.run(job, { nodes: 1 }).catch((thrown: unknown) => thrown);
  if (!(error instanceof RunError)) throw error;
  const summary = JSON.parse(readFileSync(join(error.result.runDirectory, "summary.json"), "utf8"));
  const lines = [...summary.failure.stack.matchAll(/deep\.ts:(\d+):\d+/g)].map(([, line]) => line);
  expect(lines.slice(0, 3)).toEqual(["2", "3", "4"]);
});
