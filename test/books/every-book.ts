import { expect } from "vitest";
import { replay } from "../../src/core/journal/index.ts";
import { diagnose } from "../../src/diagnose/why.ts";
import { endAt, slotMsAt } from "../../src/history/columns.ts";
import type { Trace, TraceJob } from "../../src/history/model.ts";
import { Tally } from "../../src/hosts/sim/tally.ts";
import type { Fact } from "../../src/model/fact.ts";
import type { Discipline, DisciplineDescription } from "../../src/policy/policy.ts";
import { attemptRows } from "../../src/report/page/attempt-rows.ts";
import { csv } from "../../src/report/page/csv.ts";
import type { PageDocument, PageHost } from "../../src/report/page/document.ts";
import { documentBytes, documentFrom } from "../../src/report/page/document-bytes.ts";
import { journalPage } from "../../src/report/page/from-journal.ts";
import { pageOf } from "../../src/report/page/from-trace.ts";
import { LiveDocument } from "../../src/report/page/live/document.ts";
import type { LiveFold } from "../../src/report/page/live/fold.ts";
import { followJournal } from "../../src/report/page/live/follow.ts";
import { frameBytes, frameFrom } from "../../src/report/page/live/frame.ts";
import { LiveRows } from "../../src/report/page/live/rows.ts";
import { pageJson } from "../../src/report/page/page-json.ts";
import { panelOf } from "../../src/report/page/story-of.ts";
import { type LaneBar, type Story, StoryTeller } from "../../src/report/swimlanes/story.ts";
import { AttemptsByFacts, type Row, sorted } from "./attempts-by-facts.ts";

export type Restore = (description: DisciplineDescription) => Discipline;

const NODES_MAX = 1_000;

/**
 * Compares what each book says of each attempt of a journal with the facts: start, end, last word
 * of its node, how it ended, and slot time. Returns the number of lost attempts.
 */
export function checkBooks(lines: readonly string[], restore: Restore): number {
  const facts = new AttemptsByFacts();
  const every: Fact[] = [];
  const picture = new StoryTeller();
  const replayed = replay(lines, restore, {
    onStep: (step) => {
      facts.step(step);
      every.push(...step.facts);
      for (const fact of step.facts) picture.apply(fact);
      picture.until(step.event.at);
    },
  });
  expect(replayed.kind).toBe("same");
  const { all } = facts;
  const { trace, log, host } = journalPage(lines, restore, { place: "journal", by: "actions" });
  expect(sorted(ofTrace(trace)), "the trace").toEqual(sorted(all));
  if (trace.jobs.length === 0) return 0;
  for (const job of trace.jobs) {
    const own = all.filter(({ name }) => name.startsWith(`${job.name}/`));
    checkWhy(trace, job, own);
  }
  checkTally(every, facts);

  const from = Math.floor(Math.min(...trace.jobs.map(({ submittedAt }) => submittedAt)));
  const since = all.map((row) => shifted(row, (at) => at - from));
  const page = pageOf(trace, { log, host, source: "journal", intervals: false });
  expect(sorted(ofCsv(csv(attemptRows(page)))), "CSV").toEqual(sorted(since));
  expect(sorted(ofJson(pageJson(page))), "JSON").toEqual(sorted(since));
  const written = documentFrom(documentBytes(page));
  expect(sorted(ofPage(written)), "the page").toEqual(sorted(since));
  const rounded = sorted(all.map((row) => shifted(row, (at) => Math.round(at - from))));
  const live = liveDocument(lines, restore);
  if (live !== undefined) expect(sorted(ofPage(live)), "the live page").toEqual(rounded);

  expect(barsOf(picture.tell()), "the picture").toEqual(barsBy(all));
  expect(barsOf(panelOf(page).story), "the page's picture").toEqual(barsBy(since));
  return all.filter(({ end }) => end === "lost").length;
}

/** Compares what each book says of each attempt of another system's history with its trace. */
export function checkHistory(trace: Trace, host: PageHost): number {
  for (const job of trace.jobs) {
    const all = ofTrace({ jobs: [job] });
    checkWhy(trace, job, all);
    const since = all.map((row) => shifted(row, (at) => at - Math.floor(job.submittedAt)));
    const page = pageOf(trace, { host, source: "history", intervals: false, jobs: [job] });
    expect(sorted(ofCsv(csv(attemptRows(page)))), "CSV").toEqual(sorted(since));
    expect(sorted(ofJson(pageJson(page))), "JSON").toEqual(sorted(since));
    const written = documentFrom(documentBytes(page));
    expect(sorted(ofPage(written)), "the page").toEqual(sorted(since));
  }
  return trace.jobs.reduce((sum, job) => sum + ofTrace({ jobs: [job] }).length, 0);
}

function shifted(row: Row, shift: (at: number) => number): Row {
  const [startedAt, heardAt] = [shift(row.startedAt), shift(row.heardAt)];
  return { ...row, startedAt, heardAt, endedAt: shift(row.endedAt), slotMs: heardAt - startedAt };
}

