import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { Why } from "../../src/diagnose/document.ts";
import type { Change } from "../../src/whatif/change.ts";
import { changeText, signedPercent } from "../../src/whatif/change-text.ts";
import type { WhatIf } from "../../src/whatif/document.ts";
import { expectAccessible } from "./support/accessible.ts";
import { broomwagon, lacksChromium, open } from "./support/browser.ts";
import { inBrowser } from "./support/in-browser.ts";
import { readJournal } from "./support/journal.ts";
import {
  DEMO,
  ENGINE,
  experiment,
  GONE,
  HADOOP,
  PLAIN,
  reported,
  SPARK,
} from "./support/samples.ts";

/** A row of a what-if: both ends of the range for bad luck, then the cost at the first end. */
const cellsOf = (byAttempt: Change, byTask: Change): readonly string[] => [
  "late (speculativeCap=0.3, runtimeMsMin=1000)",
  changeText(byAttempt),
  changeText(byTask),
  signedPercent(byAttempt.slotShare),
  `${byAttempt.copies.toFixed(1)}, ${byAttempt.wins.toFixed(1)}`,
];

/** The JSON that a view's menu copies. */
async function copied(page: Page, view: string): Promise<readonly { readonly ms: number }[]> {
  await page.evaluate(`navigator.clipboard.writeText = async (text) => { window.taken = text; }`);
  await page.locator(`summary[aria-label="menu of ${view}"]`).click();
  await page.locator("details[open] button", { hasText: "copy as JSON" }).click();
  return JSON.parse(await page.evaluate("window.taken"));
}

