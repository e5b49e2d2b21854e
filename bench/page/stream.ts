import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { Pieces } from "../../src/page/wire/pieces.ts";
import { PAGE_NODE_FLAGS } from "../../src/page-server/memory.ts";
import { frameFrom } from "../../src/report/page/live/frame.ts";
import { bigScenario } from "../../test/page/support/big-scenario.ts";
import { broomwagon, launch, open } from "../../test/page/support/browser.ts";
import { ROOT } from "../../tools/cluster/repository.ts";

const EVERY_MS = 1_000;
/** If no frame comes for this long, the journal has been read. */
const DONE_MS = 30_000;
const TAIL_BYTES = 1 << 20;

interface Streamed {
  readonly attempts: number;
  readonly seconds: number;
  readonly frames: number;
  readonly largestFrameMB: number;
  /** The most resident memory of the page's process, and its CPU time. */
  readonly serverMB: number;
  readonly serverCpuS: number;
  readonly heapMB: number;
  /** From a key to the second frame after it: the median, the 95th percentile, the longest. */
  readonly keyMs: readonly [number, number, number];
}

/**
 * Streams a journal of this many attempts to a live page, with a browser and a second reader, and
 * measures both. `journal`: an existing file; if undefined, the simulator writes one. The journal's
 * last line is held back, so that the run does not end.
 */
export async function streamed(attempts: number, journal: string | undefined): Promise<Streamed> {
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-bench-stream-"));
  const [scenario, whole] = ["big.json", "big.ndjson"].map((name) => join(folder, name));
  if (scenario === undefined || whole === undefined) throw new Error();
  const browser = await launch();
  let server: ChildProcess | undefined;
  try {
    if (journal === undefined) {
      writeFileSync(scenario, JSON.stringify(bigScenario(attempts)));
      broomwagon("simulate", scenario, "--journal", whole);
    } else copyFileSync(journal, whole);
    truncateSync(whole, lastLineOf(whole));
    // As beside a run.
    const args = [...PAGE_NODE_FLAGS, join(ROOT, "bin/broomwagon.js"), "page", whole];
    server = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
    const [text] = await once(server.stdout ?? server, "data");
    const address = String(text).trim();
    const reader = new FrameReader(address);
    const { page } = await open(browser, address);
    return await watch(page, reader, server.pid ?? 0);
  } finally {
    server?.kill("SIGKILL");
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

/** Where the last line begins. */
function lastLineOf(path: string): number {
  const { size } = statSync(path);
  const tail = Buffer.alloc(Math.min(TAIL_BYTES, size));
  const file = openSync(path, "r");
  readSync(file, tail, 0, tail.length, size - tail.length);
  closeSync(file);
  // A seal may follow the last step.
  let at = tail.lastIndexOf('\n{"at":');
  if (at < 0) at = 0;
  return size - tail.length + at + 1;
}

async function watch(page: Page, reader: FrameReader, pid: number): Promise<Streamed> {
  const began = performance.now();
  const keys: number[] = [];
  let [serverMB, serverCpuS, heapMB, n] = [0, 0, 0, 0];
  while (performance.now() - reader.latest < DONE_MS) {
    keys.push(await page.evaluate(keyMs(n++ % 2 === 0 ? "w" : "s")));
    serverMB = Math.max(serverMB, peakOf(pid));
    serverCpuS = cpuOf(pid);
    const used: number = await page.evaluate("performance.memory.usedJSHeapSize");
    heapMB = Math.max(heapMB, used / 1e6);
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
  keys.sort((a, b) => a - b);
  const at = (share: number): number => keys[Math.floor(share * (keys.length - 1))] ?? 0;
  return {
    attempts: reader.rows,
    seconds: (reader.latest - began) / 1_000,
    frames: reader.frames,
    largestFrameMB: reader.largest / 1e6,
    serverMB,
    serverCpuS,
    heapMB,
    keyMs: [at(0.5), at(0.95), at(1)],
  };
}

const keyMs = (key: string): string => `new Promise((resolve) => {
  const began = performance.now();
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "${key}", bubbles: true }));
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - began)));
})`;

function peakOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return (Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) * 1_024) / 1e6;
}

/** Ticks of a hundredth of a second: fields 14 and 15. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Reads frames, and keeps their sizes. */
class FrameReader {
  frames = 0;
  largest = 0;
  rows = 0;
  latest = performance.now();

  constructor(address: string) {
    const { port, hash } = new URL(address);
    const headers = { Authorization: `Bearer ${hash.slice(1)}` };
    get({ port, path: "/rows?after=0", headers }, (response) => {
      const pieces = new Pieces();
      response.on("data", (bytes: Buffer) => {
        for (const { kind, bytes: body } of pieces.add(bytes)) if (kind === 0) this.#add(body);
      });
    }).on("error", () => {});
  }

  #add(bytes: Uint8Array): void {
    this.latest = performance.now();
    this.frames += 1;
    this.largest = Math.max(this.largest, bytes.length);
    const { id } = frameFrom(bytes).rows.columns;
    for (const each of id) this.rows = Math.max(this.rows, each + 1);
  }
}

export function streamText(row: Streamed): string {
  const [p50, p95, most] = row.keyMs.map((ms) => ms.toFixed(0));
  return [
    `${row.attempts} attempts streamed in ${row.seconds.toFixed(0)} s: ${row.frames} frames`,
    `largest ${row.largestFrameMB.toFixed(2)} MB, server at most ${row.serverMB.toFixed(0)} MB`,
    `${row.serverCpuS.toFixed(0)} s of CPU`,
    `browser's heap at most ${row.heapMB.toFixed(0)} MB`,
    `a key answered in ${p50} ms (95 %: ${p95}, longest: ${most})`,
  ].join(", ");
}
