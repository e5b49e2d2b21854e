import type { ReadonlySignal } from "@preact/signals";
import type { WhatIf } from "../whatif/document.ts";
import type { Offered } from "./simulate/messages.ts";

/** Runs the page's job again, under policies and settings of the reader's choice. */
export interface Simulates {
  /** What may be tried; empty before `start`. */
  readonly offered: ReadonlySignal<readonly Offered[]>;
  /** Runs so far and an estimate of all, while it runs. */
  readonly progress: ReadonlySignal<{ readonly done: number; readonly all: number } | undefined>;
  readonly answers: ReadonlySignal<readonly WhatIf[]>;
  /** Why the latest question has no answer, in a sentence; or empty. */
  readonly failure: ReadonlySignal<string>;
  start(): Promise<void>;
  run(policy: string, sets: readonly string[], seeds: number): void;
}
