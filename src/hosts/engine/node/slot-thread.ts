import { AsyncLocalStorage } from "node:async_hooks";
import { writeSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { parentPort, workerData } from "node:worker_threads";
import { defined } from "../../../base/assert.ts";
import {
  importProgram,
  openReduction,
  type ProgressListener,
  refuseRuns,
  runNarrow,
} from "../../../data/index.ts";
import { describeFailure } from "../../../data/task/failure.ts";
import { FullHeapError, giveBackMemory, refuseFullHeap } from "../../../data/task/heap.ts";
import { type LostError, passLostErrors, watchLostErrors } from "../../../data/task/lost-error.ts";
import { currentPlace } from "../../../data/task/place.ts";
import { atPlace } from "../../../data/task/user-code-error.ts";
import type { Program } from "../../../job/program.ts";
import type { AttemptMessage, JobForNodes, OutputLocation, WorkResult } from "../messages.ts";
import { watchReads } from "../racks/watch-reads.ts";
import { CopyStage } from "./copy.ts";
import { watchDisk } from "./disk.ts";
import { Garbage } from "./garbage.ts";
import { ProgressCell } from "./progress-cell.ts";
import type { FromThread, SlotThreadData, ToThread } from "./thread-messages.ts";

const NEVER = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
const FULL_MS = 1;

/**
 * The thread of one slot: runs the user's code, one attempt after another. The node may end the
 * thread at any moment.
 */
const port = defined(parentPort ?? undefined, "the node's main thread");
const { disk, seat, isScarce }: SlotThreadData = workerData;
watchDisk(disk);
refuseRuns();
const inputPlace = seat === undefined ? undefined : watchReads(seat);
printDirectly();
reportExits();
watchLostErrors(reportLost);
const programs = new Map<string, Promise<Program>>();
let copy: CopyStage | undefined;
/** The attempt that the thread runs, or ran last. */
let last: Own | undefined;
/** The attempt that started the code that runs now: code may outlive its attempt. */
const own = new AsyncLocalStorage<Own>();
/** Output locations that arrive before the attempt's copy stage exists. */
let early: OutputLocation[] = [];

/** A thread that is unused for this long gives its memory back. */
const REST_MS = 300;
const rest = isScarce ? setTimeout(giveBackMemory, REST_MS) : undefined;

type Assignment = Extract<ToThread, { kind: "run" }>;

/** An attempt of this thread. */
interface Own {
  readonly attempt: number;
  readonly job: number;
  state: "running" | "succeeded" | "failed";
}

port.on("message", (message: ToThread) => {
  if (message.kind === "run") void run(message);
  else if (message.kind === "who-misses") reportMissed(message.sources);
  else if (copy === undefined) early.push(...message.found);
  else copy.found(message.found);
});

async function run(assignment: Assignment): Promise<void> {
  clearTimeout(rest);
  const { attempt, job } = assignment;
  const now: Own = { attempt, job: job.job, state: "running" };
  last = now;
  early = [];
  send({ kind: "started", attempt });
  try {
    const result = await own.run(now, () => work(assignment));
    await passLostErrors();
    if (now.state !== "running") return;
    now.state = "succeeded";
    send({ kind: "succeeded", attempt, result });
  } catch (thrown) {
    fail(now, thrown, isOfFullHeap(thrown));
  } finally {
    copy = undefined;
  }
}

/** An attempt that has failed already does not fail again. */
function fail(attempt: Own, thrown: unknown, isSpent: boolean): void {
  if (attempt.state !== "running") return;
  attempt.state = "failed";
  const failure = describeFailure(thrown);
  send({ kind: "failed", attempt: attempt.attempt, failure }, isSpent);
}

/**
 * A lost error fails its attempt or, if the attempt has succeeded, its job. An attempt that has
 * failed is tried again anyway.
 */
function reportLost(error: LostError): void {
  const of = own.getStore() ?? last;
  if (of === undefined) throw error;
  if (of.state === "running") {
    fail(of, error, true);
  } else if (of.state === "succeeded") {
    const { attempt, job } = of;
    post({ kind: "failed-late", attempt, job, failure: describeFailure(error) });
  } else {
    process.stderr.write(`after the failure of its attempt: ${error.message}\n`);
  }
}

async function work(assignment: Assignment): Promise<WorkResult> {
  const progress = new ProgressCell(assignment.progress);
  progress.works(true);
  const { job, work, directory } = assignment;
  const { phase, task, begun: attempt, partitions, tables, reads } = work;
  const program = await load(job);
  const { params, onBadRecord, means } = job;
  const about = { program, phase, params, onBadRecord, task, attempt, partitions, tables };
  const to = work.part ?? join(directory, "output");
  const garbage = new Garbage(means.memoryBytes);
  const listener: ProgressListener = {
    progressed(now) {
      progress.progressed(now);
      garbage.look();
      refuseFullHeap();
    },
  };
  const phaseTask = { ...about, ...means, directory, to, progress: listener };
  if (reads.kind === "split") inputPlace?.lies(reads.split.file, work.fromRack);
  if (reads.kind !== "shuffle") return runNarrow({ ...phaseTask, source: reads });
  const reduction = { ...phaseTask, sources: reads.sources };
  return reduce(assignment.attempt, reduction, reads.found, progress);
}

/** The heap may have filled up while the user's code was reading a value. */
const isOfFullHeap = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  (thrown instanceof FullHeapError || thrown.cause instanceof FullHeapError);

async function reduce(
  attempt: number,
  task: Parameters<typeof openReduction>[0],
  found: readonly OutputLocation[],
  progress: ProgressCell,
): Promise<WorkResult> {
  const reduction = openReduction(task);
  try {
    copy = new CopyStage({
      reduction,
      progress,
      report: (failed) => send({ kind: "fetch-failed", attempt, ...failed }),
    });
    copy.found([...found, ...early]);
    await copy.run();
    copy = undefined;
    return await reduction.finish();
  } finally {
    reduction.close();
  }
}

/** An attempt before or after its copy stage misses nothing. */
function reportMissed(asked: readonly number[]): void {
  const sources = copy?.missing(asked) ?? [];
  if (last === undefined || sources.length === 0) return;
  send({ kind: "missed", attempt: last.attempt, sources });
}

/** Loads each job file once; a failed import would fail again. */
function load({ file }: JobForNodes): Promise<Program> {
  const known = programs.get(file.entry);
  if (known !== undefined) return known;
  const loading = importProgram(file);
  programs.set(file.entry, loading);
  return loading;
}

/** Reports a call of `process.exit` in the user's code, with the current record or key. */
function reportExits(): void {
  const { exit } = process;
  const reportAndExit: typeof exit = (code) => {
    const how = "the code ended its thread with process.exit";
    const thrown = new Error(`${how}(${code ?? 0})`);
    const place = currentPlace();
    const of = own.getStore() ?? last;
    if (of !== undefined)
      fail(of, place === undefined ? thrown : atPlace(() => place, thrown), true);
    return exit(code);
  };
  Reflect.set(process, "exit", reportAndExit);
}

function send(message: AttemptMessage, isSpent = false): void {
  post({ kind: "report", message, isSpent });
}

function post(report: FromThread): void {
  port.postMessage(report);
}

/**
 * Sends what the user's code prints in a thread straight to the node's own output. Node's own way
 * passes it through the main thread, which then can do little else while a map prints a line per
 * record, and cuts it off when the node ends. Here the map itself waits for the reader.
 */
function printDirectly(): void {
  for (const [name, file] of [
    ["stdout", 1],
    ["stderr", 2],
  ] as const) {
    const value = new Writable({
      write(bytes: Buffer, _encoding, done) {
        writeAll(file, bytes);
        done();
      },
    });
    Object.defineProperty(process, name, { value, configurable: true });
  }
}

function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(file, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      // The reader is behind, and the stream is non-blocking.
      Atomics.wait(NEVER, 0, 0, FULL_MS);
    }
  }
}
