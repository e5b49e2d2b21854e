/** A worker thread that follows a journal while it grows, and posts what changed. */

import { fstatSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import type { LiveFold } from "../../report/page/live/fold.ts";
import { followJournal } from "../../report/page/live/follow.ts";
import { WEIGHT_MAX } from "../../report/page/live/parcel.ts";
import { StoredJournal } from "../journal-file.ts";
import { registryFrom } from "../policy-files.ts";
import type { FollowerData, FollowerMessage } from "./followed.ts";

const LOOK_EVERY_MS = 100;
const FRAME_EVERY_MS = 200;
/** If all jobs have ended and nothing was written for this long, the run is over. */
const OVER_MS = 1_500;
/** If jobs have not ended and nothing was written for this long, the run was killed. */
const DEAD_MS = 600_000;
const CHUNK_BYTES = 1 << 16;
const LINE_END = 10;

const { path, policies, refusals, taken }: FollowerData = workerData;
const say = (message: FollowerMessage): void => parentPort?.postMessage(message);

/** Reads lines as they arrive, endlessly, and posts their changes in between. */
function* growing(fold: () => LiveFold | undefined, shown: Shown): Generator<string, void> {
  const { file } = shown;
  const cell = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    const lines = file.read();
    for (const line of lines) {
      yield line;
      if ((fold()?.waiting ?? 0) >= WEIGHT_MAX) shown.makeRoom();
      if (shown.isDue) shown.show(fold());
    }
    if (lines.length > 0) continue;
    shown.makeRoom();
    shown.show(fold());
    const idle = Date.now() - file.grewAt;
    const most = fold()?.isOver === true ? OVER_MS : DEAD_MS;
    if (fold()?.hasJobs === true && idle > most) shown.rest();
    Atomics.wait(cell, 0, 0, LOOK_EVERY_MS);
  }
}

/** Posts the frames, and keeps track of when the next is due. */
class Shown {
  readonly file: GrowingFile;
  #cursor = 0;
  #dueAt = 0;
  #rests = false;

  constructor(file: GrowingFile) {
    this.file = file;
  }

  /** Waits until the server has taken the last post, so that nothing piles up. */
  get isDue(): boolean {
    return performance.now() >= this.#dueAt && Atomics.load(taken, 0) === this.#cursor;
  }

  /** Waits until the server has taken what was posted; then the next frame is due. */
  makeRoom(): void {
    let known = Atomics.load(taken, 0);
    for (; known < this.#cursor; known = Atomics.load(taken, 0)) Atomics.wait(taken, 0, known);
    this.#dueAt = 0;
  }

  show(fold: LiveFold | undefined): void {
    this.#dueAt = performance.now() + FRAME_EVERY_MS;
    for (const changes of fold?.take() ?? []) {
      this.#cursor += 1;
      this.#rests = false;
      const frame = { ...changes, cursor: this.#cursor };
      say({ kind: "frame", frame, grewAt: this.file.grewAt });
    }
  }

  /** Posted once, until something is written again. */
  rest(): void {
    if (!this.#rests) say({ kind: "rests" });
    this.#rests = true;
  }
}

async function follow(): Promise<void> {
  const registry = await registryFrom({ policies });
  const { restore } = new StoredJournal(path, registry);
  const by = refusals ? "replay" : "actions";
  const shown = new Shown(new GrowingFile(path));
  let latest: () => LiveFold | undefined = () => undefined;
  try {
    const lines = (fold: () => LiveFold | undefined): Iterable<string> => {
      latest = fold;
      return growing(fold, shown);
    };
    followJournal(lines, restore, { place: path, source: basename(path), by });
  } finally {
    // The lines before the damage still count.
    shown.show(latest());
  }
}

/**
 * A file of lines that another process writes. An incomplete line is read again later: the process
 * that resumes a killed run cuts it off and continues.
 */
class GrowingFile {
  readonly #file: number;
  readonly #buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  /** The byte after the last whole line. */
  #end = 0;

  constructor(path: string) {
    this.#file = openSync(path, "r");
  }

  /** When the file was last written, as milliseconds since 1970. */
  get grewAt(): number {
    return fstatSync(this.#file).mtimeMs;
  }

  /** The next whole lines; empty if there are none yet. */
  read(): readonly string[] {
    let held = Buffer.alloc(0);
    for (;;) {
      const from = this.#end + held.length;
      const length = readSync(this.#file, this.#buffer, 0, CHUNK_BYTES, from);
      if (length === 0) return [];
      const bytes = Buffer.concat([held, this.#buffer.subarray(0, length)]);
      const last = bytes.lastIndexOf(LINE_END);
      if (last >= 0) {
        this.#end += last + 1;
        return bytes.toString("utf8", 0, last).split("\n");
      }
      held = bytes;
    }
  }
}

follow().catch((error: unknown) => {
  say({ kind: "failed", reason: error instanceof Error ? error.message : String(error) });
});
