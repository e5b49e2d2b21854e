import { type JournalWriter, journalWriter } from "../../../core/journal/index.ts";
import type { Json } from "../../../core/journal/json.ts";
import type { Setup } from "../../../core/setup.ts";
import type { Action } from "../../../model/action.ts";
import type { ClusterEvent } from "../../../model/event.ts";
import { LineFile } from "./line-file.ts";

/** The run's journal on disk; all its lines are there when it is closed. */
export class JournalFile {
  readonly #file: LineFile;
  readonly #writer: JournalWriter;

  constructor(path: string, setup: Setup, options: { readonly explain: boolean }) {
    this.#writer = journalWriter(setup, options);
    this.#file = new LineFile(path);
    this.#file.add(this.#writer.header());
    this.flush();
  }

  step(event: ClusterEvent, actions: readonly Action[]): void {
    this.#file.add(this.#writer.step(event, actions));
  }

  /** What only this host knows; a replay copies it through. */
  host(data: Json): void {
    this.#file.add(this.#writer.host(data));
  }

  flush(): void {
    this.#file.flush();
  }

  close(): void {
    this.#file.close();
  }
}
