import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Pieces } from "../../src/page/wire/pieces.ts";
import { PAGE_NODE_FLAGS } from "../../src/page-server/memory.ts";
import { LiveDocument } from "../../src/report/page/live/document.ts";
import { frameFrom } from "../../src/report/page/live/frame.ts";

/** The number of times a reader sleeps. SLEEPS=20 is the long form. */
const SLEEPS = Number(process.env.SLEEPS ?? 1);
const SLEEP_MS = 5_000;
const CHANGE_EVERY_MS = 200;
const ROWS = 16_000;

/** The most memory of the server's process: 120 bytes per row, plus Node and the page. */
const SERVER_MAX = 100e6 + 120 * ROWS;

/** A reader with its own socket. */
class Reader {
  readonly document = new LiveDocument();
  frames = 0;
  bytes = 0;
  readonly #socket: Socket;

  constructor(address: string) {
    const { port, hash } = new URL(address);
    const head = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${hash.slice(1)}\r\n\r\n`;
    this.#socket = connect(Number(port), "127.0.0.1", () => {
      this.#socket.write(`GET /rows?run=1&after=0 HTTP/1.0\r\n${head}`);
    });
    const pieces = new Pieces();
    let isHead = true;
    this.#socket.on("data", (bytes: Buffer) => {
      this.bytes += bytes.length;
      const at = isHead ? bytes.indexOf("\r\n\r\n") + 4 : 0;
      isHead = false;
      for (const { kind, bytes: body } of pieces.add(bytes.subarray(at))) {
        if (kind !== 0) continue;
        this.frames += 1;
        this.document.apply(frameFrom(body));
      }
    });
  }

  sleep(): void {
    this.#socket.pause();
  }

  wake(): void {
    this.#socket.resume();
  }

  async reach(cursor: number): Promise<void> {
    while (this.document.cursor < cursor) await setTimeout(20);
  }

  end(): void {
    this.#socket.destroy();
  }
}

/** A server in a separate process, whose rows change on request. */
class Server {
  address = "";
  /** The most resident memory after a change. */
  mostBytes = 0;
  readonly #child: ChildProcess;
  /** Rejects when the process ends, as it does at once if it cannot load the build. */
  readonly #ended: Promise<never>;

  constructor() {
    const script = new URL("./support/changing-page.mjs", import.meta.url);
    this.#child = fork(script, [String(ROWS)], { execArgv: [...PAGE_NODE_FLAGS] });
    this.#ended = once(this.#child, "exit").then(([code]) => {
      throw new Error(`the page's process ended with ${code}`);
    });
    // Nothing waits for the process after its last answer.
    this.#ended.catch(() => {});
  }

  async begin(): Promise<void> {
    this.address = (await this.#answer()).address;
  }

  async change(cursor: number): Promise<void> {
    this.#child.send(cursor);
    this.mostBytes = Math.max(this.mostBytes, (await this.#answer()).rss);
  }

  end(): void {
    this.#child.disconnect();
  }

  async #answer(): Promise<{ readonly address: string; readonly rss: number }> {
    const [answer] = await Promise.race([once(this.#child, "message"), this.#ended]);
    return answer;
  }
}

const server = new Server();

beforeAll(() => server.begin());

afterAll(() => server.end());

test(
  "a reader that sleeps gets what it missed, once, and nothing is kept for it",
  async () => {
    let cursor = 1;
    await server.change(cursor);
    const [awake, sleeper] = [new Reader(server.address), new Reader(server.address)];
    await Promise.all([awake.reach(cursor), sleeper.reach(cursor)]);
    for (let n = 0; n < SLEEPS; n += 1) {
      const before = { awake: { ...awake }, sleeper: { ...sleeper } };
      sleeper.sleep();
      for (let ms = 0; ms < SLEEP_MS; ms += CHANGE_EVERY_MS) {
        cursor += 1;
        await server.change(cursor);
        await setTimeout(CHANGE_EVERY_MS);
      }
      sleeper.wake();
      await Promise.all([awake.reach(cursor), sleeper.reach(cursor)]);
      const told = awake.frames - before.awake.frames;
      // The content of the full sockets, and one frame with everything that the reader missed.
      expect(told).toBeGreaterThan(10);
      expect(sleeper.frames - before.sleeper.frames).toBeLessThan(told / 2);
      expect(sleeper.bytes - before.sleeper.bytes).toBeLessThan(
        (awake.bytes - before.awake.bytes) / 2,
      );
      expect(server.mostBytes).toBeLessThan(SERVER_MAX);
      expect(sleeper.document.grown()?.document).toEqual(awake.document.grown()?.document);
    }
    awake.end();
    sleeper.end();
  },
  60_000 + SLEEPS * 4 * SLEEP_MS,
);
