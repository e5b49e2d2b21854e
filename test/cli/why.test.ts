import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { paperShell } from "./support/screen.ts";

const JHIST = "fixtures/hadoop/json.jhist";

async function why(...args: readonly string[]) {
  const shell = paperShell();
  const code = await runProgram(["why", ...args], shell);
  return { code, out: shell.out.text, err: shell.err.text };
}

describe("why", () => {
  test("answers in its first line: response, lost seconds, share", async () => {
    const { code, out } = await why(JHIST);
    expect(code).toBe(0);
    expect(out.split("\n")[0]).toMatch(/^job_1795301165270_0007 took 112 s; [\d.]+ s \(\d+ %\) of/);
    const text = out.replaceAll("\n", " ");
    expect(text).toMatch(
      /3 copies were made, 1 won: they saved at least [\d.]+ s of response, and/,
    );
    expect(text).toContain("the attempts that lost their race burnt 77.6 slot-seconds.");
    expect(out).toMatch(/^unexplained +[\d.]+ .* map\/5#0/m);
    expect(out).toMatch(/^not in this log: fetch wait, /m);
  });

  test("takes a run by its directory, like `page` and `report`", async () => {
    const run = mkdtempSync(join(tmpdir(), "broomwagon-why-run-"));
    onTestFinished(() => rmSync(run, { recursive: true }));
    const journal = gunzipSync(readFileSync("fixtures/pairs/engine/late.ndjson.gz"));
    writeFileSync(join(run, "journal.ndjson"), journal);
    const { code, out } = await why(run);
    expect(code).toBe(0);
    expect(out).toMatch(/^[\w-]+ took 16\.9 s; /);
  });

  test("the causes and the usual time add up to the response", async () => {
    const { out } = await why(JHIST, "-o", "json");
    const document: {
      schema: string;
      responseMs: number;
      usualMs: number;
      lostMs: number;
      causes: { ms: number; lowMs: number }[];
    } = JSON.parse(out);
    expect(document.schema).toBe("broomwagon/why@1");
    const sum = document.causes.reduce((total, { ms }) => total + ms, 0);
    expect(sum).toBeCloseTo(document.lostMs, 3);
    expect(document.usualMs + document.lostMs).toBeCloseTo(document.responseMs, 3);
    expect(document.causes.every(({ lowMs }) => Number.isFinite(lowMs))).toBe(true);
  });

  test("--fail-on gives exit code 1 if its rule holds, and names it", async () => {
    const { code, err } = await why(JHIST, "--no-intervals", "--fail-on", "lost>10%");
    expect([code, err]).toEqual([1, "failed: lost>10%\n"]);
    expect((await why(JHIST, "--no-intervals", "--fail-on", "lost>90%")).code).toBe(0);
    expect((await why(JHIST, "--no-intervals", "--fail-on", "~unexplained>10s")).code).toBe(1);
    expect((await why(JHIST, "--fail-on", "luck>10%")).code).toBe(2);
  });

  test("--jobs lists the jobs of several histories, the most time lost first", async () => {
    const { code, out } = await why(JHIST, "fixtures/hadoop/binary.jhist", "--jobs");
    expect(code).toBe(0);
    const lost = [...out.matchAll(/^job_\S+ +\S+ +\S+ s +([\d.]+)/gm)].map(([, text]) =>
      Number(text),
    );
    expect(lost).toHaveLength(2);
    expect(lost).toEqual(lost.toSorted((a, b) => b - a));
    expect(out).toContain("2 jobs;");
  });

  test("--explain shows one cause, attempt by attempt", async () => {
    const { out } = await why(JHIST, "--explain", "unexplained");
    expect(out).toMatch(/^unexplained:\n+attempt +seconds of response/m);
    expect((await why(JHIST, "--explain", "magic")).code).toBe(2);
  });

  test("--set changes a limit, which the report names", async () => {
    const { out } = await why(JHIST, "--no-intervals", "--set", "peersMin=5");
    expect(out).toContain("peers >= 5");
    const { code, err } = await why(JHIST, "--set", "peers=5");
    expect([code, err]).toEqual([2, expect.stringContaining("expected LIMIT=NUMBER")]);
  });

  test("a file that is no history, or has nothing to diagnose, gives exit code 3", async () => {
    const directory = mkdtempSync(join(tmpdir(), "broomwagon-why-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const text = join(directory, "text");
    writeFileSync(text, "no history\n");
    const empty = join(directory, "empty");
    writeFileSync(empty, "");
    expect(await why(text)).toMatchObject({
      code: 3,
      err: expect.stringContaining("expected a .jhist"),
    });
    expect(await why(empty)).toMatchObject({ code: 3, err: expect.stringContaining("is empty") });
    expect(await why(join(directory, "none"))).toMatchObject({ code: 3 });
  });

  test("lines fit a terminal of 60 columns", async () => {
    const shell = paperShell(60);
    await runProgram(["why", JHIST], shell);
    const wide = shell.out.text.split("\n").filter((line) => line.length > 60);
    expect(wide).toEqual([]);
  });
});
