import { signal } from "@preact/signals";
import type { Limits } from "../../diagnose/limits.ts";
import { isSimulated, type PageDocument } from "../../report/page/document.ts";
import type { WhatIf } from "../../whatif/document.ts";
import type { FileName } from "../worker/files.ts";
import type { Answered, Asked, Diagnosed, Offered } from "../worker/messages.ts";
import type { Drawing } from "../worker/svg.ts";
import type { Works } from "../works.ts";
import { keep } from "./keep.ts";
import { gunzipped } from "./unpack.ts";

/** Where the worker's script and the job come from, both compressed. */
export interface WorkerSource {
  readonly script: () => Promise<BlobPart>;
  readonly job?: () => Promise<BlobPart>;
}

/** The page's worker; it starts when it is needed. `document`: the page as it was given. */
export class PageWorker implements Works {
  readonly offered = signal<readonly Offered[]>([]);
  readonly progress = signal<{ readonly done: number; readonly all: number } | undefined>(
    undefined,
  );
  readonly answer = signal<WhatIf | undefined>(undefined);
  readonly diagnosed = signal<Diagnosed | undefined>(undefined);
  readonly isDiagnosing = signal(false);
  readonly failure = signal("");
  readonly #source: WorkerSource;
  readonly #document: () => PageDocument;
  #worker: Promise<Worker> | undefined;
  #next: Partial<Limits> | undefined;

  constructor(source: WorkerSource, document: () => PageDocument) {
    this.#source = source;
    this.#document = document;
  }

  get hasJob(): boolean {
    return this.#source.job !== undefined;
  }

  get simulates(): boolean {
    const { head } = this.#document();
    return this.hasJob && head.why !== undefined && isSimulated(head, head.why.job.attempts);
  }

  /** Loads the worker and gives it the job, only once. */
  async start(): Promise<void> {
    try {
      await this.#started();
    } catch (error) {
      this.failure.value = error instanceof Error ? error.message : String(error);
    }
  }

  run(policy: string, sets: readonly string[], seeds: number): void {
    this.progress.value = { done: 0, all: 1 };
    this.#ask({ kind: "run", policy, sets, seeds });
  }

  diagnose(limits: Partial<Limits>): void {
    if (this.isDiagnosing.value) {
      this.#next = limits;
      return;
    }
    this.isDiagnosing.value = true;
    this.#ask({ kind: "diagnose", limits, notes: this.#document().head.notes });
  }

  save(name: FileName, document: PageDocument): void {
    this.#ask({ kind: "file", name, document });
  }

  saveDrawing(name: string, drawing: Drawing): void {
    this.#ask({ kind: "drawing", name, drawing });
  }

  #ask(asked: Asked): void {
    this.failure.value = "";
    this.start().then(() => this.#worker?.then((worker) => worker.postMessage(asked)));
  }

  #started(): Promise<Worker> {
    this.#worker ??= this.#begin();
    return this.#worker;
  }

  async #begin(): Promise<Worker> {
    const [script, job] = await Promise.all([this.#source.script(), this.#source.job?.()]);
    const code = new Blob([await gunzipped(script)], { type: "text/javascript" });
    const worker = new Worker(URL.createObjectURL(code));
    worker.addEventListener("message", ({ data }: MessageEvent<Answered>) => this.#hear(data));
    worker.addEventListener("error", ({ message }) => {
      this.failure.value = message;
    });
    if (job !== undefined) {
      const document = this.#document();
      const { format } = document.head;
      const asked: Asked = { kind: "job", bytes: await gunzipped(job), format, document };
      worker.postMessage(asked);
    }
    return worker;
  }

  #hear(answer: Answered): void {
    switch (answer.kind) {
      case "ready":
        this.offered.value = answer.offered;
        return;
      case "progress":
        this.progress.value = answer;
        return;
      case "file":
        keep(answer.name, new Blob([answer.text], { type: answer.type }));
        return;
      case "diagnosed":
        this.diagnosed.value = answer.found;
        this.#diagnoseNext();
        return;
      case "answer":
        this.answer.value = answer.whatif;
        this.progress.value = undefined;
        return;
      default:
        this.failure.value = answer.reason;
        this.progress.value = undefined;
        this.#diagnoseNext();
    }
  }

  #diagnoseNext(): void {
    const next = this.#next;
    this.#next = undefined;
    this.isDiagnosing.value = false;
    if (next !== undefined) this.diagnose(next);
  }
}
