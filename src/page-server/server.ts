import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { refusal } from "./guard.ts";
import { livePage, worker } from "./one-file.ts";
import type { PageSource } from "./page-source.ts";

export interface PageServer {
  /** With the key behind `#`, where it is in no request and no log. */
  readonly address: string;
  readonly port: number;
  /** Pages that follow the run just now. */
  readonly readers: () => number;
  close(): Promise<void>;
}

const READERS_MAX = 16;
const HEAD_MAX_BYTES = 8_192;
const HEAD_MAX_MS = 5_000;
/** A reader that takes nothing for so long is dropped; its cursor lets it come back. */
const STUCK_MS = 60_000;
const FRAME_EVERY_MS = 200;

/** Serves a page to this machine only. `port` 0: any that is free. */
export async function servePage(source: PageSource, { port = 0 } = {}): Promise<PageServer> {
  const key = randomBytes(16).toString("base64url");
  const page = livePage();
  let bound = 0;
  let readers = 0;
  const options = {
    maxHeaderSize: HEAD_MAX_BYTES,
    headersTimeout: HEAD_MAX_MS,
    requestTimeout: HEAD_MAX_MS,
    connectionsCheckingInterval: 1_000,
  };
  const server = createServer(options, (request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const refused = refusal(request, { port: bound, key, isOpen: url.pathname === "/" });
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    if (refused !== undefined) {
      end(response, refused.status, refused.why);
    } else if (url.pathname === "/") {
      response.setHeader("Content-Security-Policy", page.policy);
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      response.end(page.html);
    } else if (url.pathname === "/rows") {
      if (readers >= READERS_MAX) return end(response, 503, "too many readers");
      readers += 1;
      response.on("close", () => {
        readers -= 1;
      });
      const [run = 0, after = 0] = ["run", "after"].map((name) =>
        Number(url.searchParams.get(name) ?? 0),
      );
      stream(source, run === source.run ? after : 0, response);
    } else if (bytesAt(url.pathname, source) !== undefined) {
      response.setHeader("Content-Type", "application/octet-stream");
      response.end(bytesAt(url.pathname, source));
    } else end(response, 404, "nothing here");
    return undefined;
  });
  await listening(server, port);
  bound = portOf(server);
  return {
    address: `http://127.0.0.1:${bound}/#${key}`,
    port: bound,
    readers: () => readers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The worker, and the files that the server has once the run is over. */
function bytesAt(path: string, source: PageSource): Uint8Array | undefined {
  if (path === "/document") return source.whole;
  if (path === "/job") return source.job;
  return path === "/worker" ? worker() : undefined;
}

const HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
};

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a TCP port");
  return address.port;
}

const listening = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });

function end(response: ServerResponse<IncomingMessage>, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader("Content-Type", "text/plain; charset=utf-8");
  response.setHeader("Connection", "close");
  response.end(`${text}\n`);
}

/**
 * Frames for ever: the kind in a byte (0 rows, 1 over, 2 failed, 3 a run by its number, 4 a
 * study), 32 bits of length, bytes. A frame every 200 ms if something changed and the reader has
 * taken the one before.
 */
function stream(source: PageSource, after: number, response: ServerResponse): void {
  response.setHeader("Content-Type", "application/octet-stream");
  let seen = { cursor: after, head: 0 };
  let run = 0;
  let saidOver = false;
  let study = 0;
  let latest = 0;
  let waits: NodeJS.Timeout | undefined;
  let isTaken = true;
  const write = (kind: number | undefined, bytes: Uint8Array): void => {
    isTaken = response.write(framed(kind, bytes)) && isTaken;
  };
  const send = (): void => {
    if (waits !== undefined || !isTaken || response.destroyed) return;
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
  };
  const stop = source.listen(send);
  response.on("drain", () => {
    isTaken = true;
    send();
  });
  response.setTimeout(STUCK_MS, () => {
    if (!isTaken) response.destroy();
  });
  response.on("close", () => {
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
