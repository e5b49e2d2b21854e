import { setFlagsFromString } from "node:v8";
import { wordsOf } from "../diagnose/cause.ts";
import { percent, plain, span } from "../diagnose/figures.ts";
import type { Limits } from "../diagnose/limits.ts";
import { digestOf, type JobDigest } from "../fleet/digest.ts";
import { type Fleet, fleetOf } from "../fleet/fleet.ts";
import { fleetPage } from "../fleet/page.ts";
import { fleetSentences } from "../fleet/sentences.ts";
import { DigestStore } from "../library/digest-store.ts";
import { explained, QUICKLY } from "../library/explain.ts";
import type { NamedHistory } from "../library/history-paths.ts";
import { counted, seconds } from "../report/quantity.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { PrintFormat } from "./flags.ts";
import { JobsOnce, listJobs } from "./history/job-list.ts";
import type { Reading } from "./history/reading.ts";
import { inked } from "./ink.ts";
import { jsonText } from "./json-text.ts";
import { writeWhole } from "./picture-file.ts";
import { line, type Sink, styledLine } from "./shell.ts";
import { right, table, wrap } from "./table.ts";
import { packageVersion } from "./version.ts";

/** A job and where it stands. */
type Row = JobDigest & { readonly history: string };

export interface JobsFound {
  /** The most time lost first. */
  readonly jobs: readonly Row[];
  readonly unread: readonly { readonly history: string; readonly reason: string }[];
  /** Histories that were read now, and those whose digests were known. */
  readonly read: number;
  readonly known: number;
}

/**
 * The digests of all jobs of the histories; a job that stands in several counts once. One history
 * is in memory at a time, and one that was read before is not read again.
 */
export async function digestJobs(
  histories: readonly NamedHistory[],
  reading: Reading,
  { limits, isFresh }: { readonly limits: Limits; readonly isFresh: boolean },
): Promise<JobsFound> {
  // A history leaves its memory to the next one, instead of a heap that grows to several of them,
  // or of a space for new objects that grows with their number.
  setFlagsFromString("--optimize-for-size");
  setFlagsFromString("--semi-space-growth-factor=1");
  const store = new DigestStore({ version: packageVersion(), limits });
  const rows: Row[] = [];
  const unread: JobsFound["unread"][number][] = [];
  let read = 0;
  for (const [nth, history] of histories.entries()) {
    reading.show(`${nth} of ${counted(histories.length, "history", "histories")}, ${read} read`);
    let digest = isFresh ? undefined : store.find(history);
    if (digest === undefined) {
      digest = await listJobs(history, reading, {
        jobsOf: ({ trace }) => trace.jobs,
        row: (opened, job) => {
          const { why, phases } = explained(opened, job, { ...QUICKLY, limits });
          return digestOf({ originMs: opened.trace.originMs, job, why, phases });
        },
      });
      store.put(history, digest);
      read += 1;
    }
    unread.push(...digest.unread.map((reason) => ({ history: history.name, reason })));
    rows.push(...digest.rows.map((row) => ({ ...row, history: history.name })));
  }
  if (read > 0) store.save();
  const once = new JobsOnce();
  const jobs = rows
    .filter((row) => once.isNew(row))
    .sort((a, b) => Math.sign(b.delayMs - a.delayMs));
  return { jobs, unread, read, known: histories.length - read };
}

interface Printing {
  readonly out: Sink;
  readonly format: PrintFormat;
  /** The file of the page, if one is wanted. */
  readonly page: string | undefined;
}

