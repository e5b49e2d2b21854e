import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { RunError } from "broomwagon/engine";
import { InputError } from "broomwagon/policies";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { boundByModes } from "./support/bound-by-modes.ts";
import { troubled, wordCount } from "./support/jobs.ts";
import { journalOf, replayOf } from "./support/journal.ts";
import { canMount, SmallDisk } from "./support/small-disk.ts";
import { Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 2, bytes: 200_000 });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

const PROGRAM = fileURLToPath(new URL("../../bin/broomwagon.js", import.meta.url));

async function thrownBy(run: Promise<unknown>): Promise<unknown> {
  return run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
}

describe("an output directory that exists", () => {
  test("is an error before anything is done", async () => {
    mkdirSync(workshop.output);
    writeFileSync(join(workshop.output, "mine"), "");
    const job = workshop.job("word-count", wordCount());
    const events: unknown[] = [];
    const run = workshop.run(job, { nodes: 1, onEvent: (event) => events.push(event) });
    const error = await thrownBy(run);
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: "output-exists", place: workshop.output });
    expect(events).toEqual([]);
    expect(workshop.outputFiles()).toEqual(["mine"]);
    expect(readdirSync(workshop.runs)).toEqual([]);
  });

  test("is replaced as a whole if requested", async () => {
    mkdirSync(workshop.output);
    writeFileSync(join(workshop.output, "part-00007"), "old");
    const job = workshop.job("word-count", wordCount());
    await workshop.run(job, { nodes: 1, overwrite: true });
    expect(workshop.outputFiles()).toEqual(["_SUCCESS", "part-00000", "part-00001", "part-00002"]);
    await workshop.checkOutput(job);
  });

  test("stays as it is if the job fails", async () => {
    mkdirSync(workshop.output);
    writeFileSync(join(workshop.output, "part-00007"), "old");
    const first = 'throw new Error("never");';
    const job = workshop.job("never", troubled({ task: 0, attempts: 9, first }));
    const error = await thrownBy(workshop.run(job, { nodes: 1, overwrite: true }));
    expect(error).toBeInstanceOf(RunError);
    expect(workshop.outputFiles()).toEqual(["part-00007"]);
  });
});

describe("an output directory that is created while the job runs", () => {
  test("is not replaced: the run ends with an error, and its journal stays", async () => {
    const job = workshop.job("word-count", wordCount());
    let journal = "";
    const error = await thrownBy(
      workshop.run(job, {
        nodes: 1,
        onEvent(event) {
          if (event.kind === "run-started") journal = event.journal;
          if (event.kind !== "task-committed") return;
          mkdirSync(workshop.output, { recursive: true });
          writeFileSync(join(workshop.output, "theirs"), "");
        },
      }),
    );
    expect(error).toMatchObject({ code: "output-exists" });
    expect(workshop.outputFiles()).toEqual(["theirs"]);
    const lines = journalOf(journal);
    expect(lines.map(({ host }) => host?.kind)).not.toContain("commit");
    expect(lines.map(({ event }) => event)).toContain("job-submitted");
  });
});

describe("a second run into the same place", () => {
  test("is refused with one line during the first run, which continues", async () => {
    const job = workshop.job("word-count", wordCount());
    let second: Promise<unknown> | undefined;
    await workshop.run(job, {
      nodes: 1,
      onEvent(event) {
        if (event.kind !== "job-submitted") return;
        second ??= thrownBy(workshop.start(job, { nodes: 1, overwrite: true }));
      },
    });
    const error = await second;
    expect(error).toBeInstanceOf(InputError);
    expect(String(error)).toMatch(/^InputError: .*output: another run, process \d+@.*$/);
    await workshop.checkOutput(job);
  });
});

describe("two runs that begin in the same instant, into the same place", () => {
  test.each([
    { overwrite: false, had: [] },
    { overwrite: true, had: ["part-00000"] },
  ])("end as one, and nothing is mixed ($overwrite)", async ({ overwrite, had }) => {
    const jobs = [wordCount(), wordCount().replace("[word, 1]", "[word, 2]")].map((text, i) =>
      workshop.job(`same-instant-${i}`, text),
    );
    if (had.length > 0) mkdirSync(workshop.output);
    for (const name of had) writeFileSync(join(workshop.output, name), "old\n");
    const ended = await Promise.allSettled(
      jobs.map((job) => workshop.start(job, { nodes: 1, overwrite })),
    );
    const won = jobs.filter((_, i) => ended[i]?.status === "fulfilled");
    for (const end of ended) {
      if (end.status === "rejected") expect(end.reason).toMatchObject({ code: "output-exists" });
    }
    expect(won).toHaveLength(1);
    for (const job of won) await workshop.checkOutput(job);
    expect(workshop.litter()).toEqual([]);
  });
});

const BOUND = boundByModes();

describe.skipIf(BOUND === undefined)("an output directory that its user may not write", () => {
  test("is an error before anything is done, which says so", () => {
    const closed = join(workshop.path, "closed");
    const runs = join(workshop.path, "refused");
    for (const path of [closed, runs]) mkdirSync(path);
    chmodSync(closed, 0o555);
    const job = workshop.job("word-count", wordCount());
    for (const output of [join(closed, "output"), join(closed, "more", "output")]) {
      const own = ["--input", workshop.input, "--output", output, "--run-dir", runs];
      const run = [PROGRAM, "run", job, ...own, "--nodes", "1"];
      const [command = "", ...rest] = [...(BOUND ?? []), process.execPath, ...run];
      const { status, stderr } = spawnSync(command, rest, { encoding: "utf8" });
      expect(stderr).toContain(`${output}: expected a directory to write: permission denied`);
      expect(status).toBe(3);
    }
    for (const path of [closed, runs]) {
      expect(readdirSync(path)).toEqual([]);
      rmdirSync(path);
    }
  });
});

