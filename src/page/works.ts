import type { ReadonlySignal } from "@preact/signals";
import type { Limits } from "../diagnose/limits.ts";
import type { PageDocument } from "../report/page/document.ts";
import type { WhatIf } from "../whatif/document.ts";
import type { FileName } from "./worker/files.ts";
import type { Diagnosed, Offered } from "./worker/messages.ts";
import type { Drawing } from "./worker/svg.ts";

/** What the page's worker does: it diagnoses and simulates the page's job, and writes files. */
export interface Works {
  /** Whether the page carries its job, so that it can be diagnosed again. */
  readonly hasJob: boolean;
  /** Whether the page has all progress of the job, so that it can be simulated. */
  readonly simulates: boolean;
  /** The policies that may be tried; empty before `start`. */
  readonly offered: ReadonlySignal<readonly Offered[]>;
  /** Runs so far and an estimate of all, during a simulation. */
  readonly progress: ReadonlySignal<{ readonly done: number; readonly all: number } | undefined>;
  /** The rows of all questions asked in this page. */
  readonly answer: ReadonlySignal<WhatIf | undefined>;
  /** The latest diagnosis that was asked for. */
  readonly diagnosed: ReadonlySignal<Diagnosed | undefined>;
  readonly isDiagnosing: ReadonlySignal<boolean>;
  /** Why the latest question has no answer, in a sentence; or empty. */
  readonly failure: ReadonlySignal<string>;
  start(): Promise<void>;
  run(policy: string, sets: readonly string[], seeds: number): void;
  /** Of several requests only the latest is answered. */
  diagnose(limits: Partial<Limits>): void;
  /** Writes the file, for the user to keep. */
  save(name: FileName, document: PageDocument): void;
  /** As `save`, for a vector drawing. */
  saveDrawing(name: string, drawing: Drawing): void;
}
