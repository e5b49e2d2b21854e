import { withPrintableText } from "../base/printable.ts";
import { savingText } from "../diagnose/audit/saving-text.ts";
import { type Cause, wordsOf } from "../diagnose/cause.ts";
import type { CauseRow, Why } from "../diagnose/document.ts";
import { plain, span } from "../diagnose/figures.ts";
import { PART_NAMES, type Part } from "../diagnose/response/part.ts";
import { standsOut } from "../diagnose/stands-out.ts";
import type { Units } from "../diagnose/units.ts";
import { bytes } from "../report/quantity.ts";
import { inked } from "./ink.ts";
import { measuresText } from "./measures-text.ts";
import { drawn, marked, type Sheet } from "./sheet.ts";
import { hanging, right, wrap } from "./table.ts";
import { boundsText, nodesText, phasesText, unitsText } from "./why-tables.ts";

export interface WhyTextOptions extends Sheet {
  readonly explain: Cause | undefined;
  /** On a terminal the answer stands last, where the eye is; elsewhere first. */
  readonly answer: "first" | "last";
  /** The command to type next. */
  readonly next: string;
  /** The length of lists. */
  readonly top: number;
}

/** The diagnosis for a person: the answer, where it comes from, and what to do next. */
export function whyText(
  found: Why & Units,
  { explain, answer, next, top, ...sheet }: WhyTextOptions,
): string {
  // Names in a log must not command the terminal.
  const why = withPrintableText(found);
  const details = [
    causesText(why, sheet),
    hintsText(why, sheet),
    unitsText(why, { ...sheet, top }),
    phasesText(why, sheet),
    boundsText(why, sheet),
    measuresText(why.phases, why.measures, {
      width: sheet.width,
      title: (text) => inked(sheet.ink, "dim", text),
    }),
    explain === undefined ? attemptsText(why, sheet) : explainText(why, explain, sheet),
    nodesText(why, sheet),
    copiesText(why, sheet),
    footText(why, sheet),
  ];
  const verdict = verdictText(why, sheet);
  const blocks = [
    ...(answer === "first" ? [verdict, ...details] : [...details, verdict]),
    `${inked(sheet.ink, "dim", "next:")} ${next}`,
  ];
  return blocks.filter((block) => block !== "").join("\n\n");
}

/** The headline is bold. */
function verdictText({ verdict }: Why, { width, ink }: Sheet): string {
  const [headline = "", ...others] = verdict.split("\n");
  const bold = wrap(headline, width).map((part) => inked(ink, "bold", part));
  return [...bold, ...others.flatMap((sentence) => wrap(sentence, width))].join("\n");
}

function footText({ lacks, notes, limits }: Why, { width, ink }: Sheet): string {
  const lacking = lacks.length === 0 ? [] : hanging("not in this log: ", lacks.join(", "), width);
  const noted = notes.flatMap(({ text }) => hanging("note: ", text, width));
  const { peersMin, slowNodeMin, tMin } = limits;
  const set = `peers >= ${peersMin}, slow node >= ${slowNodeMin} times, t > ${tMin}`;
  const lines = [...lacking, ...noted, ...hanging("limits (--set): ", set, width)];
  return lines.map((text) => inked(ink, "dim", text)).join("\n");
}

