import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { defined, never } from "../../../base/assert.ts";
import { isIntact } from "../../../data/bytes/checksum.ts";
import { describeFailure } from "../../../data/task/failure.ts";
import { giveBackMemory } from "../../../data/task/heap.ts";
import type {
  AttemptMessage,
  AttemptProgress,
  JobForNodes,
  KeptOutput,
  ToMaster,
  ToNode,
  Work,
} from "../messages.ts";
import { copyOutput } from "./copy-output.ts";
import { newDisk } from "./disk.ts";
import { NodeSlot, type OnReport, type SlotAttempt } from "./slot.ts";
import { ThreadPool } from "./thread-pool.ts";

type Start = Extract<ToNode, { kind: "start" }>;

/**
 * After this time a node with little memory starts a thread for each slot, needed or not, and gives
 * back the memory that starting took. The threads then belong to the idle node, and no job is
 * charged for them.
 */
const BEGUN_MS = 1_000;
/**
 * After this time reduces that start early get threads of their own. A job that is over sooner has
 * only paid for the threads that it needed at once.
 */
const EARLY_MS = 3_000;
/**
 * After this time without a sign of life, or after half of the timeout, the node reports which line
 * the attempt executes.
 */
const STILL_MS = 30_000;
/** A node with less memory than this gives back the megabytes that starting took. */
const SCARCE_BYTES = 1e9;
/** The memory of an idle node, and some room for garbage and for errors of the estimate. */
const HELD_BESIDE_BYTES = 400e6;

/** The main thread of a node: its slots, its outputs and its heartbeat. */
export class NodeService {
  readonly #start: Start;
  readonly #send: (message: ToMaster) => void;
  readonly #disk = newDisk();
  readonly #slots: readonly NodeSlot[];
  readonly #jobs = new Map<number, JobForNodes>();
  /** The attempts whose output is here, each with its job. */
  readonly #outputs = new Map<number, number>();
  #beatAt = performance.now();
  /** The memory that the process may hold before attempts must end. */
  #heldMost: number;

