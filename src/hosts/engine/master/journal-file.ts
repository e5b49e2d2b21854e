import { type JournalWriter, journalWriter, Seal } from "../../../core/journal/index.ts";
import type { Setup } from "../../../core/setup.ts";
import { isSafe } from "../../../data/bytes/safety.ts";
import type { Action } from "../../../model/action.ts";
import type { ClusterEvent } from "../../../model/event.ts";
import type { HostLine } from "../host-line.ts";
import { wholeLines } from "../whole-lines.ts";
import { LineFile } from "./line-file.ts";

/** A line of the host's own, with the time that it is given. */
export type TimedLine = { readonly at: number } & HostLine;

/**
 * The run's journal on disk; all its lines are there when it is closed, and those that a resumed
 * run could not do without at once.
 */
export class JournalFile {
  readonly #file: LineFile;
  readonly #writer: JournalWriter;
  readonly #path: string;
  /** Undefined: of a file that is there it is not known yet. */
  #seal: Seal | undefined;

  /** `goesOn`: the file is there, from an earlier process, and holds whole lines. */
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
    // An attempt's output is not made twice, even if the master dies.
    if (event.kind === "attempt-succeeded" || event.kind === "job-submitted") this.flush();
  }

  /** What the line of a step would be that is in the file already. */
  again(event: ClusterEvent, actions: readonly Action[]): string {
    return this.#writer.step(event, actions);
  }

  /** What only this host knows; a replay copies it through. */
  host(line: TimedLine): void {
    this.#add(JSON.stringify({ host: line }));
    if (AT_ONCE.has(line.kind)) this.flush();
  }

  flush(): void {
    this.#file.flush();
  }

  close(): void {
    if (isSafe && this.#seal?.isOpen) this.#file.add(this.#seal.close());
    this.#file.close();
  }

  #add(line: string): void {
    if (!isSafe) return;
    // By now what is there has been cut to what is believed of it.
    this.#seal ??= sealOf(this.#path);
    for (const one of this.#seal.write(line)) this.#file.add(one);
  }
}

/** That of a file of an earlier process, to be gone on with. */
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
