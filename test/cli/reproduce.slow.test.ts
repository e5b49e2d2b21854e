import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const bin = fileURLToPath(new URL("../../bin/broomwagon.js", import.meta.url));

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "broomwagon-reproduce-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function reproduce(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, "reproduce", ...args], {
    cwd: folder,
    encoding: "utf8",
    timeout: 120_000,
  });
  return { code: status, out: stdout, err: stderr };
}

const MARKED = "<!-- reproduction:late -->\nas it was\n<!-- /reproduction -->\n";
const SLOW_NODE = ["late", "--figure", "s5.4.3", "--runs", "2"];

describe("reproduce", () => {
  test("ends in the score, and writes rows, tables and the page", () => {
    const { code, out } = reproduce(...SLOW_NODE, "--out", "a");
    expect(code).toBe(0);
    expect(out.trimEnd().split("\n").at(-1)).toBe(
      "ratios 3 of 3 within, 0 contradicted, 0 undecided",
    );
    expect(readdirSync(join(folder, "a")).sort()).toEqual([
      "index.html",
      "results.csv",
      "results.json",
      "tables.txt",
      "units",
    ]);
    const { rows }: { readonly rows: unknown } = JSON.parse(
      readFileSync(join(folder, "a", "results.json"), "utf8"),
    );
    expect(rows).toContainEqual({
      paper: "late",
      figure: "s5.4.3",
      setting: "without SlowNodeThreshold",
      metric: "response, minutes",
      tag: "ratio",
      published: 5.8,
      measured: 5.8,
      low: 5.8,
      high: 5.8,
      verdict: "within",
    });
  });

  test("with one run shows the numbers and decides nothing", () => {
    const { out } = reproduce("late", "--figure", "s5.4.3", "--runs", "1", "--out", "one");
    expect(out).toMatch(
      /^without SlowNodeThreshold +response, minutes +5\.8 +5\.8 +1 .*undecided$/m,
    );
    expect(out.trimEnd().split("\n").at(-1)).toBe(
      "ratios 0 of 3 within, 0 contradicted, 3 undecided",
    );
  });

  test("refuses an unwritable output before anything is run", () => {
    mkdirSync(join(folder, "taken", "results.json"), { recursive: true });
    mkdirSync(join(folder, "pages"));
    writeFileSync(join(folder, "pages", "late.md"), MARKED);
    for (const [args, message] of [
      [["--out", "taken"], /taken\/results\.json: expected a file to write: this is a directory/],
      [["--out", "o", "--docs", "nowhere"], /nowhere: expected a directory of Markdown files/],
    ] as const) {
      const { code, err } = reproduce("late", "--runs", "2", ...args);
      expect(code).toBe(2);
      expect(err).toMatch(message);
      expect(err).not.toContain("units");
    }
    // A table with only one figure's rows would have holes.
    const { code, err } = reproduce(...SLOW_NODE, "--out", "o", "--docs", "pages");
    expect(code).toBe(2);
    expect(err).toMatch(/--docs: expected no --figure/);
    expect(readFileSync(join(folder, "pages", "late.md"), "utf8")).toBe(MARKED);
  });

  test("continues with kept outcomes: nothing is left to do the second time", () => {
    const lines = (): string =>
      readFileSync(join(folder, "b", "units", "late-slow-node.ndjson"), "utf8");
    reproduce(...SLOW_NODE, "--out", "b");
    const kept = lines();
    const { out, err } = reproduce(...SLOW_NODE, "--out", "b");
    expect(err.split("\n")[0]).toMatch(/^100 %, 2 of 2 units/);
    expect(lines()).toBe(kept);
    expect(out).toContain("ratios 3 of 3 within");
  });

  test("gives the same rows on one thread as on many", () => {
    const rows = (workers: string): string => {
      const args = ["late", "--figure", "fig11", "--runs", "2", "--out", `w${workers}`];
      return reproduce(...args, "--workers", workers, "-o", "json").out;
    };
    expect(rows("1")).toBe(rows("3"));
  });

  test("stopped by Ctrl-C, it keeps finished units, and ends with 130", async () => {
    const args = [bin, "reproduce", "late", "--figure", "fig10", "--runs", "50", "--out", "c"];
    const child = spawn(process.execPath, args, { cwd: folder });
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
      if (err.includes("10 %")) child.kill("SIGINT");
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect(code).toBe(130);
    expect(err).toContain("stopped; what is done is kept in c: run it again to go on");
    const units = join(folder, "c", "units", "late-sensitivity.ndjson");
    expect(readFileSync(units, "utf8").split("\n").length).toBeGreaterThan(30);
  });

  test.each([
    [["nobody"], /Allowed choices are late, mantri, esplash, elephant, all/],
    [["late", "--figure", "fig99"], /--figure fig99: expected one of .*fig4/],
    [
      ["late", "--figure", "s5.4.3", "--out", "/proc/here"],
      /\/proc\/here: expected a directory that can be made/,
    ],
    [
      ["late", "--figure", "s5.4.3", "--out", "/proc/here/and/there"],
      /\/proc\/here: expected a directory that can be made/,
    ],
    [["late", "--figure", "s5.4.3", "--out", bin], /broomwagon\.js: expected a directory, found a/],
    [["late", "--runs", "0"], /Expected a whole number, 1 or more/],
    [["late", "--scale", "huge"], /Allowed choices are sample, full/],
  ])("refuses %j", (args, message) => {
    const { code, err } = reproduce(...args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});
