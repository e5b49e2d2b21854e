import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, inject } from "vitest";
import { lacksChromium } from "./browser.ts";

/** A browser and a folder that stand while the tests of the suite run. */
export interface InBrowser {
  readonly browser: Browser;
  path(name: string): string;
}

/** Call it where the suite is described. Without Chromium, the folder alone is there. */
export function inBrowser(name: string): InBrowser {
  const folder = mkdtempSync(join(tmpdir(), `broomwagon-${name}-`));
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (lacksChromium) return;
    // The one that all tests share: what is opened here ends with the connection.
    browser = await chromium.connect(inject("browserAddress"));
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });
  return {
    get browser() {
      if (browser === undefined) throw new Error("the browser is there from the first test on");
      return browser;
    },
    path: (file) => join(folder, file),
  };
}
