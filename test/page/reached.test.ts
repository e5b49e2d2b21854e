import { readFileSync } from "node:fs";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { broomwagon, lacksChromium, open } from "./support/browser.ts";
import { inBrowser } from "./support/in-browser.ts";

const ENGINE = "fixtures/pairs/engine/late.ndjson.gz";
const HADOOP = "fixtures/hadoop/json.jhist";

describe.skipIf(lacksChromium)("a page's content can be reached without its canvases", () => {
  const here = inBrowser("reached");
  const url = (name: string): string => `file://${here.path(`${name}.html`)}`;

  beforeAll(() => {
    broomwagon("report", ENGINE, "--no-intervals", "--out", here.path("engine.html"));
    broomwagon("report", HADOOP, "--no-intervals", "--out", here.path("hadoop.html"));
  });

  const tableOf = (page: Page, name: string) =>
    page.locator(".as-table", { hasText: `${name} as a table` });

  test("canvases have tables, which the find field narrows; axe finds nothing", async () => {
    const { page, said } = await open(here.browser, url("engine"));
    const label = await page.locator("canvas.rows").getAttribute("aria-label");
    expect(label).toBe("4 nodes, 50 attempts, 3 late, 1 copy of which 1 won, over 16.9 s.");
    for (const summary of await page.locator(".as-table > summary").all()) await summary.click();
    const names = await page.locator(".as-table > summary").allTextContents();
    expect(names).toEqual(
      ["timeline", "slots in use", "attempts of map", "speed of nodes"].map(
        (name) => `${name} as a table`,
      ),
    );
    const rows = (name: string) => tableOf(page, name).locator("tbody tr");
    expect(await rows("timeline").count()).toBe(50);
    // The latest first.
    expect(await rows("attempts of map").first().textContent()).toMatch(
      /^map\/22#0n2original.*8\.25 ssucceeded1\.04 s×7\.9/,
    );
    expect(await rows("speed of nodes").first().textContent()).toMatch(
      /^n2×7\.03 .*3 attempts, slow in this job.*of the time$/,
    );
    const slots = await rows("slots in use").locator("td:last-child").allTextContents();
    const used: number = await page.evaluate(`(() => {
      const rows = [...document.querySelectorAll("#slot-time tbody tr")];
      const part = (row) => Number.parseFloat(row.children[2].textContent);
      const isIdle = (row) => row.textContent.startsWith("idle");
      return rows.filter((row) => !isIdle(row)).reduce((sum, row) => sum + part(row), 0);
    })()`);
    const mean = slots.reduce((sum, text) => sum + Number(text), 0) / slots.length;
    // The table extends a hundredth of the time beyond the end.
    expect(mean / 8).toBeCloseTo(used / 101, 1);
    await page.locator("#verdict .menu summary").click();
    const found = await page.evaluate(`(() => { ${axe.source}; return axe.run(); })()`);
    const { violations } = found as { violations: readonly { id: string; nodes: unknown[] }[] };
    expect(violations.map(({ id, nodes }) => `${id} ${JSON.stringify(nodes[0])}`)).toEqual([]);
    await page.locator("#find").fill("map/22#");
    expect(await rows("timeline").allTextContents()).toHaveLength(1);
    expect(await rows("attempts of map").allTextContents()).toHaveLength(1);
    expect(await page.locator("details[name][open]").count()).toBe(0);
    expect(said).toEqual([]);
    await page.close();
  });

  test("each view's menu saves its picture; the verdict's menu has a line per cause", async () => {
    const { page, requests, said } = await open(here.browser, url("engine"));
    const save = async (id: string, format: string): Promise<Buffer> => {
      const menu = page.locator(`#${id} .menu`);
      await page.keyboard.press("Escape");
      await menu.locator("summary").click();
      const download = page.waitForEvent("download");
      await menu.locator("button", { hasText: format }).click();
      await (await download).saveAs(here.path(`${id}.${format}`));
      return readFileSync(here.path(`${id}.${format}`));
    };
    for (const id of ["verdict", "nodes"]) {
      const png = await save(id, "PNG");
      expect(png.subarray(1, 4).toString()).toBe("PNG");
      // Twice as sharp as the page.
      expect(png.readUInt32BE(16)).toBe(2 * 1_440);
      // An empty picture is smaller.
      expect(png.length).toBeGreaterThan(40_000);
    }
    const menu = (await page.locator("#verdict .menu").textContent()) ?? "";
    const causes = await page.locator("#verdict .causes tbody td:first-child").allTextContents();
    for (const cause of causes) expect(menu).toContain(`${cause}: `);
    const svg = (await save("nodes", "SVG")).toString("utf8");
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    for (const text of ["n1", "n2", "n3", "n4", "3 attempts, slow in this job"]) {
      expect(svg).toContain(text);
    }
    expect(await page.locator("details[name][open]").count()).toBe(1);
    await page.locator("h1").click();
    expect(await page.locator("details[name][open]").count()).toBe(0);
    expect([requests, said]).toEqual([[], []]);
    await page.close();
  });

  test("the address holds the limit of late attempts", async () => {
    const { page } = await open(here.browser, `${url("engine")}#x=1.2`);
    const changed = page.locator(".changed");
    await changed.filter({ hasText: "--set lateAbove=1.2" }).waitFor();
    await changed.filter({ hasText: "Everything here follows them" }).waitFor();
    await page.locator("#tasks input[type=number]").fill("1.7");
    await page.keyboard.press("Tab");
    await page.waitForURL(/#x=1\.7$/);
    await page.evaluate(`location.hash = "#at=5&x=2"`);
    await changed.filter({ hasText: "--set lateAbove=2" }).waitFor();
    await page.evaluate(`location.hash = "#at=6"`);
    await changed.waitFor({ state: "detached" });
    await page.close();
  });

  test("a moment has its wall clock and zone where the log has them", async () => {
    const { page } = await open(here.browser, `${url("hadoop")}#at=9`);
    const began = /(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) UTC/;
    const [, first = ""] = began.exec((await page.locator("footer").textContent()) ?? "") ?? [];
    const [, then = ""] =
      began.exec((await page.locator(".inspector h3").textContent()) ?? "") ?? [];
    expect(Date.parse(`${then}Z`) - Date.parse(`${first}Z`)).toBeGreaterThanOrEqual(9_000);
    expect(Date.parse(`${then}Z`) - Date.parse(`${first}Z`)).toBeLessThanOrEqual(10_000);
    await page.close();
  });
});
