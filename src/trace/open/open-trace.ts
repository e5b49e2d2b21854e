import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { InputError } from "../../base/input-error.ts";
import type { Note, Trace, TraceJob } from "../../history/model.ts";
import type { Registry } from "../../policy/registry.ts";
import { checkJob, disorderIn } from "../check-job.ts";
import { readerFor } from "../read-trace.ts";
import type { TraceReader } from "../reader.ts";
import { withVisibleNames } from "../visible-names.ts";
import { withOtherAttempts } from "./application-attempts.ts";
import { compressionOf, HEAD_BYTES, headOf, type ReadEvents } from "./file-bytes.ts";
import { filesOfHistory, historyBytes } from "./history-bytes.ts";
import type { Parts } from "./parts.ts";
import { addressOf, isUrl } from "./server/address.ts";
import { download, fetchSparkLog } from "./server/download.ts";
import { traceOfHadoopServer } from "./server/hadoop-server.ts";
import { inTemporaryFolder } from "./temporary-folder.ts";
import { archivedPath, isZip, unzipped } from "./zip.ts";

export interface OpenOptions {
  /** Policies for journals: theirs are replayed. */
  readonly registry?: Registry;
  readonly onStored?: ReadEvents["onStored"];
  readonly signal?: AbortSignal;
}

/**
 * Reads a history of any known format: a file, a rolling directory of Spark, `-`, or a URL: that of
 * a job on a history server of Hadoop or Spark, or of a file. Throws an InputError if it names no
 * history, or one with nothing to diagnose.
 */
export async function openTrace(path: string, options: OpenOptions = {}): Promise<Trace> {
  const read = await (isUrl(path) ? openUrl(path, options) : openFiles(path, options));
  const trace = withoutDisorder(withVisibleNames(read));
  for (const job of trace.jobs) checkJob(job);
  return trace;
}

/** Of several jobs, those whose times contradict each other are left out. */
function withoutDisorder(trace: Trace): Trace {
  const sound = trace.jobs.filter((job) => disorderIn(job) === undefined);
  if (sound.length === trace.jobs.length || sound.length === 0) return trace;
  const notes = trace.jobs.flatMap((job): Note[] => {
    const disorder = disorderIn(job);
    return disorder === undefined
      ? []
      : [{ kind: "dropped", text: `${job.id} is left out: ${disorder}` }];
  });
  return { ...trace, jobs: sound, notes: [...trace.notes, ...notes] };
}

async function openUrl(url: string, options: OpenOptions): Promise<Trace> {
  const address = addressOf(url);
  if (address.kind === "hadoop") return traceOfHadoopServer(address, options);
  if (address.kind === "list") {
    const { origin } = new URL(url);
    const examples = `${origin}/jobhistory/job/job_1_0001 or ${origin}/history/app-1`;
    throw new InputError("bad-input", url, `expected the URL of one job, such as ${examples}`);
  }
  return inTemporaryFolder(async (folder) => {
    const quiet = { ...options, onStored: () => {} };
    if (address.kind === "spark") {
      return openFiles(await fetchSparkLog(address, folder, options), quiet, url);
    }
    const file = join(folder, "history");
    const onHead = (head: Uint8Array): void => {
      if (head.length === 0 || isZip(head) || compressionOf(head, url) !== "none") return;
      // Of no known format: the rest of the answer is of no use.
      readerFor(head, { place: url, registry: options.registry });
    };
    await download(url, file, { ...options, onHead });
    return openFiles(file, quiet, url);
  });
}

/** As openTrace; `place`: the history's name, if that is not its path. */
async function openFiles(path: string, options: OpenOptions, place: string = path): Promise<Trace> {
  const archived = archivedPath(path);
  if (archived !== undefined) {
    const { zip, within } = archived;
    return inTemporaryFolder(async (folder) =>
      openFiles(await unzipped(zip, folder, { place: zip, within }), options, place),
    );
  }
  const { files, notes: known, holes } = filesOfHistory(path);
  if (path !== "-" && files.includes(path) && isZip(headOf(path, HEAD_BYTES))) {
    return inTemporaryFolder(async (folder) =>
      openFiles(await unzipped(path, folder, { place }), options, place),
    );
  }
  const notes = [...known];
  let reader: TraceReader | undefined;
  const onCut = (cut: string, found: string): void => {
    notes.push({ kind: "cut-off", text: cutOff(cut.replace(path, place), found) });
  };
  for (const file of files) {
    const chunks = historyBytes(file, { onStored: options.onStored, onCut });
    for await (const bytes of chunks) {
      options.signal?.throwIfAborted();
      if (path === "-" && reader === undefined && isZip(bytes)) {
        return openZipFrom(bytes, chunks, options);
      }
      reader ??= readerFor(bytes, {
        place,
        registry: options.registry,
        conf: confBeside(path),
      });
      reader.push(bytes);
    }
    // A line that is cut off must not run into the next part.
    if (files.length > 1) reader?.push(LINE_END);
  }
  if (reader === undefined) {
    const isCut = notes.some(({ kind }) => kind === "cut-off");
    const found = isCut ? "the file is cut off within its first block" : "the file is empty";
    throw new InputError("bad-input", place, found);
  }
  const trace = ended(reader, place);
  const jobs = trace.jobs.map((job) => withHoles(job, holes));
  const read = { ...trace, jobs, notes: [...trace.notes, ...notes] };
  return path === "-" ? read : withOtherAttempts(read, path);
}

/** What a journal's first line names is no flag of the user. */
function ended(reader: TraceReader, place: string): Trace {
  try {
    return reader.end();
  } catch (error) {
    const isOfJournal = error instanceof InputError && error.place.startsWith("discipline.");
    if (!isOfJournal) throw error;
    throw new InputError("bad-journal", `${place}:1`, error.message);
  }
}

/** The directory of an archive stands at its end, so that one from a pipe is stored first. */
const openZipFrom = (
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
  options: OpenOptions,
): Promise<Trace> =>
  inTemporaryFolder(async (folder) => {
    const zip = join(folder, "input.zip");
    await writeFile(zip, inOrder(first, rest));
    return openFiles(await unzipped(zip, folder, { place: "-" }), options, "-");
  });

async function* inOrder(first: Uint8Array, rest: AsyncIterable<Uint8Array>) {
  yield first;
  yield* rest;
}

const LINE_END = Uint8Array.of(10);

/** What the names of a log's parts say is missing stands before what its events say. */
function withHoles(job: TraceJob, { missing = [], compactedTo }: Parts["holes"]): TraceJob {
  const all = [...missing, ...(job.evidence?.missing ?? [])];
  if (all.length === 0) return job;
  const evidence = { ...job.evidence, missing: all, ...(compactedTo && { compactedTo }) };
  return { ...job, evidence };
}

/** What a note says of a file that ends too early. */
export const cutOff = (place: string, found: string): string =>
  `${place}: ${found}: the log is cut off there`;

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
