import { statSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { cases } from "../support/cases.ts";
import { broomwagon, lacksChromium, open } from "./support/browser.ts";
import { inBrowser } from "./support/in-browser.ts";
import { bigJournal, experiment, report, reported } from "./support/samples.ts";

describe.skipIf(lacksChromium)("large and special pages", () => {
  const here = inBrowser("large");
  const { path } = here;

  // All costs of a page are proportional: a third of the attempts shows the same.
  const big = cases({
    all: { attempts: 99_000, megabytes: 3, more: /4\d more nodes are slow\./ },
    sample: { attempts: 33_000, megabytes: 1.1, more: /1\d more nodes are slow\./ },
  });
  test(`${big.attempts} attempts: ${big.megabytes} MB, and the page answers keys`, async () => {
    const html = report(bigJournal(big.attempts), "--no-intervals");
    expect(statSync(html).size).toBeLessThanOrEqual(big.megabytes * 1e6);
    const { page, said } = await open(here.browser, `file://${html}`);
    expect(said).toEqual([]);
    expect(await page.locator("h1").textContent()).toMatch(/^big took .* on (\d+ )?slow nodes?\b/);
    const verdict = (await page.locator("#verdict").textContent()) ?? "";
    expect(verdict).toMatch(big.more);
    await page.keyboard.press("w");
    await page.keyboard.press("l");
    expect(await page.locator(".inspector h3").textContent()).toMatch(/^(map|reduce)\/\d+#\d/);
  }, 180_000);

  test("LATE's experiment at 110 s: the cap was reached, which no record says", async () => {
    const { page } = await open(here.browser, `${reported(experiment(), "--refusals")}#at=110`);
    const refusal = page.locator('.inspector [data-refusal="speculative-cap"]');
    const numbers = await refusal
      .locator("[data-number]")
      .evaluateAll((all) => all.map((one) => one.getAttribute("data-number")));
    expect(numbers).toEqual(["running=8", "cap=8"]);
    const slow = await page.locator(".inspector tbody tr").first().textContent();
    // 700 s by the rate since its last stage began, not 46 s by its score over all its time.
    expect(slow).toMatch(/reduce\/\d+#0faultyreduce 0\.7\d?[67]\d\d\.\d s/);
  });

  test("a job of one task", async () => {
    const work = { kind: "fixed", durationMs: 5_000 };
    const phases = [{ name: "map", slots: ["map"], tasks: 1, work }];
    const one = {
      name: "one",
      cluster: { nodes: [{ name: "n", count: 1, slots: { map: 1 } }] },
      jobs: [{ name: "one", phases }],
      study: { seeds: 1, disciplines: [{ discipline: "late" }] },
    };
    writeFileSync(path("one.json"), JSON.stringify(one));
    broomwagon("simulate", path("one.json"), "--journal", path("one.ndjson"));
    broomwagon("report", path("one.ndjson"), "--out", path("one.html"));
    const { page, said } = await open(here.browser, `file://${path("one.html")}`);
    expect(said).toEqual([]);
    expect(await page.locator("#tasks").textContent()).toContain("Too few attempts to tell");
  });
});
