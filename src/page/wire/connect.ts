import { assert } from "../../base/assert.ts";
import { hasFields } from "../../base/json.ts";
import type { PageDocument } from "../../report/page/document.ts";
import { type Grown, LiveDocument } from "../../report/page/live/document.ts";
import { frameFrom } from "../../report/page/live/frame.ts";
import type { Study } from "../../report/page/study.ts";
import type { WorkerSource } from "./page-worker.ts";
import { Pieces } from "./pieces.ts";
import { documentIn } from "./unpack.ts";

const [ROWS, OVER, FAILED, RUN, STUDY, GREW] = [0, 1, 2, 3, 4, 5];
const KEY = "broomwagon-key";
const AGAIN_MS = { first: 500, most: 10_000 };
/** A page is rendered again at most so often that rendering takes a tenth of the time. */
const SHARE = 10;
const RENEW_MS = 200;

export interface Hears {
  /** `grewAt`: when the run's journal last grew, by this browser's clock. */
  readonly page: (grown: Grown, grewAt: number) => void;
  readonly study: (study: Study) => void;
  readonly worker: (source: WorkerSource) => void;
  /** Whether the server answers; called after each try. */
  readonly link: (isUp: boolean) => void;
}

/** Moves the server's key from the address bar into this tab's storage. */
function takeKey(): void {
  const given = location.hash.slice(1);
  if (/^[\w-]{22}$/.test(given)) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, "", location.pathname);
  }
}

/** Fetches a path from the server with this tab's key. */
export const askFor = (path: string): Promise<Response> =>
  fetch(path, { headers: { Authorization: `Bearer ${sessionStorage.getItem(KEY) ?? ""}` } });

/** Follows the run until it is over. Throws an Error in a sentence if the server refuses. */
export async function connect(hears: Hears): Promise<void> {
  takeKey();
  const live = new Live(hears);
  let waitsMs = AGAIN_MS.first;
  for (;;) {
    try {
      await follow(live, () => {
        waitsMs = AGAIN_MS.first;
        hears.link(true);
      });
    } catch (error) {
      if (error instanceof Refused) throw new Error(error.message);
    }
    // The server may leave after a run's end, in whichever way.
    if (live.isOver) return;
    hears.link(false);
    await new Promise((resolve) => setTimeout(resolve, waitsMs));
    waitsMs = Math.min(2 * waitsMs, AGAIN_MS.most);
  }
}

class Refused extends Error {}

/** Follows the stream until the connection ends. */
async function follow(live: Live, up: () => void): Promise<void> {
  const response = await askFor(`/rows?run=${live.run}&after=${live.cursor}`);
  if (response.status >= 400 && response.status < 500) throw new Refused(await response.text());
  const reader = response.body?.getReader();
  if (!response.ok || reader === undefined) return;
  up();
  const pieces = new Pieces();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    for (const { kind, bytes } of pieces.add(next.value)) {
      if (kind === ROWS) {
        live.add(bytes);
      } else if (kind === RUN) {
        live.begin(Number(new TextDecoder().decode(bytes)));
      } else if (kind === GREW) {
        live.grewAt = Date.now() - Number(new TextDecoder().decode(bytes));
      } else if (kind === STUDY) {
        const study: unknown = JSON.parse(new TextDecoder().decode(bytes));
        assert(isStudy(study), "the server sends the rows of a study");
        live.study(study);
      } else if (kind === FAILED) {
        live.renew();
        throw new Refused(new TextDecoder().decode(bytes));
      } else if (kind === OVER) {
        const whole = await askFor("/document");
        live.end(await documentIn(await whole.arrayBuffer()));
        await live.offer();
      }
    }
  }
}

const isStudy = (json: unknown): json is Study =>
  hasFields(json, { scenario: "string", seeds: "number", rows: "list" });

class Live {
  /** The run's end was seen, and nothing came after it. */
  isOver = false;
  /** When the journal last grew. */
  grewAt = 0;
  #run = 0;
  #document = new LiveDocument();
  readonly #hears: Hears;
  #waits: ReturnType<typeof setTimeout> | undefined;
  #costMs = 0;
  #study: Study | undefined;

  constructor(hears: Hears) {
    this.#hears = hears;
  }

  get run(): number {
    return this.#run;
  }

  get cursor(): number {
    return this.#document.cursor;
  }

  /** The next frames are of this run; what was seen of another run is dropped. */
  begin(run: number): void {
    this.isOver = false;
    if (run === this.#run) return;
    this.#run = run;
    this.#document = new LiveDocument();
  }

  add(bytes: Uint8Array): void {
    this.isOver = false;
    this.#document.apply(frameFrom(bytes));
    const wait = this.#costMs === 0 ? 0 : Math.max(RENEW_MS, SHARE * this.#costMs);
    this.#waits ??= setTimeout(() => this.renew(), wait);
  }

  /** Shows what has come. */
  renew(): void {
    clearTimeout(this.#waits);
    this.#waits = undefined;
    const began = performance.now();
    const grown = this.#document.grown();
    if (grown !== undefined) this.#hears.page(grown, this.grewAt);
    this.#costMs = Math.max(1, performance.now() - began);
  }

  /** Offers the worker, with the job if the run is over. */
  async offer(): Promise<void> {
    const job = await askFor("/job");
    const bytes = job.ok ? await job.arrayBuffer() : undefined;
    this.#hears.worker({
      script: async () => (await askFor("/worker")).arrayBuffer(),
      ...(bytes !== undefined && { job: async () => bytes }),
    });
  }

  /** What a study has found, once there is a page to show it. */
  study(study: Study): void {
    this.#study = study;
    this.#hears.study(study);
  }

  end(document: PageDocument): void {
    clearTimeout(this.#waits);
    this.#waits = undefined;
    this.#hears.page({ document, changed: undefined }, this.grewAt);
    this.#document.isSeen = false;
    if (this.#study !== undefined) this.#hears.study(this.#study);
    this.isOver = true;
  }
}
