import { InputError } from "../../../base/input-error.ts";
import { mayBeAlive } from "../../../run/owner.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { KEPT, OWNER_FILE, runsDirectory, tagOf } from "./staging.ts";
import { NoAnswer } from "./web-client.ts";
import type { HdfsEntry } from "./web-hdfs.ts";
import { hasEnded, type YarnRest } from "./yarn-rest.ts";

type Access = Pick<ClusterAccess, "hdfs" | "root"> & {
  readonly rest: Pick<YarnRest, "taggedApplications">;
};

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Removes from HDFS the remains of runs whose clients were killed: no application of the run is
 * running, and the client is known to be gone. A client on another machine cannot be checked, so
 * its run must have been quiet for a day; or for an hour where the ResourceManager knows no
 * application, since one may be about to start. Runs that the user left running stay for their
 * owner. `warn` gets a line for each run. Best effort: leftovers do no harm, and a later run tries
 * again.
 *
 * COST: a request for all runs, and up to four for each that is not this one.
 */
export async function sweepStaleRuns(
  access: Access,
  own: string,
  warn: (line: string) => void,
): Promise<void> {
  const sweep = async (run: HdfsEntry): Promise<void> => {
    if (run.path === own || !(await isStale(access, run))) return;
    await access.hdfs.remove(run.path);
    warn(`removed ${run.path}, which a client that was killed had left`);
  };
  const runs = await access.hdfs.list(runsDirectory(access.root)).catch(passOver);
  for (const run of runs ?? []) await sweep(run).catch(passOver);
}

function passOver(error: unknown): undefined {
  if (!(error instanceof InputError || error instanceof NoAnswer)) throw error;
}

async function isStale({ hdfs, rest }: Access, run: HdfsEntry): Promise<boolean> {
  const entries = await hdfs.list(run.path);
  const names = entries.map(({ path }) => nameOf(path));
  if (names.includes(KEPT)) return false;
  const isKnown = names.includes(OWNER_FILE);
  const owner = isKnown ? (await hdfs.read(`${run.path}/${OWNER_FILE}`)).toString() : "";
  const isGone = isKnown && !mayBeAlive(owner);
  const numbers = names.flatMap((name) => /^job-(\d+)$/.exec(name)?.[1] ?? []);
  const tags = numbers.map((number) => tagOf(nameOf(run.path), Number(number)));
  const applications = tags.length === 0 ? [] : await rest.taggedApplications(tags);
  if (!applications.every(hasEnded)) return false;
  const changedAt = Math.max(...[run, ...entries].map(({ modifiedAt }) => modifiedAt));
  const quietMs = !isGone ? DAY_MS : applications.length > 0 ? 0 : HOUR_MS;
  return Date.now() - changedAt >= quietMs;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
