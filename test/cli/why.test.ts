import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { gunzipSync } from "node:zlib";
import { decompress } from "fzstd";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Ink } from "../../src/cli/ink.ts";
import { runProgram } from "../../src/cli/program.ts";
import { PAPER_FIGURES } from "../../src/report/paper-figures.ts";
import { Paper, paperShell } from "./support/screen.ts";

const JHIST = "fixtures/hadoop/json.jhist";
const SPARK_LOG = "fixtures/spark/two-workers.ndjson";
const SCENARIO = "scenarios/five-nodes-in-trouble.json";

const why = (...args: readonly string[]) => broomwagon("why", ...args);
const whatif = (...args: readonly string[]) => broomwagon("whatif", ...args);

async function broomwagon(...args: readonly string[]) {
  const shell = paperShell();
  const code = await runProgram(args, shell);
  return { code, out: shell.out.text, err: shell.err.text };
}

describe("why", () => {
  test("answers in its first line: response, lost seconds, share", async () => {
    const { code, out } = await why(JHIST);
    expect(code).toBe(0);
    expect(out.split("\n")[0]).toMatch(/^job_1795301165270_0007 took 112 s; [\d.]+ s \(\d+ %\) of/);
    const text = out.replaceAll("\n", " ");
    expect(text).toMatch(
      /3 copies were made, 1 won: they saved at least [\d.]+ s of response time, and/,
    );
    expect(text).toContain("the attempts that lost the race wasted 77.6 slot-seconds.");
    expect(out).toMatch(/^unexplained +[\d.]+ .* map\/5#0/m);
    expect(out).toMatch(/^not in this log: fetch wait, /m);
    // Numbers are aligned right, below their titles.
    expect(out).toMatch(/^outliers of {2}share of tasks {2}times the median/m);
    expect(out).toMatch(/^map {20}20 % {15}\d\.\d {2}/m);
  });

  test("lists the jobs of an application, and explains one alone", async () => {
    const whole = await why(SPARK_LOG, "--no-intervals");
    expect(whole.out).toMatch(/^longest of 2 jobs {2}took s {2}of all {2}lost s/m);
    expect(whole.out).toMatch(
      /^Outside of them: [\d.]+ s \(\d+ %\)\. `--job \d` explains one alone\.$/m,
    );
    const { code, out } = await why(SPARK_LOG, "--job", "1", "--no-intervals");
    expect(code).toBe(0);
    expect(out).toMatch(/^job 1 of app-\S+ \(.+\) took [\d.]+ s; /);
    expect(out).toMatch(/^next: npx broomwagon \w+ fixtures\/spark\/two-workers\.ndjson --job 1/m);
    const { job, units } = JSON.parse((await why(SPARK_LOG, "--stage", "2", "-o", "json")).out);
    expect(job.part).toMatchObject({ name: "stage 2" });
    expect(units).toEqual([]);
    const unknown = await why(SPARK_LOG, "--query", "4");
    expect([unknown.code, unknown.err]).toEqual([
      2,
      `error: --query 4: ${SPARK_LOG} has no queries of SQL, but job 0, job 1\n`,
    ]);
    const months = await why(SPARK_LOG, "--jobs", "--stage", "2");
    expect([months.code, months.err]).toEqual([
      2,
      "error: --stage 2: expected one history, no --jobs\n",
    ]);
  });

  test("on a terminal the answer stands last, and the next command below it", async () => {
    const shell = paperShell();
    const terminal = { ...shell, out: new Paper(true, 100, "none") };
    await runProgram(["why", JHIST], terminal);
    const [piped, shown] = [(await why(JHIST)).out, terminal.out.text];
    const blocks = (text: string): readonly string[] => text.trimEnd().split("\n\n");
    const [answer = "", ...rest] = blocks(piped);
    expect(answer).toMatch(/^job_1795301165270_0007 took 112 s/);
    expect(blocks(shown)).toEqual([...rest.slice(0, -1), answer, rest.at(-1)]);
    expect(rest.at(-1)).toBe(`next: npx broomwagon whatif ${JHIST} --advise`);
  });

  test("colour and weight are taken away by what the terminal shows, letters never", async () => {
    const textOn = async (ink: Ink): Promise<string> => {
      const shell = { ...paperShell(), out: new Paper(true, 100, ink) };
      await runProgram(["why", "fixtures/pairs/spark/off.ndjson.zst"], shell);
      return shell.out.text;
    };
    const [plain, weight, colour] = [
      await textOn("none"),
      await textOn("weight"),
      await textOn("colour"),
    ];
    expect(stripVTControlCharacters(colour)).toBe(plain);
    expect(stripVTControlCharacters(weight)).toBe(plain);
    expect(plain).not.toContain("\u001b");
    expect(colour).toContain("\u001b[33mslow node");
    expect(colour).toContain("\u001b[1mapp-20261123231751-0001 took");
    expect(weight).toContain("\u001b[1mapp-20261123231751-0001 took");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern reads escape sequences.
    expect(weight).not.toMatch(/\u001b\[[34]\d/);
  });

  test("the next command is one that answers", async () => {
    const last = async (...args: readonly string[]): Promise<string | undefined> =>
      (await why(...args, "--no-intervals")).out.trimEnd().split("\n").at(-1);
    // A journal has no settings of another system.
    const journal = "fixtures/pairs/engine/none.ndjson.gz";
    expect(await last(journal)).toBe(`next: npx broomwagon whatif ${journal}`);
    // The simulator does not reproduce this one.
    const copies = "test/replay/yarn/mantri-copies.ndjson";
    expect(await last(copies)).toBe(`next: npx broomwagon report ${copies}`);
    expect((await whatif(copies)).code).toBe(1);
    const folder = mkdtempSync(join(tmpdir(), "broomwagon why-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const copy = join(folder, "it's one");
    cpSync(JHIST, copy);
    const words = copy.replace("'", "'\\''");
    expect(await last(copy)).toBe(`next: npx broomwagon whatif '${words}' --advise`);
  });

  test("control characters in the names of a log are shown and not obeyed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "broomwagon-why-escapes-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const log = join(folder, "log");
    const bad = "h\\u001b[2J\\u001b]52;c;cHduZWQ=\\u0007\\u009b31m";
    const text = readFileSync("fixtures/pairs/spark/off.ndjson.zst");
    const plain = Buffer.from(decompress(text)).toString();
    writeFileSync(log, plain.replaceAll("127.0.0.52", bad));
    const shell = { ...paperShell(), out: new Paper(true, 100, "weight") };
    await runProgram(["why", log], shell);
    const shown = stripVTControlCharacters(shell.out.text);
    expect(shown).toContain(`Node ${bad} ran everything`);
    for (const name of ["compare", "whatif"]) {
      const others = { compare: [log], whatif: ["--try", "none", "--seeds", "2"] }[name] ?? [];
      const piped = paperShell();
      await runProgram([name, log, ...others], piped);
      expect(piped.out.text.length).toBeGreaterThan(100);
      expect(shown + piped.out.text).not.toMatch(/(?![\n\t])\p{Cc}/u);
    }
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
      delayMs: number;
      causes: { ms: number; lowMs: number }[];
    } = JSON.parse(out);
    expect(document.schema).toBe("broomwagon/why@4");
    const sum = document.causes.reduce((total, { ms }) => total + ms, 0);
    expect(sum).toBeCloseTo(document.delayMs, 3);
    expect(document.usualMs + document.delayMs).toBeCloseTo(document.responseMs, 3);
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

  test("lines fit a terminal of 60 columns, except the command to copy", async () => {
    const shell = paperShell(60);
    await runProgram(["why", JHIST], shell);
    const wide = shell.out.text.split("\n").filter((line) => line.length > 60);
    expect(wide).toEqual([`next: npx broomwagon whatif ${JHIST} --advise`]);
  });
});

describe("why --figure", () => {
  test("draws a paper's figure of the history, with its values beside it", async () => {
    const out = mkdtempSync(join(tmpdir(), "broomwagon-figure-"));
    onTestFinished(() => rmSync(out, { recursive: true }));
    const asked = await why(JHIST, "--figure", "mantri-fig2", "--out", out);
    const [svg, csv] = [join(out, "mantri-fig2.svg"), join(out, "mantri-fig2.csv")];
    expect(asked).toEqual({ code: 0, out: `${svg}\n${csv}\n`, err: "" });
    expect(readFileSync(svg, "utf8")).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" /);
    // Two of ten maps take over 1.5 times the median: map/1 and map/5.
    expect(readFileSync(csv, "utf8")).toContain("\r\noutliers,20,100\r\n");
  });

  test("each figure is drawn of a run with copies, recomputes and outliers", async () => {
    const folder = mkdtempSync(join(tmpdir(), "broomwagon-figure-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const journal = join(folder, "j");
    await broomwagon("simulate", SCENARIO, "--discipline", "late", "--journal", journal);
    for (const { name } of PAPER_FIGURES) {
      const { code, err } = await why(journal, "--figure", name, "--out", folder);
      expect({ name, code, err }).toEqual({ name, code: 0, err: "" });
      const values = readFileSync(join(folder, `${name}.csv`), "utf8");
      expect(values).not.toContain("NaN");
      expect(values.split("\r\n").length).toBeGreaterThan(3);
    }
  });

  test("names the figures that there are, and what a history lacks", async () => {
    const { code, err } = await why(JHIST, "--figure", "fig9");
    expect(code).toBe(2);
    expect(err).toContain("--figure fig9: expected one of mantri-fig1, ");
    const lacking = await why(JHIST, "--figure", "mantri-fig6");
    expect(lacking.code).toBe(3);
    expect(lacking.err).toContain(`${JHIST}: expected something that mantri-fig6 shows`);
  });
});
