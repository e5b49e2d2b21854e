import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { namesOf } from "../../src/base/rows.ts";
import { Pieces } from "../../src/page/wire/pieces.ts";
import { PAGE_ATTEMPT, type PageDocument } from "../../src/report/page/document.ts";
import { LiveDocument } from "../../src/report/page/live/document.ts";
import { frameFrom } from "../../src/report/page/live/frame.ts";
import { expectAccessible } from "./support/accessible.ts";
import { lacksChromium, open } from "./support/browser.ts";
import { inBrowser } from "./support/in-browser.ts";
import { ENGINE } from "./support/samples.ts";

const LINES = gunzipSync(readFileSync(ENGINE)).toString("utf8").split("\n").slice(0, -1);

/** The only job is submitted, and no attempt is launched. */
const NOTHING_RAN = LINES.slice(0, 16).map((line) =>
  line.includes('"job-submitted"') ? line.replace(/"actions":\[.*$/, '"actions":[]}') : line,
);

/** A page's process over a journal that the test writes. */
class Served {
  readonly journal: string;
  readonly #child: ChildProcess;
  address = "";
  /** Why the page ended, if its journal is damaged. */
  failure = "";

  constructor(journal: string) {
    this.journal = journal;
    const args = ["bin/broomwagon.js", "page", journal];
    this.#child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  }

  async begin(): Promise<this> {
    const [text] = await once(this.#child.stdout ?? this.#child, "data");
    this.address = String(text).trim();
    return this;
  }

  async end(signal: NodeJS.Signals = "SIGINT"): Promise<void> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return;
    this.#child.kill(signal);
    await once(this.#child, "exit");
  }

  /** Reads rows for a time, or until the run is over; then the connection is cut. */
  read(table: LiveDocument, forMs: number): Promise<boolean> {
    const { port, hash } = new URL(this.address);
    return new Promise((resolve) => {
      const socket = connect(Number(port), "127.0.0.1", () => {
        const head = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${hash.slice(1)}\r\n\r\n`;
        socket.write(`GET /rows?run=1&after=${table.cursor} HTTP/1.0\r\n${head}`);
      });
      const pieces = new Pieces();
      let isHead = true;
      let isOver = false;
      const stop = setTimeout(() => socket.destroy(), forMs);
      socket.on("data", (bytes) => {
        const at = isHead ? bytes.indexOf("\r\n\r\n") + 4 : 0;
        isHead = false;
        for (const { kind, bytes: body } of pieces.add(bytes.subarray(at))) {
          if (kind === 0) table.apply(frameFrom(body));
          if (kind === 2) this.failure = new TextDecoder().decode(body);
          isOver ||= kind === 1;
        }
        if (isOver) socket.destroy();
      });
      socket.on("close", () => {
        clearTimeout(stop);
        resolve(isOver);
      });
    });
  }
}

/** The attempts, in any order: as frames brought them. */
const rowsOf = (page: PageDocument | undefined): readonly string[] =>
  Array.from({ length: page?.attempts.length ?? 0 }, (_, i) =>
    namesOf(PAGE_ATTEMPT)
      .map((name) => page?.attempts[name][i])
      .join(),
  ).sort();

describe("a journal that grows", () => {
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-live-"));
  const served: Served[] = [];
  const writtenAgo = (journal: string, secondsAgo: number): void => {
    const at = Date.now() / 1_000 - secondsAgo;
    utimesSync(journal, at, at);
  };
  const serve = async (name: string, lines: readonly string[], secondsAgo = 0): Promise<Served> => {
    const journal = join(folder, name);
    writeFileSync(journal, lines.map((line) => `${line}\n`).join(""));
    writtenAgo(journal, secondsAgo);
    const one = await new Served(journal).begin();
    served.push(one);
    return one;
  };

  afterAll(async () => {
    await Promise.all(served.map((one) => one.end()));
    rmSync(folder, { recursive: true });
  });

  test("a reader that is cut off repeatedly has all rows in the end", async () => {
    const page = await serve("cut.ndjson", LINES.slice(0, 40));
    const [cut, whole] = [new LiveDocument(), new LiveDocument()];
    const end = page.read(whole, 30_000);
    let isOver = false;
    for (let n = 40; n < LINES.length; n += 40) {
      // Also in mid-line.
      const text = LINES.slice(n, n + 40)
        .map((line) => `${line}\n`)
        .join("");
      appendFileSync(page.journal, text.slice(0, 77));
      await page.read(cut, 30 + ((n * 37) % 200));
      appendFileSync(page.journal, text.slice(77));
    }
    for (let n = 0; n < 40 && !isOver; n++) isOver = await page.read(cut, 400);
    expect([isOver, await end]).toEqual([true, true]);
    const [a, b] = [cut.grown()?.document, whole.grown()?.document];
    expect(a?.head).toEqual(b?.head);
    expect(a?.attempts.length).toBe(50);
    expect(rowsOf(a)).toEqual(rowsOf(b));
  });

  const damaged = [...LINES.slice(0, 400), LINES[400]?.replace('"at":', '"at":-') ?? ""];
  const DAMAGE = /damaged\.ndjson:\d+: the journal is damaged|:401: /;

  test("a damaged line ends the stream with its place, and earlier rows stay", async () => {
    const page = await serve("damaged.ndjson", [...damaged, ...LINES.slice(401, 480)]);
    const table = new LiveDocument();
    await page.read(table, 3_000);
    expect(page.failure).toMatch(DAMAGE);
    const launched = new Set(damaged.join().match(/"attempt":"[^"]+"/g));
    expect(table.grown()?.document.attempts.length).toBe(launched.size);
  });

  describe.skipIf(lacksChromium)("in Chromium", () => {
    const here = inBrowser("live");

    test("it shows the run, then the verdict; the key leaves, the selection stays", async () => {
      const page = await serve("seen.ndjson", LINES.slice(0, 400));
      const { page: tab, said } = await open(here.browser, page.address);
      expect(tab.url()).not.toContain("#");
      const told =
        /^map is 56 % done after 9\.23 s, about 8\.66 s to go: 1 task holds it up, 18 tasks /;
      await tab.locator("h1", { hasText: told }).waitFor();
      const rows = await tab.locator("#verdict tbody tr").allTextContents();
      expect(rows[0]).toMatch(/^map\/22#0n2.*0\.21.*0\.091\/s.*0\.82\/s.*8\.66 s.*1\.09 s/);
      expect(rows.at(-1)).toMatch(/^reduce\/0#0n1.*copy 0\.17.*waits for map/);
      expect(await tab.locator("header").textContent()).toContain("live");
      await tab.locator("#verdict button.link").first().click();
      const selected = await tab.locator(".inspector h3").textContent();
      await expectAccessible(tab, "even");
      appendFileSync(
        page.journal,
        LINES.slice(400)
          .map((line) => `${line}\n`)
          .join(""),
      );
      await tab.locator("h1", { hasText: "was lost" }).waitFor();
      expect(await tab.locator(".inspector h3").textContent()).toBe(selected);
      await tab.reload();
      await tab.waitForSelector("#page[data-ready]");
      expect(await tab.locator("h1").textContent()).toMatch(/^word-count took 16\.9 s/);
      const other = await open(here.browser, page.address.replace(/#.*/, ""), { alone: true });
      expect(await other.page.locator("#page").textContent()).toContain("with its key");
      await other.page.close();
      expect(said).toEqual([]);
      // After the run's end the page requests nothing more, however its server ends.
      const asked: string[] = [];
      tab.on("request", (request) => asked.push(request.url()));
      await page.end("SIGKILL");
      await tab.waitForTimeout(1_000);
      expect(asked).toEqual([]);
    });

    test("a run whose journal has not grown for a minute is quiet, not live", async () => {
      const page = await serve("stale.ndjson", LINES.slice(0, 400), 90);
      const { page: tab } = await open(here.browser, page.address);
      await tab.locator("header", { hasText: /quiet for (9\d|1\d\d) s/ }).waitFor();
      await tab.locator("h1", { hasText: /^map is \d\d % done after / }).waitFor();
      await tab.keyboard.press("?");
      const { port } = new URL(page.address);
      expect(await tab.locator("dialog").textContent()).toContain(
        `ssh -L ${port}:127.0.0.1:${port} HOST`,
      );
      await tab.keyboard.press("Escape");
      appendFileSync(page.journal, `${LINES[400]}\n`);
      await tab.locator("header", { hasText: "live" }).waitFor();
      // After ten minutes it counts as killed.
      writtenAgo(page.journal, 601);
      await tab.locator("h1", { hasText: "is cut off after" }).waitFor();
    });

    test("without attempts, the page says so and draws nothing", async () => {
      const page = await serve("nothing.ndjson", NOTHING_RAN, 700);
      const { page: tab } = await open(here.browser, page.address);
      await tab.locator("h1", { hasText: "Not diagnosed: no attempt ran." }).waitFor();
      expect(await tab.locator("main").textContent()).toBe("Not diagnosed: no attempt ran.");
    });

    test("without its server the page says since when, and turns grey", async () => {
      const page = await serve("gone.ndjson", LINES.slice(0, 400));
      // The page's clock is set.
      const { page: tab } = await open(here.browser, page.address, { alone: true });
      await tab.clock.install();
      await page.end("SIGKILL");
      await tab.locator("header", { hasText: "not connected" }).waitFor();
      // The page tries the server again and again meanwhile.
      for (let n = 0; n < 6; n++) {
        await tab.clock.runFor(4_000);
        await tab.waitForTimeout(100);
      }
      await tab.locator("html[data-old]").waitFor();
      await tab.locator("header", { hasText: /not connected: [2-9]\d s old/ }).waitFor();
      await tab.close();
    });

    test("a damaged line gives a notice above the data before it", async () => {
      const page = await serve("damaged-seen.ndjson", [...damaged, ...LINES.slice(401, 480)]);
      const { page: tab } = await open(here.browser, page.address);
      await tab.locator("header", { hasText: "damaged" }).waitFor();
      expect(await tab.locator("header [role=status]").textContent()).toMatch(/damaged/);
      await tab.locator("h1", { hasText: /^map is \d\d % done after / }).waitFor();
      await tab.keyboard.press("l");
      await tab.locator("#verdict button.link").first().click();
      expect(await tab.locator(".inspector h3").textContent()).toMatch(/^(map|reduce)\/\d+#\d/);
    });
  });
});
