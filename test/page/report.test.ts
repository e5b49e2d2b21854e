import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isSeal, Seal } from "../../src/core/journal/index.ts";
import type { Why } from "../../src/diagnose/document.ts";
import { cases } from "../support/cases.ts";
import { broomwagon, lacksChromium, launch, open } from "./support/browser.ts";

const ENGINE = "fixtures/pairs/engine/late.ndjson.gz";
const DEMO = "fixtures/page/demo.ndjson.gz";
const HADOOP = "fixtures/hadoop/json.jhist";
const SPARK = "fixtures/spark/two-workers.ndjson";

describe.skipIf(lacksChromium)("the page as one file", () => {
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-page-"));
  const file = (name: string): string => join(folder, `${name}.html`);
  const url = (name: string): string => `file://${file(name)}`;
  let browser: Browser;

  beforeAll(async () => {
    broomwagon("report", ENGINE, "--refusals", "--out", file("engine"));
    broomwagon("report", DEMO, "--refusals", "--no-intervals", "--out", file("demo"));
    broomwagon("report", HADOOP, "--whatif", "late,none", "--out", file("hadoop"));
    broomwagon("report", SPARK, "--out", file("spark"));
    browser = await launch();
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  test.each(["engine", "hadoop", "spark"])(
    "%s: all views, no request, no complaint",
    async (name) => {
      const { page, requests, said } = await open(browser, url(name));
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
      await page.close();
    },
  );

  test("a script that is added later does not run", async () => {
    const { page, said } = await open(browser, url("engine"));
    await page.evaluate(`(() => {
      const script = document.createElement("script");
      script.textContent = "document.title = 'taken'";
      document.body.append(script);
    })()`);
    expect(await page.title()).not.toBe("taken");
    expect(said.join()).toContain("Content Security Policy");
    await page.close();
  });

  test.each([
    ["engine", ENGINE],
    ["hadoop", HADOOP],
    ["spark", SPARK],
  ])("%s: the verdict is that of `why`, and causes add up", async (name, history) => {
    const { page } = await open(browser, url(name));
    const why: Why = JSON.parse(broomwagon("why", history, "-o", "json"));
    const sentences = await page
      .locator("#verdict h1, #verdict h1 ~ p:not(.faint)")
      .allTextContents();
    expect(sentences.map((text) => text.trim())).toEqual(why.verdict.split("\n"));
    const lost = why.causes.reduce((sum, { ms }) => sum + ms, 0);
    expect(lost).toBeCloseTo(why.lostMs, 3);
    const told = await page.locator("#verdict .legend").textContent();
    expect(told).toContain(`lost ${(why.lostMs / 1_000).toFixed(why.lostMs < 1e5 ? 1 : 0)} s`);
    await page.close();
  });

  test.each([
    ["engine", ENGINE, 3],
    ["demo", DEMO, 5],
  ])("%s: every decision shows its rule and every number of its journal line", async (...of) => {
    const [name, journal, count] = of;
    const { page } = await open(browser, url(name));
    const decided = decisionsOf(journal);
    expect(decided.length).toBe(count);
    for (const { rule, numbers } of decided) {
      await page.keyboard.press(".");
      const shown = page.locator(`.inspector [data-decision]`);
      const text = (await shown.allTextContents()).join(" ");
      expect(text).toContain(rule);
      const raw = await shown
        .locator("[data-number]")
        .evaluateAll((all) => all.map((one) => one.getAttribute("data-number")));
      for (const [number, value] of Object.entries(numbers)) {
        expect(raw).toContain(`${number}=${value}`);
      }
    }
    await page.close();
  });

  const places = cases({ all: 200, sample: 60 });
  test(`the bar under the pointer is the attempt of the journal, at ${places} places`, async () => {
    const { page } = await open(browser, url("engine"));
    const box = await page.locator("canvas.rows").boundingBox();
    if (box === null) throw new Error("no timeline");
    const ran = attemptsOf(ENGINE);
    let hits = 0;
    for (let n = 0; n < places; n++) {
      const x = 130 + ((n * 0.618) % 1) * (box.width - 134);
      const y = ((n * 0.382) % 1) * (box.height - 24);
      await page.mouse.move(box.x + x, box.y + y);
      const tip = page.locator(".tip");
      if ((await tip.count()) === 0) continue;
      const text = (await tip.textContent()) ?? "";
      const [, name = "", node = ""] = /^(\S+) on (\w+),/.exec(text) ?? [];
      const attempt = ran.get(name);
      expect(attempt?.node).toBe(node);
      expect(text).toContain(seconds(attempt?.to ?? 0));
      hits += 1;
    }
    expect(hits).toBeGreaterThan(places * 0.4);
    await page.close();
  });

  test("from the top, the slowest attempt and its reason in 2 keys", async () => {
    const { page } = await open(browser, url("engine"));
    await page.keyboard.press("l");
    const inspector = page.locator(".inspector");
    expect(await inspector.locator("h3").textContent()).toContain("map/22#0");
    expect(await inspector.textContent()).toMatch(/node\s*n2.*took ×\d.*late/);
    await page.keyboard.press(".");
    expect(await inspector.textContent()).toContain("longest-time-left");
    await page.close();
  });

  const names = ["engine", "hadoop", "spark"] as const;
  // The sample has each page, and each width in each theme.
  const looks = [
    { width: 1_440, theme: "light", sample: "engine" },
    { width: 1_440, theme: "dark", sample: "hadoop" },
    { width: 390, theme: "light", sample: "spark" },
    { width: 390, theme: "dark", sample: "engine" },
  ] as const;
  test.each(looks)("axe finds nothing at $width px, $theme", async ({ width, theme, sample }) => {
    for (const name of cases<readonly string[]>({ all: names, sample: [sample] })) {
      const { page } = await open(browser, url(name), { width, theme });
      await page.keyboard.press("l");
      const found = await page.evaluate(`(() => { ${axe.source}; return axe.run(); })()`);
      const { violations } = found as { violations: readonly { id: string; nodes: unknown[] }[] };
      expect(violations.map(({ id, nodes }) => `${id} ${JSON.stringify(nodes[0])}`)).toEqual([]);
      await page.close();
    }
  });

  test("nothing is wider than a phone", async () => {
    const { page } = await open(browser, url("hadoop"), { width: 390 });
    const width = () => page.evaluate("document.documentElement.scrollWidth");
    expect(await width()).toBeLessThanOrEqual(390);
    // The longest words of a page are names of jobs, in its heading, and of files, in its footer.
    await page.evaluate(`for (const one of document.querySelectorAll("h1, footer p, footer"))
      one.textContent = "application_".repeat(9);`);
    expect(await width()).toBeLessThanOrEqual(390);
    await page.close();
  });

  test("a row of causes is a few lines high, on a phone too", async () => {
    const { page } = await open(browser, url("spark"), { width: 390 });
    const rows = await page.locator("#verdict tbody tr").all();
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) expect((await row.boundingBox())?.height).toBeLessThan(130);
    await page.close();
  });

  test("what the page saves is what the command line writes, and a picture", async () => {
    const { page } = await open(browser, url("engine"));
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
    expect(svg.trim()).toMatch(/<\/svg>$/);
    await page.close();
  });

  test("a link at the top takes the keyboard along", async () => {
    const { page } = await open(browser, url("engine"));
    await page.locator("nav a", { hasText: "timeline" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    const inside = "document.activeElement.closest('section').id";
    expect(await page.evaluate(inside)).toBe("timeline");
    await page.close();
  });

  test("the address holds the selection", async () => {
    const { page } = await open(browser, `${url("engine")}#t=2-9&sel=map%2F22%230&at=5`);
    expect(await page.locator(".inspector h3").textContent()).toContain("map/22#0");
    await page.waitForTimeout(500);
    expect(new URL(page.url()).hash).toBe("#t=2-9&sel=map%2F22%230&at=5");
    // A link that is pasted into the open page.
    await page.evaluate(`location.hash = "#sel=map%2F1%230"`);
    await page.locator(".inspector h3", { hasText: "map/1#0" }).waitFor();
    await page.waitForTimeout(500);
    expect(new URL(page.url()).hash).toBe("#sel=map%2F1%230");
    await page.close();
  });

  test("at a moment, a reduce that waits for the maps has no time left", async () => {
    const { page } = await open(browser, `${url("engine")}#at=7.34`);
    const rows = await page.locator(".inspector tbody tr").allTextContents();
    expect(rows.at(-1)).toMatch(/^reduce\/0#0.*copy 0\.14.*waits for map/);
    const progress = page.locator("#tasks h3", { hasText: "Progress" });
    expect(await progress.textContent()).toMatch(/dots: at 7\.34 s; line: slow below 0\.8\/s/);
    await page.close();
  });

  test("Enter in the find field goes to the first match", async () => {
    const { page } = await open(browser, url("engine"));
    await page.keyboard.press("/");
    await page.keyboard.type("map/4#0");
    await page.keyboard.press("Enter");
    expect(await page.locator(".inspector h3").textContent()).toContain("map/4#0");
    expect(await page.locator("#find").inputValue()).toBe("");
    await page.close();
  });

  test("a page without refusals says how to have them, beside a moment too", async () => {
    broomwagon("report", ENGINE, "--no-intervals", "--out", file("plain"));
    const { page } = await open(browser, `${url("plain")}#at=7.34`);
    for (const place of [".inspector", "#decisions"]) {
      expect(await page.locator(place).textContent()).toContain("report --refusals");
    }
    await page.goto(`${url("engine")}#at=7.34`);
    await page.waitForSelector("#page[data-ready]");
    expect(await page.locator("main").textContent()).not.toContain("report --refusals");
    await page.close();
  });

  test("two fingers zoom: what they hold stays under them", async () => {
    const { page } = await open(browser, url("engine"));
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
    await page.waitForTimeout(500);
    const [, from, to] = /t=([\d.]+)-([\d.]+)/.exec(new URL(page.url()).hash) ?? [];
    const all = 17.1;
    expect(Number(to) - Number(from)).toBeCloseTo(all / 2, 0);
    await page.close();
  });

  test("what a log lacks is said, not drawn as zero", async () => {
    const { page } = await open(browser, url("hadoop"));
    const text = (await page.locator("main").textContent()) ?? "";
    const why: Why = JSON.parse(broomwagon("why", HADOOP, "-o", "json"));
    for (const lack of why.lacks) expect(text).toContain(lack);
    expect(text).toContain("This log does not tell how many slots there were");
    expect(text).toContain("This log does not tell what the policy decided");
    await page.close();
  });

  test("damaged data is one sentence, not half a page", async () => {
    const whole = readFileSync(file("engine"), "utf8");
    const at = whole.indexOf('id="document">') + 400;
    writeFileSync(file("damaged"), `${whole.slice(0, at)}AAAA${whole.slice(at + 4)}`);
    const { page } = await open(browser, url("damaged"));
    expect(await page.locator("#page").textContent()).toMatch(/^The page's data is damaged/);
    await page.close();
  });

  test("a task named like markup is text", async () => {
    const name = '<img src=x onerror="document.title=1"><script>alert(1)';
    const journal = join(folder, "hostile.ndjson");
    const text = gunzipSync(readFileSync(ENGINE)).toString("utf8");
    const lines = text.split("\n").filter((line) => line !== "" && !isSeal(line));
    const seal = new Seal();
    const hostile = JSON.stringify(name).slice(0, -1);
    const renamed = lines.flatMap((line) => seal.write(line.replaceAll('"word-count', hostile)));
    writeFileSync(journal, `${renamed.join("\n")}\n${seal.close()}\n`);
    broomwagon("report", journal, "--no-intervals", "--out", file("hostile"));
    const { page, said } = await open(browser, url("hostile"));
    expect(await page.locator("h1").textContent()).toContain(name);
    expect(await page.locator("img").count()).toBe(0);
    expect(said).toEqual([]);
    await page.close();
  });

  test("sizes: script, style and a small page", () => {
    const zipped = (path: string): number => gzipSync(readFileSync(path), { level: 9 }).length;
    expect(zipped("dist/page/page.js")).toBeLessThanOrEqual(45_000);
    expect(zipped("dist/page/page.css")).toBeLessThanOrEqual(6_000);
    // The worker diagnoses, simulates and writes files; it starts when it is asked.
    broomwagon("report", SPARK, "--no-intervals", "--out", file("sized"));
    const carried = /id="worker">([^<]*)/.exec(readFileSync(file("sized"), "utf8"));
    expect(statSync(file("sized")).size - (carried?.[1]?.length ?? 0)).toBeLessThanOrEqual(160_000);
    expect(carried?.[1]?.length).toBeLessThanOrEqual(180_000);
  });
});

interface Decided {
  readonly rule: string;
  readonly numbers: Readonly<Record<string, number | string>>;
}

const linesOf = (path: string): readonly Record<string, unknown>[] =>
  gunzipSync(readFileSync(path))
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** Copies, kills and ends, from the journal's own lines. */
function decisionsOf(path: string): readonly Decided[] {
  return linesOf(path).flatMap(({ actions = [] }) =>
    (actions as readonly Record<string, string>[])
      .filter(
        ({ kind, as }) =>
          ["kill", "end-job", "declare-lost"].includes(kind ?? "") ||
          (as ?? "original") !== "original",
      )
      .map(({ rule = "", ...rest }) => ({
        rule,
        numbers: (rest.numbers ?? {}) as unknown as Decided["numbers"],
      })),
  );
}

/** Where attempts ran and until when, in ms since the submission, from the journal's own lines. */
function attemptsOf(path: string) {
  const ran = new Map<string, { node: string; to: number }>();
  let submitted = 0;
  for (const line of linesOf(path)) {
    const [event, at, attempt] = [String(line.event), Number(line.at), String(line.attempt)];
    const name = attempt.slice(attempt.indexOf("/") + 1);
    if (event === "job-submitted") submitted = Number(line.submittedAt);
    if (event === "attempt-started") ran.set(name, { node: String(line.node), to: 0 });
    const own = ran.get(name);
    if (event === "attempt-succeeded" && own !== undefined) own.to = at - submitted;
    for (const action of (line.actions ?? []) as readonly Record<string, string>[]) {
      const killed = action.attempt?.slice(action.attempt.indexOf("/") + 1) ?? "";
      const loser = ran.get(killed);
      if (action.kind === "kill" && loser !== undefined) loser.to = at - submitted;
    }
  }
  return ran;
}

/** As the page writes times. */
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