function causesText({ causes, parts, phases, responseMs }: Why, sheet: Sheet): string {
  const shown = causes.filter(
    ({ ms, couldBeMs = 0 }) => plain(ms) !== "0" || couldBeMs > COULD_BE * responseMs,
  );
  const rows = shown.map((row) => [
    wordsOf(row.cause).label,
    plain(row.ms),
    rangeOf(row),
    plain(row.aloneMs),
    evidenceOf(row),
  ]);
  const busiest = phases
    .filter(({ fit }) => (fit?.typicalMs ?? 0) > 0)
    .toSorted((a, b) => Math.sign(b.delayMs - a.delayMs))
    .slice(0, 3);
  const typical = busiest.map(({ phase, fit }) => `${phase} ${typicalText(fit)}`);
  const partRows = parts
    .filter(({ ms }) => plain(ms) !== "0")
    .map(({ part, ms, evidence, ...range }) => [
      PART_NAMES[part],
      plain(ms),
      partRange(part, range),
      "",
      part === "work" ? typical.join(", ") : listedEvidence(evidence.slice(0, 3)),
    ]);
  return drawn(
    [
      {
        title: "cause",
        style: marked(
          sheet,
          shown.map((row) => standsOut(row, responseMs)),
        ),
      },
      right("seconds"),
      { title: "95 %" },
      right("alone", 1),
      { title: "where" },
    ],
    [...rows, ...partRows],
    sheet,
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

function hintsText({ hints }: Why, sheet: Sheet): string {
  const lines = hints.map(({ text }) => hanging("hint: ", text, sheet.width));
  return lines.flat().join("\n");
}

type Range = Pick<CauseRow, "lowMs" | "highMs" | "couldBeMs">;

/** Time in which nothing ran stands in the record, whatever is usual. */
function partRange(part: Part, range: Range): string {
  const { lowMs = 0, highMs = Number.NaN } = range;
  const isIdle = part !== "work" && part !== "few-tasks";
  return isIdle && plain(lowMs) === plain(highMs) ? "measured" : rangeOf(range);
}

function rangeOf({ lowMs, highMs, couldBeMs }: Range): string {
  if (lowMs === undefined || highMs === undefined) return "";
  const range = `${plain(lowMs)} to ${plain(highMs)}`;
  const could = (couldBeMs ?? highMs) - highMs;
  return could > 0.01 * Math.max(highMs, 1) ? `${range}, up to ${plain(couldBeMs ?? 0)}` : range;
}

function evidenceOf({ parts = [], evidence }: CauseRow): string {
  const listings = [listedEvidence(parts), listedEvidence(evidence.slice(0, 3))];
  return listings.filter((text) => text !== "").join("; ");
}

const listedEvidence = (list: CauseRow["evidence"]): string =>
  list
    .filter(({ ms }) => plain(ms) !== "0")
    .map(({ what, ms }) => `${what} ${plain(ms)}`)
    .join(", ");

function explainText({ causes }: Why, cause: Cause, sheet: Sheet): string {
  const row = causes.find((each) => each.cause === cause);
  const rows = (row?.evidence ?? []).map(({ what, ms }) => [what, plain(ms)]);
  const title = cause === "node" ? "node" : "attempt";
  const columns = [{ title }, right("seconds of response")];
  return [`${wordsOf(cause).label}:`, drawn(columns, rows, sheet)].join("\n");
}

function attemptsText({ attempts }: Why, sheet: Sheet): string {
  const worst = attempts.filter(({ delayMs }) => delayMs > 0);
  if (worst.length === 0) return "";
  return drawn(
    [
      { title: "costliest attempts" },
      { title: "node" },
      right("took s"),
      right("expected s"),
      right("lost s"),
      right("input", 1),
    ],
    worst.map((row) => [
      `${row.attempt}${row.as === "original" ? "" : `, ${row.as}`}`,
      row.node,
      plain(row.endedAt - row.startedAt),
      Number.isNaN(row.expectedMs) ? "-" : plain(row.expectedMs),
      plain(row.delayMs),
      row.inputBytes === undefined ? "-" : bytes(row.inputBytes),
    ]),
    sheet,
  );
}

function copiesText({ copies }: Why, sheet: Sheet): string {
  if (copies === undefined) return "";
  const shown = copies.each
    .toSorted((a, b) => Math.sign(b.taskSavedMs - a.taskSavedMs))
    .slice(0, 5);
  const rows = shown.map((row) => [
    row.copy,
    row.node,
    row.won ? (row.tooLate ? "won, too late" : "won") : "lost",
    plain(row.taskSavedMs),
    plain(row.wastedMs),
  ]);
  return [
    drawn(
      [
        { title: "copy" },
        { title: "node", leaveOut: 1 },
        { title: "race" },
        right("task earlier by s"),
        right("wasted s"),
      ],
      rows,
      sheet,
    ),
    ...wrap(savingText(copies), sheet.width),
  ].join("\n");
}