export const ofTrace = ({ jobs }: Pick<Trace, "jobs">): readonly Row[] =>
  jobs.flatMap(({ name: job, phases, nodes }) =>
    phases.flatMap(({ name: phase, attempts: of }) =>
      Array.from({ length: of.length }, (_, row) => ({
        name: `${job}/${phase}/${of.task[row]}#${of.ordinal[row]}`,
        node: nodes[of.node[row]!] ?? "unknown",
        end: endAt(of, row),
        startedAt: of.startedAt[row]!,
        heardAt: of.heardAt[row]!,
        endedAt: of.endedAt[row]!,
        slotMs: slotMsAt(of, row),
      })),
    ),
  );

const ofPage = ({ head, attempts: of }: PageDocument): readonly Row[] =>
  Array.from({ length: of.length }, (_, row) => {
    const phase = head.phases[of.phase[row]!]!;
    return {
      name: `${head.jobs[phase.job]!.name}/${phase.name}/${of.task[row]}#${of.ordinal[row]}`,
      node: head.nodes[of.node[row]!]?.name ?? "unknown",
      end: endAt(of, row),
      startedAt: of.startedAt[row]!,
      heardAt: of.heardAt[row]!,
      endedAt: of.endedAt[row]!,
      slotMs: slotMsAt(of, row),
    };
  });

const named = (row: Readonly<Record<string, string | number>>): Row => ({
  name: `${row.job}/${row.phase}/${row.task}#${row.attempt}`,
  node: String(row.node) || "unknown",
  end: String(row.end),
  startedAt: Number(row.startedAtMs),
  heardAt: Number(row.heardAtMs),
  endedAt: Number(row.endedAtMs),
  slotMs: Number(row.slotMs),
});

const ofJson = (text: string): readonly Row[] => JSON.parse(text).attempts.map(named);

function ofCsv(text: string): readonly Row[] {
  const [heads = "", ...lines] = text.trimEnd().split("\r\n");
  const names = heads.split(",");
  return lines.map((line) => {
    const cells = Array.from(line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g), ([, a, b]) => a ?? b);
    return named(Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ""])));
  });
}

/** The page of a reader who came when the run had gone on for a while. */
function liveDocument(lines: readonly string[], restore: Restore): PageDocument | undefined {
  const server = new LiveRows();
  const reader = new LiveDocument();
  let cursor = 0;
  const take = (fold: LiveFold | undefined): void => {
    for (const changes of fold?.take() ?? []) {
      cursor += 1;
      server.apply(frameFrom(frameBytes({ ...changes, cursor })));
    }
    const frame = server.frameAfter({ cursor: reader.cursor, head: 0 });
    if (frame !== undefined) reader.apply(frameFrom(frameBytes(frame)));
  };
  const pieces = function* (fold: () => LiveFold | undefined): Generator<string, void> {
    for (const [n, line] of lines.entries()) {
      yield line;
      if (n % 500 === 250) take(fold());
    }
    // The rows of one frame are limited.
    do take(fold());
    while (reader.cursor < server.cursor);
  };
  followJournal(pieces, restore, { place: "journal", source: "journal", by: "actions" });
  return reader.grown()?.document;
}

/** Of attempts without numbers, as bars have them; the end of a bar is the node's last word. */
const bar = (task: string, from: number, to: number, end: string): string =>
  [task, from, to, end].join(" ");

const barsBy = (rows: readonly Row[]): readonly string[] =>
  rows
    .map(({ name, startedAt, heardAt, end }) =>
      bar(name.slice(0, name.lastIndexOf("#")), startedAt, heardAt, end),
    )
    .sort();

const barsOf = ({ bars }: Story): readonly string[] =>
  bars
    .map(({ job, phase, index, from, to, end }: LaneBar) =>
      bar(`${job}/${phase}/${index}`, from, to, end === "running" ? "cut-off" : end),
    )
    .sort();

/** The answer's attempts, and the slot time of all of them. */
function checkWhy(trace: Trace, job: TraceJob, all: readonly Row[]): void {
  const own = new Map(all.map((row) => [row.name.slice(job.name.length + 1), row]));
  const found = diagnose(trace, job, { intervals: false, audit: false, top: own.size });
  if (found.kind !== "why") return;
  const { slotMs, attempts } = found.why;
  expect(slotMs, "why, slot time").toBeCloseTo(totalMs(all), 3);
  for (const { attempt, node, end, startedAt, endedAt } of attempts) {
    expect({ node, end, startedAt, endedAt }, `why, ${attempt}`).toEqual({
      node: own.get(attempt)?.node,
      end: own.get(attempt)?.end,
      startedAt: own.get(attempt)?.startedAt,
      endedAt: own.get(attempt)?.endedAt,
    });
  }
}

/** The summary of a simulated run, before it is closed and after. */
function checkTally(facts: readonly Fact[], { ended, all, now }: AttemptsByFacts): void {
  const tally = new Tally(NODES_MAX);
  for (const fact of facts) tally.apply(fact);
  agreeWithTally(tally, ended);
  tally.close(now);
  agreeWithTally(tally, all);
}

function agreeWithTally(tally: Tally, rows: readonly Row[]): void {
  for (const how of ["succeeded", "failed", "killed", "lost"] as const) {
    const own = rows.filter(({ end }) => end === how);
    expect(tally.slotMs[how], `the summary, ${how}`).toBeCloseTo(totalMs(own), 3);
    const counts = Object.values(tally.attempts).map((counts) => counts[how]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(own.length);
  }
}

const totalMs = (rows: readonly Row[]): number => rows.reduce((sum, { slotMs }) => sum + slotMs, 0);