describe.skipIf(lacksChromium)("the page in the words of the command line", () => {
  const given = inBrowser("words");
  const engine = (): string => reported(ENGINE, "--against", PLAIN);
  const late = (): string => reported(experiment(), "--refusals");
  const hadoop = (): string => reported(HADOOP, "--whatif", "late,none", "--no-intervals");

  const histories: readonly (readonly [string, () => string, string, readonly string[]])[] = [
    ["the engine's journal", engine, ENGINE, []],
    ["the demo's", () => reported(DEMO, "--refusals"), DEMO, []],
    ["a history of Hadoop", hadoop, HADOOP, ["--no-intervals"]],
    ["a log of Spark", () => reported(SPARK), SPARK, []],
    ["LATE's experiment", late, "", []],
  ];
  test.each(histories)(
    "%s: the verdict is that of `why`, and causes and slot time add up",
    async (_, url, path, flags) => {
      const { page } = await open(given.browser, url());
      const history = path === "" ? experiment() : path;
      const why: Why = JSON.parse(broomwagon("why", history, ...flags, "-o", "json"));
      const sentences = await page
        .locator("#verdict h1, #verdict h1 ~ p:not(.faint)")
        .allTextContents();
      expect(sentences.map((text) => text.trim())).toEqual(why.verdict.split("\n"));
      const causes = (await copied(page, "verdict")).reduce((sum, { ms }) => sum + ms, 0);
      expect(Math.abs(causes - why.delayMs)).toBeLessThan(1);
      const told = await page.locator("#verdict .legend").textContent();
      expect(told).toContain(`lost ${(why.delayMs / 1_000).toFixed(why.delayMs < 1e5 ? 1 : 0)} s`);
      const ofSlots = await page.locator("#slot-time").textContent();
      const isTold = ofSlots?.includes(`Of ${why.slots.most} slots: `);
      expect([why.slots.isRecorded, why.slots.most]).toEqual([isTold, why.slots.most]);
      if (!history.includes("ndjson") || history === SPARK) return;
      const { offers, endsAt } = readJournal(history);
      const offered = offers.reduce(
        (sum, { slots, from, to }) => sum + slots * (Math.min(to, endsAt) - from),
        0,
      );
      const spent = (await copied(page, "slot time")).reduce((sum, { ms }) => sum + ms, 0);
      expect(Math.abs(spent - offered)).toBeLessThan(1);
    },
  );

  test("executors that come and go: one number of slots, and the time of each", async () => {
    const events = gunzipSync(readFileSync(GONE)).toString("utf8").trim().split("\n");
    const cores = new Map<string, { readonly from: number; readonly cores: number }>();
    let [now, most, offered, ended] = [0, 0, 0, 0];
    const left = ({ from, cores: count }: { from: number; cores: number }, at: number): void => {
      now -= count;
      offered += count * (at - from);
    };
    for (const text of events) {
      const line = JSON.parse(text);
      const [at, id] = [line.Timestamp, line["Executor ID"]];
      if (line.Event === "SparkListenerExecutorAdded") {
        const count = line["Executor Info"]["Total Cores"];
        cores.set(id, { from: at, cores: count });
        now += count;
        most = Math.max(most, now);
      } else if (line.Event === "SparkListenerExecutorRemoved") {
        left(cores.get(id) ?? { from: at, cores: Number.NaN }, at);
        cores.delete(id);
      } else if (line.Event === "SparkListenerApplicationEnd") ended = at;
    }
    for (const one of cores.values()) left(one, ended);
    const { page } = await open(given.browser, reported(GONE, "--no-intervals"));
    expect(await page.locator("#slot-time").textContent()).toContain(`Of ${most} slots: `);
    const spent = (await copied(page, "slot time")).reduce((sum, { ms }) => sum + ms, 0);
    expect(Math.abs(spent - offered)).toBeLessThan(1);
    await page.locator("summary", { hasText: "slots in use as a table" }).click();
    const used = await page.locator("#timeline .as-table").last().locator("td:last-child");
    const shown = (await used.allTextContents()).map(Number);
    expect(shown.length).toBeGreaterThan(1);
    for (const one of shown) expect(one).toBeLessThanOrEqual(most);
    const why: Why = JSON.parse(broomwagon("why", GONE, "--no-intervals", "-o", "json"));
    expect(why.slots.most).toBe(most);
  });

  test("the first lines of `why` are the page's verdict", async () => {
    const { page } = await open(given.browser, engine());
    const printed = broomwagon("why", ENGINE).replaceAll(/\s+/g, " ");
    const sentences = page.locator("#verdict h1, #verdict h1 ~ p:not(.faint)");
    const shown = (await sentences.allTextContents()).join(" ").replaceAll(/\s+/g, " ");
    expect(printed.startsWith(shown)).toBe(true);
  });

  test("the simulator in the page answers as `whatif` does", async () => {
    const { page, requests, said } = await open(given.browser, engine());
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
    // The page also compares two runs.
    await page.getByRole("button", { name: "map/46#1" }).first().click();
    await expectAccessible(page, "odd");
    expect([requests, said]).toEqual([[], []]);
  });

  test("a recorded what-if has both ends of the range for bad luck", async () => {
    const { page } = await open(given.browser, hadoop());
    const heads = page.locator("#what-if th", { hasText: "luck of the task s" });
    expect(await heads.count()).toBe(2);
    const text = await page.locator("#what-if tbody").first().textContent();
    expect(text).toMatch(/late\+12\.7 \[-13\.0, \+45\.0\], unsurenone/);
    expect(await page.locator("#what-if .bar").nth(1).locator(".interval").count()).toBe(2);
  });

  test("a copy's saving is given for its task, the response and slot time", async () => {
    const { page } = await open(given.browser, engine());
    const inspector = page.locator(".inspector");
    const [saving = ""] = /All copies.*?net\./s.exec(broomwagon("why", ENGINE)) ?? [];
    expect(await inspector.textContent()).toContain(saving.replaceAll("\n", " "));
    await page.getByRole("button", { name: "map/46#1" }).first().click();
    const text = await inspector.locator("dl").first().textContent();
    expect(text).toContain(
      "won: task earlier by 3.34 s (estimate from the original's progress); the attempt that " +
        "lost wasted 1.77 s of slot time",
    );
    expect(text).toContain("gained0.26 s of the response");
  });

  test("another run beside it: in the words of `compare`, and among the links", async () => {
    const { page, said } = await open(given.browser, engine());
    const words = (text: string): string => text.replaceAll(/\s+/g, "");
    const shown = words((await page.locator("#compare").textContent()) ?? "");
    const [head = "", settings = "", ...tables] = broomwagon("compare", PLAIN, ENGINE).split(
      /\n(?=settings|\n)/,
    );
    // The page has the sentences about the logs below the numbers.
    for (const part of head.split(/\s+(?=[AB]: )/)) expect(shown).toContain(words(part));
    expect(settings).toContain("speculation: none -> late");
    for (const setting of settings.replace(/^.*?differ:/, "").split(";")) {
      expect(shown).toContain(words(setting).replace(":", ""));
    }
    for (const line of tables.join("\n").split("\n")) {
      if (!line.startsWith("-")) expect(shown).toContain(words(line));
    }
    expect(await page.locator("nav a").last().textContent()).toBe("compare");
    expect(said).toEqual([]);
  });
});
