import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { MEASURES } from "../../src/history/columns.ts";
import { Run } from "../../src/page/run.ts";
import { slotTimes } from "../../src/page/slot-time.ts";
import { restoreDiscipline } from "../../src/policy/discipline.ts";
import { journalPage } from "../../src/report/page/from-journal.ts";
import { pageOf } from "../../src/report/page/from-trace.ts";
import { paperShell } from "./support/screen.ts";

const ENGINE = gunzipSync(readFileSync("fixtures/pairs/engine/late.ndjson.gz")).toString("utf8");

/** The events after the submission of the only job. */
const LAUNCHES = /"actions":\[[^\n]*$/;

describe("report", () => {
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-report-"));
  const out = join(folder, "report.csv");
  const report = async (text: string, ...flags: readonly string[]) => {
    const journal = join(folder, "journal.ndjson");
    writeFileSync(journal, text);
    rmSync(out, { force: true });
    const shell = paperShell();
    const args = ["report", journal, "--format", "csv", "--out", out, ...flags];
    const code = await runProgram(args, shell);
    return { code, err: shell.err.text.replaceAll(folder, "") };
  };

  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ["an empty one", "", /journal\.ndjson: the file is empty/],
    [
      "one with a changed number",
      ENGINE.replace('"at":16572', '"at":16573'),
      /journal\.ndjson:\d+: the journal is damaged: lines \d+ to \d+ are not what was written/,
    ],
    [
      "one of another version",
      ENGINE.replace('"version":2', '"version":3'),
      /journal\.ndjson:1: .*version/,
    ],
    [
      "a job without attempts",
      ENGINE.split("\n").slice(0, 16).join("\n").replace(LAUNCHES, '"actions":[]}\n'),
      /journal\.ndjson: expected attempts that ran; word-count has none/,
    ],
    ["none at all", "{}\n", /expected a \.jhist of Hadoop, .* or a journal of Broomwagon/],
  ])(
    "a damaged journal, %s, is one sentence with its place, and no file",
    async (_, text, said) => {
      const { code, err } = await report(text);
      expect(err).toMatch(said);
      expect(err.trim().split("\n")).toHaveLength(1);
      expect(code).toBe(3);
      expect(existsSync(out)).toBe(false);
    },
  );

  test("a journal that is cut off in mid-line counts with its whole lines", async () => {
    const { code } = await report(ENGINE.slice(0, 60_000));
    expect(code).toBe(0);
    expect(readFileSync(out, "utf8").split("\r\n").length).toBeGreaterThan(10);
  });

  test("attempts as CSV: one line each, with names", async () => {
    const { code } = await report(ENGINE);
    expect(code).toBe(0);
    const [heads, ...rows] = readFileSync(out, "utf8").trim().split("\r\n");
    // Each declared measure has a column of its own.
    const measures = ["expectedMs", "delayMs", "heldMs", ...MEASURES].map((name) =>
      name.endsWith("At") ? `${name}Ms` : name,
    );
    const names = "job,phase,task,attempt,node,executor,kind,end,reason,locality,slotMs".split(",");
    expect(heads?.split(",")).toEqual([...names, ...measures]);
    expect(rows).toHaveLength(50);
    const copies = rows.filter((row) => row.includes(",speculative,"));
    expect(copies).toEqual([
      expect.stringMatching(/^word-count,map,46,1,n1,,speculative,succeeded,,,599,/),
    ]);
    const cells = copies[0]?.split(",") ?? [];
    const numberAt = (name: string) => Number(cells[heads?.split(",").indexOf(name) ?? -1]);
    expect([numberAt("startedAtMs"), numberAt("endedAtMs")].map(Math.round)).toEqual([
      16_288, 16_887,
    ]);
  });

  test("everything as JSON: the diagnosis, each decision, a row for each attempt", async () => {
    const { code } = await report(ENGINE, "--format", "json", "--no-intervals");
    expect(code).toBe(0);
    const page = JSON.parse(readFileSync(out, "utf8"));
    expect(page).toMatchObject({ schema: "broomwagon/page@3", title: "word-count" });
    expect(page.attempts).toHaveLength(50);
    expect(
      page.attempts.find(({ kind }: { kind: string }) => kind === "speculative"),
    ).toMatchObject({
      phase: "map",
      task: 46,
      attempt: 1,
      node: "n1",
      startedAtMs: 16_288,
      endedAtMs: 16_887,
    });
    expect(page.decisions.map(({ what }: { what: string }) => what)).toEqual(
      expect.arrayContaining(["speculative", "kill", "job succeeded"]),
    );
    const lost = page.why.causes.reduce((sum: number, { ms }: { ms: number }) => sum + ms, 0);
    expect(lost).toBeCloseTo(page.why.delayMs, 3);
  });

  test("a measure of one format is in CSV and JSON: the size of Spark's results", async () => {
    const log = "fixtures/spark/two-workers.ndjson";
    const sizes = readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line.includes('"SparkListenerTaskEnd"'))
      .map((line): number => JSON.parse(line)["Task Metrics"]["Result Size"]);
    const write = async (format: string): Promise<string> => {
      const args = ["report", log, "--no-intervals", "--format", format, "--out", out];
      expect(await runProgram(args, paperShell())).toBe(0);
      return readFileSync(out, "utf8");
    };
    const [heads = "", ...lines] = (await write("csv")).trim().split("\r\n");
    const at = heads.split(",").indexOf("resultBytes");
    const inCsv = lines.map((row) => row.split(",")[at] || null);
    const { attempts } = JSON.parse(await write("json"));
    const inJson = attempts.map(({ resultBytes }: { resultBytes: number | null }) => resultBytes);
    expect(inJson).toEqual(inCsv.map((text) => text && Number(text)));
    // A killed task reports zeros, which say nothing.
    const known = sizes.filter((size) => size > 0);
    expect(inJson.filter((size: number | null) => size !== null).sort()).toEqual(known.sort());
  });

  test("the slot time of a lost attempt ends with its node's last word, in all files", async () => {
    const path = join(folder, "lost.ndjson");
    const scenario = "scenarios/five-nodes-in-trouble.json";
    await runProgram(
      ["simulate", scenario, "--discipline", "late", "--seeds", "1", "--journal", path],
      paperShell(),
    );
    const journal = readFileSync(path, "utf8");
    await report(journal, "--format", "json", "--no-intervals", "--whatif", "none");
    const { attempts, why } = JSON.parse(readFileSync(out, "utf8"));
    await report(journal, "--format", "csv");
    const [heads = "", ...lines] = readFileSync(out, "utf8").trim().split("\r\n");
    const names = heads.split(",");
    const rows = lines.map((line) => {
      const cells = line.split(",");
      return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ""]));
    });
    const lost = rows.filter(({ end }) => end === "lost");
    const times = ({
      startedAtMs,
      heardAtMs,
      endedAtMs,
      slotMs,
    }: Record<string, string | number>) =>
      [startedAtMs, heardAtMs, endedAtMs, slotMs].map((ms) => Math.round(Number(ms)));
    expect(attempts.map(times)).toEqual(rows.map(times));
    const [, heardAtMs, endedMs] = times(lost.find(({ task }) => task === "18") ?? {});
    expect([heardAtMs, endedMs]).toEqual([49_131, 64_131]);
    const sum = (some: typeof rows) => some.reduce((ms, { slotMs }) => ms + Number(slotMs), 0);
    const heard = lost.map((row) => Number(row.heardAtMs) - Number(row.startedAtMs));
    expect(sum(lost)).toBeCloseTo(
      heard.reduce((ms, one) => ms + one, 0),
      3,
    );
    const own = rows.filter(({ job }) => job === why.job.name);
    expect(why.slotMs).toBeCloseTo(sum(own), 3);
  });

  test("of several jobs, the report is about the one that lost most, not the longest", async () => {
    const path = join(folder, "jobs.ndjson");
    const scenario = "scenarios/five-nodes-in-trouble.json";
    const row = ["--discipline", "late", "--seeds", "1"];
    await runProgram(["simulate", scenario, ...row, "--journal", path], paperShell());
    const flags = ["--format", "json", "--no-intervals", "--whatif", "none", "--against", path];
    await report(readFileSync(path, "utf8"), ...flags);
    const { jobs, whyJob, why, whatif, compare } = JSON.parse(readFileSync(out, "utf8"));
    const [worst, other] = [jobs[whyJob], jobs[1 - whyJob]];
    const tookMs = (job: typeof worst) => job.endedAt - job.submittedAt;
    expect(tookMs(other)).toBeGreaterThan(tookMs(worst));
    expect(other.delayMs).toBeLessThan(worst.delayMs);
    const asked = [why.job.name, whatif.job, compare.a.id, compare.b.id];
    expect(asked).toEqual([worst.name, worst.name, worst.name, worst.name]);
  });

  test("where the simulator does not reproduce the record, a what-if has no rows", async () => {
    const copies = readFileSync("test/replay/yarn/mantri-copies.ndjson", "utf8");
    const flags = ["--format", "json", "--no-intervals", "--whatif", "late,none"];
    const { code } = await report(copies, ...flags);
    expect(code).toBe(0);
    const { whatif } = JSON.parse(readFileSync(out, "utf8"));
    expect(whatif).toMatchObject({ gate: { verdict: "bad" }, rows: [] });
    expect(whatif.verdict[0]).toMatch(/^No answer: the simulator does not reproduce this job/);
  });

  test("beside another run: changes add up to the difference, and its timeline", async () => {
    const other = join(folder, "none.ndjson");
    writeFileSync(other, gunzipSync(readFileSync("fixtures/pairs/engine/none.ndjson.gz")));
    const flags = ["--format", "json", "--no-intervals", "--against", other];
    const { code } = await report(ENGINE, ...flags);
    expect(code).toBe(0);
    const { compare, other: beside } = JSON.parse(readFileSync(out, "utf8"));
    expect(compare.changeMs).toBe(compare.b.responseMs - compare.a.responseMs);
    const changes = compare.causes.map(({ changeMs }: { changeMs: number }) => changeMs);
    const total = changes.reduce((sum: number, ms: number) => sum + ms, 0);
    expect(total).toBeCloseTo(compare.changeMs, 3);
    expect(beside.attempts).toHaveLength(48 + 1);
  });

  test("beside another run: the faults of both", async () => {
    const demo = gunzipSync(readFileSync("fixtures/page/demo.ndjson.gz")).toString("utf8");
    const same = join(folder, "demo.ndjson");
    writeFileSync(same, demo);
    await report(demo, "--format", "json", "--no-intervals", "--against", same);
    const { spans, other: beside } = JSON.parse(readFileSync(out, "utf8"));
    expect(spans.map(({ what }: { what: string }) => what)).toContain("fault");
    expect(beside.spans).toEqual(spans);
  });
});

