import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { paperShell } from "./support/screen.ts";

const folder = mkdtempSync(join(tmpdir(), "broomwagon-damaged-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function broomwagon(...args: readonly string[]) {
  const shell = paperShell();
  const code = await runProgram(args, shell);
  return { code, out: shell.out.text, err: shell.err.text };
}

/** The directory of a run, with these files. */
function run(files: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(folder, "run-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

const { pid: dead } = spawnSync(process.execPath, ["--version"]);
const NOTE = { owner: `${dead}@${hostname()}`, passing: [] };

describe("resume", () => {
  const whole = { outcome: "succeeded", id: "a", job: "count", discipline: "late" };
  test.each([
    ["", "expected JSON: "],
    ['{"outcome":"succ', "expected JSON: "],
    ["[]", "expected the summary of a run, found []"],
    ["{}", 'outcome: expected one of "succeeded", "failed", "killed", found nothing'],
    [JSON.stringify(whole), "runDirectory: expected a text that is not empty, found nothing"],
    [
      JSON.stringify({ ...whole, runDirectory: "r", journal: "j", output: "o", parts: [{}] }),
      "parts[0].path: expected a text that is not empty, found nothing",
    ],
  ])("refuses the damaged summary %j", async (summary, says) => {
    const path = run({ "summary.json": summary });
    mkdirSync(join(path, "printed"));
    const { code, out, err } = await broomwagon("resume", path);
    expect(err).toContain(`error: ${join(path, "summary.json")}: ${says}`);
    expect(err.trimEnd()).not.toContain("\n");
    expect([code, out]).toEqual([3, ""]);
    expect(existsSync(join(path, "printed"))).toBe(true);
  });

  test.each([
    ["", "expected JSON: "],
    ["null", "expected the note of a run under way, found null"],
    [JSON.stringify({ passing: [] }), "owner: expected a text that is not empty, found nothing"],
    [
      JSON.stringify({ ...NOTE, passing: join(folder, "kept") }),
      "passing: expected a list: a text that is not empty each, found ",
    ],
    [JSON.stringify({ ...NOTE, passing: [1] }), "passing[0]: expected a text"],
  ])("refuses a run with the damaged note %j, and removes nothing", async (note, says) => {
    mkdirSync(join(folder, "kept"), { recursive: true });
    const path = run({ "journal.ndjson": "", "under-way.json": note });
    const { code, err } = await broomwagon("resume", path);
    expect(err).toContain(`error: ${join(path, "under-way.json")}: ${says}`);
    expect(code).toBe(3);
    expect(readdirSync(path).sort()).toEqual(["journal.ndjson", "under-way.json"]);
    expect(existsSync(join(folder, "kept"))).toBe(true);
  });

  const OPTIONS = {
    ...{ job: { file: "job.ts" }, input: ["a.txt"], workingDirectory: "/", nodes: 2, slots: 1 },
  };
  const PROCESS = { at: 1, kind: "process", node: "n1", pid: 7 };
  const RUN = JSON.stringify({ host: { at: 0, kind: "run", id: "a", options: OPTIONS } });
  const hostLine = (line: object): string => JSON.stringify({ host: line });
  test.each([
    ['{"host":{"at":1,', "expected JSON: "],
    ['{"host":7}', "host: expected a line of the engine, found 7"],
    [hostLine({ kind: "process" }), "host.at: expected a number of 0 or more, found nothing"],
    [hostLine({ ...PROCESS, pid: -1 }), "host.pid: expected a whole number of 1 or more, found -1"],
    [
      hostLine({ at: 1, kind: "run", options: { ...OPTIONS, input: "a.txt" } }),
      'host.options.input: expected a list: a text that is not empty each, found "a.txt"',
    ],
    [
      hostLine({ at: 1, kind: "plan", plan: { file: {} } }),
      "host.plan.file.entry: expected a text that is not empty, found nothing",
    ],
    [
      hostLine({ at: 1, kind: "output", attempt: "a", result: { kind: "part", part: {} } }),
      "host.result.part.bytes: expected a number of 0 or more, found nothing",
    ],
  ])("refuses a journal with the damaged line %s", async (line, says) => {
    const journal = ["{}", RUN, hostLine(PROCESS), line, ""].join("\n");
    const path = run({ "journal.ndjson": journal, "under-way.json": JSON.stringify(NOTE) });
    const { code, err } = await broomwagon("resume", path);
    expect(err).toContain(`error: ${join(path, "journal.ndjson")}:4: ${says}`);
    expect(code).toBe(3);
  });
});

describe("jobs", () => {
  test.each([
    ["", "the server was stopped", 2],
    ["HTTP/1.1 400 Bad Request\r\n\r\n", "expected JSON: ", 3],
    ['{"kind":"jobs"}', "jobs: expected a list: a job each, found nothing", 3],
    ['{"kind":"jobs","jobs":[{}]}', "jobs[0].job: expected a text", 3],
    ['{"kind":"others"}', 'kind: expected one of "jobs", "refused", "broken"', 3],
  ])("refuses the answer %j of what is no server", async (answer, says, exit) => {
    const socket = join(mkdtempSync(join(folder, "s-")), "s");
    const server = createServer((client) => client.resume().end(answer));
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    try {
      const { code, err } = await broomwagon("jobs", "--socket", socket);
      expect(err).toContain(`error: ${socket}: ${says}`);
      expect(code).toBe(exit);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
