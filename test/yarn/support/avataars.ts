import { InputError } from "../../../src/base/input-error.ts";
import type { ClusterAccess } from "../../../src/hosts/yarn/client/cluster-access.ts";
import { hdfsFiles } from "../../../src/hosts/yarn/client/hdfs-files.ts";
import { shortName } from "../../../src/hosts/yarn/client/yarn-rest.ts";
import { jobOf } from "../../../tools/cluster/hadoop-job.ts";
import { seen } from "../../../tools/cluster/seen.ts";

/** The format of Hadoop's history that `avataarsIn` reads. */
export const HISTORY_AS_JSON = { "mapreduce.jobhistory.jhist.format": "json" };

/**
 * Hadoop's own record of an ended application: its started attempts, `m_000003_1`, each either
 * `SPECULATIVE` or, as Hadoop calls the others, `VIRGIN`.
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
  // The history server moves the file during the look.
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

/** The first two lines describe the others. */
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
