import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError } from "../base/input-error.ts";
import {
  flag,
  holding,
  list,
  number,
  oneOf,
  optional,
  Place,
  positive,
  required,
  text,
  whole,
} from "../base/shape.ts";
import { CAUSES } from "../diagnose/cause.ts";
import { PARTS } from "../diagnose/response/part.ts";
import type { JobDigest } from "../fleet/digest.ts";
import { filesOfHistory } from "../trace/open/history-bytes.ts";
import { isUrl } from "../trace/open/server/address.ts";
import type { NamedHistory } from "./history-paths.ts";

/** The digests of the jobs of one history, and what of it could not be read. */
export interface HistoryDigest {
  readonly rows: readonly JobDigest[];
  readonly unread: readonly string[];
}

interface Entry extends HistoryDigest {
  /** Absolute, or a URL. */
  readonly path: string;
  /** Names, sizes and times of the history's files, or what its server's list says of it. */
  readonly identity: string;
}

/**
 * The digests of histories that were read before, so that a second look at a month of jobs reads
 * only what is new: one file for each directory or server, in the user's cache. Whatever else
 * counts (the program, its limits) is in its first line; a store with another one is not used.
 */
export class DigestStore {
  readonly #head: string;
  readonly #entries = new Map<string, Map<string, Entry>>();
  /** The histories that servers have now. */
  readonly #served = new Set<string>();

  /** `key`: what digests depend on besides their history. */
  constructor(key: object) {
    const { size, mtimeMs } = statSync(fileURLToPath(import.meta.url));
    this.#head = JSON.stringify({ ...key, program: `${size} ${mtimeMs}` });
  }

  /** Undefined if the history is new or has changed. */
  find(history: NamedHistory): HistoryDigest | undefined {
    const path = placeOf(history);
    if (history.version !== undefined) this.#served.add(path);
    const entry = this.#of(path).get(path);
    return entry !== undefined && entry.identity === identityOf(history) ? entry : undefined;
  }

  put(history: NamedHistory, digest: HistoryDigest): void {
    const path = placeOf(history);
    const identity = identityOf(history);
    // A server that fails today may answer tomorrow.
    const isKnown = isUrl(path) ? digest.rows.length > 0 : true;
    if (identity !== undefined && isKnown) this.#of(path).set(path, { path, identity, ...digest });
  }

  /**
   * Writes what is known of histories that are still there. Where the cache cannot be written, as
   * for a user without a home, the histories are read again the next time.
   */
  save(): void {
    try {
      this.#write();
    } catch (error) {
      if (!(error instanceof Error && "syscall" in error)) throw error;
    }
  }

  #write(): void {
    for (const [directory, entries] of this.#entries) {
      const kept = [...entries.values()].filter(({ path }) =>
        isUrl(path) ? this.#served.has(path) : existsSync(path),
      );
      const file = fileOf(directory);
      mkdirSync(dirname(file), { recursive: true });
      const text = [this.#head, ...kept.map((entry) => JSON.stringify(entry))].join("\n");
      writeFileSync(`${file}.${process.pid}`, `${text}\n`, { mode: 0o600 });
      renameSync(`${file}.${process.pid}`, file);
    }
  }

  #of(path: string): Map<string, Entry> {
    const directory = dirname(path);
    let entries = this.#entries.get(directory);
    if (entries === undefined) {
      entries = new Map(this.#read(directory).map((entry) => [entry.path, entry]));
      this.#entries.set(directory, entries);
    }
    return entries;
  }

  #read(directory: string): readonly Entry[] {
    const file = fileOf(directory);
    if (!existsSync(file)) return [];
    const [head, ...lines] = readFileSync(file, "utf8").split("\n");
    if (head !== this.#head) return [];
    return lines.filter((line) => line !== "").flatMap((line) => entryIn(line, file));
  }
}

/** A line that is damaged is no loss: its history is read again. */
function entryIn(line: string, file: string): readonly Entry[] {
  try {
    const json: unknown = JSON.parse(line);
    return [entryShape.read(json, new Place("bad-input", file))];
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof InputError) return [];
    throw error;
  }
}

const amount = number();

const entryShape = holding<Entry>("the digest of a history", {
  path: required(text),
  identity: required(text),
  unread: required(list(text)),
  rows: required(
    list(
      holding<JobDigest>("the digest of a job", {
        id: required(text),
        name: required(text),
        attempt: optional(whole()),
        attemptsOfApplication: optional(whole()),
        outcome: required(oneOf(["succeeded", "failed", "killed", "cut-off"])),
        submittedAt: required(amount),
        isDated: required(flag),
        responseMs: required(amount),
        delayMs: required(amount),
        usualMs: required(amount),
        slotMs: required(amount),
        attempts: required(whole()),
        sigma: required(positive),
        causes: required(
          list(
            holding<JobDigest["causes"][number]>("a cause", {
              cause: required(oneOf(CAUSES)),
              ms: required(amount),
            }),
          ),
        ),
        parts: required(
          list(
            holding<JobDigest["parts"][number]>("a part of the usual time", {
              part: required(oneOf(PARTS)),
              ms: required(amount),
            }),
          ),
        ),
        failures: required(
          list(
            holding<JobDigest["failures"][number]>("a reason", {
              reason: required(text),
              count: required(whole()),
            }),
          ),
        ),
        nodes: required(
          list(
            holding<JobDigest["nodes"][number]>("a node", {
              node: required(text),
              attempts: required(whole()),
              lateness: required(list(amount)),
              factor: required(amount),
              delayMs: required(amount),
              isSlow: required(flag),
            }),
          ),
        ),
      }),
    ),
  ),
});

function fileOf(directory: string): string {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  const name = createHash("sha256").update(directory).digest("hex").slice(0, 16);
  return join(cache, "broomwagon", "jobs", `${name}.ndjson`);
}

const placeOf = ({ path }: NamedHistory): string => (isUrl(path) ? path : resolve(path));

/** Undefined if the history is a pipe or a URL that no server lists, or cannot be read. */
function identityOf({ path, version }: NamedHistory): string | undefined {
  if (path === "-" || isUrl(path)) return version;
  return filesIn(path)
    ?.map((file) => ({ file, stat: statSync(file) }))
    .map(({ file, stat: { size, mtimeMs, ctimeMs } }) => `${file} ${size} ${mtimeMs} ${ctimeMs}`)
    .join("\n");
}

function filesIn(path: string): readonly string[] | undefined {
  try {
    return filesOfHistory(path).files;
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}
