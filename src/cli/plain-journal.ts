import { closeSync, mkdtempSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../base/input-error.ts";
import type { Registry } from "../policy/registry.ts";
import { compressionOf, HEAD_BYTES, headOf } from "../trace/open/file-bytes.ts";
import { historyBytes } from "../trace/open/history-bytes.ts";
import { cutOff } from "../trace/open/open-trace.ts";
import { isPipe } from "./files.ts";
import { StoredJournal } from "./journal-file.ts";
import { mistakenContent } from "./mistaken-file.ts";

interface Means {
  readonly folder: string;
  readonly registry: Registry;
}

/**
 * A journal that a replay can read several times: what is compressed, or comes from standard input,
 * is written into the folder first.
 */
export async function plainJournal(
  path: string,
  { folder, registry }: Means,
): Promise<StoredJournal> {
  if (path !== "-" && isPipe(path)) {
    const pipe = "a pipe is read from standard input: try `... | broomwagon replay -`";
    throw new InputError("bad-journal", path, `expected a file; ${pipe}`);
  }
  const isPlain = path !== "-" && compressionOf(headOf(path, HEAD_BYTES), path) === "none";
  if (isPlain) return new StoredJournal(path, registry);
  const file = join(mkdtempSync(join(folder, "journal-")), "journal.ndjson");
  const journal = new StoredJournal(path, registry, file);
  const to = openSync(file, "w");
  try {
    const onCut = (place: string, found: string): void => {
      journal.cut = cutOff(place, found);
    };
    for await (const bytes of historyBytes(path, { onCut })) writeSync(to, bytes);
  } finally {
    closeSync(to);
  }
  const mistaken = mistakenContent("replay", path, file);
  if (mistaken !== undefined) throw new InputError("bad-journal", path, mistaken);
  return journal;
}
