import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ClusterAccess } from "../../src/hosts/yarn/client/cluster-access.ts";
import { hasEnded } from "../../src/hosts/yarn/client/yarn-rest.ts";
import { ROOT } from "../../tools/cluster/repository.ts";
import { seen } from "../../tools/cluster/seen.ts";
import { runsAll } from "../support/cases.ts";
import { lacksHadoop } from "./support/java-and-maven.ts";
import { accessTo, theCluster } from "./support/the-cluster.ts";
import { toldIn } from "./support/told.ts";
import { YarnWorkshop } from "./support/yarn-workshop.ts";

const WORD_COUNT = `
  import { defineJob, sum } from "broomwagon/job";
  export default defineJob({
    name: "word-count",
    counters: ["lines"],
    map(line, ctx) {
      ctx.count("lines");
      for (const word of line.split(" ")) ctx.emit(word, 1);
    },
    reduce: sum(),
  });
`;

/** A join of two inputs, one of them Parquet; a loop; and a sort by a sample of keys. */
const FLOW = `
  import { defineFlow, parquet, text, tsv } from "broomwagon/job";
  export default defineFlow({ name: "flow", counters: ["joined", "large"] }, (f) => {
    const left = f.read("left", parquet()).keyBy(({ key }) => key, ({ it }) => it);
    const lines = f.read("right", text()).map((line) => line.split(" "));
    const joined = left
      .join("joined", lines.keyBy(([key]) => key, ([, it]) => it))
      .map(([key, [x, y]], ctx) => {
        ctx.count("joined");
        return { key, letters: x.length + y.length };
      });
    const state = joined.keyBy(({ key }) => key, ({ letters }) => letters);
    const until = ({ counters }) => counters.large === 0;
    const quartered = f.loop("round", state, { most: 5, until }, (of) =>
      of.reduce("quarter", (key, values, ctx) => {
        let sum = 0;
        for (const value of values) sum += value;
        const quarter = Math.floor(sum / 4);
        if (quarter > 1) ctx.count("large");
        return [[key, quarter]];
      }),
    );
    quartered.sortBy("sorted", ([key]) => key, { order: "descending" }).write(tsv());
  });
`;

const FAILING = `
  import { defineJob, ndjson, sum } from "broomwagon/job";
  export default defineJob({
    name: "failing",
    input: ndjson(),
    map(record, ctx) {
      if (record.n === 150) throw new Error(process.execPath + " does not like 150");
      ctx.emit("all", 1);
    },
    reduce: sum(),
  });
`;

const ENDLESS = `
  import { defineJob, sum } from "broomwagon/job";
  export default defineJob({
    map(line, ctx) {
      for (;;) ctx.emit(line, 1);
    },
    reduce: sum(),
  });
`;

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `${line(index)}\n`).join("");

/** Of 600 rows, `i` their number. */
async function parquetOf(select: string): Promise<Buffer> {
  const directory = mkdtempSync(join(tmpdir(), "broomwagon-parquet-"));
  const file = join(directory, "rows.parquet");
  const duckdb = await (await DuckDBInstance.create()).connect();
  await duckdb.run(`COPY (${select} FROM range(600) rows(i)) TO '${file}' (FORMAT parquet)`);
  duckdb.closeSync();
  const bytes = readFileSync(file);
  rmSync(directory, { recursive: true });
  return bytes;
}

