import { InputError } from "../base/input-error.ts";
import type { Trace } from "../history/model.ts";
import type { Registry } from "../policy/registry.ts";
import { detect } from "./detect.ts";
import { JobHistoryReader } from "./jhist/read-jhist.ts";
import { JobTrackerReader } from "./jobtracker/read-jobtracker.ts";
import { JournalReader } from "./journal/read-journal.ts";
import { knownFile } from "./known-file.ts";
import type { TraceReader } from "./reader.ts";
import { RumenReader } from "./rumen/read-rumen.ts";
import { SparkReader } from "./spark/read-spark.ts";
import { withVisibleNames } from "./visible-names.ts";

export interface ReadOptions {
  /** The history's name, for errors. Default: `history`. */
  readonly place?: string;
  /** Policies for journals: theirs are replayed. */
  readonly registry?: Registry | undefined;
  /** The text of the job's `conf.xml`, for a .jhist, which does not hold its settings. */
  readonly conf?: string | undefined;
}

/**
 * Reads a history whose decompressed bytes come in pieces of any size. Throws an InputError if the
 * format is unknown, or the history holds nothing to diagnose.
 */
export function readTrace(pieces: Iterable<Uint8Array>, options: ReadOptions = {}): Trace {
  let reader: TraceReader | undefined;
  for (const piece of pieces) {
    if (piece.length === 0) continue;
    reader ??= readerFor(piece, options);
    reader.push(piece);
  }
  if (reader !== undefined) return withVisibleNames(reader.end());
  throw new InputError("bad-input", options.place ?? DEFAULT_PLACE, "the file is empty");
}

/** The reader for a history that begins with these bytes: some kB, or all of it. */
export function readerFor(head: Uint8Array, options: ReadOptions): TraceReader {
  const { place = DEFAULT_PLACE, registry, conf } = options;
  const format = detect(head);
  switch (format) {
    case "spark":
      return new SparkReader(place);
    case "journal":
      return new JournalReader(place, registry);
    case "jhist":
      return new JobHistoryReader(place, conf);
    case "rumen":
      return new RumenReader(place);
    case "jobtracker":
      return new JobTrackerReader(place);
    case undefined: {
      const known = "a .jhist of Hadoop, Rumen's JSON, a JobTracker log, an event log of Spark";
      const what = knownFile(head);
      const found = what === undefined ? "" : `; found ${what}`;
      const expected = `expected ${known}, or a journal of Broomwagon${found}`;
      throw new InputError("bad-input", place, expected);
    }
  }
}

const DEFAULT_PLACE = "history";
