import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { Why } from "../../src/diagnose/document.ts";
import { cases } from "../support/cases.ts";
import { broomwagon, lacksChromium, open } from "./support/browser.ts";
import { inBrowser } from "./support/in-browser.ts";
import { bigJournal, ENGINE, HADOOP, JOBS, reported } from "./support/samples.ts";

type Change = readonly [history: string, limits: Readonly<Record<string, number>>];

describe.skipIf(lacksChromium)("limits that are changed in the page", () => {
  const here = inBrowser("limits");
  const { path } = here;

  /** Types the limits, and waits until the page has diagnosed the job again. */
  async function change(page: Page, limits: Readonly<Record<string, number>>): Promise<void> {
    await page.locator(".limits summary").click();
    for (const [name, value] of Object.entries(limits)) {
      await page.fill(`.limits input[name="${name}"]`, String(value));
    }
    await page
      .locator(".changed", { hasText: "Everything here follows them" })
      .waitFor({ timeout: 120_000 });
  }

  /** The JSON that the page saves. */
  async function saved(page: Page): Promise<{ readonly why: Why }> {
    await page.locator(".save summary").click();
    const download = page.waitForEvent("download");
    await page.locator(".save button", { hasText: "JSON" }).click();
    const to = path("page.json");
    await (await download).saveAs(to);
    return JSON.parse(readFileSync(to, "utf8"));
  }

  /** What `why` prints, without the units of work, which a page lists as a table. */
  const why = (history: string, limits: Readonly<Record<string, number>>): Why => {
    const sets = Object.entries(limits).flatMap(([name, value]) => ["--set", `${name}=${value}`]);
    const flags = ["--no-intervals", "--top", "10", "-o", "json"];
    const {
      units: _,
      outsideMs: __,
      ...found
    } = JSON.parse(broomwagon("why", history, ...sets, ...flags));
    return found;
  };

  /** Every number of both, to the millisecond, except schema and version. */
  function expectSame(found: unknown, expected: unknown, at = "why"): void {
    if (typeof expected === "number" && typeof found === "number") {
      expect(Math.abs(found - expected), at).toBeLessThan(1);
    } else if (typeof expected === "object" && expected !== null) {
      for (const [name, value] of Object.entries(expected)) {
        if (name === "schema" || name === "version") continue;
        expectSame((found as Record<string, unknown>)?.[name], value, `${at}.${name}`);
      }
    } else expect(found, at).toEqual(expected);
  }

  const changes: readonly Change[] = [
    [ENGINE, { lateAbove: 1.2, slowNodeMin: 3 }],
    [HADOOP, { slowNodeMin: 5, fitMin: 20, tMin: 1 }],
  ];
  // Limits are passed on whatever they are: the sample has some for each history.
  const more: readonly Change[] = cases({ all: [[ENGINE, { peersMin: 40 }]], sample: [] });
  test.each([...changes, ...more])(
    "%s: the verdict is that of `why` with %o",
    async (history, limits) => {
      const url = reported(history, "--no-intervals");
      const { page, requests, said } = await open(here.browser, url);
      await change(page, limits);
      const expected = why(history, limits);
      expectSame((await saved(page)).why, expected);
      const [headline] = expected.verdict.split("\n");
      expect(await page.locator("h1").textContent()).toBe(headline);
      await page.click(".changed .link");
      const [before] = why(history, {}).verdict.split("\n");
      expect(await page.locator("h1").textContent()).toBe(before);
      expect(await page.locator(".changed").count()).toBe(0);
      expect([requests, said]).toEqual([[], []]);
    },
  );

  test("what the jobs of an application lost follows the limits, too", async () => {
    const { page } = await open(here.browser, reported(JOBS, "--no-intervals"));
    const units = page.locator("details", { hasText: /^longest of \d+ jobs/ }).locator("tbody");
    const before = await units.textContent();
    await change(page, { peersMin: 40 });
    expect(await units.textContent()).not.toBe(before);
    const words = (line: string): string => line.replaceAll(/\s+/g, " ").trim();
    const printed = broomwagon("why", JOBS, "--no-intervals", "--set", "peersMin=40").split("\n");
    const lines = printed.map(words);
    for (const row of await units.locator("tr").allInnerTexts()) {
      expect(lines).toContain(words(row));
    }
  });

  test("a job of which a page simulates a sample: the same, to the millisecond", async () => {
    const journal = bigJournal(5_200);
    const limits = { slowNodeMin: 2.6, lateAbove: 2 };
    const { page } = await open(here.browser, reported(journal, "--no-intervals"));
    await change(page, limits);
    expectSame((await saved(page)).why, why(journal, limits));
    expect(await page.locator("#what-if select").count()).toBe(1);
  }, 180_000);
});
