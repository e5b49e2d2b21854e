import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../engine/place.ts";
import { measure } from "../measure.ts";
import { repeatLog } from "./repeat-log.ts";

export const HISTORY_USAGE: string =
  "npm run bench -- history [--log FILE] [--mb 300] [--line MB] [--zstd] [--why] [-o json]";

const MB = 1e6;
const RUNS = 3;

/**
 * Repeats an event log of Spark to a given size, and measures how fast and in how much memory it is
 * read, and with `--why` diagnosed. `--line` adds one line of that size, as the plan of a query is.
 * Undefined if the arguments are no command.
 */
export async function historyBench(args: readonly string[]): Promise<boolean | undefined> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      log: { type: "string", default: join(ROOT, "fixtures/spark/two-workers.ndjson") },
      mb: { type: "string", default: "300" },
      line: { type: "string", default: "0" },
      zstd: { type: "boolean", default: false },
      why: { type: "boolean", default: false },
      format: { type: "string", short: "o", default: "table" },
    },
  });
  const size = Number(values.mb);
  if (positionals.join(" ") !== "history" || !(size > 0)) return undefined;
  const directory = join(tmpdir(), `broomwagon-bench-${process.pid}`);
  mkdirSync(directory, { recursive: true });
  try {
    const file = join(directory, "events");
    await repeatLog(values.log, file, size * MB);
    addLine(file, Number(values.line) * MB);
    const plainMB = statSync(file).size / MB;
    const read = values.zstd ? compressed(file) : file;
    const print = (row: object, text: string) =>
      console.log(values.format === "json" ? JSON.stringify(row) : text);
    measureReading(read, plainMB, print);
    if (values.why) measureWhy(read, print);
    return true;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** One event of this many bytes at the end of the log; none if they are 0. */
function addLine(file: string, bytes: number): void {
  if (!(bytes > 0)) return;
  const plan = "Project [a#1, b#2] ".repeat(50_000);
  appendFileSync(file, `{"Event":"${PLAN}","physicalPlanDescription":"`);
  for (let size = 0; size < bytes; size += plan.length) appendFileSync(file, plan);
  appendFileSync(file, '","time":1}\n');
}

const PLAN = "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart";

type Print = (row: object, text: string) => void;

function measureReading(file: string, plainMB: number, print: Print): void {
  const runs = repeated(() => measure("./history/read-run.js", [file], READ));
  const { readMs, attempts, rssBytes } = median(runs, ({ readMs }) => readMs);
  const row = { plainMB, attempts, readMs, rssBytes };
  const rate = `${Math.round(plainMB / (readMs / 1_000))} MB/s of plain log`;
  const memory = `${Math.round(rssBytes / MB)} MB of memory`;
  print(row, `read ${Math.round(plainMB)} MB, ${attempts} attempts: ${rate}, ${memory}`);
}

const READ = ["readMs", "attempts", "cpuMs", "rssBytes"] as const;
const WHY = ["whyMs", "cpuMs", "rssBytes"] as const;

function measureWhy(file: string, print: Print): void {
  for (const intervals of ["no intervals", "intervals"]) {
    const { whyMs, cpuMs, rssBytes } = measure("./history/why-run.js", [file, intervals], WHY);
    const seconds = (whyMs / 1_000).toFixed(2);
    const memory = `${Math.round(rssBytes / MB)} MB of memory`;
    const row = { intervals: intervals === "intervals", whyMs, cpuMs, rssBytes };
    print(row, `why with ${intervals}: ${seconds} s, ${memory}`);
  }
}

function repeated<T>(run: () => T): readonly T[] {
  return Array.from({ length: RUNS }, run);
}

function median<T>(runs: readonly T[], of: (run: T) => number): T {
  const sorted = runs.toSorted((a, b) => of(a) - of(b));
  const middle = sorted[sorted.length >> 1];
  if (middle === undefined) throw new Error("no runs");
  return middle;
}

/** As Spark compresses, without checksums: by the program `zstd`, where it is installed. */
function compressed(file: string): string {
  const { status } = spawnSync("zstd", ["-q", "--no-check", "--rm", file]);
  if (status !== 0) throw new Error("--zstd needs the program zstd");
  return `${file}.zst`;
}
