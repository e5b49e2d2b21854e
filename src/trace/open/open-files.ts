import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { InputError } from "../../base/input-error.ts";
import type { Note, Trace } from "../../history/model.ts";
import type { Registry } from "../../policy/registry.ts";
import { readerFor } from "../read-trace.ts";
import type { TraceReader } from "../reader.ts";
import type { OnStored } from "./file-bytes.ts";
import { filesOfHistory, historyBytes } from "./history-bytes.ts";

export interface OpenOptions {
  /** Policies for journals: theirs are replayed. */
  readonly registry?: Registry;
  readonly onStored?: OnStored;
  readonly signal?: AbortSignal;
}

/** As openTrace; `place`: the history's name, if that is not its path. */
export async function openFiles(
  path: string,
  options: OpenOptions,
  place: string = path,
): Promise<Trace> {
  const files = filesOfHistory(path);
  if (files.length === 0) {
    const expected = "expected a history, or a rolling directory with files events_1_...";
    throw new InputError("bad-input", place, expected);
  }
  let reader: TraceReader | undefined;
  const notes: Note[] = [];
  for (const file of files) {
    try {
      for await (const bytes of historyBytes(file, options.onStored)) {
        options.signal?.throwIfAborted();
        reader ??= readerFor(bytes, {
          place,
          registry: options.registry,
          conf: confBeside(path),
        });
        reader.push(bytes);
      }
    } catch (error) {
      // The part before a damaged end counts.
      if (!(error instanceof InputError) || reader === undefined) throw error;
      notes.push({ kind: "cut-off", text: error.message });
      break;
    }
  }
  if (reader === undefined) throw new InputError("bad-input", place, "the file is empty");
  const trace = reader.end();
  return { ...trace, notes: [...trace.notes, ...notes] };
}

/** Hadoop keeps a job's settings beside its history, as `JOB_conf.xml`. */
function confBeside(path: string): string | undefined {
  const [job] = /^job_\d+_\d+/.exec(basename(path)) ?? [];
  if (job === undefined) return undefined;
  try {
    return readFileSync(join(dirname(path), `${job}_conf.xml`), "utf8");
  } catch {
    return undefined;
  }
}
