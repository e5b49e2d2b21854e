import { savingText } from "../diagnose/audit/saving-text.ts";
import { CAUSE_NAMES, type Cause } from "../diagnose/cause.ts";
import type { CauseRow, Why } from "../diagnose/document.ts";
import { percent, plain, span } from "../diagnose/figures.ts";
import { bytes, counted, seconds } from "../report/quantity.ts";
import type { RankedJob, Unread } from "./rank-jobs.ts";
import { hanging, table, wrap } from "./table.ts";

/** The diagnosis for a person: the answer first, then where it comes from. */
export function whyText(
  why: Why,
  { width, explain }: { readonly width: number; readonly explain: Cause | undefined },
): string {
  const blocks = [
    why.verdict
      .split("\n")
      .flatMap((sentence) => wrap(sentence, width))
      .join("\n"),
    causesText(why, width),
    hintsText(why, width),
    phasesText(why, width),
    explain === undefined ? attemptsText(why, width) : explainText(why, explain, width),
    nodesText(why, width),
    copiesText(why, width),
    footText(why, width),
  ];
  return blocks.filter((block) => block !== "").join("\n\n");
}

function causesText({ causes, usualMs, phases, responseMs }: Why, width: number): string {
  const shown = causes.filter(
    ({ ms, couldBeMs = 0 }) => plain(ms) !== "0" || couldBeMs > COULD_BE * responseMs,
  );
  const rows = shown.map((row) => [
    CAUSE_NAMES[row.cause],
    plain(row.ms),
    rangeOf(row),
    plain(row.aloneMs),
    evidenceOf(row),
  ]);
  const busiest = phases
    .filter(({ fit }) => (fit?.typicalMs ?? 0) > 0)
    .toSorted((a, b) => Math.sign(b.lostMs - a.lostMs))
    .slice(0, 3);
  const typical = busiest.map(({ phase, fit }) => `${phase} ${typicalText(fit)}`);
  return table(
    [
      { title: "cause" },
      { title: "seconds", align: "right" },
      { title: "95 %" },
      { title: "alone", align: "right" },
      { title: "where" },
    ],
    [...rows, ["usual", plain(usualMs), "", "", typical.join(", ")]],
    width,
  );
}

/** A cause of 0 s is shown if it could be more than this share of the response. */
const COULD_BE = 0.01;

/**
 * The time of a typical attempt, which shows garbage collection or waits that all attempts share
 * and no cause names.
 */
function typicalText(fit: Why["phases"][number]["fit"]): string {
  const { typicalMs = 0, gcMs = 0, fetchMs = 0 } = fit ?? {};
  const beside = [
    ...(gcMs > NOTABLE * typicalMs ? [`${span(gcMs)} of garbage collection`] : []),
    ...(fetchMs > NOTABLE * typicalMs ? [`${span(fetchMs)} of fetch wait`] : []),
  ];
  return `${span(typicalMs)} each${beside.length === 0 ? "" : ` and ${beside.join(" and ")}`}`;
}

const NOTABLE = 0.1;

function hintsText({ hints }: Why, width: number): string {
  const lines = hints.map(({ text }) => hanging("hint: ", text, width));
  return lines.flat().join("\n");
}

function rangeOf({ lowMs, highMs, couldBeMs }: CauseRow): string {
  if (lowMs === undefined || highMs === undefined) return "";
  const range = `${plain(lowMs)} to ${plain(highMs)}`;
  const could = (couldBeMs ?? highMs) - highMs;
  return could > 0.01 * Math.max(highMs, 1) ? `${range}, up to ${plain(couldBeMs ?? 0)}` : range;
}

function evidenceOf({ parts = [], evidence }: CauseRow): string {
  const listed = (list: CauseRow["evidence"]): string =>
    list
      .filter(({ ms }) => plain(ms) !== "0")
      .map(({ what, ms }) => `${what} ${plain(ms)}`)
      .join(", ");
  return [listed(parts), listed(evidence.slice(0, 3))].filter((text) => text !== "").join("; ");
}

/** Phases that lost time, where there is more than one. */
function phasesText({ phases, responseMs }: Why, width: number): string {
  const late = phases.filter(({ lostMs }) => lostMs > 0.01 * responseMs);
  if (phases.length < 2 || late.length === 0) return "";
  const right = { align: "right" } as const;
  return table(
    [
      { title: "phase" },
      { title: "lost s", ...right },
      { title: "tasks", ...right },
      { title: "attempts", ...right },
      { title: "what it is" },
    ],
    late
      .toSorted((a, b) => Math.sign(b.lostMs - a.lostMs))
      .slice(0, 6)
      .map((row) => [
        row.phase,
        plain(row.lostMs),
        String(row.tasks),
        String(row.attempts),
        row.title ?? "",
      ]),
    width,
  );
}

