import { createHash } from "node:crypto";
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { inject } from "vitest";
import { bigScenario } from "./big-scenario.ts";
import { broomwagon } from "./browser.ts";

/** Histories of real runs: `fixtures/README.md` describes each. */
export const ENGINE = "fixtures/pairs/engine/late.ndjson.gz";
/** The same job, without copies. */
export const PLAIN = "fixtures/pairs/engine/none.ndjson.gz";
export const DEMO = "fixtures/page/demo.ndjson.gz";
export const HADOOP = "fixtures/hadoop/json.jhist";
export const BINARY = "fixtures/hadoop/binary.jhist";
/** A job of Spark on four hosts, one of them slow, without copies: the README's. */
export const SLEEPS = "fixtures/pairs/spark/off.ndjson.zst";
export const SPARK = "fixtures/spark/two-workers.ndjson";
/** An application that loses an executor, and gets another one in its place. */
export const GONE = "fixtures/injected/killed-executor.ndjson.gz";
/** An application of four jobs, with a driver that sleeps between two of them. */
export const JOBS = "fixtures/injected/sleeping-driver.ndjson.gz";

/** The path of a page of the history. */
export const report = (history: string, ...flags: readonly string[]): string =>
  made(`${basename(history)}.html`, "--out", "report", history, ...flags);

/** The address of a page of the history. */
export const reported = (history: string, ...flags: readonly string[]): string =>
  `file://${report(history, ...flags)}`;

/** The path of a simulated run's journal. */
export const simulated = (scenario: string, ...flags: readonly string[]): string =>
  made("journal.ndjson", "--journal", "simulate", scenario, ...flags);

/** The journal of LATE's experiment in section 5.4, at a cap of 0.1. */
export const experiment = (): string =>
  simulated(
    "scenarios/late-5.4.json",
    "--discipline",
    "late",
    "--set",
    "speculation.speculativeCap=0.1",
    "--seeds",
    "1",
  );

/** A simulated run's journal of about the given number of attempts. */
export function bigJournal(attempts: number): string {
  const scenario = join(inject("pagesFolder"), `big-${attempts}.json`);
  writeFileSync(scenario, JSON.stringify(bigScenario(attempts)));
  return simulated(scenario);
}

/**
 * A file that the command writes, made for the first test that needs it and kept for the others.
 */
function made(name: string, flag: string, ...args: readonly string[]): string {
  const key = createHash("sha256").update(args.join("\0")).digest("hex").slice(0, 12);
  const path = join(inject("pagesFolder"), `${key}-${name}`);
  if (existsSync(path)) return path;
  broomwagon(...args, flag, `${path}.part`);
  renameSync(`${path}.part`, path);
  return path;
}
