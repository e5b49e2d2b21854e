import { createHash, randomUUID } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { InputError } from "../../../base/input-error.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { ownDirectory } from "./staging.ts";
import type { WebHdfs } from "./web-hdfs.ts";

/** A smaller Node depends on shared libraries of this machine. */
const WHOLE_NODE_BYTES_MIN = 40_000_000;

/** The suffix of a file that is being uploaded. */
const COMING = ".coming";
/** The longest time that an upload can take. */
const COMING_MS_MAX = 24 * 60 * 60 * 1000;

/**
 * The URI of the Node for containers: the same Node that runs this process, uploaded to HDFS once
 * under a name with its version and hash. `signal` aborts the upload. An aborted upload leaves
 * nothing, or, if its client had no time to remove the file, a later run does.
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
    // The rename makes the file appear whole or not at all.
    const coming = `${path}.${randomUUID()}${COMING}`;
    try {
      await hdfs.write(coming, () => createReadStream(execPath, { signal }));
      // A file of another size under this name is damaged, and could not run.
      if (found !== undefined) await hdfs.remove(path);
      if (!(await hdfs.rename(coming, path))) await hdfs.remove(coming);
    } catch (error) {
      await hdfs.remove(coming).catch(passOver);
      throw error;
    }
  }
  return `${root.fileSystem}${path}`;
}

/** Removes uploads of clients that were killed. */
async function removeStale(hdfs: WebHdfs, directory: string): Promise<void> {
  const since = Date.now() - COMING_MS_MAX;
  for (const { path, modifiedAt } of await hdfs.list(directory)) {
    if (path.endsWith(COMING) && modifiedAt < since) await hdfs.remove(path);
  }
}

/** Best effort: leftovers do no harm, and a later run tries again. */
const passOver = (): void => {};

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}
