import { randomBytes } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { answerAt } from "./answers.ts";
import { refusal } from "./guard.ts";
import { end, guarded } from "./guarded.ts";
import { livePage, oneFile, worker } from "./one-file.ts";
import type { PageSource } from "./page-source.ts";
import { listenHere } from "./port.ts";
import { stream } from "./stream.ts";
import { STUCK_MS } from "./stuck.ts";

export interface PageServer {
  /** The address, with the key behind `#`, which appears in no request and no log. */
  readonly address: string;
  readonly port: number;
  /** The number of pages that follow or save the run now. */
  readonly readers: () => number;
  close(): Promise<void>;
}

const READERS_MAX = 16;
const HEAD_MAX_BYTES = 8_192;
const HEAD_MAX_MS = 5_000;

/** Serves a page to this machine only. `port` 0: any that is free. */
export async function servePage(source: PageSource, { port = 0 } = {}): Promise<PageServer> {
  const key = randomBytes(16).toString("base64url");
  let page: ReturnType<typeof livePage> | undefined;
  let bound = 0;
  let readers = 0;
  const options = {
    maxHeaderSize: HEAD_MAX_BYTES,
    headersTimeout: HEAD_MAX_MS,
    requestTimeout: HEAD_MAX_MS,
    connectionsCheckingInterval: 1_000,
  };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const { path, query } = targetOf(request.url);
    const refused = refusal(request, { port: bound, key, isOpen: path === "/" });
    if (path === "") {
      end(response, 400, "expected a path of this server");
    } else if (refused !== undefined) {
      end(response, refused.status, refused.why);
    } else if (path === "/") {
      page ??= livePage();
      response.setHeader("Content-Security-Policy", page.policy);
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      response.end(page.html);
    } else if (!LONG.includes(path)) {
      void sendAt(path, source, response);
    } else if (readers >= READERS_MAX) {
      end(response, 503, "too many readers");
    } else {
      readers += 1;
      source.read();
      response.on("close", () => {
        readers -= 1;
      });
      if (path === "/rows") {
        const [run, after] = [wholeNumber(query.get("run")), wholeNumber(query.get("after"))];
        stream(source, run === source.run ? after : 0, response);
      } else if (path === "/file") sendPage(source, response);
      else sendFile(source.origin.journal, response);
    }
  };
  const server = createServer(options, (request, response) =>
    guarded(response, () => answer(request, response)),
  );
  await listenHere(server, port, `--port ${port}`);
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

interface Target {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** What a request asks for; the path is empty if the target is not on this server. */
function targetOf(url = ""): Target {
  const [, path = "", query = ""] = /^(\/(?!\/)[^?]*)\??(.*)$/.exec(url) ?? [];
  return { path, query: new URLSearchParams(query) };
}

/** 0 if the text is no whole number: then a reader gets everything. */
const wholeNumber = (text: string | null): number =>
  /^\d{1,15}$/.test(text ?? "") ? Number(text) : 0;

/** Slow answers: the endless stream of rows, the page as one file, the journal. */
const LONG: readonly string[] = ["/rows", "/file", "/journal"];

/** The worker, what the server has once the run is over, and answers to other programs. */
async function sendAt(path: string, source: PageSource, response: ServerResponse): Promise<void> {
  await source.known();
  guarded(response, () => {
    const answer = answerAt(path, source.answers);
    const bytes = answer?.json ?? bytesAt(path, source);
    if (bytes === undefined) {
      end(response, 404, answer?.lack ?? "nothing here");
      return;
    }
    response.setHeader("Content-Type", answer === undefined ? BYTES : "application/json");
    response.end(bytes);
  });
}

const BYTES = "application/octet-stream";

function bytesAt(path: string, source: PageSource): Uint8Array | undefined {
  if (path === "/document") return source.whole?.document;
  if (path === "/job") return source.whole?.job;
  return path === "/worker" ? worker() : undefined;
}

/** The page as one file, of what is known so far. */
function sendPage(source: PageSource, response: ServerResponse): void {
  source.kept().then(
    (page) =>
      guarded(response, () => {
        response.setHeader("Content-Type", BYTES);
        response.end(oneFile(page));
      }),
    (error: unknown) => end(response, 503, error instanceof Error ? error.message : String(error)),
  );
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

/** Sends what a file holds now; lines that are appended meanwhile are left out. */
function sendFile(path: string | undefined, response: ServerResponse): void {
  const size = path === undefined ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  if (path === undefined || size === 0) {
    end(response, 404, "no journal: this page was made of a history, or nothing is written yet");
    return;
  }
  response.setHeader("Content-Type", "application/octet-stream");
  const file = createReadStream(path, { end: size - 1 });
  let stuck: NodeJS.Timeout | undefined;
  const wait = (): void => {
    clearTimeout(stuck);
    stuck = setTimeout(() => response.destroy(), STUCK_MS);
  };
  wait();
  response.on("drain", wait);
  // The reader can tell how the answer ended: a file that is cut off has no last chunk.
  pipeline(file, response, () => clearTimeout(stuck));
}
