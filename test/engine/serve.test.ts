import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { ask, type JobOptions, type JobRow } from "broomwagon/engine";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { gated, wordCount } from "./support/jobs.ts";
import { journalOf, replayOf } from "./support/journal.ts";
import { engineProcesses } from "./support/processes.ts";
import { Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 2, bytes: 200_000 });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

const PROGRAM = fileURLToPath(new URL("../../bin/broomwagon.js", import.meta.url));
const DIRECTORY = join(workshop.path, "serve");
const SOCKET = join(DIRECTORY, "socket");
const POOLS = join(workshop.path, "pools.txt");

interface Serving {
  readonly pid: number;
  /** The server's output so far. */
  said(): string;
  /** Ends the server as Ctrl-C does; returns its exit code. */
  stop(): Promise<number | null>;
}

async function serve(...flags: readonly string[]): Promise<Serving> {
  const own = ["--socket", SOCKET, "--run-dir", workshop.runs, "--nodes", "2"];
  const child = spawn(process.execPath, [PROGRAM, "serve", ...own, ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const exited = new Promise<number | null>((resolve) => child.on("exit", resolve));
  await new Promise<void>((resolve, reject) => {
    const hear = (part: Buffer): void => {
      text += part;
      if (text.includes("listening on")) resolve();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    void exited.then((code) => reject(new Error(`it ended with ${code}: ${text}`)));
  });
  return {
    pid: child.pid ?? 0,
    said: () => text,
    stop() {
      child.kill("SIGINT");
      return exited;
    },
  };
}

const submit = async (job: string, options: Partial<JobOptions> = {}): Promise<JobRow> => {
  const whole = { jobFile: job, input: [workshop.input], reduces: 3, splitBytes: 64 * 1024 };
  return first(await ask(SOCKET, { kind: "submit", options: { ...whole, ...options } }));
};

const wait = async (job: string): Promise<JobRow> =>
  first(await ask(SOCKET, { kind: "wait", job }));

/** The server's answer to this text. */
async function sent(request: string): Promise<string> {
  const socket = connect(SOCKET);
  socket.end(request);
  return text(socket);
}

function first(rows: readonly JobRow[]): JobRow {
  const [row] = rows;
  if (row === undefined) throw new Error("no row");
  return row;
}

/** The run that began last; names only differ by seconds. */
const journal = (): string => {
  const runs = readdirSync(workshop.runs).map((id) => join(workshop.runs, id));
  const began = (run: string): number => statSync(run).birthtimeMs;
  return join(runs.sort((a, b) => began(a) - began(b)).at(-1) ?? "", "journal.ndjson");
};

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe("an engine that serves", () => {
  test.each([
    {
      sharing: "fair",
      pools: ["research:weight=3", "adhoc:maxMaps=1"],
      later: ["research:weight=1", "adhoc:maxMaps=1,maxReduces=1"],
    },
    {
      // No job has more than its queue's own slots.
      sharing: "capacity",
      pools: ["research:capacity=50", "adhoc:capacity=50"],
      later: ["research:capacity=50,userLimitFactor=2", "adhoc:capacity=50,maximumCapacity=50"],
    },
  ])("runs jobs under $sharing, and leaves nothing when it is stopped", async (how) => {
    const tell = (lines: readonly string[]): void => writeFileSync(POOLS, `${lines.join("\n")}\n`);
    tell(how.pools);
    const serving = await serve("--pools", POOLS, "--discipline", `late,sharing=${how.sharing}`);
    expect(statSync(SOCKET).mode & 0o777).toBe(0o600);
    expect(statSync(DIRECTORY).mode & 0o777).toBe(0o700);

    const job = workshop.job("word-count", wordCount());
    const blocked = workshop.job("gated", gated({ gate: workshop.gate, tasks: "true" }));
    const [output, other] = [workshop.output, join(workshop.path, "other")];
    const waiting = await submit(blocked, { output: other, pool: "adhoc" });
    const counted = await submit(job, { output, pool: "research" });
    expect([waiting.job, counted.job]).toEqual(["word-count", "word-count-2"]);
    tell(how.later);
    await until(() => serving.said().includes("reloaded "));
    // Half of the slots belong to the other pool, which continues although the first job keeps its
    // slots.
    const ended = await wait(counted.job);
    expect(ended).toMatchObject({ state: "succeeded", tasks: 9, done: 9, running: 0 });
    await workshop.checkOutput(job);
    const [held] = await ask(SOCKET, { kind: "jobs" });
    expect(held).toMatchObject({ job: waiting.job, state: "running", pool: "adhoc", running: 1 });

    const killed = first(await ask(SOCKET, { kind: "kill", job: waiting.job }));
    expect(killed.job).toBe(waiting.job);
    expect(await wait(waiting.job)).toMatchObject({ state: "killed", pool: "adhoc" });
    expect(existsSync(other)).toBe(false);
    const rows = await ask(SOCKET, { kind: "jobs" });
    expect(rows.map(({ job: name, state }) => `${name} ${state}`)).toEqual([
      "word-count killed",
      "word-count-2 succeeded",
    ]);
    const summary = JSON.parse(readFileSync(ended.summary ?? "", "utf8"));
    expect(summary).toMatchObject({ outcome: "succeeded", output });
    expect(summary.attempts).toHaveLength(9);

    expect(await serving.stop()).toBe(0);
    expect(engineProcesses().filter(({ parent }) => parent === serving.pid)).toEqual([]);
    expect(readdirSync(DIRECTORY)).toEqual([]);
    expect(readdirSync(workshop.path).filter((name) => name.startsWith("_"))).toEqual([]);
    const lines = readFileSync(journal(), "utf8").trimEnd().split("\n");
    expect(replayOf(lines)).toMatchObject({ kind: "same" });
    expect(journalOf(journal()).map(({ event }) => event)).toContain("sharing-tuned");
  });

  test("refuses users' mistakes, and continues", async () => {
    const serving = await serve("--discipline", "late,sharing=capacity");
    const job = workshop.job("word-count", wordCount());
    await expect(submit(job, { input: ["nowhere"], output: workshop.output })).rejects.toThrow(
      "no such file",
    );
    mkdirSync(workshop.output);
    writeFileSync(join(workshop.output, "mine"), "");
    await expect(submit(job, { output: workshop.output })).rejects.toThrow(
      "the output directory exists",
    );
    await expect(ask(SOCKET, { kind: "kill", job: "none" })).rejects.toThrow("job none");
    await expect(submit(job, { input: ["-"], output: workshop.output })).rejects.toThrow(
      "input -: expected files",
    );
    await expect(submit(job, { output: "-" })).rejects.toThrow("output -: expected a directory");
    const thrower = workshop.job("thrower", 'throw new Error("no module");');
    await expect(submit(thrower, { output: workshop.output })).rejects.toThrow("no module");
    const options = { jobFile: job, input: [workshop.input], output: workshop.output };
    const requests = [
      ["", "expected JSON: "],
      ['{"kind":"jobs"', "expected JSON: "],
      ["[]", "expected a request, of kind submit, jobs, kill, wait, found []"],
      ['{"kind":"stop"}', 'kind: expected one of "submit", "jobs", "kill", "wait", found "stop"'],
      ['{"kind":"kill","job":7}', "job: expected a text that is not empty, found 7"],
      [
        JSON.stringify({ kind: "submit", options: { ...options, input: "a" } }),
        'options.input: expected a list: a text that is not empty each, found "a"',
      ],
      [
        JSON.stringify({ kind: "submit", options: { ...options, reduces: 0 } }),
        "options.reduces: expected a whole number of 1 or more, found 0",
      ],
      [
        JSON.stringify({ kind: "submit", options: { ...options, program: {} } }),
        "options.program: unknown; the options of a job has jobFile, input, ",
      ],
    ] as const;
    for (const [request, says] of requests) {
      expect(JSON.parse(await sent(request))).toMatchObject({
        ...{ kind: "refused", code: "bad-input" },
        message: expect.stringContaining(`socket: ${says}`),
      });
    }
    expect(await ask(SOCKET, { kind: "jobs" })).toEqual([]);
    // A second engine is refused, and so is a socket that others could use.
    const open = join(workshop.path, "open");
    mkdirSync(open);
    chmodSync(open, 0o755);
    const mine = join(DIRECTORY, "notes.txt");
    writeFileSync(mine, "mine");
    const refused = [
      [SOCKET, "a server listens there already"],
      [join(open, "socket"), "expected a directory that only you may enter"],
      [mine, "expected a socket, or nothing there"],
    ] as const;
    for (const [socket, says] of refused) {
      const second = spawnSync(process.execPath, [PROGRAM, "serve", "--socket", socket], {
        cwd: workshop.path,
        encoding: "utf8",
      });
      expect(second.status).toBe(2);
      expect(second.stderr).toContain(says);
      // The refused engine has left no run behind.
      expect(existsSync(join(workshop.path, ".broomwagon"))).toBe(false);
    }
    expect(readFileSync(mine, "utf8")).toBe("mine");
    rmSync(mine);
    rmSync(open, { recursive: true });
    expect(await serving.stop()).toBe(0);
    await expect(ask(SOCKET, { kind: "jobs" })).rejects.toThrow(
      /: expected a server there: start one with `broomwagon serve`$/,
    );
  });

  test("runs flows beside jobs, and kills one in the middle of its rounds", async () => {
    // The waiting job holds one slot of two.
    writeFileSync(POOLS, "research\nadhoc:maxMaps=1,maxReduces=1\n");
    const serving = await serve("--pools", POOLS);
    // Halves numbers until none is left; if requested, small ones wait for the gate.
    const halving = workshop.job(
      "halving",
      `import { existsSync } from "node:fs";
import { defineFlow, sum, text, tsv } from "broomwagon/job";
const gate = ${JSON.stringify(workshop.gate)};
const spec = { name: "halving", counters: ["left"], params: { gated: false } } as const;
export default defineFlow(spec, (f) => {
  const lengths = f.read("lines", text()).map((line) => line.length);
  const sizes = lengths.keyBy((n) => n % 7).fold("sizes", sum());
  const until = ({ counters }) => counters.left === 0;
  f.loop("round", sizes, { most: 40, until }, (state) =>
    state
      .map(([key, n], ctx) => {
        const clock = new Int32Array(new SharedArrayBuffer(4));
        const waits = (): boolean => ctx.params.gated && n < 30 && !existsSync(gate);
        while (waits()) Atomics.wait(clock, 0, 0, 20);
        if (n >= 2) ctx.count("left");
        return [key, Math.floor(n / 2)] as const;
      })
      .keyBy(([key]) => key, ([, n]) => n)
      .fold("halves", sum()),
  ).write(tsv());
});`,
    );
    const job = workshop.job("word-count", wordCount());
    const [whole, other] = [join(workshop.path, "whole"), join(workshop.path, "other")];
    const waiting = await submit(halving, {
      ...{ output: other, params: { gated: true }, pool: "adhoc" },
    });
    const flow = await submit(halving, { output: whole, pool: "research" });
    const counted = await submit(job, { output: workshop.output, pool: "research" });
    expect([waiting.job, flow.job, counted.job]).toEqual(["halving", "halving-2", "word-count"]);
    const flowEnded = await wait(flow.job);
    expect(flowEnded).toMatchObject({ state: "succeeded", running: 0 });
    expect(flowEnded.done).toBe(flowEnded.tasks);
    expect((await wait(counted.job)).state).toBe("succeeded");
    await workshop.checkOutput(job);
    const lines = readdirSync(whole)
      .filter((name) => name.startsWith("part-"))
      .flatMap((name) => readFileSync(join(whole, name), "utf8").trim().split("\n"));
    expect(lines.filter((line) => line !== "").sort()).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((key) => `${key}\t0`),
    );
    const row = async (): Promise<JobRow | undefined> =>
      (await ask(SOCKET, { kind: "jobs" })).find((one) => one.job === waiting.job);
    expect(await row()).toMatchObject({ state: "running" });
    await ask(SOCKET, { kind: "kill", job: waiting.job });
    expect(await wait(waiting.job)).toMatchObject({ state: "killed" });
    expect(existsSync(other)).toBe(false);
    const summary = JSON.parse(readFileSync(flowEnded.summary ?? "", "utf8"));
    const phases: readonly { name: string }[] = summary.phases;
    expect(phases.map(({ name }) => name)).toContain("halves");
    rmSync(whole, { recursive: true });
    expect(await serving.stop()).toBe(0);
    expect(readdirSync(workshop.path).filter((name) => name.startsWith("_"))).toEqual([]);
    expect(readdirSync(dirname(journal())).sort()).toEqual(["jobs", "journal.ndjson"]);
    const journalLines = readFileSync(journal(), "utf8").trimEnd().split("\n");
    expect(replayOf(journalLines)).toMatchObject({ kind: "same" });
  });

  test("continues when a job fails through its user's code or its output", async () => {
    const serving = await serve();
    const thrower = workshop.job(
      "thrower",
      `import { count, defineFlow, text, tsv } from "broomwagon/job";
export default defineFlow("thrower", (f) => {
  const start = f.read("lines", text()).keyBy((line) => line.length).fold("sizes", count());
  const until = () => {
    throw new Error("no such round");
  };
  f.loop("round", start, { most: 4, until }, (state) =>
    state.keyBy(([size]) => size, ([, n]) => n).fold("again", count()),
  ).write(tsv());
});`,
    );
    const thrown = await submit(thrower, { output: join(workshop.path, "thrown") });
    expect(await wait(thrown.job)).toMatchObject({
      state: "failed",
      message: `loop round: until, round 1: no such round (${thrower}:5)`,
    });
    const asked = (...args: readonly string[]): string[] => {
      const of = [PROGRAM, ...args, "--socket", SOCKET];
      const { stdout, stderr } = spawnSync(process.execPath, of, { encoding: "utf8" });
      return [stdout, stderr];
    };
    const [rows] = asked("jobs");
    expect(rows).toMatch(/^job .* output {2}message$/m);
    expect(rows?.replaceAll(/\s+/g, " ")).toContain("loop round: until, round 1: no such round");
    const [killed, hint] = asked("kill", thrown.job);
    expect(hint).toBe(`${thrown.job} had already ended: failed\n`);
    expect(killed).toContain("failed");
    const blocked = workshop.job("gated", gated({ gate: workshop.gate, tasks: "true" }));
    const gone = join(workshop.path, "gone");
    const waiting = await submit(blocked, { output: gone });
    const beside = (): readonly string[] =>
      readdirSync(workshop.path).filter((name) => name.startsWith("_"));
    for (const area of beside()) rmSync(join(workshop.path, area), { recursive: true });
    workshop.openGate();
    expect(await wait(waiting.job)).toMatchObject({
      state: "failed",
      message: expect.stringContaining(`${gone}: expected a directory to write: no such file`),
    });
    const job = workshop.job("word-count", wordCount());
    const { job: name } = await submit(job, { output: workshop.output });
    expect(await wait(name)).toMatchObject({ state: "succeeded" });
    await workshop.checkOutput(job);
    // Only the rows of ended jobs are kept.
    expect(readdirSync(join(dirname(journal()), "job"))).toEqual([]);
    expect(await serving.stop()).toBe(0);
    expect(beside()).toEqual([]);
    const lines = readFileSync(journal(), "utf8").trimEnd().split("\n");
    expect(replayOf(lines)).toMatchObject({ kind: "same" });
  });

  test("restarts after a kill, and cleans up after its predecessor", async () => {
    const dead = await serve();
    const blocked = workshop.job("gated", gated({ gate: workshop.gate, tasks: "true" }));
    await submit(blocked, { output: workshop.output });
    const nodes = engineProcesses().filter(({ parent }) => parent === dead.pid);
    process.kill(dead.pid, "SIGKILL");
    const pids = nodes.map(({ pid }) => pid);
    await until(
      () => !engineProcesses().some(({ pid, state }) => pids.includes(pid) && state !== "Z"),
    );
    const again = await serve();
    const job = workshop.job("word-count", wordCount());
    const { job: name } = await submit(job, { output: workshop.output });
    expect(await wait(name)).toMatchObject({ state: "succeeded" });
    await workshop.checkOutput(job);
    expect(await again.stop()).toBe(0);
    expect(readdirSync(workshop.path).filter((name) => name.startsWith("_"))).toEqual([]);
    const left = readdirSync(workshop.runs).flatMap((id) => readdirSync(join(workshop.runs, id)));
    expect(left.filter((name) => ["nodes", "job", "under-way.json"].includes(name))).toEqual([]);
  });
});
