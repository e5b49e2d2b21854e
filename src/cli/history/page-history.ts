import { basename } from "node:path";
import { InputError } from "../../base/input-error.ts";
import { logsText, shownBy } from "../../diagnose/compare/compare-text.ts";
import type { Note, TraceJob } from "../../history/model.ts";
import type { NamedHistory } from "../../library/history-paths.ts";
import { type Opened, twinOf } from "../../library/job-of-history.ts";
import type { PageDocument, PageHead, PageHost } from "../../report/page/document.ts";
import { journalPage } from "../../report/page/from-journal.ts";
import { pageOf } from "../../report/page/from-trace.ts";
import type { RunLog } from "../../report/page/run-log.ts";
import { ByteLines } from "../../trace/byte-lines.ts";
import { textOf } from "../../trace/byte-text.ts";
import { detect } from "../../trace/detect.ts";
import { compressionOf, HEAD_BYTES, headOf, type ReadEvents } from "../../trace/open/file-bytes.ts";
import { filesOfHistory, historyBytes } from "../../trace/open/history-bytes.ts";
import { cutOff, type OpenOptions, openTrace } from "../../trace/open/open-trace.ts";
import { archivedPath } from "../../trace/open/zip.ts";
import { withVisibleNames } from "../../trace/visible-names.ts";
import { StoredJournal } from "../journal-file.ts";
import { comparedWith } from "./compared.ts";

/** A history with what `pageOf` takes beside its trace. */
export interface PageHistory extends Opened {
  readonly host: PageHost;
  readonly log?: RunLog;
  readonly source: string;
}

interface PageOptions extends Omit<OpenOptions, "signal"> {
  /** Whether to reconstruct the refusals of a journal that does not record them. */
  readonly refusals: boolean;
}

/** A history, or a journal with the facts that only journals have. */
export async function openForPage(
  { path, name: place }: NamedHistory,
  { refusals, ...options }: PageOptions,
): Promise<PageHistory> {
  const source = basename(path);
  const kind = await journalKind(path);
  if (kind === undefined) {
    const trace = await openTrace(path, options);
    return { trace, place, host: trace.source.format === "spark" ? "spark" : "hadoop", source };
  }
  const notes: Note[] = [];
  const note = (text: string): void => void notes.push({ kind: "cut-off", text });
  const journal = new StoredJournal(path, options.registry);
  const lines =
    kind === "plain"
      ? journal.lines()
      : journal.wholeLines(
          await unpackedLines(path, {
            onStored: options.onStored,
            onCut: (place, found) => note(cutOff(place, found)),
          }),
        );
  const by = refusals ? "replay" : "actions";
  const page = journalPage(lines, journal.restore, { place: path, by });
  if (journal.torn !== undefined) note(`line ${journal.torn} is cut off`);
  const trace = withVisibleNames(page.trace);
  if (trace.jobs.length === 0) throw new InputError("bad-input", path, "holds no jobs");
  return { ...page, trace: { ...trace, notes: [...notes, ...trace.notes] }, place, source };
}

/** A plain journal may still grow. Undefined: no journal. */
export async function journalKind(path: string): Promise<"plain" | "compressed" | undefined> {
  const isElsewhere = path === "-" || /^[a-z]+:\/\//.test(path) || archivedPath(path) !== undefined;
  const [file] = isElsewhere ? [] : filesOfHistory(path).files;
  if (file === undefined) return undefined;
  for await (const bytes of historyBytes(file)) {
    if (detect(bytes) !== "journal") return undefined;
    return compressionOf(headOf(file, HEAD_BYTES), file) === "none" ? "plain" : "compressed";
  }
  return undefined;
}

async function unpackedLines(path: string, events: ReadEvents): Promise<readonly string[]> {
  const lines: string[] = [];
  const cut = new ByteLines((bytes, from, to) => lines.push(textOf(bytes, from, to)));
  for await (const bytes of historyBytes(path, events)) cut.push(bytes);
  cut.end();
  return lines;
}

type Beside = Required<Pick<PageHead, "compare" | "shows"> & Pick<PageDocument, "other">>;

/** Sets a job beside the job of its name in another history, with that job's timeline. */
export async function openBeside(
  against: NamedHistory,
  options: PageOptions,
): Promise<(ours: Opened, job: TraceJob) => Beside> {
  const opened = { ...(await openForPage(against, options)), place: `--against ${against.name}` };
  return (ours, job) => {
    const twin = twinOf(job, opened);
    // A live page has no diagnosis, and the comparison needs none of the other run.
    const shown = pageOf(opened.trace, { ...opened, jobs: [twin], isLive: true });
    const compare = comparedWith(opened, ours, job);
    return {
      compare,
      shows: [...logsText(compare), ...shownBy(compare)].join(" "),
      other: timelineOf(twin.id, shown),
    };
  };
}

/** A page without what a timeline does not show. */
const timelineOf = (title: string, { head, attempts }: PageDocument): PageDocument => {
  const { curves: _, ...table } = attempts;
  const { isLive: _still, ...known } = head;
  return {
    head: { ...known, title, decisions: [], refusals: [], notes: [] },
    attempts: table,
  };
};
