import { setTimeout as sleep } from "node:timers/promises";
import { InputError } from "../../../base/input-error.ts";
import { ascending } from "../../../base/order.ts";
import type { Timeless } from "../../../base/without.ts";
import type { RunEvent } from "../../../run/run-event.ts";
import { type AttemptFailed, withWholeLines } from "./attempt-failure.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import type { Decision } from "./decisions.ts";
import { type HadoopClient, notSubmitted, submit } from "./hadoop-client.ts";
import { JobWatch } from "./job-watch.ts";
import type { Staging } from "./staging.ts";
import { type StreamingJob, streamingArgs } from "./streaming-args.ts";
import type { TaskNames } from "./task-names.ts";
import { NoAnswer } from "./web-client.ts";
import type { WhenAborted } from "./yarn-options.ts";
import type { Application, AttemptRow } from "./yarn-rest.ts";

/** What became of one job of Hadoop's. */
export interface HadoopJobEnd {
  readonly application: string;
  readonly outcome: "succeeded" | "failed" | "killed";
  /** Of Hadoop's, if it did not succeed. */
  readonly diagnostics: string;
  /** When it was seen, in milliseconds since the epoch. */
  readonly endedAt: number;
  /** By task; where the job failed, or its history is not for us, some as they were seen last. */
  readonly attempts: ReadonlyMap<string, readonly AttemptRow[]>;
  readonly decisions: readonly Decision[];
  /** By attempt, as far as they were told while it ran. */
  readonly failures: ReadonlyMap<string, AttemptFailed>;
}

/** The user wants the application to go on without us. */
export class LeftRunning extends Error {
  override readonly name = "LeftRunning";
  readonly application: string;
  /** Where it can be looked at. */
  readonly page: string;
  /** Where it writes its parts. */
  readonly directory: string;

  constructor(query: Pick<LeftRunning, "application" | "page" | "directory">) {
    super(`${query.application} goes on`);
    this.application = query.application;
    this.page = query.page;
    this.directory = query.directory;
  }
}

export interface HadoopJobQuery {
  readonly access: ClusterAccess;
  readonly client: HadoopClient;
  readonly job: StreamingJob;
  readonly names: TaskNames;
  /** What the job needs is there. */
  readonly staging: Pick<Staging, "needed" | "released" | "keep">;
  readonly emit: (event: Timeless<RunEvent>) => void;
  readonly signal?: AbortSignal | undefined;
  readonly whenAborted?: WhenAborted | undefined;
  /** So long a ResourceManager may take to know it, or another to take over: 20 s if not given. */
  readonly foundWithinMs?: number;
  /** So long the history may take to know its attempts once it has ended well: 30 s. */
  readonly historyWithinMs?: number;
}

/**
 * Submits it and follows it to its end; InputError if Hadoop does not take it, or nothing is heard
 * of the cluster any more. The staging is released when the end was seen, and only then.
 */
export async function runHadoopJob(query: HadoopJobQuery): Promise<HadoopJobEnd> {
  const { access, names, staging, emit } = query;
  const { rest } = access;
  await submitPatiently(query);
  staging.needed();
  const { id: application } = await submitted(query);
  emit({ kind: "application-submitted", application, page: rest.page(application) });
  const counted = (failure: AttemptFailed) => withWholeLines(access, failure, COUNTED_BYTES_MAX);
  const watch = new JobWatch({ rest, names, emit, application, counted });
  const ended = await unlessLeft(watch, application, query);
  staging.released();
  const endedAt = Date.now();
  const { state, finalStatus, diagnostics } = ended;
  const isKilled = state === "KILLED" || finalStatus === "KILLED";
  const outcome = finalStatus === "SUCCEEDED" ? "succeeded" : isKilled ? "killed" : "failed";
  const historyWithinMs = query.historyWithinMs ?? HISTORY_WITHIN_MS[outcome];
  const known = await allAttempts(query, watch.job, historyWithinMs);
  const attempts = new Map(known);
  for (const [task, rows] of watch.attempts) {
    if (known.has(task)) continue;
    // What ran then has been killed with its job, unless that succeeded.
    attempts.set(task, outcome === "succeeded" ? succeededSince(rows) : rows);
  }
  const { historyRefusal } = rest;
  if (historyRefusal !== undefined || (outcome === "succeeded" && attempts.size > known.size)) {
    const refused = `is not for ${access.user}: ${historyRefusal}`;
    const why = historyRefusal === undefined ? "does not know them" : refused;
    const line = `attempts are as they were seen last: the history ${why}`;
    emit({ kind: "log", node: "client", stream: "stderr", line });
  }
  await watch.lookAtTheEnd(ended);
  if (outcome === "killed") await removeSubmitted(access, watch.job);
  const { decisions, failures } = watch;
  return { application, outcome, diagnostics, endedAt, attempts, decisions, failures };
}

/** What Hadoop's client has put on HDFS for it: the master that would remove it had no time. */
async function removeSubmitted({ conf, hdfs, user }: ClusterAccess, job: string): Promise<void> {
  const staging = conf.text("yarn.app.mapreduce.am.staging-dir", "/tmp/hadoop-yarn/staging");
  // Best effort: the job has ended.
  if (staging.startsWith("/"))
    await hdfs.remove(`${staging}/${user}/.staging/${job}`).catch(() => {});
}

