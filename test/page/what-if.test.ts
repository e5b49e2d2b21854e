import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { WhatIf } from "../../src/whatif/document.ts";
import { broomwagon, lacksChromium, open } from "./support/browser.ts";
import { inBrowser } from "./support/in-browser.ts";
import { bigJournal, ENGINE, reported, SPARK, simulated } from "./support/samples.ts";

describe.skipIf(lacksChromium)("the form of a what-if", () => {
  const given = inBrowser("what-if");

  const opened = async (history: string, ...flags: readonly string[]): Promise<Page> => {
    const { page } = await open(given.browser, reported(history, "--no-intervals", ...flags));
    await page.click("#simulate");
    await page.locator("#what-if select").waitFor();
    return page;
  };

  const settings = async (page: Page): Promise<Readonly<Record<string, number>>> => {
    const found: Record<string, number> = {};
    for (const label of await page.locator("#what-if label:has(input)").all()) {
      const name = (await label.textContent())?.trim() ?? "";
      found[name] = Number(await label.locator("input").inputValue());
    }
    return found;
  };

  const run = async (page: Page): Promise<readonly string[]> => {
    await page.click("#what-if button:has-text('run 20 pairs')");
    const rows = page.locator("#what-if tbody tr");
    await rows.first().waitFor();
    return rows.first().locator("td").allTextContents();
  };

  test("starts from the recorded settings; unchanged, it gives the record", async () => {
    const page = await opened(ENGINE);
    const [setup = ""] = gunzipSync(readFileSync(ENGINE)).toString("utf8").split("\n");
    const { policy, params } = JSON.parse(setup).discipline.speculation;
    expect(await page.locator("#what-if select").inputValue()).toBe(policy);
    expect(await page.locator("#what-if option:checked").textContent()).toContain("as recorded");
    // Parameters that are newer than the record have their defaults.
    expect(await settings(page)).toEqual({ copiesMax: 1, nearerWithin: 0, ...params });
    const [name, , ...changes] = await run(page);
    expect(name).toBe(`late (speculativeCap=${params.speculativeCap}, runtimeMsMin=1000)`);
    expect(changes.slice(0, 2)).toEqual(["none", "none"]);
    await page.selectOption("#what-if select", "none");
    expect(await settings(page)).toEqual({});
    await page.click("#what-if button:has-text('run 20 pairs')");
    const again = page.locator("#what-if table").first().locator("td:first-child");
    await again.nth(1).waitFor();
    expect(await again.allTextContents()).toEqual([name, "none"]);
    await page.selectOption("#what-if select", "late");
    // Parameters that are newer than the record have their defaults.
    expect(await settings(page)).toEqual({ copiesMax: 1, nearerWithin: 0, ...params });
  });

  test("has no rows where the simulator cannot reproduce the record", async () => {
    const page = await opened("test/replay/yarn/mantri-copies.ndjson");
    await page.click("#what-if button:has-text('run 20 pairs')");
    await page.locator("#what-if", { hasText: "No answer: " }).waitFor();
    expect(await page.locator("#what-if").textContent()).toContain("so the simulator cannot tell");
    expect(await page.locator("#what-if table").count()).toBe(0);
  });

  test("answers for the job of the verdict, by name, where there are several", async () => {
    const journal = simulated("scenarios/five-nodes-in-trouble.json", "--seeds", "1");
    const page = await opened(journal, "--whatif", "none", "--against", journal);
    const gates = page.locator("#what-if p", { hasText: "simulated under its own policy" });
    const [gate = ""] = await gates.allTextContents();
    await run(page);
    await gates.nth(1).waitFor();
    // The report's answer and the page's own are behind the same gate.
    expect(await gates.allTextContents()).toEqual([gate, gate]);
    for (const id of ["verdict", "what-if", "compare"]) {
      expect(await page.locator(`#${id}`).textContent()).toContain("count-0");
    }
    expect(await page.locator("#compare").textContent()).toContain("B is count-0.");
    // The longest job is another one. Its row shows its time, and says how to diagnose it.
    const jobs = page.locator("#verdict", { hasText: "Jobs" });
    expect(await jobs.textContent()).toContain("report … --job count-1");
    await jobs.locator("tr button", { hasText: "count-1" }).click();
    await expect.poll(() => page.url()).toMatch(/#t=\d+-\d+/);
  });

  test("takes a sample of a large job, and its answer is that of the whole one", async () => {
    const journal = bigJournal(5_200);
    const page = await opened(journal);
    await page.selectOption("#what-if select", "none");
    const [name, , shown = ""] = await run(page);
    expect(name).toBe("none");
    const said = (await page.locator("#what-if").textContent()) ?? "";
    const [, of, one] =
      /A sample is simulated, \d+ of (\d+) tasks: .* one of (\d+),/.exec(said) ?? [];
    expect([Number(of), Number(one) >= 2]).toEqual([5_200, true]);
    const { rows }: WhatIf = JSON.parse(
      broomwagon("whatif", journal, "--try", "none", "--seeds", "3", "-o", "json"),
    );
    const { lowMs, highMs } = rows[0]?.byAttempt ?? { lowMs: Number.NaN, highMs: Number.NaN };
    const [low = Number.NaN, high] = (/\[(.*)\]/.exec(shown)?.[1] ?? "").split(", ").map(Number);
    expect(1_000 * low).toBeLessThanOrEqual(highMs);
    expect(1_000 * (high ?? Number.NaN)).toBeGreaterThanOrEqual(lowMs);
  }, 600_000);

  test("says what its numbers mean", async () => {
    const page = await opened(ENGINE);
    for (const label of await page.locator("#what-if label:has(input)").all()) {
      expect(await label.getAttribute("title")).toMatch(/\w+ \w+/);
    }
  });

  test("starts from the settings in a log of Spark", async () => {
    const page = await opened(SPARK);
    const log = readFileSync(SPARK, "utf8");
    const recorded = (name: string): number =>
      Number.parseFloat(
        new RegExp(`"spark\\.speculation\\.${name}": ?"([\\d.]+)`).exec(log)?.[1] ?? "",
      );
    expect(await settings(page)).toMatchObject({
      multiplier: recorded("multiplier"),
      quantile: recorded("quantile"),
      minTaskRuntimeMs: recorded("minTaskRuntime"),
    });
  });
});
