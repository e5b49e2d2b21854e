import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { defined, never } from "../../../base/assert.ts";
import { isIntact } from "../data/index.ts";
import type { AttemptProgress, JobForNodes, ToMaster, ToNode, Work } from "../messages.ts";
import { newDisk } from "./disk.ts";
import { Slot, type SlotAttempt } from "./slot.ts";
import type { FromThread } from "./thread-messages.ts";

type Being = Extract<ToNode, { kind: "be" }>;

/** The main thread of a node: its slots, its outputs and its heartbeat. */
export class NodeService {
  readonly #being: Being;
  readonly #tell: (message: ToMaster) => void;
  readonly #disk = newDisk();
  readonly #slots: readonly Slot[];
  readonly #jobs = new Map<number, JobForNodes>();
  /** Attempts whose map output is here, with their job. */
  readonly #outputs = new Map<number, number>();
  #beatAt = performance.now();

  constructor(being: Being, tell: (message: ToMaster) => void) {
    this.#being = being;
    this.#tell = tell;
    mkdirSync(being.directory, { recursive: true });
    const listener = {
      told: (attempt: SlotAttempt, message: FromThread) => this.#told(attempt, message),
    };
    this.#slots = (["map", "reduce"] as const).flatMap((kind) =>
      Array.from({ length: being.slots }, () => new Slot(kind, this.#disk, listener)),
    );
    tell({ kind: "ready", unreadable: this.#takeOver() });
    setInterval(() => this.#beat(), being.heartbeatMs);
  }

  /** What an earlier process of this node has left, as far as its checksums hold. */
  #takeOver(): number[] {
    const unreadable: number[] = [];
    for (const { attempt, job, ...file } of this.#being.outputs) {
      if (isIntact(file)) this.#outputs.set(attempt, job);
      else unreadable.push(attempt);
    }
    return unreadable;
  }

  follow(message: Exclude<ToNode, Being>): void {
    switch (message.kind) {
      case "job":
        this.#jobs.set(message.job.job, message.job);
        break;
      case "launch":
        this.#launch(message.attempt, message.work);
        break;
      case "kill":
        void this.#kill(message.attempt);
        break;
      case "outputs":
        for (const slot of this.#slots) slot.found(message.job, message.found);
        break;
      case "forget":
        this.#jobs.delete(message.job);
        this.#removeOutputs((job) => job === message.job);
        break;
      case "start-anew":
        void this.#startAnew();
        break;
      case "lose-outputs":
        this.#removeOutputs(() => true);
        break;
      case "fill-disk":
        Atomics.store(this.#disk, 0, message.full ? 1 : 0);
        break;
      default:
        never(message);
    }
  }

  #launch(attempt: number, work: Work): void {
    const job = defined(this.#jobs.get(work.job), "the job of a launch");
    const slot = defined(
      this.#slots.find((slot) => slot.kind === work.kind && slot.attempt === undefined),
      "a free slot",
    );
    slot.run({ attempt, job, work, directory: this.#directoryOf(attempt) });
  }

  #told(attempt: SlotAttempt, message: FromThread): void {
    if (message.kind === "succeeded") {
      if (message.result.kind === "map-output") this.#outputs.set(attempt.id, attempt.job);
      else this.#remove(attempt.id);
    }
    this.#tell({ ...message, attempt: attempt.id });
  }

  async #kill(attempt: number): Promise<void> {
    const slot = this.#slots.find((slot) => slot.attempt?.id === attempt);
    await slot?.end();
    this.#remove(attempt);
    this.#tell({ kind: "killed", attempt });
  }

  async #startAnew(): Promise<void> {
    await Promise.all(
      this.#slots.filter((slot) => slot.attempt !== undefined).map((slot) => slot.end()),
    );
    this.#removeOutputs(() => true);
    this.#tell({ kind: "ready", unreadable: [] });
  }

  #beat(): void {
    const now = performance.now();
    const late = now - this.#beatAt - this.#being.heartbeatMs;
    this.#beatAt = now;
    const attempts: AttemptProgress[] = [];
    for (const slot of this.#slots) {
      const { attempt } = slot;
      if (attempt === undefined) continue;
      if (late > 0) attempt.excuse(late);
      const { beats: _, ...reading } = attempt.read();
      attempts.push({ attempt: attempt.id, ...reading });
      if (attempt.stillFor() > this.#being.taskTimeoutMs) void this.#timedOut(slot, attempt.id);
    }
    this.#tell({ kind: "heartbeat", attempts });
  }

  async #timedOut(slot: Slot, attempt: number): Promise<void> {
    const message = `no progress for ${this.#being.taskTimeoutMs / 1000} s`;
    await slot.end();
    this.#tell({ kind: "failed", attempt, failure: { cause: "timeout", message } });
  }

  #removeOutputs(gone: (job: number) => boolean): void {
    for (const [attempt, job] of [...this.#outputs]) if (gone(job)) this.#remove(attempt);
  }

  #remove(attempt: number): void {
    this.#outputs.delete(attempt);
    rmSync(this.#directoryOf(attempt), { recursive: true, force: true });
  }

  #directoryOf(attempt: number): string {
    return join(this.#being.directory, `attempt-${attempt}`);
  }
}
