import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Pieces } from "../../src/page/wire/pieces.ts";
import { PageSource } from "../../src/page-server/page-source.ts";
import type { PageServer, servePage } from "../../src/page-server/server.ts";
import { LiveDocument } from "../../src/report/page/live/document.ts";
import {
  type Frame,
  frameFrom,
  type LiveHead,
  liveColumns,
} from "../../src/report/page/live/frame.ts";
import { CURVE_POINTS } from "../../src/trace/columns.ts";

/** The page's script and style are the build's. */
const BUILT = new URL("../../dist/page-server/server.js", import.meta.url).href;

/** How often a reader sleeps. SLEEPS=20 is the long form. */
const SLEEPS = Number(process.env.SLEEPS ?? 1);
const SLEEP_MS = 5_000;
const CHANGE_EVERY_MS = 200;
const ROWS = 16_000;

const HEAD: LiveHead = {
  schema: "broomwagon/page@1",
  title: "job",
  host: "simulator",
  format: "journal",
  source: "journal",
  originMs: 0,
  nodes: [{ name: "n" }],
  jobs: [{ name: "job", submittedAt: 0, endedAt: 0, outcome: "cut-off" }],
  phases: [{ job: 0, name: "map", tasks: ROWS, reads: [] }],
  rows: [{ node: 0, kind: "map" }],
  lanes: [0],
  slotsKnown: true,
  spans: [],
  lacks: [],
  notes: [],
};

let state = 1;
/** A number that compression cannot guess. */
function random(): number {
  state = (state * 48_271) % 2_147_483_647;
  return state;
}

/** Every row has changed. */
const frame = (cursor: number): Frame => ({ ...(FRAMES[cursor % 2] ?? made(0)), cursor });

function made(cursor: number): Frame {
  const column = (of: (i: number) => number): Float64Array =>
    Float64Array.from({ length: ROWS }, (_, i) => of(i));
  return {
    cursor,
    now: { endsAt: cursor, firstLaunches: ROWS, offeredMs: 0 },
    head: HEAD,
    decisions: [],
    refusals: [],
    gone: [],
    rows: {
      ids: column((i) => i),
      columns: liveColumns((name) =>
        column((i) => (name === "task" ? i : name === "endedAt" ? random() : 0)),
      ),
      curves: Float64Array.from({ length: CURVE_POINTS * ROWS }, () => random() >> 8),
    },
  };
}

const FRAMES = [made(0), made(1)];

/** A reader with a socket of its own. */
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

const source = new PageSource();
let server: PageServer;

beforeAll(async () => {
  const built: { readonly servePage: typeof servePage } = await import(BUILT);
  server = await built.servePage(source);
});

afterAll(() => server.close());

test(
  "a reader that sleeps gets what it missed, once, and nothing is kept for it",
  async () => {
    let cursor = 1;
    source.apply(frame(cursor));
    const [awake, sleeper] = [new Reader(server.address), new Reader(server.address)];
    await Promise.all([awake.reach(cursor), sleeper.reach(cursor)]);
    for (let n = 0; n < SLEEPS; n += 1) {
      const before = { awake: { ...awake }, sleeper: { ...sleeper } };
      sleeper.sleep();
      for (let ms = 0; ms < SLEEP_MS; ms += CHANGE_EVERY_MS) {
        cursor += 1;
        source.apply(frame(cursor));
        await setTimeout(CHANGE_EVERY_MS);
      }
      sleeper.wake();
      await Promise.all([awake.reach(cursor), sleeper.reach(cursor)]);
      const told = awake.frames - before.awake.frames;
      // What the sockets held when they were full, and one frame with everything that it missed.
      expect(told).toBeGreaterThan(10);
      expect(sleeper.frames - before.sleeper.frames).toBeLessThan(told / 2);
      expect(sleeper.bytes - before.sleeper.bytes).toBeLessThan(
        (awake.bytes - before.awake.bytes) / 2,
      );
      expect(sleeper.document.grown()?.document).toEqual(awake.document.grown()?.document);
    }
    awake.end();
    sleeper.end();
  },
  60_000 + SLEEPS * 4 * SLEEP_MS,
);
