import { InputError } from "../../base/input-error.ts";
import type { TraceJob } from "../../history/model.ts";
import type { NamedHistory } from "../../library/history-paths.ts";
import type { Opened } from "../../library/job-of-history.ts";
import { counted } from "../../report/quantity.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { PrintFormat } from "../flags.ts";
import { jsonText } from "../json-text.ts";
import { line, type Sink } from "../shell.ts";
import { type Column, table, wrap } from "../table.ts";
import type { Reading } from "./reading.ts";

/** The jobs of many histories. */
interface JobList<T> {
  readonly jobs: readonly T[];
  /** Histories that cannot be read, and those with a job of which nothing can be said. */
  readonly unread: readonly { readonly history: string; readonly reason: string }[];
}

/** Which jobs of a history are listed, and the row of one. */
interface Listing<T> {
  jobsOf(opened: Opened): readonly TraceJob[];
  row(opened: Opened, job: TraceJob): T;
}

/** One history is in memory at a time; a job that stands in several counts once. */
export async function listJobs<T>(
  histories: readonly NamedHistory[],
  reading: Reading,
  { jobsOf, row }: Listing<T>,
): Promise<JobList<T>> {
  const rows = new Map<string, T>();
  const unread: JobList<T>["unread"][number][] = [];
  for (const history of histories) {
    const unlessUnread = async (work: () => unknown): Promise<void> => {
      try {
        await work();
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        unread.push({ history: history.name, reason: error.message });
      }
    };
    await unlessUnread(async () => {
      const opened = await reading.open(history);
      for (const job of jobsOf(opened)) {
        const key = `${job.id} ${opened.trace.originMs + job.submittedAt}`;
        if (!rows.has(key)) await unlessUnread(() => rows.set(key, row(opened, job)));
      }
    });
  }
  return { jobs: [...rows.values()], unread };
}

interface JobSheet<T> {
  readonly document: "why-jobs" | "whatif-jobs";
  readonly columns: readonly Column[];
  readonly cells: (job: T) => readonly string[];
  /** Follows the number of jobs, below the table. */
  readonly foot: string;
}

/** Prints the list; it fails if it is empty. */
export function printJobs<T>(
  list: JobList<T>,
  { document, columns, cells, foot }: JobSheet<T>,
  { out, format }: { readonly out: Sink; readonly format: PrintFormat },
): ExitCode {
  const { jobs, unread } = list;
  const width = out.columns();
  const count = `${counted(jobs.length, "job")}; ${foot}`;
  const refused = unread.map(({ reason }) => `not read: ${reason}`);
  const text = [table(columns, jobs.map(cells), width), "", ...wrap(count, width), ...refused];
  line(out, format === "json" ? jsonText(document, list) : text.join("\n"));
  return jobs.length > 0 ? EXIT.ok : EXIT.badFile;
}
