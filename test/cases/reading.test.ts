import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { ATTEMPT_KINDS } from "../../src/model/attempt.ts";
import type { Trace } from "../../src/trace/index.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import { paperShell } from "../cli/support/screen.ts";

/** Small inputs with their right values, made after public bug reports. */
const REPORTS = "../shared/cases/reports";
const HISTORIES = "../shared/cases/histories";
const IS_THERE = existsSync(REPORTS) && existsSync(HISTORIES);
if (!IS_THERE) console.log(`skipped: cases of reading, since ${REPORTS} is absent`);

const folder = mkdtempSync(join(tmpdir(), "broomwagon-reading-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function broomwagon(...args: readonly string[]) {
  const shell = { ...paperShell(), listenForCtrlC: () => AbortSignal.abort() };
  const code = await runProgram(args, shell);
  return { code, out: shell.out.text, err: shell.err.text };
}

const why = (path: string, ...flags: readonly string[]) =>
  broomwagon("why", path, "--no-intervals", ...flags);

const attemptsIn = ({ jobs }: Trace): number =>
  jobs.flatMap(({ phases }) => phases).reduce((sum, { attempts }) => sum + attempts.length, 0);

const SPECULATIVE = ATTEMPT_KINDS.indexOf("speculative");

const unwrapped = (text: string): string => text.replace(/\s+/g, " ");

/** One line that names the file, exit code 3, and no word of a bug. */
function expectRefusal(
  { code, out, err }: { readonly code: number; readonly out: string; readonly err: string },
  said: string,
): void {
  expect([code, out]).toEqual([3, ""]);
  expect(err).toContain("error: ");
  expect(err).toContain(said);
  expect(err.trimEnd()).not.toContain("\n");
}

describe.skipIf(!IS_THERE)("a log that ends in mid-frame is read as far as it goes:", () => {
  test.each([
    ["f21-gz-cut.gz", "gzip"],
    ["f41-zstd-last-frame-open.zstd.inprogress", "zstd"],
  ])("%s, as far as %s itself reads it", async (name, program) => {
    const path = join(REPORTS, name);
    const { stdout } = spawnSync(program, ["-dc"], { input: readFileSync(path) });
    const plain = join(folder, `${name}.ndjson`);
    writeFileSync(plain, stdout);
    expect(attemptsIn(await openTrace(path))).toBe(attemptsIn(await openTrace(plain)));
    const { code, out } = await why(path);
    expect(code).toBe(0);
    expect(unwrapped(out)).toContain("the log is cut off there");
  });

  test("dirs/mixed: its neighbours are listed, the one without a block is named", async () => {
    const { code, out } = await why(join(REPORTS, "dirs/mixed"), "--jobs");
    expect(code).toBe(0);
    expect(out).toContain("\n2 jobs; ");
    expect(out).toMatch(/not read: \S+f20-zstd-cut\.zstd: the file is cut off within its first/);
  });
});

test.skipIf(!IS_THERE)("damaged.ndjson.gz: one flipped byte is named with its file", async () => {
  const path = join(HISTORIES, "damaged.ndjson.gz");
  for (const command of ["why", "whatif", "report", "page"]) {
    const found = await broomwagon(command, path);
    expectRefusal(found, `${path}: byte 0: expected a whole gzip file, found a member whose che`);
  }
});

describe("a path that cannot be read is one line, and never hides its neighbours:", () => {
  const neighbours = join(folder, "neighbours");
  mkdirSync(neighbours);
  cpSync("fixtures/spark/two-workers.ndjson", join(neighbours, "app-1"));
  symlinkSync(join(neighbours, "b"), join(neighbours, "a"));
  symlinkSync(join(neighbours, "a"), join(neighbours, "b"));
  symlinkSync(neighbours, join(neighbours, "itself"));
  execFileSync("mkfifo", [join(neighbours, "pipe")]);

  test.each([
    ["a", "symbolic links form a loop"],
    ["pipe", "a pipe is read from standard input"],
  ])("%s", async (name, said) => {
    for (const command of ["why", "whatif", "report", "page"]) {
      expectRefusal(await broomwagon(command, join(neighbours, name)), said);
    }
    expectRefusal(
      await broomwagon("compare", join(neighbours, name), join(neighbours, "app-1")),
      said,
    );
  });

  test("all of them in a directory", async () => {
    const { code, out, err } = await why(neighbours, "--jobs", "-o", "json");
    expect([code, err]).toEqual([0, ""]);
    const { jobs, unread } = JSON.parse(out);
    expect(jobs).toHaveLength(1);
    const named = unread.map(({ history }: { history: string }) => history);
    expect(named).toEqual(["a", "b", "pipe"].map((name) => join(neighbours, name)));
  });

  test("a file and a directory without read permission", ({ skip }) => {
    skip(process.getuid?.() !== 0, "only root can become another user");
    // A checkout inside a closed directory can be entered by its relative path, but not be run.
    const look = ["bin/broomwagon.js", "--version"];
    const { status: looked } = spawnSync(process.execPath, look, { uid: 65_534 });
    skip(looked !== 0, "another user cannot read this checkout");
    const secret = mkdtempSync(join(folder, "secret-"));
    chmodSync(folder, 0o755);
    chmodSync(secret, 0o755);
    cpSync("fixtures/spark/two-workers.ndjson", join(secret, "app-1"));
    cpSync("fixtures/hadoop/json.jhist", join(secret, "app-2"));
    mkdirSync(join(secret, "closed"));
    chmodSync(join(secret, "app-2"), 0);
    chmodSync(join(secret, "closed"), 0);
    const asNobody = (path: string) => {
      const args = ["bin/broomwagon.js", "why", path, "--no-intervals"];
      return spawnSync(process.execPath, args, { uid: 65_534, encoding: "utf8" });
    };
    for (const name of ["app-2", "closed"]) {
      const { status, stdout, stderr } = asNobody(join(secret, name));
      expectRefusal({ code: status ?? -1, out: stdout, err: stderr }, "permission denied");
    }
    const { status, stdout } = asNobody(secret);
    expect(status).toBe(0);
    expect(stdout.match(/not read: .*permission denied/g)).toHaveLength(2);
  });
});

describe.skipIf(!IS_THERE)("parts of one log in a directory:", () => {
  const rolling = (name: string): string =>
    join(REPORTS, "dirs", name, "eventlog_v2_app-20260921000000-0001");
  const notesOf = async (path: string) => (await openTrace(path)).notes.map(({ text }) => text);

  test("dirs/f11-databricks is one application of three parts", async () => {
    const { code, out } = await why(join(REPORTS, "dirs/f11-databricks"), "--jobs", "-o", "json");
    expect([code, JSON.parse(out).jobs.length, JSON.parse(out).unread]).toEqual([0, 1, []]);
    expect(JSON.parse(out).jobs[0]).toMatchObject({ id: "app-20260921000000-0001", attempts: 80 });
  });

  test("dirs/f14-rolling-compact-both: what a compacted part replaces is not read", async () => {
    const path = rolling("f14-rolling-compact-both");
    const { jobs } = await openTrace(path);
    const copies = jobs.flatMap(({ phases }) =>
      phases.flatMap(({ attempts }) => [...attempts.kinds].filter((kind) => kind === SPECULATIVE)),
    );
    expect(copies).toEqual([]);
    const { out } = await why(path);
    expect(out).toMatch(/^slow node +15\.6 /m);
  });

  test("dirs/f15-rolling-compact-only says that tasks were compacted away", async () => {
    const path = rolling("f15-rolling-compact-only");
    expect(await notesOf(path)).toContainEqual(
      expect.stringMatching(/compacted the log up to events_2: tasks .* are gone/),
    );
    expect(unwrapped((await why(path)).out)).toContain(
      "The log lacks 48 of 60 tasks of stage 0, since it was compacted up to events_2:",
    );
  });

  test("dirs/f17-rolling-gap: events_2 is missing", async () => {
    const { out } = await why(rolling("f17-rolling-gap"));
    expect(unwrapped(out)).toMatch(/^[^;]*;[^;]*\. The log lacks events_2, 19 of 60 tasks/);
  });
});

describe.skipIf(!IS_THERE)("names that would command a terminal are visible escapes:", () => {
  test.each([
    join(REPORTS, "f25-terminal-escapes.ndjson"),
    join(HISTORIES, "terminal-escape.ndjson"),
  ])("%s", async (path) => {
    const commands = [
      ["why", path, "--no-intervals"],
      ["why", path, "--jobs"],
      ["whatif", path, "--try", "none", "--seeds", "2"],
      ["compare", path, path],
      ["report", path, "--no-intervals", "--format", "json", "--out", join(folder, "page.json")],
    ];
    for (const args of commands) {
      const { out, err } = await broomwagon(...args);
      expect(out + err, args[0]).not.toMatch(/(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    }
    const { out } = await why(path);
    expect(out).toContain("\\u001b");
  });
});

describe.skipIf(!IS_THERE)("archives and trees:", () => {
  test("p05-history-server.zip is read as its log is", async () => {
    const { code, out } = await why(join(REPORTS, "p05-history-server.zip"));
    expect(code).toBe(0);
    expect(out).toMatch(/c3 ran everything 3\.0 times slower/);
    expect(out).toContain("took 29.0 s");
  });

  test("a directory of directories is listed; an empty rolling one says so", async () => {
    const day = join(folder, "done/2026/09/30/000000");
    mkdirSync(day, { recursive: true });
    cpSync(join(REPORTS, "h07-killed-by-user.jhist"), join(day, "job_1.jhist"));
    mkdirSync(join(folder, "done/eventlog_v2_app-1"));
    writeFileSync(join(folder, "done/eventlog_v2_app-1/appstatus_app-1"), "");
    const { code, out } = await why(join(folder, "done"), "--jobs", "-o", "json");
    const { jobs, unread } = JSON.parse(out);
    expect([code, jobs.length, unread.length]).toEqual([0, 1, 1]);
    expect(unread[0].reason).toContain("rolling directory with files events_1_...; this directory");
  });
});

describe.skipIf(!IS_THERE)("a log is read by what it holds:", () => {
  test("p04-no-index.ndjson.gz by partitions: n3 took 3.9 times as long", async () => {
    const path = join(REPORTS, "p04-no-index.ndjson.gz");
    const { code, out } = await why(path);
    expect(code).toBe(0);
    expect(unwrapped(out)).toContain("n3 may be slow: its 2 attempts took 3.9 times as long");
    expect(out).toContain("note: 24 task ends lack `Index`: `Partition ID` stands for it");
  });

  test("without the events of tasks the refusal says how many stages it has", async () => {
    const lines = readFileSync(join(REPORTS, "s11-skew-in-records.ndjson"), "utf8").split("\n");
    const path = join(folder, "stages-alone");
    writeFileSync(path, lines.filter((line) => !line.includes("SparkListenerTask")).join("\n"));
    expectRefusal(await why(path), "has none, only 1 stage of ");
  });
});
