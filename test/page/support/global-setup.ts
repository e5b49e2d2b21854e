import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { CHROMIUM, CHROMIUM_FLAGS } from "./chromium.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The address of the browser for all these tests; empty if there is none. */
    readonly browserAddress: string;
    /** The folder of pages and journals that several tests read. */
    readonly pagesFolder: string;
  }
}

/** One browser, and one folder of pages, for all tests of the project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-pages-"));
  const server =
    CHROMIUM === undefined
      ? undefined
      : await chromium.launchServer({
          executablePath: CHROMIUM,
          args: [...CHROMIUM_FLAGS],
          host: "127.0.0.1",
        });
  project.provide("pagesFolder", folder);
  project.provide("browserAddress", server?.wsEndpoint() ?? "");
  return async () => {
    await server?.close();
    rmSync(folder, { recursive: true });
  };
}