describe.skipIf(lacksHadoop)("run --on yarn", () => {
  let access: ClusterAccess;
  let workshop: YarnWorkshop;
  /** With an installed Hadoop, jobs are submitted by the command `hadoop`, otherwise by java. */
  let installed: NodeJS.ProcessEnv;

  beforeAll(async () => {
    const cluster = await theCluster();
    access = await accessTo(cluster);
    workshop = new YarnWorkshop(cluster, access);
    installed = workshop.install();
    const word = (index: number): string => `w${(index * index) % 97}`;
    await workshop.file(
      "words.txt",
      lines(4_000, (i) => `${word(i)} ${word(i + 7)} é${i % 5}`),
    );
    await workshop.file(
      "left.txt",
      lines(600, (i) => `k${i % 200} l${i}`),
    );
    await workshop.file(
      "left.parquet",
      await parquetOf("SELECT 'k' || i % 200 AS key, 'l' || i AS it"),
    );
    await workshop.file(
      "right.txt",
      lines(300, (i) => `k${i} r${i}`),
    );
    await workshop.file(
      "records.ndjson",
      lines(200, (n) => JSON.stringify({ n })),
    );
    // Some lines several times, of all parts of the alphabet.
    await workshop.file(
      "lines.txt",
      lines(4_000, (i) => `${"0Aaz~é"[i % 6]}${(i * i) % 97}`),
    );
  });

  afterAll(async () => {
    await workshop?.remove();
  });

  /** The command as users type it, in a separate process. */
  function command(...args: readonly string[]) {
    return commandIn(workshop.environment, ...args);
  }

  function commandIn(env: NodeJS.ProcessEnv, ...args: readonly string[]) {
    const bin = join(ROOT, "bin/broomwagon.js");
    const runs = ["--run-dir", join(workshop.path, "runs")];
    const child = spawn(process.execPath, [bin, "run", ...args, ...runs, "--on", "yarn"], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (said.out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said.err += text));
    const code = new Promise<number | null>((end) => child.on("close", end));
    return { child, said, code };
  }

  test.concurrent("word count over an earlier output: as embedded, to the byte", async () => {
    for (const name of ["_SUCCESS", "part-00000", "part-00007"]) {
      await access.hdfs.write(`${workshop.home}/counts/${name}`, () => Buffer.from("earlier"));
    }
    const jobFile = workshop.job("word-count", WORD_COUNT);
    const job = { jobFile, reduces: 2, splitBytes: 30_000 };
    const output = ["--output", `${workshop.home}/counts`, "-o", "json"];
    const sizes = ["--reduces", "2", "--split-bytes", "30000"];
    const input = ["--input", `hdfs://${workshop.hdfs("words.txt")}`];
    const flags = [...sizes, ...output, ...input, "--overwrite"];
    const { said, code } = commandIn(installed, jobFile, ...flags);
    const engine = await workshop.onEngine(job, ["words.txt"], "counts");
    expect(await code, said.err).toBe(0);
    expect(await workshop.outputOnYarn("counts")).toEqual(workshop.outputOnEngine("counts"));
    const beside = (await access.hdfs.list(workshop.home)).map(({ path }) => path);
    expect(beside.filter((path) => path.includes("replaced"))).toEqual([]);
    const result = JSON.parse(said.out);
    expect(result).toMatchObject({ outcome: "succeeded", counters: engine.counters });
    for (const [index, { tasks, inputRecords, outputRecords }] of engine.phases.entries()) {
      expect(result.phases[index]).toMatchObject({ tasks, inputRecords, outputRecords });
    }
    // Hadoop numbers maps by size; the journal has our names for them, for `replay`.
    const { hello } = toldIn(readFileSync(result.journal, "utf8"));
    const { tasks } = engine.phases[0] ?? { tasks: 0 };
    const maps = Array.from({ length: tasks }, (_, index) => `map/${index}`);
    expect(hello?.names).toMatchObject({ job: "word-count", reduces: "reduce" });
    expect([...(hello?.names?.maps ?? [])].sort()).toEqual(maps.sort());
    const again = command(jobFile, ...output, ...input);
    expect(await again.code).toBe(2);
    expect(again.said.err).toContain("the output directory exists");
  });

  test.concurrent("HDFS renames to where nothing is, or not at all", async () => {
    const moves = `${workshop.home}/moves`;
    const [from, to, free] = [`${moves}/from`, `${moves}/to`, `${moves}/free`];
    const { hdfs } = access;
    for (const path of [from, to]) await hdfs.write(`${path}/part-00000`, () => Buffer.from(path));
    const { id } = (await hdfs.find(from)) ?? {};
    expect(await hdfs.rename(from, to)).toBe(false);
    expect(await hdfs.list(to)).toHaveLength(1);
    expect(await hdfs.rename(from, free)).toBe(true);
    expect(await hdfs.find(free)).toMatchObject({ isDirectory: true, id });
    expect(await hdfs.rename(from, free)).toBe(false);
  });

  // `yarn-tasks.test.ts` has it without Hadoop, and the flow another sort.
  const sort = "the sort of the examples, by its own partition: as embedded";
  test.runIf(runsAll).concurrent(sort, async () => {
    const job = { jobFile: join(ROOT, "examples/sort.ts"), reduces: 2, splitBytes: 10_000 };
    const { result } = workshop.onYarn(job, ["lines.txt"], "in-order");
    const engine = await workshop.onEngine(job, ["lines.txt"], "in-order");
    expect(await result).toMatchObject({ outcome: "succeeded", counters: engine.counters });
    const parts = workshop.outputOnEngine("in-order");
    expect(await workshop.outputOnYarn("in-order")).toEqual(parts);
    // Each part has lines, so the partition determines their order.
    expect(parts.get("part-00000")).toMatch(/^00\n/);
    expect(parts.get("part-00001")).toMatch(/^a0\n/);
  });

  // Five jobs of Hadoop's, one after the other.
  test.concurrent("a flow: join, loop and sort", { timeout: 480_000 }, async () => {
    const job = { jobFile: workshop.job("flow", FLOW), reduces: 2 };
    const inputs = ["left=left.parquet", "right=right.txt"];
    const { result, events } = workshop.onYarn(job, inputs, "flowed");
    const engine = await workshop.onEngine(job, inputs, "flowed");
    expect(await result).toMatchObject({ outcome: "succeeded", counters: engine.counters });
    expect(await workshop.outputOnYarn("flowed")).toEqual(workshop.outputOnEngine("flowed"));
    // Its own counter has stopped the loop: of 3 values of up to 8 letters a quarter, and again.
    const rounds = events.flatMap((event) => {
      return event.kind === "job-submitted" && event.job.includes("round") ? [event.job] : [];
    });
    expect(rounds).toEqual(["flow round 1", "flow round 2"]);
  });

  test.concurrent("an error in user code: with file and line, record and node", async () => {
    const jobFile = workshop.job("failing", FAILING);
    const input = ["--input", workshop.hdfs("records.ndjson")];
    const output = ["--output", `${workshop.home}/failed`, "-o", "json"];
    const place = join(workshop.path, "my node");
    mkdirSync(place);
    symlinkSync(process.execPath, join(place, "node"));
    const flags = ["--node-path", join(place, "node"), "--conf", "mapreduce.map.maxattempts=2"];
    const { said, code } = command(jobFile, ...input, ...output, ...flags);
    expect(await code, said.err).toBe(1);
    const { outcome, failure } = JSON.parse(said.out);
    expect(outcome).toBe("failed");
    expect(failure.place).toBe(`${jobFile}:7`);
    // By the named Node, not by a shipped one.
    expect(failure.message).toContain(`${process.execPath} does not like 150`);
    expect(failure.message).toContain("records.ndjson:151");
    expect(failure.node).toMatch(/^n\d$/);
    expect(await workshop.outputOnYarn("failed")).toBeUndefined();
  });

  test.concurrent("a missing Node is named, instead of Hadoop's actions", async () => {
    const jobFile = workshop.job("nowhere", WORD_COUNT);
    const input = ["--input", workshop.hdfs("right.txt")];
    const output = ["--output", `${workshop.home}/nowhere`, "-o", "json"];
    const node = ["--node-path", "/no such/node", "--conf", "mapreduce.map.maxattempts=1"];
    const idle = ["--discipline", "fair", "--conf", "broomwagon.dicipline=late"];
    const { said, code } = command(jobFile, ...input, ...output, ...node, ...idle);
    expect(await code, said.err).toBe(1);
    expect(JSON.parse(said.out).failure.message).toContain('Cannot run program "/no such/node"');
    expect(said.err).toContain("broomwagon.dicipline is not known and does nothing; did you mean");
    expect(said.err.match(/sharing=fair does nothing on YARN/g)).toHaveLength(1);
  });

  test.concurrent("the next run removes a killed client's files", async () => {
    const jobFile = workshop.job("killed", ENDLESS);
    const output = ["--output", `${workshop.home}/killed`];
    const input = ["--input", workshop.hdfs("left.txt")];
    const start = async () => {
      const { child, said, code } = command(jobFile, ...output, ...input);
      const run = await seen("the client names its run", () => /run (\S+) on/.exec(said.err)?.[1]);
      const id = await seen("the run's application", async () => {
        return (await access.rest.taggedApplication(`broomwagon-${run}-1`))?.id;
      });
      return { child, code, run, id };
    };
    const killed = await start();
    killed.child.kill("SIGKILL");
    await killed.code;
    const stale = (await workshop.left()).find((path) => path.endsWith(killed.run)) ?? "";
    expect(await workshop.modeOf(stale)).toBe("700");
    await access.rest.kill(killed.id);
    await seen(
      "the killed client's application ends",
      async () => hasEnded(await access.rest.application(killed.id)) || undefined,
    );
    const next = await start();
    next.child.kill("SIGINT");
    expect(await next.code).toBe(130);
    expect(await workshop.left()).not.toContain(stale);
  });

  test.concurrent("why a task is copied, on its page too; Ctrl-C kills it all", async () => {
    const jobFile = workshop.job("endless", ENDLESS);
    const output = ["--output", `${workshop.home}/endless`];
    // All running tasks are copied at once.
    const copies = ["--discipline", "mapreduce", "--set", "speculation.doneShareMin=0"];
    const input = ["--input", workshop.hdfs("left.txt")];
    const { child, said, code } = command(jobFile, ...output, ...input, ...copies, "--ui");
    const run = await seen("the client names its run", () => /run (\S+) on/.exec(said.err)?.[1]);
    const tag = `broomwagon-${run}-1`;
    const running = await seen("the application runs", async () => {
      const application = await access.rest.taggedApplication(tag);
      return application?.state === "RUNNING" ? application : undefined;
    });
    // From the log directory of its ApplicationMaster, as its NodeManager serves it.
    await seen("the client says why it copies map/0", () =>
      /request a copy of map\/0 \(remains-near-the-end/.exec(said.err),
    );
    const address = await seen(
      "the page's address",
      () => /http:\/\/127\.0\.0\.1:\d+\/#[\w-]+/.exec(said.err)?.[0],
    );
    await seen("the page shows the copy and its reason", async () =>
      (await rowsAt(address)).includes("remains-near-the-end") ? true : undefined,
    );
    child.kill("SIGINT");
    expect(await code, said.err).toBe(130);
    expect(await access.rest.application(running.id)).toMatchObject({ finalStatus: "KILLED" });
    expect(await workshop.outputOnYarn("endless")).toBeUndefined();
    expect((await workshop.left()).filter((path) => path.endsWith(run))).toEqual([]);
  });
});

/** The content of a run's page so far, as text. */
async function rowsAt(address: string): Promise<string> {
  const { origin, hash } = new URL(address);
  const headers = { Authorization: `Bearer ${hash.slice(1)}` };
  const signal = AbortSignal.timeout(1_500);
  let text = "";
  try {
    const { body } = await fetch(`${origin}/rows`, { headers, signal });
    for await (const bytes of body ?? []) text += Buffer.from(bytes).toString("latin1");
  } catch {
    // The page is still live: the stream has no end.
  }
  return text;
}
