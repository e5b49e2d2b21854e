import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { broomwagon, lacksChromium, launch, open } from "../page/support/browser.ts";

test.skipIf(lacksChromium)("a report opens in a browser, and requests nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-report-"));
  const file = join(folder, "report.html");
  expect(broomwagon("report", "fixtures/pairs/engine/late.ndjson.gz", "--out", file)).toMatch(
    /report\.html, [\d.]+ kB, 50 attempts, [\d.]+ s\n$/,
  );
  const browser = await launch();
  try {
    const { page, requests, said } = await open(browser, `file://${file}`);
    expect(await page.locator("h1").textContent()).toMatch(/^word-count took 16\.9 s; /);
    expect([requests, said]).toEqual([[], []]);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
});
