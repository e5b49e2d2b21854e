import { InputError } from "../base/input-error.ts";
import { oneLine } from "../base/printable.ts";
import { historiesIn, type WalkOptions } from "../trace/open/histories-in.ts";
import { serverListAt } from "../trace/open/server/address.ts";
import { historiesOnServer } from "../trace/open/server/jobs-on-server.ts";
import { historiesInArchive } from "../trace/open/zip.ts";
import { runJournal } from "./run-journal.ts";

/** A history that a user named. */
export interface NamedHistory {
  readonly path: string;
  /** Its name in messages: as the user gave it, or the path of one of many in a directory. */
  readonly name: string;
  /** Of one on a server's list: what the list says of it, which differs if it has changed. */
  readonly version?: string;
}

/** The histories of runs, files, URLs and `-`, and all those in directories and on servers. */
export async function historiesNamed(
  names: readonly string[],
  walk: WalkOptions = {},
): Promise<readonly NamedHistory[]> {
  const all = await Promise.all(names.map((name) => historiesOf(name, walk)));
  return all.flat();
}

async function historiesOf(name: string, walk: WalkOptions): Promise<readonly NamedHistory[]> {
  const found = runJournal(name);
  const list = serverListAt(found);
  if (list !== undefined) {
    const served = await historiesOnServer(list);
    return served.map(({ url, version }) => ({ path: url, name: oneLine(url), version }));
  }
  const paths = await Promise.all(historiesIn(found, walk).map(historiesInArchive));
  return paths.flat().map((path) => {
    return { path, name: oneLine(path === found ? name : path) };
  });
}

/** One history; without a name, that of the latest run. InputError for a directory of several. */
export function historyNamed(name?: string): NamedHistory {
  const found = runJournal(name);
  const [path, ...others] = historiesIn(found);
  if (path !== undefined && others.length === 0) return { path, name: name ?? path };
  const count = path === undefined ? "none" : `${others.length + 1}`;
  const expected = `expected one history, found ${count} in a directory`;
  throw new InputError("bad-input", name ?? found, expected);
}
