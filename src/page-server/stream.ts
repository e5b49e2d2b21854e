import type { ServerResponse } from "node:http";
import { guarded } from "./guarded.ts";
import type { PageSource } from "./page-source.ts";
import { STUCK_MS } from "./stuck.ts";

const FRAME_EVERY_MS = 200;

const [ROWS, OVER, FAILED, RUN, STUDY, GREW] = [0, 1, 2, 3, 4, 5];

/**
 * An endless stream of frames: the kind in a byte (0 rows, 1 over, 2 failed, 3 a run by its number,
 * 4 a study, 5 the milliseconds since the journal grew), 32 bits of length, bytes. A frame every
 * 200 ms if something changed and the reader has taken the one before.
 */
export function stream(source: PageSource, after: number, response: ServerResponse): void {
  response.setHeader("Content-Type", "application/octet-stream");
  const reader = new Reader(source, after, response);
  response.on("drain", () => reader.drained());
  response.on("close", () => reader.close());
  response.flushHeaders();
  reader.send();
}

class Reader {
  readonly #source: PageSource;
  readonly #response: ServerResponse;
  readonly #stop: () => void;
  #seen: { cursor: number; head: number };
  #run = 0;
  #saidOver = false;
  #study = 0;
  #latest = 0;
  #waits: NodeJS.Timeout | undefined;
  /**
   * The timer that runs while the reader has not taken a frame. A socket's own timeout may take
   * twice as long.
   */
  #stuck: NodeJS.Timeout | undefined;

  constructor(source: PageSource, after: number, response: ServerResponse) {
    this.#source = source;
    this.#seen = { cursor: after, head: 0 };
    this.#response = response;
    this.#stop = source.listen(() => this.send());
  }

  /** Sends the next frame as soon as it is due and the reader has taken the previous one. */
  send(): void {
    if (this.#waits !== undefined || this.#stuck !== undefined) return;
    if (this.#response.destroyed || this.#response.writableEnded) return;
    const due = this.#latest + FRAME_EVERY_MS - performance.now();
    if (due > 0) {
      this.#waits = setTimeout(() => {
        this.#waits = undefined;
        this.send();
      }, due);
      return;
    }
    this.#latest = performance.now();
    guarded(this.#response, () => this.#sendNow());
  }

  drained(): void {
    clearTimeout(this.#stuck);
    this.#stuck = undefined;
    this.send();
  }

  close(): void {
    clearTimeout(this.#stuck);
    clearTimeout(this.#waits);
    this.#stop();
  }

  #sendNow(): void {
    const source = this.#source;
    this.#sendRun();
    const frame = source.frameAfter(this.#seen);
    if (frame !== undefined) {
      this.#seen = frame.seen;
      this.#write(GREW, Buffer.from(String(Math.max(0, Date.now() - source.grewAt))));
      this.#write(ROWS, frame.bytes);
    }
    if (source.hasMore(this.#seen)) {
      // The rest does not wait for the next change.
      this.#latest = 0;
      setImmediate(() => this.send());
      return;
    }
    if (this.#study !== source.study.version) {
      this.#study = source.study.version;
      this.#write(STUDY, Buffer.from(source.study.text));
    }
    if (source.failure !== undefined) {
      this.#stop();
      this.#response.end(framed(FAILED, Buffer.from(source.failure)));
      this.#waitForReader();
    } else if (source.whole !== undefined && !this.#saidOver) {
      this.#saidOver = true;
      this.#write(OVER, new Uint8Array());
    }
  }

  #sendRun(): void {
    const { run, whole } = this.#source;
    if (this.#run !== run) {
      if (this.#run !== 0) this.#seen = { cursor: 0, head: 0 };
      this.#run = run;
      this.#saidOver = false;
      this.#write(RUN, Buffer.from(String(run)));
    }
    if (whole === undefined) this.#saidOver = false;
  }

  #write(kind: number | undefined, bytes: Uint8Array): void {
    if (!this.#response.write(framed(kind, bytes))) this.#waitForReader();
  }

  #waitForReader(): void {
    this.#stuck ??= setTimeout(() => this.#response.destroy(), STUCK_MS);
  }
}

function framed(kind: number | undefined, bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(5 + bytes.length);
  whole[0] = kind ?? 0;
  new DataView(whole.buffer).setUint32(1, bytes.length);
  whole.set(bytes, 5);
  return whole;
}
