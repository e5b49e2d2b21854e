import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { launch } from "./browser.ts";

/** A browser and a folder that stand while the tests of the suite run. */
export interface InBrowser {
  readonly browser: Browser;
  path(name: string): string;
}

/** Call it where the suite is described. */
export function inBrowser(name: string): InBrowser {
  const folder = mkdtempSync(join(tmpdir(), `broomwagon-${name}-`));
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });
  return {
    get browser() {
      if (browser === undefined) throw new Error("the browser is started before the first test");
      return browser;
    },
    path: (file) => join(folder, file),
  };
}
