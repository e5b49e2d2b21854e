import { InputError } from "../../../src/base/input-error.ts";
import type { ClusterAccess } from "../../../src/hosts/yarn/client/cluster-access.ts";
import { hdfsFiles } from "../../../src/hosts/yarn/client/hdfs-files.ts";
import { shortName } from "../../../src/hosts/yarn/client/yarn-rest.ts";
import { jobOf } from "../../../tools/cluster/hadoop-job.ts";
import { seen } from "../../../tools/cluster/seen.ts";

/** What Hadoop's history must be written as, to be read by `avataarsIn`. */
export const HISTORY_AS_JSON = { "mapreduce.jobhistory.jhist.format": "json" };

/**
 * What Hadoop itself has written down of an application that has ended: its attempts that were
 * started, `m_000003_1`, and whether each was `SPECULATIVE` or, as Hadoop calls the others,
 * `VIRGIN`.
 */
export async function avataarsOf(
  access: ClusterAccess,
  application: string,
): Promise<ReadonlyMap<string, string>> {
  return avataarsIn((await historyOf(access, application)).toString());
}

/** The bytes of the application's .jhist. */
export function historyOf(
  { conf, root, hdfs }: ClusterAccess,
  application: string,
): Promise<Uint8Array> {
  const staging = conf.text("yarn.app.mapreduce.am.staging-dir", "/tmp/hadoop-yarn/staging");
  // The history server moves it while we look.
  const pattern = `${staging}/history/**/${jobOf(application)}-*.jhist`;
  return seen("the job's history", async () => {
    try {
      const [file] = await hdfsFiles(hdfs, [pattern], root);
      return file && (await hdfs.read(file.path));
    } catch (error) {
      if (error instanceof InputError) return undefined;
      throw error;
    }
  });
}

/** The first two lines say what the others are. */
function avataarsIn(history: string): ReadonlyMap<string, string> {
  const [version, , ...events] = history.split("\n");
  if (version !== "Avro-Json") throw new Error(`a job's history is ${version}, not Avro-Json`);
  const started = events.flatMap((text): readonly (readonly [string, string])[] => {
    const [, attempt = ""] = /"attemptId":"(\w+)"/.exec(text) ?? [];
    const [, avataar] = /"avataar":\{"string":"(\w+)"\}/.exec(text) ?? [];
    return avataar === undefined ? [] : [[shortName(attempt), avataar]];
  });
  return new Map(started);
}
