import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ROOT } from "../../tools/cluster/repository.ts";

/** A command with a page beside it; what it wrote to standard error so far. */
class Command {
  readonly child: ChildProcess;
  #said = "";

  constructor(cwd: string, ...args: readonly string[]) {
    const stdio = ["ignore", "pipe", "pipe"] as const;
    const all = [join(ROOT, "bin/broomwagon.js"), ...args];
    this.child = spawn(process.execPath, all, { cwd, stdio: [...stdio] });
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#said += text;
    });
  }

  get said(): string {
    return this.#said;
  }

  /** The first match of the pattern in what it says. */
  async saying(pattern: RegExp): Promise<string> {
    for (let n = 0; n < 300; n++) {
      const found = pattern.exec(this.#said)?.[0];
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`expected ${pattern} in:\n${this.#said}`);
  }

  async code(): Promise<unknown> {
    if (this.child.exitCode !== null) return this.child.exitCode;
    const [code] = await once(this.child, "exit");
    return code;
  }
}

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/#[\w-]{22}/;

/** The page's answer to its first request for rows; undefined if nobody answers. */
async function rowsOf(address: string): Promise<number | undefined> {
  const { origin, hash } = new URL(address);
  const headers = { Authorization: `Bearer ${hash.slice(1)}` };
  try {
    const response = await fetch(`${origin}/rows`, { headers });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}

/** The process of the page that a command has started. */
function pageOf(parent: number): number {
  const found = readdirSync("/proc").find((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const [, parentId] = /\) \S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      const isPage = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("\0page\0");
      return Number(parentId) === parent && isPage;
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
  if (found === undefined) throw new Error("expected a page beside the command");
  return Number(found);
}

async function isGone(address: string): Promise<boolean> {
  for (let n = 0; n < 60; n++) {
    if ((await rowsOf(address)) === undefined) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

describe("a page beside a command", () => {
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-beside-"));
  const input = join(folder, "words.txt");
  writeFileSync(input, "one\n");
  const job = join(folder, "slow.ts");
  const busy = "const until = Date.now() + 2_500; while (Date.now() < until);";
  writeFileSync(
    job,
    `import { defineJob, sum, text } from "broomwagon/job";
    export default defineJob({
      input: text(),
      *map(line: string) { ${busy} yield [line, 1]; },
      reduce: sum(),
    });`,
  );
  const run = (output: string) =>
    new Command(folder, "run", job, "--ui", "--output", output, "--input", input);

  afterAll(() => rmSync(folder, { recursive: true }));

  test("run --ui: the page lives while the job runs, and says how to see it again", async () => {
    const command = run("a");
    const address = await command.saying(ADDRESS);
    expect(await rowsOf(address)).toBe(200);
    expect(await command.code()).toBe(0);
    expect(command.said).toMatch(/`broomwagon page \d+-\d+-\w+` shows it again/);
    expect(await isGone(address)).toBe(true);
  });

  test("a page that is killed ends no job", async () => {
    const command = run("b");
    const address = await command.saying(ADDRESS);
    const { port } = new URL(address);
    process.kill(pageOf(command.child.pid ?? 0), "SIGKILL");
    expect(await isGone(`http://127.0.0.1:${port}/#x`)).toBe(true);
    expect(await command.code()).toBe(0);
  });

  test("simulate --ui: the study's table stays until Ctrl-C", async () => {
    const scenario = join(ROOT, "scenarios/one-straggler.json");
    const command = new Command(folder, "simulate", scenario, "--ui");
    const address = await command.saying(ADDRESS);
    await command.saying(/The page stays until Ctrl-C/);
    const { origin, hash } = new URL(address);
    const headers = { Authorization: `Bearer ${hash.slice(1)}` };
    const reader = (await fetch(`${origin}/rows`, { headers })).body?.getReader();
    let text = "";
    for (let n = 0; n < 50 && !text.includes('"scenario":"one-straggler"'); n++) {
      text += Buffer.from((await reader?.read())?.value ?? []).toString("latin1");
    }
    expect(text).toContain('"scenario":"one-straggler"');
    await reader?.cancel();
    command.child.kill("SIGINT");
    expect(await command.code()).toBe(0);
    expect(await isGone(address)).toBe(true);
  });
});
