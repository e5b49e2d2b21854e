import type { ServerResponse } from "node:http";
import { guarded } from "./guarded.ts";
import type { PageSource } from "./page-source.ts";

const FRAME_EVERY_MS = 200;
/** A reader that has not taken what it was sent after so long is dropped: it may come back. */
const STUCK_MS = 60_000;

/**
 * Frames for ever: the kind in a byte (0 rows, 1 over, 2 failed, 3 a run by its number, 4 a
 * study), 32 bits of length, bytes. A frame every 200 ms if something changed and the reader has
 * taken the one before.
 */
export function stream(source: PageSource, after: number, response: ServerResponse): void {
  response.setHeader("Content-Type", "application/octet-stream");
  let seen = { cursor: after, head: 0 };
  let run = 0;
  let saidOver = false;
  let study = 0;
  let latest = 0;
  let waits: NodeJS.Timeout | undefined;
  /** While something is not taken. A socket's own timeout may last twice as long. */
  let stuck: NodeJS.Timeout | undefined;
  const waitForReader = (): void => {
    stuck ??= setTimeout(() => response.destroy(), STUCK_MS);
  };
  const write = (kind: number | undefined, bytes: Uint8Array): void => {
    if (!response.write(framed(kind, bytes))) waitForReader();
  };
  const send = (): void => guarded(response, sendDue);
  const sendDue = (): void => {
    if (waits !== undefined || stuck !== undefined) return;
    if (response.destroyed || response.writableEnded) return;
    const due = latest + FRAME_EVERY_MS - performance.now();
    if (due > 0) {
      waits = setTimeout(() => {
        waits = undefined;
        send();
      }, due);
      return;
    }
    latest = performance.now();
    if (run !== source.run) {
      if (run !== 0) seen = { cursor: 0, head: 0 };
      run = source.run;
      saidOver = false;
      write(RUN, Buffer.from(String(run)));
    }
    if (source.whole === undefined) saidOver = false;
    const frame = source.frameAfter(seen);
    if (frame !== undefined) {
      seen = frame.seen;
      write(ROWS, frame.bytes);
    }
    if (source.hasMore(seen)) {
      // The rest does not wait for the next change.
      latest = 0;
      setImmediate(send);
      return;
    }
    if (study !== source.study.version) {
      study = source.study.version;
      write(STUDY, Buffer.from(source.study.text));
    }
    if (source.failure !== undefined) finish(framed(FAILED, Buffer.from(source.failure)));
    else if (source.whole !== undefined && !saidOver) {
      saidOver = true;
      write(OVER, new Uint8Array());
    }
  };
  const finish = (bytes: Uint8Array): void => {
    stop();
    response.end(bytes);
    waitForReader();
  };
  const stop = source.listen(send);
  response.on("drain", () => {
    clearTimeout(stuck);
    stuck = undefined;
    send();
  });
  response.on("close", () => {
    clearTimeout(stuck);
    clearTimeout(waits);
    stop();
  });
  response.flushHeaders();
  send();
}

const [ROWS, OVER, FAILED, RUN, STUDY] = [0, 1, 2, 3, 4];

function framed(kind: number | undefined, bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(5 + bytes.length);
  whole[0] = kind ?? 0;
  new DataView(whole.buffer).setUint32(1, bytes.length);
  whole.set(bytes, 5);
  return whole;
}
