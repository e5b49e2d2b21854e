import { type Frame, frameBytes } from "../report/page/live/frame.ts";
import { LiveRows, type Seen } from "../report/page/live/rows.ts";
import type { Study } from "../report/page/study.ts";
import { type Answers, answersNow } from "./answers.ts";
import type { PackedPage } from "./packed.ts";

/** Where a page comes from. */
export interface Origin {
  /** The path of the page's journal; undefined if the page was made from a history. */
  readonly journal?: string;
  /** Makes a page of what the journal holds so far. */
  readonly soFar?: () => Promise<PackedPage>;
}

/** An answer to another program waits at most this long for the first frame, in ms. */
const FIRST_FRAME_MS = 2_000;

/** A page that grows until it is over, for any number of readers. */
export class PageSource {
  #rows = new LiveRows();
  #run = 1;
  #study = { text: "", version: 0 };
  #whole: PackedPage | undefined;
  #failure: string | undefined;
  #grewAt = Date.now();
  #listeners = new Set<() => void>();
  #isRead = false;
  #isFollowing = false;
  #start: (() => void) | undefined;
  origin: Origin = {};

  /** The number of the run that is shown, from 1. */
  get run(): number {
    return this.#run;
  }

  /** Calls `start`, which begins to fill this source, as soon as somebody reads the page. */
  whenRead(start: () => void): void {
    this.#isFollowing = true;
    if (this.#isRead) start();
    else this.#start = start;
  }

  /** A reader asks for the page. The first one starts the filling of this source. */
  read(): void {
    this.#isRead = true;
    this.#start?.();
    this.#start = undefined;
  }

  /** Resolves when something is known, or after two seconds. */
  async known(): Promise<void> {
    this.read();
    if (this.#isKnown || !this.#isFollowing) return;
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        stop();
        resolve();
      };
      const timer = setTimeout(settle, FIRST_FRAME_MS);
      const stop = this.listen(() => {
        if (this.#isKnown) settle();
      });
    });
  }

  get #isKnown(): boolean {
    return (this.#rows.head ?? this.#whole ?? this.#failure) !== undefined;
  }

  /** Another run takes the place of the one that was shown. */
  restart(): void {
    this.#run += 1;
    this.#rows = new LiveRows();
    this.#whole = undefined;
    this.#failure = undefined;
  }

  /** `grewAt`: when the journal was last written, as milliseconds since 1970. */
  apply(frame: Frame, grewAt = Date.now()): void {
    this.#rows.apply(frame);
    this.#grewAt = grewAt;
    // The run had seemed over, but more jobs came.
    this.#whole = undefined;
    this.#tell();
  }

  /** The whole page, diagnosed: the run is over. */
  finish(whole: PackedPage): void {
    this.#whole = whole;
    this.#tell();
  }

  /** The rest of the journal cannot be read; what was seen stays. */
  fail(reason: string): void {
    this.#failure = reason;
    this.#tell();
  }

  get whole(): PackedPage | undefined {
    return this.#whole;
  }

  /** The page of what is known so far, to be kept. Rejects with a reason if there is none. */
  async kept(): Promise<PackedPage> {
    const page = this.#whole ?? (await this.origin.soFar?.());
    if (page === undefined) throw new Error("nothing is known yet");
    return page;
  }

  get answers(): Answers {
    const { head } = this.#rows;
    return this.#whole?.answers ?? (head === undefined ? {} : answersNow(head));
  }

  /** What a study has found so far, as JSON, and its version. */
  get study(): { readonly text: string; readonly version: number } {
    return this.#study;
  }

  learn(study: Study): void {
    this.#study = { text: JSON.stringify(study), version: this.#study.version + 1 };
    this.#tell();
  }

  get grewAt(): number {
    return this.#grewAt;
  }

  get failure(): string | undefined {
    return this.#failure;
  }

  /** Bytes that the reader has not seen, all or a part, and the reader's cursor after them. */
  frameAfter({
    cursor,
    head,
  }: Seen): { readonly bytes: Uint8Array; readonly seen: Seen } | undefined {
    // A cursor of an earlier server may be ahead of this one.
    const from = cursor > this.#rows.cursor ? { cursor: 0, head: 0 } : { cursor, head };
    const frame = this.#rows.frameAfter(from);
    if (frame === undefined) return undefined;
    return {
      bytes: frameBytes(frame),
      seen: { cursor: frame.cursor, head: this.#rows.headCursor },
    };
  }

  /** Whether there is more than a reader has seen. */
  hasMore({ cursor }: Seen): boolean {
    return cursor < this.#rows.cursor;
  }

  /** Calls back after each change, until the function that it returns is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
