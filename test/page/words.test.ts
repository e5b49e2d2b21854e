import { beforeAll, describe, expect, test } from "vitest";
import type { Change } from "../../src/whatif/change.ts";
import { changeText, signedPercent } from "../../src/whatif/change-text.ts";
import type { WhatIf } from "../../src/whatif/document.ts";
import { broomwagon, lacksChromium, open } from "./support/browser.ts";
import { inBrowser } from "./support/in-browser.ts";

const ENGINE = "fixtures/pairs/engine/late.ndjson.gz";
const OTHER = ENGINE.replace("late", "none");
const HADOOP = "fixtures/hadoop/json.jhist";

/** A row of a what-if: both ends of what bad luck may be, then what the first of them costs. */
const cellsOf = (byAttempt: Change, byTask: Change): readonly string[] => [
  "late (speculativeCap=0.3, runtimeMsMin=1000)",
  changeText(byAttempt),
  changeText(byTask),
  signedPercent(byAttempt.slotShare),
  `${byAttempt.copies.toFixed(1)}, ${byAttempt.wins.toFixed(1)}`,
];

describe.skipIf(lacksChromium)("the page in the words of the command line", () => {
  const given = inBrowser("words");
  const url = (name: string): string => `file://${given.path(`${name}.html`)}`;
  const report = (name: string, ...args: readonly string[]): string =>
    broomwagon("report", ...args, "--out", given.path(`${name}.html`));

  beforeAll(() => {
    report("engine", ENGINE, "--against", OTHER);
    report("hadoop", HADOOP, "--whatif", "late,none", "--no-intervals");
  });

  test("the simulator in the page answers as `whatif` does", async () => {
    const { page, requests, said } = await open(given.browser, url("engine"));
    await page.click("#simulate");
    await page.selectOption("#what-if select", "none");
    await page.selectOption("#what-if select", "late");
    await page.fill("#what-if label:has-text('speculativeCap') input", "0.3");
    await page.fill("#what-if label:has-text('runtimeMsMin') input", "1000");
    await page.click("#what-if button:has-text('run 20 pairs')");
    const cells = page.locator("#what-if tbody td");
    await cells.first().waitFor();
    const sets = ["speculativeCap=0.3", "runtimeMsMin=1000"].map((set) => `speculation.${set}`);
    const flags = sets.flatMap((set) => ["--set", set]);
    const asked = ["whatif", ENGINE, "--try", "late", ...flags, "--anyway", "-o", "json"];
    const found: WhatIf = JSON.parse(broomwagon(...asked));
    const shown = (await cells.allTextContents()).filter((text) => text !== "");
    expect(shown).toEqual(
      [found.rows[0], found.rows[0]?.thatRun].flatMap((answer) =>
        answer?.byTask === undefined ? [] : cellsOf(answer.byAttempt, answer.byTask),
      ),
    );
    const told = await page.locator("#what-if").textContent();
    for (const text of [...found.verdict, found.gateText, ...found.notes]) {
      expect(told).toContain(text);
    }
    await page.fill("#what-if label:has-text('speculativeCap') input", "much");
    await page.click("#what-if button:has-text('run 20 pairs')");
    await page.locator("#what-if .late", { hasText: "speculation.speculativeCap=much" }).waitFor();
    expect([requests, said]).toEqual([[], []]);
    await page.close();
  });

  test("a what-if that was recorded has both ends of what bad luck may be", async () => {
    const { page } = await open(given.browser, url("hadoop"));
    const heads = page.locator("#what-if th", { hasText: "luck of the task s" });
    expect(await heads.count()).toBe(2);
    const text = await page.locator("#what-if tbody").first().textContent();
    expect(text).toMatch(/late\+10\.8 \[-10\.5, \+39\.1\], unsurenone/);
    expect(await page.locator("#what-if .bar").nth(1).locator(".interval").count()).toBe(2);
    await page.close();
  });

  test("what a copy saved: of its task, of the response, of slot time", async () => {
    const { page } = await open(given.browser, url("engine"));
    const inspector = page.locator(".inspector");
    const [saving = ""] = /All copies.*?net\./s.exec(broomwagon("why", ENGINE)) ?? [];
    expect(await inspector.textContent()).toContain(saving.replaceAll("\n", " "));
    await page.getByRole("button", { name: "map/46#1" }).first().click();
    const text = await inspector.locator("dl").first().textContent();
    expect(text).toContain(
      "won: task earlier by 3.34 s (estimate from the original's progress); the attempt that " +
        "lost burnt 1.77 s of slot time",
    );
    expect(text).toContain("gained0.36 s of the response");
    await page.close();
  });

  test("another run beside it: in the words of `compare`, and among the links", async () => {
    const { page, said } = await open(given.browser, url("engine"));
    const words = (text: string): string => text.replaceAll(/\s+/g, "");
    const shown = words((await page.locator("#compare").textContent()) ?? "");
    const [head = "", settings = "", ...tables] = broomwagon("compare", OTHER, ENGINE).split(
      /\n(?=settings|\n)/,
    );
    expect(shown).toContain(words(head));
    expect(settings).toContain("speculation: none -> late");
    for (const setting of settings.replace(/^.*?differ:/, "").split(";")) {
      expect(shown).toContain(words(setting).replace(":", ""));
    }
    for (const line of tables.join("\n").split("\n")) {
      if (!line.startsWith("-")) expect(shown).toContain(words(line));
    }
    expect(await page.locator("nav a").last().textContent()).toBe("compare");
    expect(said).toEqual([]);
    await page.close();
  });
});
