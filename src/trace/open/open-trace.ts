import { join } from "node:path";
import type { Trace } from "../../history/model.ts";
import { checkJob } from "../check-job.ts";
import { type OpenOptions, openFiles } from "./open-files.ts";
import { addressOf, isUrl } from "./server/address.ts";
import { download, fetchSparkLog } from "./server/download.ts";
import { traceOfHadoopServer } from "./server/hadoop-server.ts";
import { inTemporaryFolder } from "./temporary-folder.ts";

export type { OpenOptions } from "./open-files.ts";

/**
 * Reads a history of any known format: a file, a rolling directory of Spark, `-`, or a URL: that of
 * a job on a history server of Hadoop or Spark, or of a file. Throws an InputError if it names no
 * history, or one with nothing to diagnose.
 */
export async function openTrace(path: string, options: OpenOptions = {}): Promise<Trace> {
  const trace = await (isUrl(path) ? openUrl(path, options) : openFiles(path, options));
  for (const job of trace.jobs) checkJob(job);
  return trace;
}

async function openUrl(url: string, options: OpenOptions): Promise<Trace> {
  const address = addressOf(url);
  if (address.kind === "hadoop") return traceOfHadoopServer(address, options);
  return inTemporaryFolder(async (folder) => {
    const quiet = { ...options, onStored: () => {} };
    if (address.kind === "spark") {
      return openFiles(await fetchSparkLog(address, folder, options), quiet, url);
    }
    const file = join(folder, "history");
    await download(url, file, options);
    return openFiles(file, quiet, url);
  });
}
