import { type JournalWriter, journalWriter, Seal } from "../../../core/journal/index.ts";
import type { Setup } from "../../../core/state/setup.ts";
import { isSafe } from "../../../data/bytes/safety.ts";
import type { Action } from "../../../model/action.ts";
import type { ClusterEvent } from "../../../model/event.ts";
import type { HostLine, TimedLine } from "../host-line.ts";
import { wholeLines } from "../whole-lines.ts";
import { LineFile } from "./line-file.ts";

/** A page that follows the run sees a line at most this long after it was written. */
const FLUSH_MS = 250;

/** The journal on disk. Lines that a resume depends on are flushed at once, the others soon. */
export class JournalFile {
  readonly #file: LineFile;
  readonly #writer: JournalWriter;
  readonly #path: string;
  /** Undefined until an existing file has been read. */
  #seal: Seal | undefined;
  #flushes: NodeJS.Timeout | undefined;

  /** `goesOn`: the file exists, was written by an earlier process, and holds whole lines. */
  constructor(
    path: string,
    setup: Setup,
    options: { readonly explain: boolean; readonly goesOn: boolean },
  ) {
    const { explain, goesOn } = options;
    this.#writer = journalWriter(setup, { explain, sealed: true });
    this.#path = path;
    this.#file = new LineFile(path);
    if (goesOn) return;
    this.#seal = new Seal();
    this.#add(this.#writer.header());
    this.flush();
  }

  get header(): string {
    return this.#writer.header();
  }

  step(event: ClusterEvent, actions: readonly Action[]): void {
    this.#add(this.#writer.step(event, actions));
    // Flushes, so that no output is made twice even if the master dies.
    if (event.kind === "attempt-succeeded" || event.kind === "job-submitted") this.flush();
  }

  /** The line of a step that the file already holds. */
  again(event: ClusterEvent, actions: readonly Action[]): string {
    return this.#writer.step(event, actions);
  }

  /** Writes a line that only this host understands; a replay copies it through. */
  host(line: TimedLine): void {
    this.#add(JSON.stringify({ host: line }));
    if (AT_ONCE.has(line.kind)) this.flush();
  }

  flush(): void {
    clearTimeout(this.#flushes);
    this.#flushes = undefined;
    this.#file.flush();
  }

  close(): void {
    clearTimeout(this.#flushes);
    if (isSafe && this.#seal?.isOpen) this.#file.add(this.#seal.close());
    this.#file.close();
  }

  #add(line: string): void {
    if (!isSafe) return;
    // The first write comes after recovery has cut the file to the lines that count.
    this.#seal ??= sealOf(this.#path);
    for (const one of this.#seal.write(line)) this.#file.add(one);
    this.#flushes ??= setTimeout(() => this.flush(), FLUSH_MS).unref();
  }
}

/** The seal of a file that an earlier process left and this one continues. */
function sealOf(path: string): Seal {
  const seal = new Seal();
  for (const { text } of wholeLines(path)) seal.read(text, path);
  return seal;
}

const AT_ONCE: ReadonlySet<HostLine["kind"]> = new Set([
  "run",
  "process",
  "resumed",
  "commit-begun",
  "commit",
]);