/** Prints what the jobs say together, and the jobs; it fails if there are none. */
export function printJobs(found: JobsFound, { out, format, page }: Printing): ExitCode {
  const { jobs, unread, read, known } = found;
  const fleet = fleetOf(jobs);
  if (page !== undefined && jobs.length > 0) writeWhole("--page", page, fleetPage(fleet, jobs));
  if (format === "json") {
    const rows = jobs.map(({ nodes: _nodes, isDated: _isDated, sigma: _sigma, ...row }) => row);
    line(out, jsonText("why-jobs", { ...fleet, jobs: rows, unread, read, known }));
    return jobs.length > 0 ? EXIT.ok : EXIT.badFile;
  }
  const width = out.columns();
  const list = table(COLUMNS, jobs.map(cellsOf), width);
  const [headline = "", ...others] = fleetSentences(fleet);
  const answer = [
    ...wrap(headline, width).map((part) => inked(out.ink, "bold", part)),
    ...others.flatMap((sentence) => wrap(sentence, width)),
    ...daysText(fleet, width),
    ...workflowsText(fleet, width),
  ];
  const foot = [
    ...wrap(
      `${counted(jobs.length, "job")}; \`broomwagon why HISTORY --job ID\` explains one.`,
      width,
    ),
    ...(known === 0 ? [] : [`${read} of ${read + known} histories read, the others known.`]),
    ...unread.slice(0, UNREAD_SHOWN).map(({ reason }) => `not read: ${reason}`),
    ...(unread.length > UNREAD_SHOWN ? [`not read: ${unread.length - UNREAD_SHOWN} more`] : []),
  ];
  const parts = out.isTerminal ? [list, answer.join("\n")] : [answer.join("\n"), list];
  const shown = jobs.length > 1 ? parts : [list];
  styledLine(out, [...shown, foot.join("\n")].join("\n\n"));
  return jobs.length > 0 ? EXIT.ok : EXIT.badFile;
}

/** A server that breaks down in the middle leaves many. */
const UNREAD_SHOWN = 20;

const COLUMNS = [
  { title: "job" },
  { title: "ended", leaveOut: 3 },
  right("took"),
  right("lost s"),
  right("share", 2),
  right("attempts", 1),
  { title: "history" },
];

const cellsOf = ({ outcome, responseMs, delayMs, attempts, history, ...row }: Row) => [
  ...[nameOf(row), outcome, seconds(responseMs), plain(delayMs), percent(delayMs / responseMs)],
  ...[String(attempts), history],
];

/** Its id, and which of its application's attempts it is. */
function nameOf({ id, attempt, attemptsOfApplication: all }: Pick<Row, "id" | AttemptKey>): string {
  if (attempt === undefined) return id;
  return `${id} (attempt ${attempt}${all === undefined ? "" : ` of ${all}`})`;
}

type AttemptKey = "attempt" | "attemptsOfApplication";

/** Of more there are only their numbers. */
const WORKFLOWS_SHOWN = 10;

/** The longest workflows of several jobs. */
function workflowsText({ workflows }: Fleet, width: number): readonly string[] {
  if (workflows.length === 0) return [];
  const rows = workflows
    .slice(0, WORKFLOWS_SHOWN)
    .map((one) => [
      ...[one.name || one.id, String(one.jobs), plain(one.tookMs), plain(one.betweenMs)],
      ...[
        plain(one.delayMs),
        `${one.longest.step || one.longest.id} ${span(one.longest.responseMs)}`,
      ],
    ]);
  const columns = [
    { title: `longest of ${counted(workflows.length, "workflow")}` },
    right("jobs", 2),
    right("took s"),
    right("no job s", 1),
    right("lost s"),
    { title: "longest job", leaveOut: 3 },
  ];
  return ["", table(columns, rows, width)];
}

/** A row a day, where there are several. */
function daysText({ days }: Fleet, width: number): readonly string[] {
  if (days.length < 2) return [];
  const rows = days.map(({ day, jobs, responseMs, delayMs, causes: [first] }) => [
    ...[day, String(jobs), plain(responseMs), plain(delayMs), percent(delayMs / responseMs)],
    first === undefined ? "" : `${wordsOf(first.cause).label} ${span(first.ms)}`,
  ]);
  const columns = [
    { title: "day" },
    right("jobs"),
    right("took s"),
    right("lost s"),
    right("share"),
    { title: "most to" },
  ];
  return ["", table(columns, rows, width)];
}
