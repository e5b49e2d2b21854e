import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import type { JobDigest } from "../../src/fleet/digest.ts";
import { fleetOf } from "../../src/fleet/fleet.ts";
import { fleetPage } from "../../src/fleet/page.ts";
import { lacksChromium } from "./support/browser.ts";
import { inBrowser } from "./support/in-browser.ts";

const DAY = 86_400_000;
const LONG = `application_1795301165270_0007_${"ofateamwithalongname".repeat(5)}`;

/** Thirty days; a node of a long name is slow in each job of its own diagnosis. */
const jobs = Array.from({ length: 60 }, (_, n): JobDigest & { readonly history: string } => ({
  ...{ id: `${LONG}${n}`, name: "nightly", outcome: n % 9 === 0 ? "failed" : "succeeded" },
  ...{ submittedAt: 20_000 * DAY + (n >> 1) * DAY, isDated: true, responseMs: 100_000 + n },
  ...{ delayMs: 30_000, usualMs: 70_000, slotMs: 1e6, attempts: 40, sigma: 0.1 },
  causes: [
    { cause: "node", ms: 20_000 },
    { cause: "gc", ms: 9_900 },
    { cause: "bytes", ms: 100 },
  ],
  parts: [{ part: "work", ms: 70_000 }],
  failures: n % 9 === 0 ? [{ reason: `no space left on ${LONG}`, count: 3 }] : [],
  nodes: [LONG, "n2", "n3", "n4"].map((node, at) => ({
    ...{
      node,
      attempts: 2,
      lateness: at === 0 ? [1.1, 1.2] : [-0.1, 0.1],
      factor: 1 + 2 / (at + 1),
    },
    ...{ delayMs: 1_000, isSlow: at === 0 },
  })),
  history: n % 2 === 0 ? `http://spark-history:18080/history/app-${n}` : `/logs/"${LONG}`,
}));

const html = fleetPage(fleetOf(jobs), jobs);

test("the page of many jobs labels some days, and shows no cause too small to see", () => {
  expect(html.match(/>\d\d-\d\d</g)?.length).toBe(10);
  expect(html).not.toContain(">input bytes<");
  expect(html).toContain('<a href="http://spark-history:18080/history/app-0">');
  expect(html).toContain("/logs/&quot;");
});

describe.skipIf(lacksChromium)("the page of many jobs", () => {
  const browser = inBrowser("fleet");

  test("is no wider than its window", async () => {
    const file = browser.path("fleet.html");
    writeFileSync(file, html);
    const page = await browser.browser.newPage();
    await page.goto(pathToFileURL(file).href);
    for (let width = 390; width <= 1440; width += 70) {
      await page.setViewportSize({ width, height: 900 });
      const wide = await page.evaluate("document.documentElement.scrollWidth");
      expect([width, wide]).toEqual([width, width]);
    }
    await page.close();
  });
});
