import { createHash, randomUUID } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { InputError } from "../../../base/input-error.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { ownDirectory } from "./staging.ts";
import type { WebHdfs } from "./web-hdfs.ts";

/** Below this size it is a program that needs libraries of this machine's. */
const WHOLE_NODE_BYTES_MIN = 40_000_000;

/** What is being uploaded ends so. */
const COMING = ".coming";
/** No upload takes so long. */
const COMING_MS_MAX = 24 * 60 * 60 * 1000;

/**
 * The URI of the Node that containers are to run: of the very Node of this process, put into HDFS
 * the first time, where it stays under a name that tells its version and its contents. `signal`
 * breaks the upload off. Of an upload that does not come to its end nothing stays, or, where its
 * client had no time for that, a later run removes it.
 */
export async function shipNode(
  { hdfs, root }: Pick<ClusterAccess, "hdfs" | "root">,
  signal?: AbortSignal,
): Promise<string> {
  const { execPath, platform, arch, version } = process;
  const bytes = statSync(execPath).size;
  if (platform !== "linux" || bytes < WHOLE_NODE_BYTES_MIN) {
    const why = `this one (${execPath}, ${platform}) would not run on the cluster's nodes`;
    const expected = "expected a Node for Linux in one file, as nodejs.org has it, to be shipped";
    throw new InputError("bad-flag", "node", `${expected}: ${why}; name theirs by --node-path`);
  }
  const directory = `${ownDirectory(root)}/node`;
  await removeStale(hdfs, directory).catch(passOver);
  const hash = (await hashOf(execPath)).slice(0, 16);
  const path = `${directory}/node-${version}-${platform}-${arch}-${hash}`;
  const found = await hdfs.find(path);
  if (found?.bytes !== bytes) {
    // The file is there as a whole or not at all.
    const coming = `${path}.${randomUUID()}${COMING}`;
    try {
      await hdfs.write(coming, () => createReadStream(execPath, { signal }));
      // Its name says that it is whole: a broken upload could not be run.
      if (found !== undefined) await hdfs.remove(path);
      if (!(await hdfs.rename(coming, path))) await hdfs.remove(coming);
    } catch (error) {
      await hdfs.remove(coming).catch(passOver);
      throw error;
    }
  }
  return `${root.fileSystem}${path}`;
}

/** Of clients that were killed while they uploaded. */
async function removeStale(hdfs: WebHdfs, directory: string): Promise<void> {
  const since = Date.now() - COMING_MS_MAX;
  for (const { path, modifiedAt } of await hdfs.list(directory)) {
    if (path.endsWith(COMING) && modifiedAt < since) await hdfs.remove(path);
  }
}

/** Best effort: what stays does no harm, and a later run tries again. */
const passOver = (): void => {};

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}
