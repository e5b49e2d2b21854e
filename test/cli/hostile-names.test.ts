import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { paperShell } from "./support/screen.ts";

const folder = mkdtempSync(join(tmpdir(), "broomwagon-hostile-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** It clears the screen, writes the clipboard, rings, forges a line and turns the direction. */
const FORGED = "nothing was lost at all";
const HOSTILE = `x\x1b[2J\x1b]52;c;eA==\x07\x9b31m\r\n${FORGED}\n\t\u202egpj\u2066`;
const QUOTED = JSON.stringify(HOSTILE);

/** The text with the JSON string replaced wherever it stands. */
const named = (text: string, ...names: readonly string[]): string =>
  names.reduce((rest, name) => rest.replaceAll(`"${name}"`, QUOTED), text);

const spark = readFileSync("fixtures/spark/two-workers.ndjson", "utf8");
const [, sparkName = ""] = /"App Name":"([^"]+)"/.exec(spark) ?? [];
const [, sparkId = ""] = /"App ID":"([^"]+)"/.exec(spark) ?? [];
const [, stageName = ""] = /"Stage Name":"([^"]+)"/.exec(spark) ?? [];

const ID = "200904211745_0001";
const row = (kind: string, fields: Readonly<Record<string, string | number>>): string =>
  `${kind} ${Object.entries(fields)
    .map(([key, value]) => `${key}="${value}"`)
    .join(" ")} .`;
const T0 = 1_240_336_000_000;
const host = HOSTILE.replaceAll('"', '\\"').replaceAll(".", "\\.");
const taskRows = Array.from({ length: 6 }, (_, n): string => {
  const own = { TASK_TYPE: "MAP", TASKID: `task_${ID}_m_00000${n}` };
  const attempt = { ...own, TASK_ATTEMPT_ID: `attempt_${ID}_m_00000${n}_0` };
  const end = { FINISH_TIME: T0 + 9_000 + 9_000 * (n === 0 ? 1 : 0), TASK_STATUS: "SUCCESS" };
  return [
    row("Task", { ...own, START_TIME: T0 + 1_000 }),
    row("MapAttempt", {
      ...attempt,
      START_TIME: T0 + 1_000,
      TRACKER_NAME: `tracker_${host}:h/1:5`,
    }),
    row("MapAttempt", { ...attempt, ...end, HOSTNAME: host }),
    row("Task", { ...own, ...end }),
  ].join("\n");
});
const jobTracker = [
  row("Meta", { VERSION: 1 }),
  row("Job", { JOBID: `job_${ID}`, JOBNAME: host, USER: host, SUBMIT_TIME: T0 }),
  row("Job", { JOBID: `job_${ID}`, LAUNCH_TIME: T0 + 500, TOTAL_MAPS: 6, TOTAL_REDUCES: 0 }),
  ...taskRows,
  row("Job", { JOBID: `job_${ID}`, FINISH_TIME: T0 + 19_000, JOB_STATUS: "SUCCESS" }),
  "",
].join("\n");

const rumen = JSON.stringify({
  ...{ jobID: `job_${ID}`, jobName: HOSTILE, user: HOSTILE, queue: HOSTILE },
  ...{ submitTime: T0, launchTime: T0, finishTime: T0 + 19_000, outcome: "SUCCESS" },
  mapTasks: Array.from({ length: 6 }, (_, n) => ({
    ...{ taskID: `task_${ID}_m_00000${n}`, taskType: "MAP", preferredLocations: [] },
    ...{ startTime: T0, finishTime: T0 + 9_000 },
    attempts: [
      {
        ...{
          attemptID: `attempt_${ID}_m_00000${n}_0`,
          hostName: `/r/${HOSTILE}`,
          result: "SUCCESS",
        },
        ...{ startTime: T0 + 10, finishTime: T0 + 9_000 + 9_000 * (n === 0 ? 1 : 0) },
      },
    ],
  })),
  ...{ reduceTasks: [], otherTasks: [] },
});