/** An interrupt meanwhile prints why nothing seems to come of it. */
async function submitPatiently({ access, client, job, emit, signal }: HadoopJobQuery) {
  const line = "interrupted: what is to become of the job is asked as soon as it is submitted";
  const interrupted = () => emit({ kind: "log", node: "client", stream: "stderr", line });
  signal?.addEventListener("abort", interrupted);
  try {
    await submit(client, streamingArgs(job), access.environment);
  } finally {
    signal?.removeEventListener("abort", interrupted);
  }
}

/** Of a file, while others are to be told of. */
const COUNTED_BYTES_MAX = 64 * 1024 * 1024;
const FOUND_WITHIN_MS = 20_000;
const AGAIN_MS = 250;

/** The ResourceManager has it, and may take a moment to say so, or for another to take over. */
async function submitted({
  access: { rest },
  job,
  foundWithinMs,
}: HadoopJobQuery): Promise<Application> {
  const found = await answered(() => rest.taggedApplication(job.tag), foundWithinMs);
  if (found !== undefined) return found;
  throw notSubmitted("the ResourceManager does not know of it");
}

/** What is answered in the end, asked again while it is undefined or no manager is active. */
async function answered<T>(
  ask: () => Promise<T | undefined>,
  withinMs = FOUND_WITHIN_MS,
): Promise<T | undefined> {
  for (const until = performance.now() + withinMs; ; ) {
    const isLast = performance.now() > until;
    try {
      const answer = await ask();
      if (answer !== undefined || isLast) return answer;
    } catch (error) {
      const isPassing = error instanceof NoAnswer || error instanceof InputError;
      if (!isPassing || isLast) throw error;
    }
    await sleep(AGAIN_MS);
  }
}

async function unlessLeft(
  watch: JobWatch,
  application: string,
  { signal, whenAborted, access: { rest }, job, foundWithinMs, staging, emit }: HadoopJobQuery,
): Promise<Application> {
  let stop: () => void = () => {};
  const aborted = new Promise<"aborted">((resolve) => {
    stop = () => resolve("aborted");
  });
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop);
  const over = new AbortController();
  const ended = watch.toItsEnd(over.signal);
  try {
    const first = await Promise.race([ended, aborted]);
    if (first !== "aborted") return first;
    // It may end while the user thinks.
    const answer = await Promise.race([ended, whenAborted?.(application, over.signal) ?? "kill"]);
    if (answer === "leave") {
      await keep({ staging, emit });
      throw new LeftRunning({ application, page: rest.page(application), directory: job.output });
    }
    if (answer === "kill") {
      const told = answered(() => rest.kill(application).then(() => true), foundWithinMs);
      await Promise.race([ended, told]);
    }
    return await ended;
  } finally {
    over.abort();
    signal?.removeEventListener("abort", stop);
  }
}

/** It goes on whether that can be noted or not. */
async function keep({ staging, emit }: Pick<HadoopJobQuery, "staging" | "emit">): Promise<void> {
  try {
    await staging.keep();
  } catch (error) {
    if (!(error instanceof NoAnswer || error instanceof InputError)) throw error;
    const line = `a later run may remove its parts once it has ended: ${error.message}`;
    emit({ kind: "log", node: "client", stream: "stderr", line });
  }
}

/** One that was killed seldom has any: its master had no time to write it. */
const HISTORY_WITHIN_MS = { succeeded: 30_000, failed: 30_000, killed: 2_000 } as const;

/**
 * Of the history, which may take a moment to have them. COST: a request for each task.
 */
async function allAttempts(
  { access: { rest } }: HadoopJobQuery,
  job: string,
  withinMs: number,
): Promise<HadoopJobEnd["attempts"]> {
  const attempts = new Map<string, readonly AttemptRow[]>();
  for (const until = performance.now() + withinMs; ; ) {
    const tasks = await rest.tasks(job);
    for (const { task } of tasks ?? []) {
      const rows = await rest.attempts(job, task);
      if (rows !== undefined) attempts.set(task, rows);
    }
    if (tasks !== undefined && attempts.size === tasks.length) return attempts;
    if (rest.historyRefusal !== undefined || performance.now() > until) return attempts;
    await sleep(2 * AGAIN_MS);
  }
}

/**
 * All attempts of a task of a job that has succeeded, as they were seen last. One of them has
 * succeeded: if none was seen to, the one of those that still ran that was furthest.
 */
export function succeededSince(rows: readonly AttemptRow[]): readonly AttemptRow[] {
  if (rows.some(({ state }) => state === "SUCCEEDED")) return rows;
  const running = rows.filter(({ endedAt }) => endedAt === 0);
  const furthest = [...running].sort(ascending(({ progress }) => -progress, BY_NAME))[0];
  return rows.map((row) => (row === furthest ? { ...row, state: "SUCCEEDED" } : row));
}

const BY_NAME = (x: AttemptRow, y: AttemptRow): number => (x.attempt < y.attempt ? -1 : 1);
