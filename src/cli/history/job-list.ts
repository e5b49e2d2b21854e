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

/** One row for each key, the first: a job may stand in several histories. */
export function withoutDoubles<T>(rows: readonly T[], keyOf: (row: T) => string): readonly T[] {
  const kept = new Map<string, T>();
  for (const row of rows) if (!kept.has(keyOf(row))) kept.set(keyOf(row), row);
  return [...kept.values()];
}
