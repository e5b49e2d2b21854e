import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { Pieces } from "../../src/page/wire/pieces.ts";
import type { PageDocument } from "../../src/report/page/document.ts";
import { documentFrom } from "../../src/report/page/document-bytes.ts";
import { LiveDocument } from "../../src/report/page/live/document.ts";
import { frameFrom } from "../../src/report/page/live/frame.ts";
import { pageJson } from "../../src/report/page/page-json.ts";
import { ROOT } from "../../tools/cluster/repository.ts";
import { expectAccessible } from "./support/accessible.ts";
import { lacksChromium, open } from "./support/browser.ts";
import { inBrowser } from "./support/in-browser.ts";

/** A command with a page beside it, and its standard error so far. */
class Command {
  static readonly #begun: ChildProcess[] = [];
  readonly child: ChildProcess;
  #said = "";

  constructor(cwd: string, ...args: readonly string[]) {
    const stdio = ["ignore", "pipe", "pipe"] as const;
    const all = [join(ROOT, "bin/broomwagon.js"), ...args];
    this.child = spawn(process.execPath, all, { cwd, stdio: [...stdio] });
    Command.#begun.push(this.child);
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#said += text;
    });
  }

  /** The processes that a failed test has left. */
  static endAll(): void {
    for (const child of Command.#begun) if (child.exitCode === null) child.kill("SIGKILL");
  }

  get said(): string {
    return this.#said;
  }

  /** The first match of the pattern in the command's messages. */
  async saying(pattern: RegExp, withinS = 15): Promise<string> {
    for (let n = 0; n < 20 * withinS; n++) {
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

/**
 * A demo is several runs; `resume` ends the one that was killed. It takes ten seconds of CPU time,
 * so a run of one map stands for it: PAGE_DEAR=1 runs demos too.
 */
const IS_DEAR = process.env.PAGE_DEAR === "1";
/** Kinds of what a server streams. */
const [ROWS, OVER, FAILED] = [0, 1, 2];

/** Reads a page's rows like the page itself. */
class Reader {
  readonly live = new LiveDocument();
  isOver = false;
  readonly #address: URL;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #pieces = new Pieces();

  private constructor(address: URL, response: Response) {
    this.#address = address;
    this.#reader = response.body?.getReader();
  }

  static async of(address: string): Promise<Reader> {
    const url = new URL(address);
    return new Reader(url, await Reader.#get(url, "/rows"));
  }

  static #get({ origin, hash }: URL, path: string): Promise<Response> {
    const headers = { Authorization: `Bearer ${hash.slice(1)}` };
    return fetch(`${origin}${path}`, { headers });
  }

  async until(isEnough: () => boolean): Promise<void> {
    while (!isEnough()) {
      const { value, done = true } = (await this.#reader?.read()) ?? {};
      if (done) throw new Error("the page's server ended");
      for (const { kind, bytes } of this.#pieces.add(value ?? new Uint8Array())) {
        if (kind === ROWS) this.live.apply(frameFrom(bytes));
        if (kind === FAILED) throw new Error(new TextDecoder().decode(bytes));
        this.isOver ||= kind === OVER;
      }
    }
  }

  /** The page's final document, which its server offers for two seconds. */
  async atEnd(): Promise<PageDocument> {
    await this.until(() => this.isOver);
    const response = await Reader.#get(this.#address, "/document");
    const whole = documentFrom(gunzipSync(await response.arrayBuffer()));
    await this.#reader?.cancel();
    return whole;
  }
}

/** What a run recorded of its attempts, in any order; the diagnosis adds other columns. */
const recordedOf = ({ attempts }: PageDocument): readonly string[] =>
  Array.from({ length: attempts.length }, (_, i) =>
    (["startedAt", "endedAt", "phase", "task", "ordinal", "node", "kinds", "ends"] as const)
      .map((name) => attempts[name][i])
      .join(),
  ).sort();

/** The study is the first link; its bars have an axis with a unit, and end within it. */
async function seeStudy(browser: Browser, address: string): Promise<void> {
  const { page } = await open(browser, address);
  const study = page.locator("#study");
  await study.waitFor();
  expect(await page.locator("nav a").first().textContent()).toBe("study");
  expect(await study.locator("th.bar").textContent()).toMatch(/, 0 to [\d.]+ s$/);
  for (const bar of await study.locator(".interval b").all()) {
    const { left, width } = await bar.evaluate(({ style }) => ({ ...style }));
    expect(Number.parseFloat(left ?? "") + Number.parseFloat(width ?? "")).toBeLessThan(100);
  }
  await page.keyboard.press(".");
  await expectAccessible(page, "odd");
}

/** The page's answer to its first request for rows; undefined if nothing answers. */
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
      const isPage = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("/page.js\0");
      return Number(parentId) === parent && isPage;
    } catch {
      // The process has ended meanwhile.
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
  const here = inBrowser("beside");
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-beside-"));
  const input = join(folder, "words.txt");
  writeFileSync(input, "one\n");
  const job = join(folder, "slow.ts");
  // Its map runs until the test creates the file `go`.
  const go = join(folder, "go");
  writeFileSync(
    job,
    `import { existsSync } from "node:fs";
    import { defineJob, sum, text } from "broomwagon/job";
    export default defineJob({
      input: text(),
      *map(line: string) {
        const still = new Int32Array(new SharedArrayBuffer(4));
        while (!existsSync(${JSON.stringify(go)})) Atomics.wait(still, 0, 0, 20);
        yield [line, 1];
      },
      reduce: sum(),
    });`,
  );
  const run = (output: string) =>
    new Command(folder, "run", job, "--ui", "--output", output, "--input", input);

  afterAll(() => {
    Command.endAll();
    rmSync(folder, { recursive: true });
  });

  const runs = join(folder, ".broomwagon/runs");
  const idsOf = (): readonly string[] =>
    existsSync(runs) ? readdirSync(runs).filter((one) => !one.startsWith(".")) : [];

  /** The page that a reader sees at the end is the page that `report` writes, table by table. */
  async function expectReport(reader: Reader, id: string, ...flags: readonly string[]) {
    const whole = await reader.atEnd();
    const report = new Command(
      folder,
      "report",
      id,
      ...flags,
      "--format",
      "json",
      "--out",
      "c.json",
    );
    expect(await report.code(), report.said).toBe(0);
    const reported: unknown = JSON.parse(readFileSync(join(folder, "c.json"), "utf8"));
    expect(JSON.parse(pageJson(whole))).toEqual(reported);
    const grown = reader.live.grown()?.document;
    expect(grown && recordedOf(grown)).toEqual(recordedOf(whole));
  }

  test("run --ui: killing the page ends no job, which says how to see it again", async () => {
    const command = run("b");
    const address = await command.saying(ADDRESS);
    const { port } = new URL(address);
    await command.saying(new RegExp(`ssh -L ${port}:127\\.0\\.0\\.1:${port} HOST`));
    expect(await rowsOf(address)).toBe(200);
    process.kill(pageOf(command.child.pid ?? 0), "SIGKILL");
    expect(await isGone(address)).toBe(true);
    writeFileSync(go, "");
    expect(await command.code()).toBe(0);
    expect(command.said).toMatch(/`broomwagon page \d+-\d+-\w+` shows it again/);
  });

  test("run --ui: killed and resumed, the page ends as the report; then it is gone", async () => {
    rmSync(go, { force: true });
    const before = idsOf();
    const command = run("c");
    const address = await command.saying(ADDRESS);
    const reader = await Reader.of(address);
    await reader.until(() => reader.live.cursor > 0);
    command.child.kill("SIGKILL");
    const [id = ""] = idsOf().filter((one) => !before.includes(one));
    writeFileSync(go, "");
    const resumed = new Command(folder, "resume", id, "--quiet");
    await expectReport(reader, id);
    expect(await resumed.code(), resumed.said).toBe(0);
    expect(await isGone(address)).toBe(true);
  });

  describe.runIf(IS_DEAR)("demo --ui", () => {
    const demo = (...flags: readonly string[]) =>
      new Command(folder, "demo", "--megabytes", "10", "--kill", "--ui", ...flags);

    test("LATE's run stays beside the one of its pair without copies, until Ctrl-C", async () => {
      const before = idsOf();
      // The second pair begins with LATE.
      const command = demo("--runs", "2");
      await command.saying(/The page stays until Ctrl-C/, 240);
      const reader = await Reader.of(await command.saying(ADDRESS));
      const [, , late = "", none = ""] = idsOf().filter((one) => !before.includes(one));
      await expectReport(reader, late, "--against", none);
      command.child.kill("SIGINT");
      expect(await command.code()).toBe(0);
    }, 300_000);

    test("killed in its last run, which is resumed: the page ends as the report", async () => {
      const before = idsOf();
      const command = demo("--runs", "1");
      const address = await command.saying(ADDRESS);
      let [none = "", late = ""]: readonly string[] = [];
      const hasBegun = (): boolean => {
        [none = "", late = ""] = idsOf().filter((one) => !before.includes(one));
        const journal = join(runs, late, "journal.ndjson");
        return late !== "" && readFileSync(journal, "utf8").includes('"attempt-progressed"');
      };
      await expect.poll(hasBegun, { timeout: 120_000 }).toBe(true);
      const reader = await Reader.of(address);
      await reader.until(() => reader.live.cursor > 0);
      command.child.kill("SIGKILL");
      const resumed = new Command(folder, "resume", late, "--quiet");
      await expectReport(reader, late, "--against", none);
      expect(await resumed.code(), resumed.said).toBe(0);
      expect(await isGone(address)).toBe(true);
    }, 180_000);
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
    if (!lacksChromium) await seeStudy(here.browser, address);
    command.child.kill("SIGINT");
    expect(await command.code()).toBe(0);
    expect(await isGone(address)).toBe(true);
  });
});
