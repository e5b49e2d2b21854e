import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { withHistories } from "../../src/cli/history/reading.ts";
import { runProgram } from "../../src/cli/program.ts";
import { REGISTRY } from "../../src/policy/registry.ts";
import { Paper, paperShell, screenOf } from "./support/screen.ts";

const folder = mkdtempSync(join(tmpdir(), "broomwagon-histories-"));
const at = (name: string): string => join(folder, name);
const page = at("page.json");

beforeAll(async () => {
  const jhist = readFileSync("fixtures/hadoop/json.jhist", "utf8");
  const spark = readFileSync("fixtures/spark/two-workers.ndjson", "utf8");
  const packed = readFileSync("fixtures/pairs/engine/late.ndjson.gz");
  const journal = gunzipSync(packed).toString("utf8");
  const lines = spark.trimEnd().split("\n");
  const files: readonly (readonly [string, string | Uint8Array])[] = [
    ["job.jhist", jhist],
    ["app-1", spark],
    ["journal.gz", packed],
    ["empty", ""],
    ["text", "no history\n"],
    ["cut.jhist", jhist.slice(0, 0.7 * jhist.length)],
    ["cut-app", spark.slice(0, 0.7 * spark.length)],
    ["cut.ndjson", journal.slice(0, 60_000)],
    ["cut-line.gz", gzipSync(journal.slice(0, 60_000))],
    ["cut.gz", packed.subarray(0, 0.7 * packed.length)],
    ["idle-app", lines.filter((line) => !line.includes("SparkListenerTask")).join("\n")],
    ["rolling/events_1_app", `${lines.slice(0, 100).join("\n")}\n`],
    ["rolling/events_2_app", `${lines.slice(100).join("\n")}\n`],
    ["rolling/appstatus_app", ""],
    ["one/job.jhist", jhist],
    ["several/app-1", spark],
    ["several/job.jhist", jhist],
    ["several/the-same.jhist", jhist],
    ["several/text", "no history\n"],
    ["run/journal.ndjson", journal],
  ];
  for (const name of ["rolling", "one", "several", "run", "none"]) mkdirSync(at(name));
  for (const [name, content] of files) writeFileSync(at(name), content);
  const scenario = "scenarios/five-nodes-in-trouble.json";
  const args = ["--discipline", "late", "--journal", at("jobs.ndjson")];
  await runProgram(["simulate", scenario, ...args], paperShell());
});

afterAll(() => rmSync(folder, { recursive: true }));

/** The arguments of the commands that read histories; none starts a long computation. */
const ARGS = {
  why: (path: string) => ["why", path, "--no-intervals"],
  whatif: (path: string) => ["whatif", path, "--try", "none", "--seeds", "2"],
  compare: (path: string) => ["compare", path, path],
  report: (path: string) => {
    return ["report", path, "--no-intervals", "--format", "json", "--out", page];
  },
  page: (path: string) => ["page", path, "--no-intervals"],
} as const;

type Name = keyof typeof ARGS;

const ALL: readonly Name[] = ["why", "whatif", "compare", "report", "page"];

/** A served page ends at once. */
async function broomwagon(name: Name, file: string, ...flags: readonly string[]) {
  const shell = { ...paperShell(), listenForCtrlC: () => AbortSignal.abort() };
  const code = await runProgram([...ARGS[name](at(file)), ...flags], shell);
  return { code, out: shell.out.text, err: shell.err.text };
}

const refused = (code: number, said: string) => ({ code, out: "", err: `error: ${said}\n` });

const UNKNOWN =
  "expected a .jhist of Hadoop, Rumen's JSON, a JobTracker log, an event log of Spark, or a " +
  "journal of Broomwagon";

describe.each(ALL)("%s refuses, as all commands do,", (name) => {
  test.each([
    ["empty", "the file is empty"],
    ["text", UNKNOWN],
    ["missing", "no such file"],
  ])("%s: %s", async (file, said) => {
    expect(await broomwagon(name, file)).toEqual(refused(3, `${at(file)}: ${said}`));
  });
});

describe.each(["why", "whatif", "compare", "report"] as const)("%s", (name) => {
  test("refuses a job without attempts in the words of the others", async () => {
    const said =
      "expected attempts that ran; app-20261121223656-0000 has none, only 4 stages of 20 tasks " +
      "without their events: SparkListenerTaskEnd has the times of tasks";
    const found = await broomwagon(name, "idle-app");
    expect(found).toEqual(refused(3, `${at("idle-app")}: ${said}`));
  });
});

