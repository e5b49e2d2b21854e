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
import type { JournalCopies } from "./journal-copies.ts";
import type { Staging } from "./staging.ts";
import { type StreamingJob, streamingArgs } from "./streaming-args.ts";
import type { TaskNames } from "./task-names.ts";
import { NoAnswer } from "./web-client.ts";
import type { WhenAborted } from "./yarn-options.ts";
import type { Application, AttemptRow } from "./yarn-rest.ts";

/** How one Hadoop job ended. */
export interface HadoopJobEnd {
  readonly application: string;
  readonly outcome: "succeeded" | "failed" | "killed";
  /** Hadoop's diagnostics, if the job did not succeed. */
  readonly diagnostics: string;
  /** When the client saw the end, in milliseconds since the epoch. */
  readonly endedAt: number;
  /**
   * Attempts by task. Where the job failed or its history is not readable, some rows are as last
   * seen.
   */
  readonly attempts: ReadonlyMap<string, readonly AttemptRow[]>;
  readonly decisions: readonly Decision[];
  /** Failures by attempt, as far as they were reported while the job ran. */
  readonly failures: ReadonlyMap<string, AttemptFailed>;
}

/** The user lets the application go on without its client. */
export class LeftRunning extends Error {
  override readonly name = "LeftRunning";
  readonly application: string;
  /** The page at which the user can look at the application. */
  readonly page: string;
  /** The directory into which the application writes its parts. */
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
  /** The staging area, which holds what the job needs. */
  readonly staging: Pick<Staging, "needed" | "released" | "keep">;
  readonly emit: (event: Timeless<RunEvent>) => void;
  readonly signal?: AbortSignal | undefined;
  readonly whenAborted?: WhenAborted | undefined;
  /** Where the policies' journal is copied while the job runs. */
  readonly journals?: JournalCopies | undefined;
  /**
   * How long a ResourceManager may take to know the job, or another to take over: 20 s by default.
   */
  readonly foundWithinMs?: number;
  /**
   * How long the history may take to know the job's attempts after its success: 30 s by default.
   */
  readonly historyWithinMs?: number;
}

/**
 * Submits the job and follows it to its end. InputError if Hadoop refuses the job, or if the
 * cluster stays silent. The staging area is released when the end was seen, and only then.
 */
export async function runHadoopJob(query: HadoopJobQuery): Promise<HadoopJobEnd> {
  const { access, names, staging, emit } = query;
  const { rest } = access;
  await submitPatiently(query);
  staging.needed();
  const { id: application } = await submitted(query);
  emit({ kind: "application-submitted", application, page: rest.page(application) });
  const counted = (failure: AttemptFailed) => withWholeLines(access, failure, COUNTED_BYTES_MAX);
  const { journals } = query;
  const watch = new JobWatch({ rest, names, emit, application, counted, journals });
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
    // Attempts that ran at the end were killed with the job, unless the job succeeded.
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

/** Removes what Hadoop's client put on HDFS: the killed master had no time to remove it. */
async function removeSubmitted({ conf, hdfs, user }: ClusterAccess, job: string): Promise<void> {
  const staging = conf.text("yarn.app.mapreduce.am.staging-dir", "/tmp/hadoop-yarn/staging");
  // Best effort: the job has ended.
  if (staging.startsWith("/"))
    await hdfs.remove(`${staging}/${user}/.staging/${job}`).catch(() => {});
}

/** An interrupt during the submission prints why nothing seems to happen. */
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

/** The most bytes of a file to read for line numbers, since other failures wait to be reported. */
const COUNTED_BYTES_MAX = 64 * 1024 * 1024;
const FOUND_WITHIN_MS = 20_000;
const AGAIN_MS = 250;

/**
 * Finds the submitted application. The ResourceManager may take a moment to list it, or another may
 * take over first.
 */
async function submitted({
  access: { rest },
  job,
  foundWithinMs,
}: HadoopJobQuery): Promise<Application> {
  const found = await answered(() => rest.taggedApplication(job.tag), foundWithinMs);
  if (found !== undefined) return found;
  throw notSubmitted("the ResourceManager does not know of it");
}

/** Asks again while the answer is undefined or no manager is active. */
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
    // The application may end while the user thinks.
    const answer = await Promise.race([ended, whenAborted?.(application, over.signal) ?? "kill"]);
    if (answer === "leave") {
      await keep({ staging, emit });
      throw new LeftRunning({ application, page: rest.page(application), directory: job.output });
    }
    if (answer === "kill") {
      const killing = answered(() => rest.kill(application).then(() => true), foundWithinMs);
      await Promise.race([ended, killing]);
    }
    return await ended;
  } finally {
    over.abort();
    signal?.removeEventListener("abort", stop);
  }
}

/** The application goes on whether or not the note can be written. */
async function keep({ staging, emit }: Pick<HadoopJobQuery, "staging" | "emit">): Promise<void> {
  try {
    await staging.keep();
  } catch (error) {
    if (!(error instanceof NoAnswer || error instanceof InputError)) throw error;
    const line = `a later run may remove its parts once it has ended: ${error.message}`;
    emit({ kind: "log", node: "client", stream: "stderr", line });
  }
}

/** The history of a killed job is seldom there: its master had no time to write it. */
const HISTORY_WITHIN_MS = { succeeded: 30_000, failed: 30_000, killed: 2_000 } as const;

/**
 * The attempts in the history, which may take a moment to have them. COST: a request for each task.
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
 * All attempts of a task of a succeeded job, as last seen, one of them succeeded. If none was seen
 * to succeed, the running attempt with the most progress counts as the successful one.
 */
export function succeededSince(rows: readonly AttemptRow[]): readonly AttemptRow[] {
  if (rows.some(({ state }) => state === "SUCCEEDED")) return rows;
  const running = rows.filter(({ endedAt }) => endedAt === 0);
  const furthest = [...running].sort(ascending(({ progress }) => -progress, BY_NAME))[0];
  return rows.map((row) => (row === furthest ? { ...row, state: "SUCCEEDED" } : row));
}

const BY_NAME = (x: AttemptRow, y: AttemptRow): number => (x.attempt < y.attempt ? -1 : 1);
