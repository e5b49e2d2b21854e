import type { RunEvent } from "../../hosts/engine/index.ts";
import { counted, percentDone, seconds } from "../../report/quantity.ts";
import type { Ink } from "../ink.ts";
import { line, type Sink } from "../shell.ts";
import { drawPicture } from "./draw-picture.ts";
import { LiveArea } from "./live-area.ts";
import { blankPicture, type DisplayState, record } from "./picture.ts";

/** Shows a run in progress. */
export interface Display {
  show(event: RunEvent): void;
  /** Pauses all output until `goOn`, while the user answers a question below. */
  hold(): void;
  goOn(): void;
  end(): void;
}

/** Drawn in place on a terminal, plain lines elsewhere. */
export function displayOn(sink: Sink, title: string): Display {
  return sink.isLive ? new LiveDisplay(sink, title) : new PlainDisplay(sink, title);
}

const nothing = (): void => undefined;

export const SILENT: Display = { show: nothing, hold: nothing, goOn: nothing, end: nothing };

const REDRAW_MS = 100;
/** The interval at which the clock advances when nothing else happens. */
const CLOCK_MS = 1_000;

class LiveDisplay implements Display {
  readonly #area: LiveArea;
  readonly #title: string;
  readonly #ink: Ink;
  readonly #picture: DisplayState = blankPicture();
  #drawnAt = Number.NEGATIVE_INFINITY;
  #heardAt = 0;
  #clock: NodeJS.Timeout | undefined;
  #isHeld = false;

  constructor(sink: Sink, title: string) {
    this.#area = new LiveArea(sink);
    this.#title = title;
    this.#ink = sink.ink;
  }

  show(event: RunEvent): void {
    record(this.#picture, event);
    this.#heardAt = performance.now();
    this.#clock ??= setInterval(() => this.#tick(), CLOCK_MS).unref();
    if (event.at - this.#drawnAt >= REDRAW_MS) this.#draw();
  }

  hold(): void {
    this.#isHeld = true;
    this.#area.end();
  }

  goOn(): void {
    this.#isHeld = false;
  }

  end(): void {
    clearInterval(this.#clock);
    // A run that was refused has shown nothing.
    if (this.#drawnAt === Number.NEGATIVE_INFINITY) return;
    this.#draw();
    this.#area.end();
  }

  #tick(): void {
    const silentMs = performance.now() - this.#heardAt;
    if (silentMs >= CLOCK_MS / 2) this.#draw(this.#picture.at + silentMs);
  }

  #draw(at: number = this.#picture.at): void {
    if (this.#isHeld) return;
    this.#drawnAt = this.#picture.at;
    this.#area.draw(drawPicture({ ...this.#picture, at }, this.#title, this.#ink));
  }
}

/** The least time between two lines about progress, and between two lines without progress. */
const PROGRESS_EVERY_MS = 2_000;
const NO_PROGRESS_EVERY_MS = 30_000;

/** The most printed lines of user code that are shown per second. */
const LOG_LINES_PER_S = 50;

class PlainDisplay implements Display {
  readonly #sink: Sink;
  readonly #picture: DisplayState = blankPicture();
  readonly #title: string;
  #shownAt: number | undefined;
  #progress = "";
  /**
   * The line about a job's success, kept back because it is dropped if a flow's next job begins.
   */
  #succeeded: ShownSentence | undefined;
  /** The second in which the user's code last printed, and its number of lines in that second. */
  #printed = { second: -1, lines: 0 };
  /** Events that arrive while the display is held. */
  #held: RunEvent[] | undefined;

  constructor(sink: Sink, title: string) {
    this.#sink = sink;
    this.#title = title;
  }

  show(event: RunEvent): void {
    if (this.#held === undefined) this.#print(event);
    else this.#held.push(event);
  }

  hold(): void {
    this.#held ??= [];
  }

  goOn(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const event of held) this.#print(event);
  }

  #print(event: RunEvent): void {
    if (this.#shownAt === undefined) line(this.#sink, this.#title);
    this.#shownAt ??= 0;
    if (!this.#countPrinted(event)) return;
    const sentence = record(this.#picture, event);
    if (event.kind === "job-submitted") this.#succeeded = undefined;
    if (event.kind === "job-ended" && event.outcome === "succeeded") this.#succeeded = sentence;
    else if (sentence !== undefined) this.#say(sentence);
    if (event.kind !== "job-progressed" || event.at - this.#shownAt < PROGRESS_EVERY_MS) return;
    const phases = event.phases.map(
      ({ name, done, tasks, score }) => `${name} ${done} of ${tasks} (${percentDone(score)})`,
    );
    const text = phases.join(", ");
    if (text === this.#progress && event.at - this.#shownAt < NO_PROGRESS_EVERY_MS) return;
    this.#shownAt = event.at;
    this.#progress = text;
    this.#say({ at: event.at, text });
  }

  end(): void {
    this.goOn();
    this.#sayUnshown();
    this.#sayEnd();
  }

  /** Whether to show the event: of a flood of printed lines only the first appear. */
  #countPrinted(event: RunEvent): boolean {
    const second = Math.floor(event.at / 1_000);
    if (second > this.#printed.second) this.#sayUnshown();
    if (event.kind !== "log") return true;
    this.#printed = { second, lines: this.#printed.lines + 1 };
    return this.#printed.lines <= LOG_LINES_PER_S;
  }

  #sayUnshown(): void {
    const { second, lines } = this.#printed;
    this.#printed = { second: -1, lines: 0 };
    const unshown = lines - LOG_LINES_PER_S;
    if (unshown <= 0) return;
    this.#say({ at: (second + 1) * 1_000, text: `${counted(unshown, "more line")} in nodes.log` });
  }

  #say({ at, text }: ShownSentence): void {
    this.#sayEnd();
    line(this.#sink, `${seconds(at)}  ${text}`);
  }

  #sayEnd(): void {
    const sentence = this.#succeeded;
    this.#succeeded = undefined;
    if (sentence !== undefined) this.#say(sentence);
  }
}

interface ShownSentence {
  readonly at: number;
  readonly text: string;
}