describe.skipIf(!canMount())("an output directory on a disk that is read-only", () => {
  test("is an error before anything is done, which says so", async () => {
    const disk = new SmallDisk(join(workshop.path, "disk"), { kilobytes: 64 });
    disk.makeReadOnly();
    const before = readdirSync(workshop.runs);
    const job = workshop.job("word-count", wordCount());
    const events: unknown[] = [];
    for (const output of [join(disk.path, "output"), join(disk.path, "more", "output")]) {
      const run = workshop.run(job, { nodes: 1, output, onEvent: (event) => events.push(event) });
      const error = await thrownBy(run);
      expect(error).toBeInstanceOf(InputError);
      expect(error).toMatchObject({
        message: `${output}: expected a directory to write: read-only file system`,
      });
    }
    disk.remove();
    expect(events).toEqual([]);
    expect(readdirSync(workshop.runs)).toEqual(before);
  });
});

describe("an aborted run", () => {
  test("leaves no process and no output, and a journal that says so", async () => {
    const job = workshop.job("word-count", wordCount(500));
    const abort = new AbortController();
    const run = workshop.run(job, {
      nodes: 3,
      signal: abort.signal,
      faults: [{ kind: "slow", at: 0, node: "n2", factor: 4 }],
      onEvent(event) {
        if (event.kind === "attempt-ended") abort.abort();
      },
    });
    const error = await thrownBy(run);
    if (!(error instanceof RunError)) throw error;
    expect(error.message).toBe("job word-count was stopped");
    expect(error.result.outcome).toBe("killed");
    expect(existsSync(workshop.output)).toBe(false);
    const steps = journalOf(error.result.journal);
    expect(steps.map(({ event }) => event)).toContain("job-killed");
    const lines = readFileSync(error.result.journal, "utf8").trimEnd().split("\n");
    expect(replayOf(lines)).toMatchObject({ kind: "same" });
  });

  test("leaves the same if aborted before it began", async () => {
    const job = workshop.job("word-count", wordCount());
    const error = await thrownBy(workshop.run(job, { nodes: 2, signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ result: { outcome: "killed" } });
    expect(existsSync(workshop.output)).toBe(false);
  });

  test("does not wait for a module whose load never ends", async () => {
    const loading = join(workshop.path, "loading");
    const job = workshop.job(
      "never-there",
      `import { writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(loading)}, "");
await new Promise((resolve) => setTimeout(resolve, 600_000));
${wordCount()}`,
    );
    const abort = new AbortController();
    const watch = setInterval(() => {
      if (existsSync(loading)) abort.abort();
    }, 50);
    const error = await thrownBy(workshop.run(job, { nodes: 2, signal: abort.signal }));
    clearInterval(watch);
    if (!(error instanceof RunError)) throw error;
    expect(error.message).toBe("job never-there was stopped");
    expect(error.result).toMatchObject({ outcome: "killed", attempts: [], parts: [] });
    const steps = journalOf(error.result.journal).filter(({ event }) => event !== undefined);
    expect(steps).toEqual([]);
    expect(existsSync(workshop.output)).toBe(false);
  });
});

describe("what the user must correct", () => {
  test.each([
    { what: "no such job file", job: "nowhere", options: {}, code: "missing-file" },
    { what: "no input", job: "", options: { input: ["/no/such/input"] }, code: /./ },
    { what: "too little memory", job: "", options: { memoryBytes: 1e6 }, code: "bad-flag" },
    { what: "no nodes", job: "", options: { nodes: 0 }, code: "bad-flag" },
    {
      what: "a fault of a node that there is not",
      job: "",
      options: { nodes: 2, faults: [{ kind: "kill" as const, at: 0, node: "n3" }] },
      code: "bad-flag",
    },
    { what: "an unknown parameter", job: "", options: { params: { x: 1 } }, code: /unknown/ },
  ])("$what: an InputError, no process, no directory", async ({ job, options, code }) => {
    const before = readdirSync(workshop.runs);
    const file = job === "" ? workshop.job("word-count", wordCount()) : join(workshop.path, job);
    const error = await thrownBy(workshop.run(file, options));
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: expect.stringMatching(code) });
    expect(existsSync(workshop.output)).toBe(false);
    expect(readdirSync(workshop.runs)).toEqual(before);
  });

  test("a listener that throws at every end of an attempt ends the run too", async () => {
    const job = workshop.job("word-count", wordCount(500));
    const run = workshop.run(job, {
      nodes: 2,
      onEvent(event) {
        if (event.kind === "attempt-ended") throw new Error("listener");
      },
    });
    expect(await thrownBy(run)).toMatchObject({ message: "listener" });
    expect(existsSync(workshop.output)).toBe(false);
  });

  test("a listener that throws ends the run with its error", async () => {
    const job = workshop.job("word-count", wordCount());
    const run = workshop.run(job, {
      nodes: 2,
      onEvent(event) {
        if (event.kind === "attempt-started") throw new Error("listener");
      },
    });
    expect(await thrownBy(run)).toMatchObject({ message: "listener" });
    expect(existsSync(workshop.output)).toBe(false);
  });
});
