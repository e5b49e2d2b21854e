import { setTimeout as sleep } from "node:timers/promises";
import type { AttemptFailed } from "./attempt-failure.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import type { Decision } from "./decisions.ts";
import { type HadoopClient, notSubmitted, submit } from "./hadoop-client.ts";
import { type Happened, JobWatch } from "./job-watch.ts";
import type { Staging } from "./staging.ts";
import { type StreamingJob, streamingArgs } from "./streaming-args.ts";
import type { TaskNames } from "./task-names.ts";
import type { Application, AttemptRow } from "./yarn-rest.ts";

/** What became of one job of Hadoop's. */
export interface HadoopJobEnd {
  readonly application: string;
  readonly outcome: "succeeded" | "failed" | "killed";
  /** Of Hadoop's, if it did not succeed. */
  readonly diagnostics: string;
  /** By task. */
  readonly attempts: ReadonlyMap<string, readonly AttemptRow[]>;
  readonly decisions: readonly Decision[];
  /** By attempt, as far as they were told while it ran. */
  readonly failures: ReadonlyMap<string, AttemptFailed>;
}

/** The user wants the application to go on without us. */
export class LeftRunning extends Error {
  override readonly name = "LeftRunning";
  readonly application: Application;
  /** Where it writes its parts. */
  readonly directory: string;

  constructor(application: Application, directory: string) {
    super(`${application.id} goes on`);
    this.application = application;
    this.directory = directory;
  }
}

export interface HadoopJobQuery {
  readonly access: ClusterAccess;
  readonly client: HadoopClient;
  readonly job: StreamingJob;
  readonly names: TaskNames;
  /** What the job needs is there. */
  readonly staging: Pick<Staging, "needed" | "released">;
  readonly tell: (event: Happened) => void;
  readonly signal?: AbortSignal | undefined;
  readonly whenAborted?: ((application: string) => Promise<"kill" | "leave">) | undefined;
}

/**
 * Submits it and follows it to its end; InputError if Hadoop does not take it, or nothing is heard
 * of the cluster any more. The staging is released when the end was seen, and only then.
 */
export async function runHadoopJob(query: HadoopJobQuery): Promise<HadoopJobEnd> {
  const { access, client, job, names, staging, tell } = query;
  const { rest, environment } = access;
  await submit(client, streamingArgs(job), environment);
  staging.needed();
  const { id: application } = await submitted(query);
  const watch = new JobWatch({ rest, names, tell, application });
  const ended = await unlessLeft(watch.toItsEnd(), application, query);
  staging.released();
  const { state, finalStatus, diagnostics } = ended;
  const isKilled = state === "KILLED" || finalStatus === "KILLED";
  const outcome = finalStatus === "SUCCEEDED" ? "succeeded" : isKilled ? "killed" : "failed";
  const attempts = await allAttempts(query, watch.job);
  await watch.lookAtTheEnd(ended);
  const { decisions, failures } = watch;
  return { application, outcome, diagnostics, attempts, decisions, failures };
}

const FOUND_WITHIN_MS = 20_000;
const AGAIN_MS = 250;

/** The ResourceManager has it, and may take a moment to say so. */
async function submitted({ access: { rest }, job: { tag } }: HadoopJobQuery): Promise<Application> {
  for (const until = performance.now() + FOUND_WITHIN_MS; performance.now() < until; ) {
    const application = await rest.taggedApplication(tag);
    if (application !== undefined) return application;
    await sleep(AGAIN_MS);
  }
  throw notSubmitted("the ResourceManager does not know of it");
}

async function unlessLeft(
  ended: Promise<Application>,
  application: string,
  { signal, whenAborted, access: { rest }, job }: HadoopJobQuery,
): Promise<Application> {
  let stop: () => void = () => {};
  const aborted = new Promise<"aborted">((resolve) => {
    stop = () => resolve("aborted");
  });
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop);
  try {
    const first = await Promise.race([ended, aborted]);
    if (first !== "aborted") return first;
    // It may end while the user thinks.
    const answer = await Promise.race([ended, whenAborted?.(application) ?? "kill"]);
    if (answer === "leave") throw new LeftRunning(await rest.application(application), job.output);
    if (answer === "kill") await rest.kill(application);
    return await ended;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

const HISTORY_WITHIN_MS = 30_000;

/**
 * Of the history, which may take a moment to have them. COST: a request for each task.
 */
async function allAttempts(
  { access: { rest } }: HadoopJobQuery,
  job: string,
): Promise<HadoopJobEnd["attempts"]> {
  const attempts = new Map<string, readonly AttemptRow[]>();
  for (const until = performance.now() + HISTORY_WITHIN_MS; ; ) {
    const tasks = await rest.tasks(job);
    for (const { task } of tasks ?? []) {
      const rows = await rest.attempts(job, task);
      if (rows !== undefined) attempts.set(task, rows);
    }
    if (tasks !== undefined && attempts.size === tasks.length) return attempts;
    // An application that was killed may have no history.
    if (performance.now() > until) return attempts;
    await sleep(2 * AGAIN_MS);
  }
}
