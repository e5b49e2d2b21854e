import { InputError } from "../../base/input-error.ts";
import type { TraceJob } from "../../history/model.ts";
import type { NamedHistory } from "../../library/history-paths.ts";
import type { Opened } from "../../library/job-of-history.ts";
import type { Reading } from "./reading.ts";

/** Which jobs of a history are listed, and the row of one. */
interface Listing<T> {
  jobsOf(opened: Opened): readonly TraceJob[];
  row(opened: Opened, job: TraceJob): T;
}

/** The rows of a history's jobs, and why some of it cannot be read. */
export interface Listed<T> {
  readonly rows: readonly T[];
  readonly unread: readonly string[];
}

/** A history that cannot be read, and a job of which nothing can be said, are no errors. */
export async function listJobs<T>(
  history: NamedHistory,
  reading: Reading,
  { jobsOf, row }: Listing<T>,
): Promise<Listed<T>> {
  const rows: T[] = [];
  const unread: string[] = [];
  const unlessUnread = async (work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      unread.push(error.message);
    }
  };
  await unlessUnread(async () => {
    const opened = await reading.open(history);
    for (const job of jobsOf(opened)) await unlessUnread(() => rows.push(row(opened, job)));
  });
  return { rows, unread };
}

/** What tells one job of a list from another. */
interface JobIdentity {
  readonly id: string;
  /** Since 1970 UTC if it is dated, else since the start of its trace. */
  readonly submittedAt: number;
  readonly responseMs: number;
  readonly attempts: number;
}

/** Which jobs of a list are new: a job that stands in several histories counts once. */
export class JobsOnce {
  readonly #seen = new Set<string>();

  isNew({ id, submittedAt, responseMs, attempts }: JobIdentity): boolean {
    // Rumen's folder moves jobs in time: the same run has the same length.
    const keys = [`${id} at ${submittedAt}`, `${id} for ${responseMs}, ${attempts}`];
    if (keys.some((key) => this.#seen.has(key))) return false;
    for (const key of keys) this.#seen.add(key);
    return true;
  }
}
