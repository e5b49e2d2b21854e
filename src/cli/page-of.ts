import { closeSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { InputError } from "../base/input-error.ts";
import { parseJson } from "../base/json.ts";
import { compare } from "../diagnose/compare/compare.ts";
import { shownBy } from "../diagnose/compare/compare-text.ts";
import { diagnose } from "../diagnose/why.ts";
import { twinOf } from "../library/job-of-history.ts";
import type { Registry } from "../policy/registry.ts";
import type { PageDocument, PageHead, PageHost } from "../report/page/document.ts";
import { journalPage } from "../report/page/from-journal.ts";
import { type PageOptions, pageOf } from "../report/page/from-trace.ts";
import { otherRun } from "../report/page/other-run.ts";
import type { Told } from "../report/page/told.ts";
import { ByteLines } from "../trace/byte-lines.ts";
import { textOf } from "../trace/byte-text.ts";
import { detect } from "../trace/detect.ts";
import type { Note, Trace, TraceJob } from "../trace/model.ts";
import type { OnStored } from "../trace/open/file-bytes.ts";
import { filesOfHistory, historyBytes } from "../trace/open/history-bytes.ts";
import { openTrace } from "../trace/open/open-trace.ts";
import { journalLines, restored } from "./journal-file.ts";

export interface Opened {
  readonly trace: Trace;
  readonly host: PageHost;
  readonly told?: Told;
  readonly source: string;
}

export interface OpenPageOptions {
  readonly registry: Registry;
  /** Whether to reconstruct the refusals of a journal that does not record them. */
  readonly refusals: boolean;
  readonly onStored: OnStored;
}

/** A history, or a journal with the facts that only journals have. */
export async function openForPage(path: string, options: OpenPageOptions): Promise<Opened> {
  const source = basename(path);
  if (!(await isJournal(path))) {
    const trace = await openTrace(path, options);
    return { trace, host: trace.source.format === "spark" ? "spark" : "hadoop", source };
  }
  const { registry, refusals, onStored } = options;
  const isPlain = await isPlainJournal(path);
  const { lines, notes } = isPlain ? plainLinesOf(path) : await linesOf(path, onStored);
  const restore = (described: Parameters<typeof restored>[0]) =>
    restored(described, path, registry);
  const by = refusals ? "replay" : "actions";
  const { trace, told, host } = journalPage(lines, restore, { place: path, by });
  if (trace.jobs.length === 0) throw new InputError("bad-input", path, "holds no jobs");
  return { trace: { ...trace, notes: [...notes, ...trace.notes] }, told, host, source };
}

/** A journal that is not compressed, and may still grow. */
export async function isPlainJournal(path: string): Promise<boolean> {
  return (await isJournal(path)) && readHead(path).startsWith("{");
}

function readHead(path: string): string {
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(1);
    readSync(file, head);
    return head.toString("latin1");
  } finally {
    closeSync(file);
  }
}

async function isJournal(path: string): Promise<boolean> {
  if (path === "-" || /^[a-z]+:\/\//.test(path)) return false;
  const [file] = filesOfHistory(path);
  if (file === undefined) return false;
  for await (const bytes of historyBytes(file)) return detect(bytes) === "journal";
  throw new InputError("bad-input", path, "the file is empty");
}

interface JournalLines {
  readonly lines: Iterable<string>;
  /** Complete when the lines have been read. */
  readonly notes: Note[];
}

const cutOff = (line: number): Note => ({ kind: "cut-off", text: `line ${line} is cut off` });

/** The lines; one that is cut off at the end, as after a kill, is left out with a note. */
function plainLinesOf(path: string): JournalLines {
  const notes: Note[] = [];
  return { lines: journalLines(path, (line) => notes.push(cutOff(line))), notes };
}

/** As `plainLinesOf`, for a compressed journal, whose lines are all kept. */
async function linesOf(path: string, onStored: OnStored): Promise<JournalLines> {
  const lines: string[] = [];
  const cut = new ByteLines((bytes, from, to) => lines.push(textOf(bytes, from, to)));
  for await (const bytes of historyBytes(path, onStored)) cut.push(bytes);
  cut.end();
  const notes: Note[] = [];
  const last = lines.at(-1);
  if (last !== undefined && lines.length > 1 && !parseJson(last).ok) {
    notes.push(cutOff(lines.length));
    lines.pop();
  }
  return { lines, notes };
}

type More = Pick<PageOptions, "ofWorst" | "intervals">;

/** The page of all jobs of a journal, or of the requested job of a history. */
export function documentOf(
  { trace, host, told, source }: Opened,
  jobs: readonly TraceJob[],
  more: More,
): PageDocument {
  return pageOf(trace, { jobs, host, source, ...(told !== undefined && { told }), ...more });
}

/** InputError, as `why` has it, if there is nothing to show. */
export function checkRan(jobs: readonly TraceJob[], path: string): void {
  if (jobs.some(({ phases }) => phases.some(({ attempts }) => attempts.length > 0))) return;
  const ids = jobs.slice(0, 10).map(({ id }) => id);
  const have = ids.length === 1 ? "has" : "have";
  throw new InputError(
    "bad-input",
    path,
    `expected attempts that ran; ${ids.join(", ")} ${have} none`,
  );
}

/**
 * The job compared with the job of the same name in the other history, and the other job's
 * timeline.
 */
export function besideOf(
  other: Opened,
  { trace: ours, job }: { readonly trace: Trace; readonly job: TraceJob },
  against: string,
): Required<Pick<PageHead, "compare" | "shows" | "other">> {
  const run = (trace: Trace, of: TraceJob) => {
    const found = diagnose(trace, of, { intervals: false, audit: false });
    if (found.kind === "why") return { job: of, why: found.why };
    throw new InputError("bad-input", `--against ${against}`, `${of.id} cannot be diagnosed`);
  };
  const twin = twinOf(job, other.trace, `--against ${against}`);
  const { trace, host, source, told } = other;
  // A live page has no diagnosis, and the comparison needs none of the other run.
  const known = { jobs: [twin], host, source, isLive: true };
  const shown = pageOf(trace, told === undefined ? known : { ...known, told });
  const found = compare(run(trace, twin), run(ours, job));
  return {
    compare: found,
    shows: shownBy(found).join(" "),
    other: otherRun(twin.id, shown),
  };
}
