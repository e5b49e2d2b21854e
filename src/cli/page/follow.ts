/** A worker thread that follows a journal while it grows, and posts what changed. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { parentPort, workerData } from "node:worker_threads";
import { packed, wholePage } from "../../page-server/one-file.ts";
import type { PageDocument } from "../../report/page/document.ts";
import { frameBytes } from "../../report/page/frame.ts";
import { followJournal, type JournalPage } from "../../report/page/from-journal.ts";
import { pageOf } from "../../report/page/from-trace.ts";
import { LiveTable } from "../../report/page/live-table.ts";
import { restored } from "../journal-file.ts";
import { besideOf, longestOf, openForPage } from "../page-of.ts";
import { registryFrom } from "../policy-files.ts";
import type { Followed, ToFollow } from "./followed.ts";

const CHUNK_BYTES = 1 << 20;
const LOOK_EVERY_MS = 100;
/** A page is made at most as often as makes it cost a tenth of the time. */
const SHARE = 10;
const FRAME_EVERY_MS = 200;
/** All jobs have ended, and nothing was written for so long: the run is over. */
const OVER_MS = 1_500;
/** A run whose journal is older than this and not ended was killed. */
const DEAD_MS = 60_000;

const { path, policies, against, stays }: ToFollow = workerData;
const say = (message: Followed): void => parentPort?.postMessage(message);

/** Lines as they come, until the run is over; asks for the page in between. */
function* growing(soFar: () => JournalPage | undefined): Generator<string, void> {
  const file = openSync(path, "r");
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  const decoder = new StringDecoder("utf8");
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const shown = new Shown();
  let rest = "";
  let grewAt = fstatSync(file).mtimeMs;
  try {
    for (;;) {
      const length = readSync(file, buffer);
      if (length > 0) {
        const lines = `${rest}${decoder.write(buffer.subarray(0, length))}`.split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          yield line;
          shown.hasChanged = true;
          if (shown.isDue) shown.show(soFar());
        }
        grewAt = fstatSync(file).mtimeMs;
        continue;
      }
      const page = shown.hasChanged ? soFar() : undefined;
      if (page !== undefined) shown.show(page);
      const idle = Date.now() - grewAt;
      const isOver = shown.hasEnded && idle > OVER_MS;
      if (stays && isOver) shown.showEnd(soFar());
      if (!stays && (isOver || idle > DEAD_MS)) return;
      Atomics.wait(cell, 0, 0, LOOK_EVERY_MS);
    }
  } finally {
    closeSync(file);
  }
}

/** What was posted, and when the next page is due. */
class Shown {
  hasChanged = false;
  hasEnded = false;
  readonly #table = new LiveTable();
  #dueAt = 0;
  #isDiagnosed = false;

  get isDue(): boolean {
    return performance.now() >= this.#dueAt;
  }

  /** All jobs have ended: they are diagnosed, once. */
  showEnd(page: JournalPage | undefined): void {
    if (page === undefined || this.#isDiagnosed) return;
    this.#isDiagnosed = true;
    const { trace, told, host } = page;
    sayOver(pageOf(trace, { told, host, source: basename(path) }), trace);
  }

  show(page: JournalPage | undefined): void {
    if (page === undefined || page.trace.jobs.length === 0) return;
    const began = performance.now();
    const cursor = this.#table.cursor;
    this.#table.update(liveOf(page));
    const frame = this.#table.frameAfter(cursor);
    if (frame !== undefined) say({ kind: "frame", bytes: frameBytes(frame) });
    this.hasChanged = false;
    this.#isDiagnosed = false;
    this.hasEnded = page.trace.jobs.every(({ outcome }) => outcome !== "cut-off");
    const cost = performance.now() - began;
    this.#dueAt = performance.now() + Math.max(FRAME_EVERY_MS, SHARE * cost);
  }
}

const liveOf = ({ trace, told, host }: JournalPage): PageDocument =>
  pageOf(trace, { told, host, source: basename(path), isLive: true });

function sayOver(document: PageDocument, { jobs }: JournalPage["trace"]): void {
  const { job } = wholePage(document, jobs);
  say({ kind: "over", bytes: packed(document), job });
}

async function follow(): Promise<void> {
  const registry = await registryFrom({ policies });
  const page = followJournal(growing, (described) => restored(described, path, registry), {
    place: path,
    by: "replay",
  });
  if (page.trace.jobs.length === 0) {
    say({ kind: "failed", reason: `${path}: holds no jobs` });
    return;
  }
  const { trace, told, host } = page;
  const other =
    against === undefined
      ? undefined
      : await openForPage(against, { registry, refusals: false, onStored: () => {} });
  const beside = other && besideOf(other, longestOf(trace.jobs), against ?? "");
  const source = basename(path);
  const options = { told, host, source, ...beside };
  sayOver(pageOf(trace, options), trace);
}

follow().catch((error: unknown) => {
  say({ kind: "failed", reason: error instanceof Error ? error.message : String(error) });
});
