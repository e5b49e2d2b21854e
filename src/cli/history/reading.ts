import { statSync } from "node:fs";
import { InputError } from "../../base/input-error.ts";
import { printable } from "../../base/printable.ts";
import { historiesNamed, type NamedHistory } from "../../library/history-paths.ts";
import type { Opened } from "../../library/job-of-history.ts";
import type { Registry } from "../../policy/registry.ts";
import { bytes, counted, seconds } from "../../report/quantity.ts";
import { filesOfHistory } from "../../trace/open/history-bytes.ts";
import { type OpenOptions, openTrace } from "../../trace/open/open-trace.ts";
import { isUrl } from "../../trace/open/server/address.ts";
import { LiveArea } from "../display/live-area.ts";
import { line, type Shell } from "../shell.ts";

interface Means {
  readonly registry: Registry;
  readonly shell: Shell;
}

/** The histories of these names; a line on a terminal shows how far a long walk has come. */
export async function historiesShown(
  names: readonly string[],
  { err }: Shell,
): Promise<readonly NamedHistory[]> {
  const area = new LiveArea(err);
  let shownAt = performance.now();
  let isShown = false;
  const onDirectory = (files: number, directory: string): void => {
    const now = performance.now();
    if (!err.isLive || now - shownAt < EVERY_MS) return;
    [shownAt, isShown] = [now, true];
    area.draw([printable(`${counted(files, "file")} found, looking into ${directory}`)]);
  };
  try {
    return await historiesNamed(names, { onDirectory });
  } finally {
    if (isShown) area.clear();
  }
}

/** Work on histories, during which a line on a terminal shows how far it has come. */
export async function withHistories<T>(
  histories: readonly NamedHistory[],
  means: Means,
  work: (reading: Reading) => Promise<T>,
): Promise<T> {
  const reading = new Reading(histories, means);
  try {
    return await work(reading);
  } finally {
    reading.clear();
  }
}

const EVERY_MS = 200;
const EVERY_RUNS = 10;
/** A silent server costs a minute for each of its histories. */
const IN_VAIN_MAX = 3;

/** Opens the histories; these are also the options for other ways to open them. */
export class Reading implements OpenOptions {
  readonly registry: Registry;
  readonly #shell: Shell;
  readonly #area: LiveArea;
  readonly #total: number;
  readonly #startedAt = performance.now();
  #read = 0;
  #drawnAt = 0;
  #isDrawn = false;
  /** How often in a row a server did not answer. */
  readonly #inVain = new Map<string, number>();

  constructor(histories: readonly NamedHistory[], { registry, shell }: Means) {
    this.registry = registry;
    this.#shell = shell;
    this.#area = new LiveArea(shell.err);
    this.#total = histories.reduce((sum, { path }) => sum + sizeOf(path), 0);
  }

  async open({ path, name }: NamedHistory): Promise<Opened> {
    const server = isUrl(path) && URL.canParse(path) ? new URL(path).origin : undefined;
    if (server === undefined) return { trace: await openTrace(path, this), place: name };
    const inVain = this.#inVain.get(server) ?? 0;
    if (inVain >= IN_VAIN_MAX) {
      const expected = `left out: ${server} did not answer ${inVain} times in a row`;
      throw new InputError("no-answer", name, expected);
    }
    try {
      const trace = await openTrace(path, this);
      this.#inVain.delete(server);
      return { trace, place: name };
    } catch (error) {
      const isSilent = error instanceof InputError && error.code === "no-answer";
      this.#inVain.set(server, isSilent ? inVain + 1 : 0);
      throw error;
    }
  }

  readonly onStored = (storedBytes: number): void => {
    this.#read += storedBytes;
    const now = performance.now();
    if (now - this.#drawnAt < EVERY_MS || now - this.#startedAt < EVERY_MS) return;
    this.#drawnAt = now;
    const rate = this.#read / (now - this.#startedAt);
    const left = Math.max(0, this.#total - this.#read) / rate;
    const of = this.#total > 0 ? ` of ${bytes(this.#total)}` : "";
    const time = this.#total > 0 ? `, ${seconds(left)} left` : "";
    this.show(`read ${bytes(this.#read)}${of}, ${bytes(rate * 1_000)}/s${time}`);
  };

  /** For the simulations of a job; `of` stands before the line. */
  onRun(of = ""): (done: number, all: number) => void {
    return (done, all) => {
      if (done % EVERY_RUNS === 0) this.show(`${of}simulated ${done} of about ${all} runs`);
    };
  }

  /** Replaces the line, which only a terminal has. */
  show(text: string): void {
    if (!this.#shell.err.isLive) return;
    this.#area.draw([printable(text)]);
    this.#isDrawn = true;
  }

  /** Writes a line that stays. */
  say(text: string): void {
    this.clear();
    line(this.#shell.err, text);
  }

  clear(): void {
    if (this.#isDrawn) this.#area.clear();
    this.#isDrawn = false;
  }
}

/** The stored bytes of a history; 0 if they are unknown. */
function sizeOf(path: string): number {
  if (path === "-" || isUrl(path)) return 0;
  try {
    return filesOfHistory(path).files.reduce((sum, file) => sum + statSync(file).size, 0);
  } catch {
    // Opening the history says what is wrong with it.
    return 0;
  }
}