  constructor(start: Start, send: (message: ToMaster) => void) {
    this.#start = start;
    this.#send = send;
    this.#heldMost = start.memoryBytes + HELD_BESIDE_BYTES;
    mkdirSync(start.directory, { recursive: true });
    const onReport: OnReport = (attempt, message) => this.#reported(attempt, message);
    const kinds = ["map", "reduce"] as const;
    const isScarce = start.memoryBytes < SCARCE_BYTES;
    const about = { disk: this.#disk, seat: start.seat, isScarce };
    const threads = new ThreadPool({
      about,
      heap: start.heap,
      slots: kinds.length * start.slots,
      onLateFailure: send,
    });
    this.#slots = kinds.flatMap((kind) =>
      Array.from({ length: start.slots }, () => new NodeSlot(kind, threads, onReport)),
    );
    threads.warmUp(start.slots);
    send({ kind: "ready", unreadable: this.#takeOver() });
    setTimeout(
      () => {
        threads.allowAll();
        if (isScarce) threads.warmUp(this.#slots.length);
        for (const slot of this.#slots) slot.tryBegin();
        if (isScarce) giveBackMemory();
      },
      isScarce ? BEGUN_MS : EARLY_MS,
    );
    setInterval(() => this.#beat(), start.heartbeatMs);
  }

  /**
   * Takes over outputs that an earlier process of this node left, if their checksums hold; removes
   * the rest.
   */
  #takeOver(): number[] {
    const { directory, outputs } = this.#start;
    const unreadable: number[] = [];
    for (const { attempt, job, ...file } of outputs) {
      if (isIntact(file)) this.#outputs.set(attempt, job);
      else unreadable.push(attempt);
    }
    const kept = new Set([...this.#outputs.keys()].map((id) => this.#directoryOf(id)));
    for (const name of readdirSync(directory)) {
      const path = join(directory, name);
      if (!kept.has(path)) rmSync(path, { recursive: true, force: true });
    }
    return unreadable;
  }

  follow(message: Exclude<ToNode, Start>): void {
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
      case "copy-output":
        void this.#copy(message);
        break;
      case "outputs":
        for (const slot of this.#slots) slot.found(message.job, message.found);
        break;
      case "who-misses":
        for (const slot of this.#slots) slot.askMissed(message.job, message.sources);
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
    try {
      slot.run({ attempt, job, work, directory: this.#directoryOf(attempt) });
    } catch (error) {
      // The disk has no room for the directory, or the system allows no more threads.
      this.#send({ kind: "failed", attempt, failure: describeFailure(error) });
      return;
    }
  }

  #reported({ id, job }: SlotAttempt, message: AttemptMessage): void {
    if (message.kind === "succeeded") {
      if (message.result.kind === "shuffle-output") this.#outputs.set(id, job);
      else this.#remove(id);
    }
    this.#send(message);
  }

  async #kill(attempt: number): Promise<void> {
    const slot = this.#slots.find((slot) => slot.attempt?.id === attempt);
    await slot?.end();
    this.#remove(attempt);
    this.#send({ kind: "killed", attempt });
  }

  async #copy(output: KeptOutput): Promise<void> {
    const { attempt, job } = output;
    const directory = this.#directoryOf(attempt);
    // The output counts from now on, so that a removal of the node's outputs removes this one too.
    this.#outputs.set(attempt, job);
    try {
      const path = await copyOutput(output, {
        directory,
        disk: this.#disk,
        seat: this.#start.seat,
      });
      // The output may have been lost in the meantime.
      const isHere = this.#outputs.has(attempt);
      this.#send({ kind: "copied", attempt, ...(isHere && { path }) });
    } catch (error) {
      this.#remove(attempt);
      process.stderr.write(`output of attempt ${attempt} not copied: ${String(error)}\n`);
      this.#send({ kind: "copied", attempt });
    }
  }

  async #startAnew(): Promise<void> {
    await Promise.all(
      this.#slots.filter((slot) => slot.attempt !== undefined).map((slot) => slot.end()),
    );
    this.#removeOutputs(() => true);
    this.#send({ kind: "ready", unreadable: [] });
  }

  #beat(): void {
    const now = performance.now();
    const late = now - this.#beatAt - this.#start.heartbeatMs;
    this.#beatAt = now;
    const attempts: AttemptProgress[] = [];
    for (const slot of this.#slots) {
      const { attempt } = slot;
      if (attempt === undefined) continue;
      if (late > 0) attempt.excuse(late);
      const { beats: _, ...reading } = attempt.read();
      attempts.push({ attempt: attempt.id, ...reading });
      // Waiting attempts are the master's concern: it knows whether anything is making what they
      // wait for.
      if (!slot.isWaiting) this.#lookAt(slot, attempt);
    }
    this.#send({ kind: "heartbeat", attempts });
    this.#watchMemory();
  }

  #lookAt(slot: NodeSlot, attempt: SlotAttempt): void {
    const { taskTimeoutMs } = this.#start;
    const forMs = attempt.stillFor();
    if (forMs > taskTimeoutMs) void this.#timedOut(slot, attempt);
    else if (forMs > Math.min(STILL_MS, taskTimeoutMs / 2) && !attempt.isStillReported) {
      attempt.isStillReported = true;
      void this.#reportStill(slot, attempt, Math.round(forMs));
    }
  }

  async #reportStill(slot: NodeSlot, attempt: SlotAttempt, forMs: number): Promise<void> {
    const place = await slot.place();
    // The attempt went on, or ended, while its place was being found.
    if (slot.attempt !== attempt || !attempt.isStillReported) return;
    attempt.stillAt = place;
    const { records } = attempt.read();
    const { id } = attempt;
    const at = place === undefined ? {} : { place };
    this.#send({ kind: "still", attempt: id, forMs, records, ...at });
  }

  async #timedOut(slot: NodeSlot, { id, stillAt }: SlotAttempt): Promise<void> {
    const message = `no progress for ${this.#start.taskTimeoutMs / 1000} s`;
    const place = stillAt === undefined ? {} : { place: stillAt };
    await slot.end();
    this.#send({
      kind: "failed",
      attempt: id,
      failure: { cause: "timeout", message, ...place },
    });
  }

  /**
   * Buffers lie outside every heap, so heap limits do not hold them. Before a node takes the whole
   * machine, all working attempts on it fail, since the system does not say which attempt owns the
   * memory.
   */
  #watchMemory(): void {
    const held = process.memoryUsage.rss();
    if (held <= this.#heldMost) return;
    const megabytes = (bytes: number): string => `${Math.floor(bytes / 1e6)} MB`;
    const message =
      `the process of its node came to hold ${megabytes(held)}, where --memory lets all of them ` +
      `hold ${megabytes(this.#start.memoryBytes)}: what its code keeps, buffers too, is too much`;
    for (const slot of this.#slots) {
      if (slot.attempt?.read().working) void this.#tooLarge(slot, slot.attempt.id, message);
    }
  }

  async #tooLarge(slot: NodeSlot, attempt: number, message: string): Promise<void> {
    await slot.end();
    // The process may keep some of this memory for later attempts.
    this.#heldMost = Math.max(this.#heldMost, process.memoryUsage.rss() + HELD_BESIDE_BYTES);
    this.#send({ kind: "failed", attempt, failure: { cause: "error", message } });
  }

  #removeOutputs(gone: (job: number) => boolean): void {
    for (const [attempt, job] of [...this.#outputs]) if (gone(job)) this.#remove(attempt);
  }

  #remove(attempt: number): void {
    this.#outputs.delete(attempt);
    rmSync(this.#directoryOf(attempt), { recursive: true, force: true });
  }

  #directoryOf(attempt: number): string {
    return join(this.#start.directory, `attempt-${attempt}`);
  }
}
