import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { Pieces } from "../../src/page/wire/pieces.ts";
import { documentFrom } from "../../src/report/page/document-bytes.ts";
import { LiveDocument } from "../../src/report/page/live/document.ts";
import { frameFrom } from "../../src/report/page/live/frame.ts";
import { pageJson } from "../../src/report/page/page-json.ts";
import { ROOT } from "../../tools/cluster/repository.ts";
import { lacksChromium, launch, open } from "./support/browser.ts";

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

/** PAGE_DEAR=1 also runs the test of a run that is killed and resumed: half a minute. */
const IS_DEAR = process.env.PAGE_DEAR === "1";
/** Kinds of what a server streams. */
const [ROWS, OVER] = [0, 1];

/** The study leads the links; its bars have an axis, whose unit is told, and stay on it. */
async function seeStudy(address: string): Promise<void> {
  const browser = await launch();
  const { page } = await open(browser, address);
  const study = page.locator("#study");
  await study.waitFor();
  expect(await page.locator("nav a").first().textContent()).toBe("study");
  expect(await study.locator("th.bar").textContent()).toMatch(/, 0 to [\d.]+ s$/);
  for (const bar of await study.locator(".interval b").all()) {
    const { left, width } = await bar.evaluate(({ style }) => ({ ...style }));
    expect(Number.parseFloat(left ?? "") + Number.parseFloat(width ?? "")).toBeLessThan(100);
  }
  await browser.close();
}

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
  const run = (output: string, jobFile = job) =>
    new Command(folder, "run", jobFile, "--ui", "--output", output, "--input", input);

  afterAll(() => rmSync(folder, { recursive: true }));

  test("run --ui: the page lives while the job runs, and says how to see it again", async () => {
    const command = run("a");
    const address = await command.saying(ADDRESS);
    const { port } = new URL(address);
    await command.saying(new RegExp(`ssh -L ${port}:127\\.0\\.0\\.1:${port} HOST`));
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

  test.runIf(IS_DEAR)("a run that is killed and resumed: its page ends as its report", async () => {
    const slower = join(folder, "slower.ts");
    writeFileSync(slower, readFileSync(job, "utf8").replace("2_500", "12_000"));
    const command = run("c", slower);
    const address = await command.saying(ADDRESS);
    const { origin, hash } = new URL(address);
    const headers = { Authorization: `Bearer ${hash.slice(1)}` };
    const reader = (await fetch(`${origin}/rows`, { headers })).body?.getReader();
    const pieces = new Pieces();
    const live = new LiveDocument();
    const until = async (isEnough: () => boolean): Promise<void> => {
      while (!isEnough()) {
        const { value, done = true } = (await reader?.read()) ?? {};
        if (done) throw new Error("the page's server ended");
        for (const { kind, bytes } of pieces.add(value ?? new Uint8Array())) {
          if (kind === ROWS) live.apply(frameFrom(bytes));
          isOver ||= kind === OVER;
        }
      }
    };
    let isOver = false;
    await until(() => live.cursor > 0);
    command.child.kill("SIGKILL");
    const runs = join(folder, ".broomwagon/runs");
    const [id = ""] = readdirSync(runs)
      .filter((one) => !one.startsWith("."))
      .sort()
      .slice(-1);
    const resumed = new Command(folder, "resume", id, "--quiet");
    expect(await resumed.code(), resumed.said).toBe(0);
    await until(() => isOver);
    const whole = gunzipSync(await (await fetch(`${origin}/document`, { headers })).arrayBuffer());
    await new Command(folder, "report", id, "--format", "json", "--out", "c.json").code();
    const reported: unknown = JSON.parse(readFileSync(join(folder, "c.json"), "utf8"));
    expect(JSON.parse(pageJson(documentFrom(whole)))).toEqual(reported);
    expect(live.grown()?.document.attempts.length).toBe(documentFrom(whole).attempts.length);
    await reader?.cancel();
    expect(await isGone(address)).toBe(true);
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
    if (!lacksChromium) await seeStudy(address);
    command.child.kill("SIGINT");
    expect(await command.code()).toBe(0);
    expect(await isGone(address)).toBe(true);
  });
});
