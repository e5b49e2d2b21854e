import type { RunEvent } from "../../hosts/engine/index.ts";
import { seconds } from "../quantity.ts";
import { line, type Sink } from "../shell.ts";
import { drawPicture } from "./draw-picture.ts";
import { LiveArea } from "./live-area.ts";
import { blankPicture, learn, type Picture } from "./picture.ts";

/** Shows a run while it goes on. */
export interface Display {
  show(event: RunEvent): void;
  end(): void;
}

/** Drawn in place on a terminal, plain lines elsewhere. */
export function displayOn(sink: Sink, title: string): Display {
  return sink.isLive ? new LiveDisplay(sink, title) : new PlainDisplay(sink, title);
}

export const SILENT: Display = { show: () => undefined, end: () => undefined };

const REDRAW_MS = 100;

class LiveDisplay implements Display {
  readonly #area: LiveArea;
  readonly #title: string;
  readonly #picture: Picture = blankPicture();
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(sink: Sink, title: string) {
    this.#area = new LiveArea(sink);
    this.#title = title;
  }

  show(event: RunEvent): void {
    learn(this.#picture, event);
    if (event.at - this.#drawnAt >= REDRAW_MS) this.#draw();
  }

  end(): void {
    // A run that was refused has shown nothing.
    if (this.#drawnAt === Number.NEGATIVE_INFINITY) return;
    this.#draw();
    this.#area.end();
  }

  #draw(): void {
    this.#drawnAt = this.#picture.at;
    this.#area.draw(drawPicture(this.#picture, this.#title));
  }
}

/** At most one line about progress in so many milliseconds. */
const PROGRESS_EVERY_MS = 2_000;

class PlainDisplay implements Display {
  readonly #sink: Sink;
  readonly #picture: Picture = blankPicture();
  readonly #title: string;
  #toldAt: number | undefined;
  /** That a job has succeeded: worth no line where a flow's next job begins. */
  #succeeded: Said | undefined;

  constructor(sink: Sink, title: string) {
    this.#sink = sink;
    this.#title = title;
  }

  show(event: RunEvent): void {
    if (this.#toldAt === undefined) line(this.#sink, this.#title);
    this.#toldAt ??= 0;
    const said = learn(this.#picture, event);
    if (event.kind === "job-submitted") this.#succeeded = undefined;
    if (event.kind === "job-ended" && event.outcome === "succeeded") this.#succeeded = said;
    else if (said !== undefined) this.#say(said);
    if (event.kind !== "job-progressed" || event.at - this.#toldAt < PROGRESS_EVERY_MS) return;
    this.#toldAt = event.at;
    const phases = event.phases.map(
      ({ name, done, tasks, score }) =>
        `${name} ${done} of ${tasks} (${Math.floor(score * 100)} %)`,
    );
    this.#say({ at: event.at, text: phases.join(", ") });
  }

  end(): void {
    this.#sayEnd();
  }

  #say({ at, text }: Said): void {
    this.#sayEnd();
    line(this.#sink, `${seconds(at)}  ${text}`);
  }

  #sayEnd(): void {
    const said = this.#succeeded;
    this.#succeeded = undefined;
    if (said !== undefined) this.#say(said);
  }
}

interface Said {
  readonly at: number;
  readonly text: string;
}
