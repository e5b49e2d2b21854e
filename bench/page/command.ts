import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { bigScenario } from "../../test/page/support/big-scenario.ts";
import { broomwagon, launch, open } from "../../test/page/support/browser.ts";
import { streamed, streamText } from "./stream.ts";

export const PAGE_USAGE =
  "npm run bench -- page [--attempts 1000,10000,99000] [-o table|json]    (needs Chromium)\n" +
  "       npm run bench -- page --stream 1000000 [--journal FILE]";

const STEPS = 60;

interface Row {
  readonly attempts: number;
  readonly megabytes: number;
  readonly reportS: number;
  readonly readyMs: number;
  readonly heapMB: number;
  /** At one device pixel a CSS pixel, and at two. */
  readonly frames: readonly [Frames, Frames];
}

/**
 * Milliseconds between frames, the median and the 95th percentile; and what a frame costs the
 * page's own thread, in milliseconds of CPU time, which others on the machine do not change.
 */
type Paced = readonly [median: number, percentile95: number, cpuMs: number];

interface Frames {
  readonly zoom: Paced;
  readonly pan: Paced;
  readonly pointer: Paced;
}

/**
 * How fast the page of a large run opens, and how smoothly it zooms, moves and points; or what a
 * page costs that follows a large run.
 */
export async function pageBench(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      attempts: { type: "string", default: "1000,10000,99000" },
      format: { type: "string", short: "o", default: "table" },
      stream: { type: "string" },
      journal: { type: "string" },
    },
  });
  if (values.stream !== undefined) {
    const row = await streamed(Number(values.stream), values.journal);
    console.log(values.format === "json" ? JSON.stringify(row) : streamText(row));
    return true;
  }
  const browser = await launch();
  try {
    for (const attempts of values.attempts.split(",").map(Number)) {
      const row = await measured(browser, attempts);
      console.log(values.format === "json" ? JSON.stringify(row) : textOf(row));
    }
    return true;
  } finally {
    await browser.close();
  }
}

async function measured(browser: Browser, attempts: number): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-bench-page-"));
  const [scenario, journal, html] = ["big.json", "big.ndjson", "big.html"].map((name) =>
    join(folder, name),
  );
  if (scenario === undefined || journal === undefined || html === undefined) throw new Error();
  try {
    writeFileSync(scenario, JSON.stringify(bigScenario(attempts)));
    broomwagon("simulate", scenario, "--journal", journal);
    const began = performance.now();
    broomwagon("report", journal, "--no-intervals", "--out", html);
    const reportS = (performance.now() - began) / 1_000;
    const { page } = await open(browser, `file://${html}`);
    const readyMs = Number(await page.locator("#page").getAttribute("data-ready"));
    const heap: number = await page.evaluate("performance.memory.usedJSHeapSize");
    const once = await allFrames(page);
    await page.close();
    const { page: fine } = await open(browser, `file://${html}`, { scale: 2 });
    const twice = await allFrames(fine);
    await fine.close();
    const megabytes = statSync(html).size / 1e6;
    return { attempts, megabytes, reportS, readyMs, heapMB: heap / 1e6, frames: [once, twice] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function allFrames(page: Page): Promise<Frames> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const cpuMs = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
  };
  const paced = async (act: string): Promise<Paced> => {
    const before = await cpuMs();
    const [median, percentile95] = await frames(page, act);
    return [median, percentile95, ((await cpuMs()) - before) / STEPS];
  };
  return {
    zoom: await paced(`n % 20 < 10 ? key("w") : key("s")`),
    pan: await paced(`n % 20 < 10 ? key("d") : key("a")`),
    pointer: await paced("move(n)"),
  };
}

/** Milliseconds between frames while one thing after another is done. */
function frames(page: Page, act: string): Promise<[number, number]> {
  return page.evaluate(`(async () => {
    const key = (key) =>
      document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    const plane = document.querySelector("canvas.rows");
    const box = plane.getBoundingClientRect();
    const move = (n) => plane.dispatchEvent(new PointerEvent("pointermove", {
      clientX: box.x + 140 + 10 * n, clientY: box.y + 30 + 5 * n, bubbles: true,
    }));
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const took = [];
    let before = await frame();
    for (let n = 0; n < ${STEPS}; n++) {
      ${act};
      const now = await frame();
      took.push(now - before);
      before = now;
    }
    took.sort((a, b) => a - b);
    return [took[${STEPS / 2}], took[${Math.floor(0.95 * STEPS)}]];
  })()`);
}

function textOf(row: Row): string {
  const of = ([p50, p95, cpu]: Paced): string =>
    `${p50.toFixed(1)} / ${p95.toFixed(1)} ms (${cpu.toFixed(1)} of CPU)`;
  return [
    `${row.attempts} attempts: ${row.megabytes.toFixed(2)} MB, report ${row.reportS.toFixed(1)} s`,
    `ready ${row.readyMs} ms, heap ${row.heapMB.toFixed(0)} MB`,
    ...row.frames.map(
      ({ zoom, pan, pointer }, n) =>
        `frames at ${n + 1}x (median / 95 %): zoom ${of(zoom)}, ` +
        `pan ${of(pan)}, pointer ${of(pointer)}`,
    ),
  ].join(", ");
}
