import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { lacksChromium } from "./support/browser.ts";
import { inBrowser } from "./support/in-browser.ts";
import { difference, LETTERS, letters, PICTURES, take } from "./support/pictures.ts";

/**
 * The documents' pictures show the page as it is. `PICTURES=renew npx vitest run --project page
 * test/page/pictures` takes new ones: look at them before you commit.
 */
describe.skipIf(lacksChromium)("pictures of the page", () => {
  const here = inBrowser("pictures");

  test.each(PICTURES)("$name is fresh", async (picture) => {
    const path = `docs/pictures/${picture.name}.png`;
    const image = await take(here.browser, picture);
    const seen = await letters(here.browser);
    if (process.env.PICTURES === "renew") {
      writeFileSync(path, image);
      writeFileSync(LETTERS, `${JSON.stringify(seen)}\n`);
    }
    const there: unknown = JSON.parse(readFileSync(LETTERS, "utf8"));
    if (seen !== there) {
      console.warn(`${path} was made with other letters (${there}), not ${seen}: not compared`);
      return;
    }
    expect(await difference(here.browser, readFileSync(path), image)).toBeLessThanOrEqual(0.005);
  });
});
