import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, inject } from "vitest";
import { lacksChromium } from "./browser.ts";

/** A browser and a folder that exist while the suite's tests run. */
export interface InBrowser {
  readonly browser: Browser;
  path(name: string): string;
}

/** Call this inside `describe`. Without Chromium, only the folder exists. */
export function inBrowser(name: string): InBrowser {
  const folder = mkdtempSync(join(tmpdir(), `broomwagon-${name}-`));
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (lacksChromium) return;
    // The browser that all tests share: pages opened here end with the connection.
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
