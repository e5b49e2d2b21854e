import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lacksChromium, launch } from "./support/browser.ts";
import { difference, LETTERS, letters, makeReports, PICTURES, take } from "./support/pictures.ts";

/**
 * The documents' pictures are what the page looks like. `PICTURES=renew npx vitest run --project
 * page test/page/pictures` takes them anew: look at them before you commit.
 */
describe.skipIf(lacksChromium)("pictures of the page", () => {
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-pictures-"));
  let browser: Browser;
  let reports: ReturnType<typeof makeReports>;

  beforeAll(async () => {
    reports = makeReports(folder);
    browser = await launch();
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  test.each(PICTURES)("$name is fresh", async (picture) => {
    const path = `docs/pictures/${picture.name}.png`;
    const image = await take(browser, picture, reports[picture.of]);
    const here = await letters(browser);
    if (process.env.PICTURES === "renew") {
      writeFileSync(path, image);
      writeFileSync(LETTERS, `${JSON.stringify(here)}\n`);
    }
    const there: unknown = JSON.parse(readFileSync(LETTERS, "utf8"));
    if (here !== there) {
      console.warn(`${path} was made with other letters (${there}), not ${here}: not compared`);
      return;
    }
    expect(await difference(browser, readFileSync(path), image)).toBeLessThanOrEqual(0.005);
  });
});