describe.each(["why", "whatif", "compare", "report"] as const)("%s --job", (name) => {
  test("refuses an unknown job in the words of the others", async () => {
    const said = `--job nope: ${at("jobs.ndjson")} has the jobs count-0, count-1`;
    expect(await broomwagon(name, "jobs.ndjson", "--job", "nope")).toEqual(refused(2, said));
  });

  test("takes the name of a job, too", async () => {
    const [byId, byName] = [
      await broomwagon(name, "job.jhist", "--job", "job_1795301165270_0007"),
      await broomwagon(name, "job.jhist", "--job", "slow-job-1"),
    ];
    expect(withoutTime(byName)).toEqual(withoutTime(byId));
    expect(byName.code).toBe(0);
  });
});

describe.each(["compare", "report", "page"] as const)("%s takes one history", (name) => {
  test.each([
    ["none", "none"],
    ["several", "4"],
  ])("of a directory, not %s", async (file, count) => {
    const said = `${at(file)}: expected one history, found ${count} in a directory`;
    expect(await broomwagon(name, file)).toEqual(refused(3, said));
  });
});

describe.each(ALL)("%s reads the same history", (name) => {
  test.each([
    ["in rolled files", "rolling", "app-1"],
    ["alone in a directory", "one", "job.jhist"],
  ])("%s", async (_, folded, plain) => {
    const [found, expected] = [await broomwagon(name, folded), await broomwagon(name, plain)];
    expect(found.code).toBe(0);
    const names = [at(`${folded}/${plain}`), at(folded), at(plain)];
    expect(withoutTime(found, names)).toEqual(withoutTime(expected, names));
  });
});

/** Without the names of histories and what changes from run to run. */
function withoutTime(
  { code, out, err }: { code: number; out: string; err: string },
  names: readonly string[] = [],
) {
  const strip = (text: string): string =>
    names
      .reduce((rest, name) => rest.replaceAll(name, "HISTORY"), text)
      .replaceAll(/[\d.]+ k?B|[\d.]+ s$|:\d{4,5}\b|\b\d{4,5}:127|#\S+/gm, "...");
  return { code, out: strip(out), err: strip(err) };
}

describe("a history that is cut off counts up to there, and a note says so", () => {
  test.each(["cut.jhist", "cut-app", "cut.ndjson", "cut-line.gz", "cut.gz"])("%s", async (file) => {
    const why = await broomwagon("why", file, "-o", "json");
    const report = await broomwagon("report", file);
    expect([why.code, report.code, why.err, report.err]).toEqual([0, 0, "", ""]);
    const notes = JSON.parse(why.out).notes.map(({ kind }: { kind: string }) => kind);
    expect(notes).toContain("cut-off");
    const shown = JSON.parse(readFileSync(page, "utf8")).notes;
    expect(shown.map(({ kind }: { kind: string }) => kind)).toContain("cut-off");
  });
});

test("several histories have a line each job, and what cannot be read is named below", async () => {
  const why = await broomwagon("why", "several");
  expect(why.code).toBe(0);
  expect(why.out.match(/^(app|job)\S+/gm)).toEqual([
    "app-20261121223656-0000",
    "job_1795301165270_0007",
  ]);
  const whatif = await broomwagon("whatif", "several");
  expect(whatif.code).toBe(0);
  for (const { out } of [why, whatif]) {
    expect(out).toMatch(/^2 jobs; /m);
    expect(out).toContain(`not read: ${at("several/text")}: ${UNKNOWN}\n`);
  }
  const unread = [{ history: at("several/text"), reason: `${at("several/text")}: ${UNKNOWN}` }];
  for (const name of ["why", "whatif"] as const) {
    const { out } = await broomwagon(name, "several", "-o", "json");
    expect(JSON.parse(out).unread).toEqual(unread);
  }
});

test.each([true, false])(
  "progress is one line, on a terminal alone (%s), and goes",
  async (isLive) => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const err = new Paper(isLive);
    const means = { registry: REGISTRY, shell: { ...paperShell(), err } };
    const history = { path: at("rolling/events_1_app"), name: "app" };
    await withHistories([history], means, async (reading) => {
      reading.onStored(1_000);
      expect(err.text).toBe("");
      vi.advanceTimersByTime(1_000);
      reading.onStored(1_000);
      const [drawn = "", ...others] = screenOf(err.text);
      expect(drawn).toMatch(
        isLive ? /^read 2\.0 kB of [\d.]+ kB, 2\.0 kB\/s, [\d.]+ s left$/ : /^$/,
      );
      expect(others).toEqual([]);
      reading.onRun("app: ")(20, 200);
      expect(screenOf(err.text)).toEqual(isLive ? ["app: simulated 20 of about 200 runs"] : []);
      reading.say("a line that stays");
      reading.show("gone");
    });
    expect(screenOf(err.text)).toEqual(["a line that stays"]);
  },
);