describe("the data of a page", () => {
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-told-"));
  const linesOf = (name: string): readonly string[] =>
    readFileSync(join(folder, name), "utf8").trimEnd().split("\n");
  const pageFrom = (name: string, by: "actions" | "replay") => {
    const page = journalPage(linesOf(name), (one) => restoreDiscipline(one), { place: name, by });
    return pageOf(page.trace, { ...page, source: name, intervals: false });
  };

  beforeAll(async () => {
    const set = ["--discipline", "late", "--set", "speculation.speculativeCap=0.1"];
    const args = ["simulate", "scenarios/late-5.4.json", ...set, "--seeds", "1", "--journal"];
    await runProgram([...args, join(folder, "plain")], paperShell());
    await runProgram([...args, join(folder, "explained"), "--explain"], paperShell());
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  test("reconstructed refusals equal those that a journal records", () => {
    const worked = pageFrom("plain", "replay").head.refusals;
    expect(worked.length).toBeGreaterThan(10);
    expect(worked.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(1_000);
    expect(worked).toEqual(pageFrom("explained", "actions").head.refusals);
    expect(pageFrom("plain", "actions").head.refusals).toEqual([]);
  });

  test("slot time sums to slots times the run's time", () => {
    const document = pageFrom("plain", "actions");
    const parts = slotTimes(new Run(document));
    const sum = parts.reduce((total, { ms }) => total + ms, 0);
    expect(sum).toBeCloseTo(document.head.offeredMs ?? 0, 3);
    // 40 nodes with two slots of each kind.
    expect(document.head.offeredMs).toBeCloseTo(160 * document.head.endsAt, 3);
  });
});
