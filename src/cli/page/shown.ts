import type { PageSource } from "../../page-server/page-source.ts";
import { Followed } from "./followed.ts";
import type { ToFollow } from "./making.ts";

/** The run that a page shows: its journal is followed as soon as somebody reads the page. */
export class Shown {
  readonly #source: PageSource;
  #followed: Followed | undefined;

  constructor(source: PageSource) {
    this.#source = source;
  }

  follow(run: ToFollow): void {
    this.#source.whenRead(() => {
      this.#followed = new Followed(this.#source, run);
    });
  }

  /** Shows another run instead. */
  replace(run: ToFollow): void {
    void this.stop();
    this.#source.restart();
    this.follow(run);
  }

  async stop(): Promise<void> {
    const followed = this.#followed;
    this.#followed = undefined;
    await followed?.stop();
  }
}

/** How to read the page on another machine. */
export const fromElsewhere = (port: number): string =>
  `From another machine: ssh -L ${port}:127.0.0.1:${port} HOST`;
