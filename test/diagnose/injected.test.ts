import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { paperShell } from "../cli/support/screen.ts";

/** Logs of real applications of Spark in which one thing went wrong: fixtures/README.md. */
const FOLDER = "fixtures/injected";

/** What the first line says of each cause; a number in brackets is an end of its interval. */
const RANGE = String.raw`([\d.]+) s \[([\d.]+), ([\d.]+)\]`;
const CLAUSES = {
  "killed-executor": `${RANGE} to attempts that failed .*, because 127.0.1.12's executor was lost`,
  "failing-task": `${RANGE} to attempts that failed or were lost and ran again`,
  "hot-key": `${RANGE} to uneven inputs`,
  "garbage-collection": `${RANGE} in garbage collection`,
  "slow-host": `${RANGE} on slow node 127.0.1.13`,
  "cold-start": `${RANGE} warming up executors`,
} as const;

/** Parts of the response are counts of the record: how much more than injected they may be. */
const COUNTED = 0.02;
const PARTS = {
  "sleeping-driver": String.raw`the driver worked alone between job 2 and job 3 \(([\d.]+) s\)`,
  "task-too-many": String.raw`too few tasks for ([\d.]+) s, most in .* \(9 tasks for 8 slots\)`,
  "late-executors": String.raw`6 of 8 slots came [\d.]+ s late: ([\d.]+) s where ([\d.]+) s would`,
} as const;

/** What would be an accusation in any other log. A cold start and its application's are in all. */
const ACCUSES = {
  "killed-executor": /executor was lost|Executor \d/,
  "failing-task": /attempts? of stage \d failed/,
  "hot-key": /uneven inputs|Repartition/,
  "garbage-collection": /in garbage collection|Give tasks more memory/,
  "slow-host": /slow node|may be slow|ran everything/,
  "sleeping-driver": /worked alone.* (between|within) /,
  "task-too-many": /too few tasks/,
  "late-executors": /slots came/,
} as const;

const injected = new Map(
  readFileSync(`${FOLDER}/truth.ndjson`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .map(({ log, injectedS }) => [String(log).replace(".ndjson.gz", ""), Number(injectedS)]),
);

const injectedIn = (kind: string): number => injected.get(kind) ?? Number.NaN;

const told = new Map<string, Promise<readonly string[]>>();

/** The answer about a log, which is asked once. */
function sentencesOn(kind: string): Promise<readonly string[]> {
  const known = told.get(kind) ?? answerOn(`${FOLDER}/${kind}.ndjson.gz`);
  told.set(kind, known);
  return known;
}

async function answerOn(path: string): Promise<readonly string[]> {
  const shell = paperShell(10_000);
  expect(await runProgram(["why", path], shell)).toBe(0);
  const [answer = ""] = shell.out.text.split("\n\n");
  return answer.split("\n");
}

/** The first of the causes of lateness that the first line names. */
const lostTo = (headline: string): string => / lost: (.*?)(;|$)/.exec(headline)?.[1] ?? "";

describe("what went wrong in a real application of Spark is told with its seconds", () => {
  test.each(Object.entries(CLAUSES))("%s", async (kind, clause) => {
    const [headline = ""] = await sentencesOn(kind);
    const causes = lostTo(headline);
    const found = new RegExp(`^${clause}`).exec(causes);
    expect(found, headline).not.toBeNull();
    const [, , low, high] = found ?? [];
    expect(Number(low), headline).toBeLessThanOrEqual(injectedIn(kind));
    expect(Number(high), headline).toBeGreaterThanOrEqual(injectedIn(kind));
  });

  test.each(Object.entries(PARTS))("%s", async (kind, clause) => {
    const [headline = ""] = await sentencesOn(kind);
    const [, more, less = 0] = new RegExp(clause).exec(headline) ?? [];
    const seconds = Number(more) - Number(less);
    expect(Math.abs(seconds / injectedIn(kind) - 1), headline).toBeLessThan(COUNTED);
    // Nothing else cost as much, apart from the start of the application.
    const others = [...headline.matchAll(/([\d.]+) s \[/g)].map(([, ms]) => Number(ms));
    for (const other of others) expect(other, headline).toBeLessThan(seconds);
  });
});

describe("nothing else is accused", () => {
  test.each([...injected.keys()])("%s", async (kind) => {
    const text = (await sentencesOn(kind)).join("\n");
    for (const [other, accusation] of Object.entries(ACCUSES)) {
      if (other === kind) expect(text).toMatch(accusation);
      else if (kind !== "killed-executor" || other !== "failing-task") {
        expect(text, other).not.toMatch(accusation);
      }
    }
  });
});

test("why it went wrong stands beside it, in the log's own words", async () => {
  const [killed = ""] = await sentencesOn("killed-executor");
  expect(killed).toMatch(/Executor \d on 127\.0\.1\.12 was lost: Command exited with code 137\./);
  const [failed = ""] = await sentencesOn("failing-task");
  expect(failed).toContain(
    "2 attempts of stage 4 failed: ValueError: line 1017 has 4 fields where 5 are due.",
  );
  const skewed = await sentencesOn("hot-key");
  expect(skewed.join("\n")).toMatch(/Repartition: stage 7\/5 reads [\d.]+ kB, 16\.\d times the/);
  const slow = await sentencesOn("slow-host");
  expect(slow[1]).toMatch(/^Node 127\.0\.1\.13 ran everything [\d.]+ times slower than its peers/);
});
