import { signal } from "@preact/signals";
import type { WhatIf } from "../../whatif/document.ts";
import type { Answered, Asked, Offered } from "../simulate/messages.ts";
import type { Simulates } from "../simulates.ts";
import { gunzipped } from "./unpack.ts";

/** Where the simulator's script and the job come from, both compressed. */
export interface SimulatorSource {
  readonly script: () => Promise<BlobPart>;
  readonly job: () => Promise<BlobPart>;
}

/** The project's simulator in a worker of this page, over the job that the page shows. */
export class Simulator implements Simulates {
  readonly offered = signal<readonly Offered[]>([]);
  readonly progress = signal<{ readonly done: number; readonly all: number } | undefined>(
    undefined,
  );
  readonly answers = signal<readonly WhatIf[]>([]);
  readonly failure = signal("");
  readonly #source: SimulatorSource;
  readonly #format: string;
  #worker: Worker | undefined;

  constructor(source: SimulatorSource, format: string) {
    this.#source = source;
    this.#format = format;
  }

  /** Loads the worker and gives it the job; once. */
  async start(): Promise<void> {
    if (this.#worker !== undefined) return;
    try {
      const [script, job] = await Promise.all([this.#source.script(), this.#source.job()]);
      const code = new Blob([await gunzipped(script)], { type: "text/javascript" });
      const worker = new Worker(URL.createObjectURL(code));
      this.#worker = worker;
      worker.addEventListener("message", ({ data }: MessageEvent<Answered>) => this.#hear(data));
      worker.addEventListener("error", ({ message }) => {
        this.failure.value = message;
      });
      this.#ask({
        kind: "job",
        text: await new Blob([await gunzipped(job)]).text(),
        format: this.#format,
      });
    } catch (error) {
      this.failure.value = error instanceof Error ? error.message : String(error);
    }
  }

  run(policy: string, sets: readonly string[], seeds: number): void {
    this.failure.value = "";
    this.progress.value = { done: 0, all: 1 };
    this.#ask({ kind: "run", policy, sets, seeds });
  }

  #ask(asked: Asked): void {
    this.#worker?.postMessage(asked);
  }

  #hear(answer: Answered): void {
    if (answer.kind === "ready") this.offered.value = answer.offered;
    else if (answer.kind === "progress") this.progress.value = answer;
    else {
      this.progress.value = undefined;
      if (answer.kind === "failed") this.failure.value = answer.reason;
      else this.answers.value = [...this.answers.value, answer.whatif];
    }
  }
}
