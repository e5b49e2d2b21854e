import { describe, expect, test } from "vitest";
import { expectAccessible } from "./support/accessible.ts";
import { lacksChromium, open } from "./support/browser.ts";
import { inBrowser } from "./support/in-browser.ts";
import { DEMO, ENGINE, HADOOP, reported, SPARK } from "./support/samples.ts";

/** Pages that live, compare, have a study or simulated again: in the tests that open them. */
describe.skipIf(lacksChromium)("axe finds nothing", () => {
  const here = inBrowser("accessible");

  test.each([
    ["the engine", "odd", () => reported(ENGINE, "--refusals"), "l"],
    ["Hadoop", "even", () => reported(HADOOP, "--whatif", "late,none", "--no-intervals"), "l"],
    ["Spark", "odd", () => reported(SPARK), "l"],
    ["the demo, a decision chosen", "even", () => reported(DEMO, "--refusals"), "."],
  ] as const)("on a page of %s", async (_, odd, url, key) => {
    const { page } = await open(here.browser, url());
    await page.keyboard.press(key);
    await page.locator(".inspector h3").waitFor();
    await expectAccessible(page, odd);
    expect(await page.locator(".inspector h3").count()).toBeGreaterThan(0);
  });
});
