import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { broomwagon, lacksChromium, open } from "./support/browser.ts";
import { inBrowser } from "./support/in-browser.ts";

const ENGINE = "fixtures/pairs/engine/late.ndjson.gz";
const LINES = gunzipSync(readFileSync(ENGINE)).toString("utf8").split("\n").slice(0, -1);
const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

describe.skipIf(lacksChromium)("a server's page can be saved", () => {
  const here = inBrowser("kept");
  const journal = here.path("growing.ndjson");
  let server: ChildProcess;
  let address: URL;

  beforeAll(async () => {
    writeFileSync(journal, textOf(LINES.slice(0, 400)));
    const args = ["bin/broomwagon.js", "page", journal];
    server = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
    const [said] = await once(server.stdout ?? server, "data");
    address = new URL(String(said).trim());
  });

  afterAll(async () => {
    server.kill();
    if (server.exitCode === null) await once(server, "exit");
  });

  const answer = (path: string): Promise<Response> =>
    fetch(`${address.origin}${path}`, {
      headers: { Authorization: `Bearer ${address.hash.slice(1)}` },
    });

  async function save(page: Page, told: string, name: string): Promise<string> {
    const open = page.locator(".save[open]");
    if ((await open.count()) === 0) await page.click(".save summary");
    const download = page.waitForEvent("download");
    await page.locator(".save button", { hasText: told }).click();
    const saved = await download;
    await saved.saveAs(here.path(name));
    return saved.suggestedFilename();
  }

  const reported = (): Buffer => {
    broomwagon("report", journal, "--out", here.path("reported.html"));
    return readFileSync(here.path("reported.html"));
  };

  test("as `report` of the lines so far, with its journal; and when the run is over", async () => {
    const { page, said } = await open(here.browser, String(address));
    expect(await save(page, "this page as one file", "so-far.html")).toBe("report.html");
    expect(readFileSync(here.path("so-far.html")).equals(reported())).toBe(true);
    expect(await save(page, "journal", "kept.ndjson")).toBe("growing.ndjson");
    expect(readFileSync(here.path("kept.ndjson")).equals(readFileSync(journal))).toBe(true);
    const jobs = (await (await answer("/jobs")).json()) as readonly { outcome: string }[];
    expect(jobs.map(({ outcome }) => outcome)).toEqual(["running"]);
    expect((await answer("/why")).status).toBe(404);

    const kept = await open(here.browser, `file://${here.path("so-far.html")}`, { alone: true });
    expect(await kept.page.locator("h1").textContent()).toContain("is cut off after");
    expect([kept.requests, kept.said]).toEqual([[], []]);
    await kept.page.close();

    appendFileSync(journal, textOf(LINES.slice(400)));
    await page.locator("h1", { hasText: "was lost" }).waitFor();
    await save(page, "this page as one file", "over.html");
    expect(readFileSync(here.path("over.html")).equals(reported())).toBe(true);
    const why = await answer("/why");
    expect(why.headers.get("content-type")).toBe("application/json");
    const { verdict } = (await why.json()) as { verdict: string };
    expect(await page.locator("h1").textContent()).toBe(verdict.split("\n")[0]);
    expect((await answer("/whatif")).status).toBe(404);
    expect(said).toEqual([]);
    await page.close();
  });
});
