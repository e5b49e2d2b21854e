import { fileURLToPath } from "node:url";
import { isObject, Place } from "../base/shape.ts";
import type { Trace } from "../history/model.ts";
import { checkJob } from "../trace/check-job.ts";
import { type OpenOptions, openTrace } from "../trace/open/open-trace.ts";
import { historyNamed } from "./history-paths.ts";
import type { Opened } from "./job-of-history.ts";

/**
 * A past run: the id or directory of one of ours, the path of a journal or of a history of Hadoop
 * or Spark, the URL of one on a history server, `-` for standard input, or what `openTrace`
 * returned.
 */
export type History = string | URL | Trace;

/** InputError, in the name of the function `by`, if it is no history, or several. */
export async function openHistory(
  history: History,
  { by, ...options }: OpenOptions & { readonly by: string },
): Promise<Opened> {
  if (isTrace(history)) {
    for (const job of history.jobs) checkJob(job);
    return { trace: history, place: history.source.files.join(", ") || by };
  }
  const { path, name } = historyNamed(pathOf(history, by));
  return { trace: await openTrace(path, options), place: name };
}

const isTrace = (history: unknown): history is Trace =>
  isObject(history) && "jobs" in history && Array.isArray(history.jobs) && "source" in history;

function pathOf(history: string | URL, by: string): string {
  if (history instanceof URL) {
    return history.protocol === "file:" ? fileURLToPath(history) : history.href;
  }
  if (typeof history === "string" && history !== "") return history;
  const expected = "a run, the path or URL of a history, or what openTrace returned";
  return new Place("bad-input", by).refuse(expected, history);
}
