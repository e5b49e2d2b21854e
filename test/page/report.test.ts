import { readFileSync, statSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { isSeal, Seal } from "../../src/core/journal/index.ts";
import type { WhyDocument } from "../../src/library/explain.ts";
import { broomwagon, lacksChromium, open } from "./support/browser.ts";
import { inBrowser } from "./support/in-browser.ts";
import {
  DEMO,
  ENGINE,
  HADOOP,
  JOBS,
  report,
  reported,
  SLEEPS,
  SPARK,
  simulated,
} from "./support/samples.ts";
import { AXIS, NAMES, tipsAt } from "./support/tips.ts";

/** An attempt in the page's JSON. */
interface Row {
  readonly phase: string;
  readonly task: number;
  readonly attempt: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly expectedMs: number;
  readonly delayMs: number;
}

describe.skipIf(lacksChromium)("the page as one file", () => {
  const here = inBrowser("report");
  const file = (name: string): string => here.path(`${name}.html`);
  const engine = (): string => reported(ENGINE, "--refusals");
  const hadoop = (): string => reported(HADOOP, "--whatif", "late,none", "--no-intervals");
  const spark = (): string => reported(SPARK);

  test.each([
    ["the engine", engine],
    ["Hadoop", hadoop],
    ["Spark", spark],
  ])("a run of %s: all views, no request, no complaint", async (_, url) => {
    const { page, requests, said } = await open(here.browser, url());
    const views = await page.locator("section[id]").evaluateAll((all) => all.map(({ id }) => id));
    expect(views).toEqual([
      "verdict",
      "timeline",
      "tasks",
      "nodes",
      "decisions",
      "slot-time",
      "what-if",
    ]);
    expect(requests).toEqual([]);
    expect(said).toEqual([]);
  });

  test("a script that is added later does not run", async () => {
    const { page, said } = await open(here.browser, engine());
    await page.evaluate(`(() => {
      const script = document.createElement("script");
      script.textContent = "document.title = 'taken'";
      document.body.append(script);
    })()`);
    expect(await page.title()).not.toBe("taken");
    expect(said.join()).toContain("Content Security Policy");
  });

  test("from the top, the costliest attempt and its reason in 2 keys", async () => {
    const { page } = await open(here.browser, engine());
    await page.keyboard.press("l");
    const inspector = page.locator(".inspector");
    expect(await inspector.locator("h3").textContent()).toContain("map/1#0");
    expect(await inspector.textContent()).toMatch(/node\s*n2.*took ×\d.*late/);
    await page.keyboard.press(".");
    expect(await inspector.textContent()).toContain("longest-time-left");
  });

  test("late attempts come in the order of what they lost, not of how late they were", async () => {
    const { page } = await open(here.browser, reported(SLEEPS));
    broomwagon("report", SLEEPS, "--format", "json", "--out", file("sleeps"));
    const { attempts }: { attempts: readonly Row[] } = JSON.parse(
      readFileSync(file("sleeps"), "utf8"),
    );
    const timesOf = (row: Row): number => (row.endedAtMs - row.startedAtMs) / row.expectedMs;
    const late = attempts.filter((row) => timesOf(row) > 1.5);
    const costly = late.toSorted((a, b) => b.delayMs - a.delayMs || timesOf(b) - timesOf(a));
    expect(costly[0]).not.toBe(late.toSorted((a, b) => timesOf(b) - timesOf(a))[0]);
    for (const { phase, task, attempt } of costly.slice(0, 4)) {
      await page.keyboard.press("l");
      const name = `${phase}/${task}#${attempt}`;
      await page.locator(".inspector h3", { hasText: name }).waitFor();
    }
    const legend = page.locator("#timeline .legend");
    expect(await legend.textContent()).toContain(`late ${late.length}, beyond the expected`);
  });

  test("a row of causes is a few lines high, also on a phone", async () => {
    const { page } = await open(here.browser, spark(), { width: 390 });
    const rows = await page.locator("#verdict .causes tbody tr").all();
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) expect((await row.boundingBox())?.height).toBeLessThan(130);
  });

  test("a task's attempts are named, and their ends told, without a break in a word", async () => {
    for (const width of [1_440, 390]) {
      const { page } = await open(here.browser, spark(), { width });
      await page.keyboard.press("l");
      const cells = page.locator(".inspector tbody td:is(:first-child, :last-child)");
      const high: readonly number[] = await cells.evaluateAll((all) =>
        all.map((cell) => {
          const { ownerDocument } = cell;
          const range = ownerDocument.createRange();
          range.selectNodeContents(cell);
          return range.getBoundingClientRect().height;
        }),
      );
      expect(high.length).toBeGreaterThan(3);
      for (const one of high) expect(one).toBeLessThan(25);
    }
  });

  test("what the papers measure is folded below the verdict, as `why` prints it", async () => {
    const { page } = await open(here.browser, spark(), { width: 390 });
    const measures = page.locator("details", { hasText: "what the papers measure" });
    expect(await measures.locator("tbody").isVisible()).toBe(false);
    await measures.locator("summary").click();
    const rows = await measures.locator("tbody tr").allInnerTexts();
    expect(rows.length).toBeGreaterThan(0);
    const printed = broomwagon("why", SPARK).split("\n");
    const cells = (row: string): string =>
      row
        .trim()
        .split(/\t|\s{2,}/)
        .join("|");
    const lines = printed.map(cells);
    for (const row of rows) expect(lines).toContain(cells(row));
    expect(printed).toContain(await measures.locator("p").textContent());
    const width = await page.evaluate("document.documentElement.scrollWidth");
    expect(width).toBeLessThanOrEqual(390);
  });

  test("what each phase used is as `why` prints it, and folded on a phone", async () => {
    for (const width of [1_440, 390]) {
      const { page } = await open(here.browser, spark(), { width });
      const phases = page.locator("details", { hasText: "what each phase used" });
      expect(await phases.locator("tbody").isVisible()).toBe(width > 390);
      if (width === 390) await phases.locator("summary").click();
      const shown = await phases.locator("tr").allInnerTexts();
      expect(shown.length).toBeGreaterThan(2);
      const words = (line: string): string => line.replaceAll(/\s+/g, " ").trim();
      const printed = broomwagon("why", SPARK).split("\n").map(words);
      for (const row of shown.slice(1)) expect(printed).toContain(words(row));
    }
  });

  test("queries and jobs are those that `why` lists, and a click shows when one ran", async () => {
    for (const width of [1_440, 390]) {
      const { page } = await open(here.browser, reported(JOBS, "--no-intervals"), { width });
      const units = page.locator("details", { hasText: /^longest of \d+ jobs/ });
      expect(await units.locator("tbody").isVisible()).toBe(width > 390);
      if (width === 390) await units.locator("summary").click();
      const shown = await units.locator("tr, summary").allInnerTexts();
      expect(shown.length).toBeGreaterThan(3);
      const words = (line: string): string => line.replaceAll(/\s+/g, " ").trim();
      const printed = broomwagon("why", JOBS, "--no-intervals", "--top", "12")
        .split("\n")
        .map(words);
      const [told = "", , ...rows] = shown.map(words);
      expect(printed.some((line) => line.startsWith(told))).toBe(true);
      for (const row of rows) expect(printed).toContain(row);
      const json = broomwagon("why", JOBS, "--no-intervals", "-o", "json");
      const { units: all }: WhyDocument = JSON.parse(json);
      const last = all.at(-1);
      await units.getByRole("button", { name: last?.unit ?? "none" }).click();
      const [from, to] = [last?.submittedMs ?? 0, (last?.submittedMs ?? 0) + (last?.tookMs ?? 0)];
      await expect.poll(() => page.url()).toMatch(/#t=[\d.]+-[\d.]+/);
      const [, shownFrom, shownTo] = /#t=([\d.]+)-([\d.]+)/.exec(page.url()) ?? [];
      expect(Math.abs(1_000 * Number(shownFrom) - from)).toBeLessThan(100);
      expect(Math.abs(1_000 * Number(shownTo) - to)).toBeLessThan(100);
    }
  });

  test("a unit has a page of its own, which says so", async () => {
    const { page } = await open(here.browser, reported(JOBS, "--no-intervals", "--job", "2"));
    const [headline] = broomwagon("why", JOBS, "--job", "2", "--no-intervals").split("\n");
    expect(await page.locator("h1").textContent()).toContain(headline);
    expect(headline).toContain("job 2");
    expect(await page.locator("details", { hasText: "longest of" }).count()).toBe(0);
  });

  test("a recorded fault stands in the verdict once, and with its node", async () => {
    const { page } = await open(here.browser, reported(DEMO, "--refusals"));
    const verdict = await page.locator("#verdict").textContent();
    expect(verdict?.split("n2 slowed 10-fold").length).toBe(2);
    await page.locator("#nodes summary", { hasText: "as a table" }).click();
    expect(await page.locator("#nodes").textContent()).toContain("slowed 10-fold");
  });

  test("notes are about the job of the verdict alone, and folded", async () => {
    const journal = here.path("cut.ndjson");
    const lines = readFileSync(
      simulated("scenarios/five-nodes-in-trouble.json", "--discipline", "late", "--seeds", "1"),
      "utf8",
    ).split("\n");
    writeFileSync(journal, `${lines.slice(0, lines.length / 2).join("\n")}\n`);
    broomwagon("report", journal, "--no-intervals", "--out", file("cut"));
    const { page } = await open(here.browser, `file://${file("cut")}`);
    const notes = page.locator("#verdict details", { hasText: "about the log" });
    expect(await notes.locator("summary").textContent()).toBe("1 note about the log");
    expect(await notes.locator("p").isVisible()).toBe(false);
    const [judged] = (await page.locator("h1").textContent())?.split(" ") ?? [];
    expect(await notes.locator("p").textContent()).toBe(`the journal ends before ${judged} does.`);
  });

  test("why an attempt failed stands where the attempt is", async () => {
    const log = here.path("failed.ndjson");
    const words = "could not split inputs and retry";
    const reason = JSON.stringify({
      ...{ Reason: "ExceptionFailure", "Class Name": "java.lang.OutOfMemoryError" },
      ...{ Description: words, "Stack Trace": [], "Full Stack Trace": "" },
    });
    const text = readFileSync(SPARK, "utf8").replace('{"Reason": "Success"}', reason);
    writeFileSync(log, text.replace('"Failed": false', '"Failed": true'));
    const { page } = await open(here.browser, reported(log, "--no-intervals"));
    const told = `failed: ${words} (java.lang.OutOfMemoryError)`;
    await page.locator("#timeline .legend button", { hasText: "failed 1" }).click();
    expect(await page.locator(".inspector").textContent()).toContain(told);
    await page.locator("summary", { hasText: "timeline as a table" }).click();
    expect(await page.locator("#timeline .as-table").first().textContent()).toContain(told);
    const { width = 0, height = 0 } = (await page.locator("canvas.rows").boundingBox()) ?? {};
    // The attempt's time fills most of the timeline now; one of two rows is its own.
    await page.keyboard.press("f");
    const places = [0.25, 0.75].map((y) => ({ x: (width - NAMES) / 2, y: y * (height - AXIS) }));
    const tips = await tipsAt(page, places);
    expect(tips.filter((tip) => tip.includes(told)).length).toBe(1);
  });

  test("the page saves the same files as the command line, and a picture", async () => {
    const { page } = await open(here.browser, engine());
    await page.locator(".save summary").click();
    const saved = async (told: string): Promise<string> => {
      const download = page.waitForEvent("download");
      await page.locator(".save button", { hasText: told }).click();
      await (await download).saveAs(file("saved"));
      return readFileSync(file("saved"), "utf8");
    };
    for (const [told, format] of [
      ["attempts, CSV", "csv"],
      ["everything, JSON", "json"],
      ["Chrome trace", "chrome-trace"],
    ] as const) {
      broomwagon("report", ENGINE, "--refusals", "--format", format, "--out", file("written"));
      expect(await saved(told)).toBe(readFileSync(file("written"), "utf8"));
    }
    expect(await saved("decisions, CSV")).toMatch(/speculative,.*longest-time-left/);
    const svg = await saved("timeline, SVG");
    expect(svg).toMatch(/^<svg /);
    expect(svg).toContain("word-count");
    expect(svg).toMatch(/<title>n2: slowed \d+-fold, from /);
    expect(svg.trim()).toMatch(/<\/svg>$/);
  });

  test("a link at the top moves the keyboard focus", async () => {
    const { page } = await open(here.browser, engine());
    await page.locator("nav a", { hasText: "timeline" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    const inside = "document.activeElement.closest('section').id";
    expect(await page.evaluate(inside)).toBe("timeline");
  });

  test("the address holds the selection", async () => {
    const { page } = await open(here.browser, `${engine()}#t=2-9&sel=map%2F22%230&at=5`);
    expect(await page.locator(".inspector h3").textContent()).toContain("map/22#0");
    await page.waitForTimeout(500);
    expect(new URL(page.url()).hash).toBe("#t=2-9&sel=map%2F22%230&at=5");
    // A link is pasted into the open page.
    await page.evaluate(`location.hash = "#sel=map%2F1%230"`);
    await page.locator(".inspector h3", { hasText: "map/1#0" }).waitFor();
    await expect.poll(() => new URL(page.url()).hash).toBe("#sel=map%2F1%230");
  });

  test("Enter in the find field goes to the first match", async () => {
    const { page } = await open(here.browser, engine());
    await page.keyboard.press("/");
    await page.keyboard.type("map/4#0");
    await page.keyboard.press("Enter");
    expect(await page.locator(".inspector h3").textContent()).toContain("map/4#0");
    expect(await page.locator("#find").inputValue()).toBe("");
  });

  test("a page without refusals says how to get them, also at a moment", async () => {
    const { page } = await open(here.browser, `${reported(ENGINE, "--no-intervals")}#at=7.34`);
    for (const place of [".inspector", "#decisions"]) {
      expect(await page.locator(place).textContent()).toContain("report --refusals");
    }
    await page.goto(`${engine()}#at=7.34`);
    await page.waitForSelector("#page[data-ready]");
    expect(await page.locator("main").textContent()).not.toContain("report --refusals");
  });

  test("two fingers zoom: the moments that they hold stay under them", async () => {
    const { page } = await open(here.browser, engine());
    await page.evaluate(`(() => {
      const plane = document.querySelector("canvas.rows");
      const box = plane.getBoundingClientRect();
      const touch = (type, pointerId, x) => plane.dispatchEvent(new PointerEvent(type, {
        pointerId, pointerType: "touch", clientX: box.x + x, clientY: box.y + 30, bubbles: true,
      }));
      touch("pointerdown", 1, 400);
      touch("pointerdown", 2, 600);
      touch("pointermove", 2, 800);
    })()`);
    const seen = /t=([\d.]+)-([\d.]+)/;
    await expect.poll(() => page.url()).toMatch(seen);
    const [, from, to] = seen.exec(page.url()) ?? [];
    const all = 17.1;
    expect(Number(to) - Number(from)).toBeCloseTo(all / 2, 0);
  });

  test("damaged data is one sentence, not half a page", async () => {
    const whole = readFileSync(report(ENGINE, "--refusals"), "utf8");
    const at = whole.indexOf('id="document">') + 400;
    writeFileSync(file("damaged"), `${whole.slice(0, at)}AAAA${whole.slice(at + 4)}`);
    const { page } = await open(here.browser, `file://${file("damaged")}`);
    expect(await page.locator("#page").textContent()).toMatch(/^The page's data is damaged/);
  });

  test("a task named like markup is text", async () => {
    const name = '<img src=x onerror="document.title=1"><script>alert(1)';
    const journal = here.path("hostile.ndjson");
    const text = gunzipSync(readFileSync(ENGINE)).toString("utf8");
    const lines = text.split("\n").filter((line) => line !== "" && !isSeal(line));
    const seal = new Seal();
    const hostile = JSON.stringify(name).slice(0, -1);
    const renamed = lines.flatMap((line) => seal.write(line.replaceAll('"word-count', hostile)));
    writeFileSync(journal, `${renamed.join("\n")}\n${seal.close()}\n`);
    broomwagon("report", journal, "--no-intervals", "--out", file("hostile"));
    const { page, said } = await open(here.browser, `file://${file("hostile")}`);
    expect(await page.locator("h1").textContent()).toContain(name);
    expect(await page.locator("img").count()).toBe(0);
    expect(said).toEqual([]);
  });

  test("sizes: script, style and a small page", () => {
    const zipped = (path: string): number => gzipSync(readFileSync(path), { level: 9 }).length;
    expect(zipped("dist/page/page.js")).toBeLessThanOrEqual(46_300);
    expect(zipped("dist/page/page.css")).toBeLessThanOrEqual(6_000);
    // The worker diagnoses, simulates and writes files; it starts when it is asked. It had 187,000
    // characters before a diagnosis took the whole response apart and weighed its log, 203,000
    // before parts had intervals and a what-if its reason, 206,500 before a node could turn slow.
    const small = report(SPARK);
    const carried = /id="worker">([^<]*)/.exec(readFileSync(small, "utf8"));
    expect(statSync(small).size - (carried?.[1]?.length ?? 0)).toBeLessThanOrEqual(160_000);
    expect(carried?.[1]?.length).toBeLessThanOrEqual(207_500);
  });
});