const jhist = readFileSync("fixtures/hadoop/json.jhist", "utf8");
/** A journal is sealed, so its names come from a scenario. */
const scenario = JSON.parse(readFileSync("scenarios/five-nodes-in-trouble.json", "utf8"));
for (const one of [...scenario.jobs, scenario.cluster.nodes[0]]) one.name = HOSTILE;
scenario.faults = [];
const renamed = join(folder, "scenario.json");
writeFileSync(renamed, JSON.stringify(scenario));
const journal = join(folder, "journal.ndjson");
await runProgram(
  ["simulate", renamed, "--discipline", "late", "--seeds", "1", "--journal", journal],
  paperShell(),
);

const LOGS = {
  spark: named(spark, "127.0.0.41", sparkName, sparkId, stageName),
  jhist: named(jhist, "slow-job-1", ...new Set(jhist.match(/(?<="hostname":")[^"]+/g) ?? [])),
  jobtracker: jobTracker,
  rumen,
  journal: readFileSync(journal, "utf8"),
} as const;

const at = (format: string): string => join(folder, format, "log");
for (const [format, text] of Object.entries(LOGS)) {
  mkdirSync(join(folder, format));
  writeFileSync(at(format), text);
}

const page = join(folder, "page");
const report = (format: string, as: string): readonly string[] => [
  ...["report", at(format), "--no-intervals", "--format", as, "--out", page],
];

/** The commands that read histories, as they print for people and as JSON. */
const COMMANDS: readonly ((format: string) => readonly string[])[] = [
  (format) => ["why", at(format), "--no-intervals"],
  (format) => ["why", at(format), "--no-intervals", "--explain", "unexplained"],
  (format) => ["why", at(format), "--no-intervals", "-o", "json"],
  (format) => ["why", join(folder, format), "--jobs"],
  (format) => ["why", at(format), "--no-intervals", "--job", "no such job"],
  (format) => ["whatif", at(format), "--try", "none,late", "--seeds", "2", "--anyway"],
  (format) => ["whatif", at(format), "--try", "none", "--seeds", "2", "-o", "json"],
  (format) => ["whatif", at(format), at(format), "--try", "none", "--seeds", "2"],
  (format) => ["compare", at(format), at(format)],
  (format) => ["compare", at(format), at(format), "-o", "json"],
  (format) => report(format, "json"),
  (format) => ["page", at(format), "--no-intervals"],
  (format) => ["replay", at(format)],
  (format) => ["replay", at(format), "-o", "json"],
];

/** What a terminal or a browser obeys: control characters but line ends, turned directions. */
const UNPRINTABLE = /(?!\n)[\p{Cc}\u2028-\u202e\u2066-\u2069]/u;

describe.each(Object.keys(LOGS))("a hostile name in a log of the format %s", (format) => {
  test("is printed by every command as visible escapes, and forges no line", async () => {
    let shown = 0;
    for (const args of COMMANDS.map((make) => make(format))) {
      const shell = { ...paperShell(), listenForCtrlC: () => AbortSignal.abort() };
      await runProgram(args, shell);
      const said = shell.out.text + shell.err.text;
      expect(said, args.join(" ")).not.toMatch(UNPRINTABLE);
      expect(said, args.join(" ")).not.toMatch(new RegExp(`^\\s*${FORGED}`, "m"));
      expect(said, args.join(" ")).not.toContain("bug:");
      if (said.includes("\\u001b")) shown += 1;
    }
    expect(shown).toBeGreaterThan(1);
  });

  test("is visible on the page and in its other forms", async () => {
    for (const as of ["json", "csv", "chrome-trace"]) {
      await runProgram(report(format, as), paperShell());
      const text = readFileSync(page, "utf8");
      expect(text.includes("gpj"), as).toBe(true);
      const texts = as === "csv" ? text.split("\r\n") : textsIn(JSON.parse(text));
      for (const one of texts) expect(one, as).not.toMatch(UNPRINTABLE);
      expect(texts.join("\n"), as).not.toMatch(new RegExp(`^${FORGED}`, "m"));
    }
  });
});

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