function explainText({ causes }: Why, cause: Cause, width: number): string {
  const row = causes.find((each) => each.cause === cause);
  const rows = (row?.evidence ?? []).map(({ what, ms }) => [what, plain(ms)]);
  const title = cause === "node" ? "node" : "attempt";
  const columns = [{ title }, { title: "seconds of response", align: "right" as const }];
  return [`${CAUSE_NAMES[cause]}:`, table(columns, rows, width)].join("\n");
}

function attemptsText({ attempts }: Why, width: number): string {
  const worst = attempts.filter(({ lostMs }) => lostMs > 0);
  if (worst.length === 0) return "";
  const right = { align: "right" } as const;
  return table(
    [
      { title: "costliest attempts" },
      { title: "node" },
      { title: "took s", ...right },
      { title: "expected s", ...right },
      { title: "lost s", ...right },
      { title: "input", ...right },
    ],
    worst.map((row) => [
      `${row.attempt}${row.as === "original" ? "" : `, ${row.as}`}`,
      row.node,
      plain(row.endedAt - row.startedAt),
      Number.isNaN(row.expectedMs) ? "-" : plain(row.expectedMs),
      plain(row.lostMs),
      row.inputBytes === undefined ? "-" : bytes(row.inputBytes),
    ]),
    width,
  );
}

/** Slow nodes, and those that might be. */
function nodesText({ nodes, limits }: Why, width: number): string {
  const shown = nodes.filter(
    ({ verdict, factor }) =>
      verdict === "slow" || verdict === "lasting" || factor >= limits.slowNodeMin,
  );
  if (shown.length === 0) return "";
  const verdicts = {
    slow: "slow in this job",
    lasting: "slow all the time",
    usual: "within what chance does",
    "too-few": "too few attempts to judge",
  } as const;
  return table(
    [
      { title: "node" },
      { title: "times slower", align: "right" },
      { title: "95 %" },
      { title: "attempts", align: "right" },
      { title: "verdict" },
    ],
    shown
      .slice(0, 8)
      .map((row) => [
        row.node,
        row.factor.toFixed(2),
        `${row.lowFactor.toFixed(2)} to ${row.highFactor.toFixed(2)}`,
        String(row.attempts),
        verdicts[row.verdict],
      ]),
    width,
  );
}

function copiesText({ copies }: Why, width: number): string {
  if (copies === undefined) return "";
  const shown = copies.each
    .toSorted((a, b) => Math.sign(b.taskSavedMs - a.taskSavedMs))
    .slice(0, 5);
  const rows = shown.map((row) => [
    row.copy,
    row.node,
    row.won ? (row.tooLate ? "won, too late" : "won") : "lost",
    plain(row.taskSavedMs),
    plain(row.burntMs),
  ]);
  return [
    table(
      [
        { title: "copy" },
        { title: "node" },
        { title: "race" },
        { title: "task earlier by s", align: "right" },
        { title: "burnt s", align: "right" },
      ],
      rows,
      width,
    ),
    ...wrap(savingText(copies), width),
  ].join("\n");
}

function footText({ lacks, notes, limits }: Why, width: number): string {
  const lacking = lacks.length === 0 ? [] : hanging("not in this log: ", lacks.join(", "), width);
  const noted = notes.flatMap(({ text }) => hanging("note: ", text, width));
  const { peersMin, slowNodeMin, tMin } = limits;
  const set = `peers >= ${peersMin}, slow node >= ${slowNodeMin} times, t > ${tMin}`;
  return [...lacking, ...noted, ...hanging("limits (--set): ", set, width)].join("\n");
}

/** The jobs of many histories, the most time lost first. */
export function jobsText(
  { jobs, unread }: { readonly jobs: readonly RankedJob[]; readonly unread: readonly Unread[] },
  width: number,
): string {
  const right = { align: "right" } as const;
  const rows = jobs.map((job) => [
    job.id,
    job.outcome,
    seconds(job.responseMs),
    plain(job.lostMs),
    percent(job.lostMs / job.responseMs),
    String(job.attempts),
    job.history,
  ]);
  const text = table(
    [
      { title: "job" },
      { title: "ended" },
      { title: "took", ...right },
      { title: "lost s", ...right },
      { title: "share", ...right },
      { title: "attempts", ...right },
      { title: "history" },
    ],
    rows,
    width,
  );
  const refused = unread.map(({ reason }) => `not read: ${reason}`);
  const count = `${counted(jobs.length, "job")}; \`broomwagon why HISTORY --job ID\` explains one.`;
  return [text, "", count, ...refused].join("\n");
}
