import { readFileSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { broomwagon, lacksChromium, open } from "./support/browser.ts";
import { inBrowser } from "./support/in-browser.ts";
import { rumenOf } from "./support/rumen.ts";
import { BINARY, HADOOP, reported, SPARK } from "./support/samples.ts";

/** A page's data in its form for other programs. */
interface Data {
  readonly endsAt: number;
  readonly lacks: readonly string[];
  readonly slotsKnown: boolean;
  readonly attempts: readonly Attempt[];
}

interface Attempt {
  readonly phase: string;
  readonly task: number;
  readonly attempt: number;
  readonly end: string;
  readonly expectedMs: number | null;
  readonly [measure: string]: string | number | null;
}

/** The measures of an attempt that a signal provides. */
const MEASURES = { "input bytes": "inputBytes", GC: "gcMs", "fetch wait": "fetchWaitMs" };
/** What the inspector shows in other words. */
const IN_WORDS = ["expectedMs", "delayMs", "heldMs", "startedAtMs", "endedAtMs", "heardAtMs"];
/** Numbers that name an attempt, or are worked out from others. */
const NO_MEASURES = ["task", "attempt", "slotMs"];

type Log = readonly [name: string, path: () => string, flags: readonly string[], lacks: number];

describe.skipIf(lacksChromium)("data that a log lacks are named, and never drawn as zero", () => {
  const here = inBrowser("lacks");

  const rumen = (): string => {
    const path = here.path("rumen.json");
    writeFileSync(path, rumenOf(HADOOP));
    return path;
  };
  const none = ["--no-intervals"];

  const logs: readonly Log[] = [
    ["a history in Hadoop's JSON", () => HADOOP, ["--whatif", "late,none", ...none], 7],
    ["one in Avro", () => BINARY, none, 7],
    ["a trace of Rumen: no progress, no slots, no bytes", rumen, none, 15],
    ["an event log of Spark", () => SPARK, [], 4],
  ];
  test.each(logs)("%s", async (_, log, flags, count) => {
    const path = log();
    const { page } = await open(here.browser, reported(path, ...flags));
    const file = here.path("page.json");
    broomwagon("report", path, "--no-intervals", "--format", "json", "--out", file);
    const data: Data = JSON.parse(readFileSync(file, "utf8"));
    expect(data.lacks.length).toBe(count);
    const told = page.locator("#verdict p", { hasText: "Not in this log" });
    expect(await told.isVisible()).toBe(true);
    for (const lack of data.lacks) expect(await told.textContent()).toContain(lack);
    expect(await page.locator("#decisions").textContent()).toContain(
      "This log does not tell what the policy decided",
    );
    await expectSlots(page, data);
    await expectProgress(page, data);
    await expectAttempts(page, data);
  });
});

async function expectSlots(page: Page, { lacks, slotsKnown }: Data): Promise<void> {
  expect(slotsKnown).toBe(!lacks.includes("slots"));
  const told = await page.locator("#slot-time").textContent();
  const parts = await page.locator("#slot-time table").textContent();
  expect(told?.includes("This log does not tell how many slots there were")).toBe(!slotsKnown);
  expect(parts?.includes("idle")).toBe(slotsKnown);
}

/** In the tasks' view, and at a moment in the middle. */
async function expectProgress(page: Page, { lacks, slotsKnown, endsAt }: Data): Promise<void> {
  const isUnknown = lacks.includes("progress");
  const tasks = await page.locator("#tasks").textContent();
  expect(tasks?.includes("This log does not tell the progress of attempts")).toBe(isUnknown);
  await page.evaluate(`location.hash = "#at=${endsAt / 2_000}"`);
  const inspector = page.locator(".inspector");
  await inspector.locator("h3", { hasText: "pinned" }).waitFor();
  const moment = (await inspector.textContent()) ?? "";
  expect(moment.includes("This log has no progress of the attempts that run")).toBe(isUnknown);
  expect(await inspector.locator("tbody tr").count()).toBeGreaterThanOrEqual(isUnknown ? 0 : 1);
  if (isUnknown) expect(await inspector.locator("table").count()).toBe(0);
  expect(/\d of \d+ slots? at work/.test(moment)).toBe(slotsKnown);
}

/** Each attempt, as the inspector shows it. */
async function expectAttempts(page: Page, { lacks, attempts }: Data): Promise<void> {
  if (lacks.includes("input bytes")) {
    expect(attempts.filter(({ inputBytes }) => inputBytes !== null)).toEqual([]);
  }
  if (lacks.includes("counters of killed attempts")) {
    const killed = attempts.filter(({ end }) => end === "killed");
    expect(killed.map(({ inputBytes }) => inputBytes)).toEqual(killed.map(() => null));
  }
  for (const row of attempts) {
    const { phase, task, attempt, expectedMs } = row;
    const name = `${phase}/${task}#${attempt}`;
    await page.evaluate(`location.hash = "#sel=${encodeURIComponent(name)}"`);
    await page.locator(".inspector h3", { hasText: name }).waitFor();
    const facts = page.locator(".inspector dl").first();
    const labels = await facts.locator("dt").allTextContents();
    const texts = await facts.locator("dd").allTextContents();
    for (const [signal, measure] of Object.entries(MEASURES)) {
      if (lacks.includes(signal)) expect(row[measure], name).toBe(null);
    }
    const known = Object.entries(row).flatMap(([measure, value]) => {
      const isWorded = [...IN_WORDS, ...NO_MEASURES].includes(measure);
      return typeof value === "number" && !isWorded ? [`${measure}=${value}`] : [];
    });
    const measured = page.locator(".inspector dl").nth(1).locator("[data-number]");
    const numbers = await measured.evaluateAll((all) =>
      all.map((one) => one.getAttribute("data-number")),
    );
    expect(numbers.sort(), name).toEqual(known.sort());
    const expected = texts[labels.indexOf("expected")] ?? "";
    expect(expected.startsWith("–"), `${name}: ${expected}`).toBe(expectedMs === null);
  }
}
