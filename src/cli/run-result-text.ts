import { existsSync } from "node:fs";
import { type PhaseFacts, quotedText, type RunResult, type Skew } from "../hosts/engine/index.ts";
import { runName } from "../library/run-journal.ts";
import type { Registry } from "../policy/registry.ts";
import { copyAccounts, copySentence } from "../report/copies.ts";
import { measureFacts, percent } from "../report/measures-text.ts";
import { missedFaultNotes } from "../report/missed-fault-text.ts";
import { bytes, counted, seconds } from "../report/quantity.ts";
import { acts, outputsGone } from "./acts.ts";
import { brief } from "./display/sentence.ts";
import type { PrintFormat } from "./flags.ts";
import { here } from "./here.ts";
import { drawRuns, readRun } from "./journal-picture.ts";
import { jsonText } from "./json-text.ts";
import { writePicture } from "./picture-file.ts";
import { line, type Shell } from "./shell.ts";
import { pad, wrap } from "./table.ts";

const NAME_WIDTH_MIN = 14;
const NAME_WIDTH_MAX = 24;

interface ReportFlags {
  readonly format: PrintFormat;
  /** Where the run is drawn. */
  readonly svg?: string;
  /** All policies, if the run may have had policies of the user's own. */
  readonly registry?: Registry;
}

/** Prints the result of a run, and draws the run if that is wanted and there is a journal. */
export function reportResult(
  result: RunResult,
  { format, svg, registry }: ReportFlags,
  shell: Shell,
): void {
  line(
    shell.out,
    format === "json" ? jsonText("run", result) : resultText(result, shell.out.columns()),
  );
  if (svg === undefined) return;
  const draw = () => drawRuns([readRun(result.journal, registry)]);
  if (existsSync(result.journal)) writePicture(svg, draw);
  else line(shell.err, `${svg} is not drawn: the job has left no journal`);
}

/** The result of a run, for people. */
export function resultText(result: RunResult, width: number): string {
  const facts: (readonly [string, string])[] = [
    ["attempts", attemptsText(result)],
    ...result.phases.map((phase) => [phase.name, phaseText(phase)] as const),
    ...actRows(result),
    ...copyRows(result),
    ...measureRows(result),
    ...copiedOutputs(result),
    ...lostOutputs(result),
    ...slowed(result),
    ...memoryRow(result),
    ...Object.entries(result.counters).map(([name, count]) => [name, String(count)] as const),
    ...badRecords(result),
    ...(result.outcome === "succeeded" ? [["output", outputText(result)] as const] : []),
    // A job that Hadoop has killed may have no journal.
    ...(existsSync(result.journal) ? [["journal", here(result.journal)] as const] : []),
  ];
  const longest = facts.reduce((most, [name]) => Math.max(most, name.length + 2), NAME_WIDTH_MIN);
  const nameWidth = Math.min(longest, NAME_WIDTH_MAX);
  const lines = facts.flatMap(([name, text]) =>
    wrap(text, width - nameWidth - 2).map(
      (part, index) => `  ${pad(index === 0 ? `${name} ` : "", nameWidth, "left")}${part}`,
    ),
  );
  const notes = missedFaultNotes(result.faultsMissed, result.responseMs);
  return [
    `${result.job} ${result.outcome} in ${seconds(result.responseMs)} under ${result.discipline}`,
    ...failureLines(result),
    ...lines,
    ...notes.flatMap((note) => wrap(note, width)),
  ].join("\n");
}

/** Locality, bytes across racks and recomputes, where they are known. */
function measureRows({ measures }: RunResult): readonly (readonly [string, string])[] {
  const text = measures === undefined ? "" : measureFacts(measures);
  return text === "" ? [] : [["measures", text]];
}

/** What became of each copy. */
function copyRows(result: RunResult): readonly (readonly [string, string])[] {
  const accounts = copyAccounts(result);
  const sentences = accounts.slice(0, COPIES_SHOWN).map(copySentence);
  const more = accounts.length - sentences.length;
  const estimate = `npx broomwagon why ${here(runName(result))}`;
  return [
    ...sentences,
    ...(more > 0 ? [`and ${counted(more, "more copy", "more copies")}`] : []),
    ...(hasSaved(result) ? [`estimate of what copies saved: ${estimate}`] : []),
  ].map((text, i) => [i === 0 ? "copies" : "", text] as const);
}

/** A copy has won, and the run's journal is there to be diagnosed. */
const hasSaved = ({ journal, totals }: RunResult): boolean =>
  totals.speculativeWon > 0 && existsSync(journal);

/** The summary has all copies. */
const COPIES_SHOWN = 12;

/** A failure that the headline reports is not repeated. */
function actRows(result: RunResult): readonly (readonly [string, string])[] {
  const said = `: ${result.failure?.message}`;
  return acts(result).map(({ at, what, text }) => {
    const brief = text.endsWith(said) ? `${text.slice(0, -said.length)}: as above` : text;
    return [what, `${seconds(at)}  ${brief}`];
  });
}

function failureLines({ failure }: RunResult): readonly string[] {
  if (failure === undefined) return [];
  const place = failure.place === undefined ? "" : ` at ${failure.place}`;
  return [
    `  ${brief(failure.task)} failed for good on ${failure.node}${place}: ${failure.message}`,
  ];
}

/** Zero counts are left out. */
function attemptsText({ totals }: RunResult): string {
  const { failedMs, lostSlotMs, speculative, speculativeWon, wastedMs } = totals;
  const some = (count: number, what: string): readonly string[] =>
    count > 0 ? [`${count} ${what}`] : [];
  return [
    `${totals.launched} launched`,
    ...some(speculative, `speculative (${speculativeWon} won)`),
    ...some(totals.killed, "killed"),
    ...some(totals.lost, "lost with a node"),
    ...some(totals.failed, "failed"),
    ...some(totals.recomputed, "recomputed"),
    ...(wastedMs > 0 ? [`${seconds(wastedMs)} wasted`] : []),
    ...(failedMs > 0 ? [`${seconds(failedMs)} in failed attempts`] : []),
    ...(lostSlotMs > 0 ? [`${seconds(lostSlotMs)} in lost ones`] : []),
  ].join(", ");
}

/** The reasons for a phase's time; zero counts are left out. */
export function phaseText(phase: PhaseFacts): string {
  const { copiesWon, copiesLost, measures, skew, spills, merges } = phase;
  const parts = [
    `${counted(phase.tasks, "task")} in ${seconds(phase.to - phase.from)}`,
    `read ${amount(phase.inputBytes, phase.inputRecords)}`,
    `wrote ${amount(phase.outputBytes, phase.outputRecords)}`,
    ...(phase.tasks > 1 ? [skewText(skew)] : []),
    ...(spills > 0 ? [counted(spills, "spill")] : []),
    ...(merges > 0 ? [counted(merges, "merge")] : []),
    ...(copiesWon + copiesLost > 0 ? [`copies ${copiesWon} won, ${copiesLost} lost`] : []),
    ...(measures === undefined || measures.outliers === 0 ? [] : [outliersText(measures)]),
    `${seconds(phase.slotMs)} of slots`,
    ...(phase.wastedMs > 0 ? [`${seconds(phase.wastedMs)} wasted`] : []),
  ];
  return parts.join(", ");
}

const outliersText = ({ outliers, outlierTimes }: NonNullable<PhaseFacts["measures"]>): string =>
  outlierTimes === undefined
    ? `outliers ${percent(outliers)}`
    : `outliers ${percent(outliers)} at ${outlierTimes.toFixed(1)}x the median`;

/** If most tasks read almost nothing, the factor is meaningless. */
function skewText({ factor, largestBytes, medianBytes }: Skew): string {
  if (factor >= 1_000) return `largest input ${bytes(largestBytes)}, median ${bytes(medianBytes)}`;
  return `largest input ${factor.toFixed(2)}x the median`;
}

const amount = (size: number, records: number): string =>
  `${counted(records, "record")} (${bytes(size)})`;

function memoryRow({ memory }: RunResult): readonly (readonly [string, string])[] {
  if (memory === undefined) return [];
  const { promisedBytes, baseBytes, peakBytes } = memory;
  if (peakBytes - baseBytes < PEAK_SHARE_SHOWN * promisedBytes) return [];
  const above = `${bytes(peakBytes - baseBytes)} of ${bytes(promisedBytes)} allowed`;
  return [["memory", `${above} at the peak, not counting ${bytes(baseBytes)} of idle processes`]];
}

/** Memory below this share of the limit is not worth a line; the summary has it. */
const PEAK_SHARE_SHOWN = 0.1;

function copiedOutputs({ outputsCopied }: RunResult): readonly (readonly [string, string])[] {
  if (outputsCopied.length === 0) return [];
  const size = outputsCopied.reduce((sum, copy) => sum + copy.bytes, 0);
  const nodes = new Set(outputsCopied.map(({ node }) => node));
  const text = `${outputsCopied.length} (${bytes(size)}) to ${[...nodes].sort().join(", ")}`;
  return [["outputs copied", text]];
}

function lostOutputs(result: RunResult): readonly (readonly [string, string])[] {
  const gone = outputsGone(result);
  return gone.length === 0 ? [] : [["outputs gone", gone.map(brief).join(", ")]];
}

function badRecords({ badRecords }: RunResult): readonly (readonly [string, string])[] {
  const { count, samples } = badRecords;
  if (count === 0) return [];
  const shown = samples.slice(0, SAMPLES_SHOWN).map(({ place, problem, record }) => {
    const text = record === undefined ? "" : `, in ${quotedText(record)}`;
    return ["", `${here(place)}: ${problem}${text}`] as const;
  });
  const more = shown.length < count ? ", such as" : "";
  return [["bad records", `${count} passed over${more}:`], ...shown];
}

/** The summary has all samples. */
const SAMPLES_SHOWN = 3;

function slowed({ nodes }: RunResult): readonly (readonly [string, string])[] {
  return nodes.flatMap(({ name, slowed: facts, lostAt }) => {
    const rows: (readonly [string, string])[] = [];
    if (facts !== undefined) {
      const { factor, achieved, forMs } = facts;
      const asked = Number(factor.toFixed(2));
      const text = `asked ${asked}x, achieved ${achieved.toFixed(2)}x for ${seconds(forMs)}`;
      rows.push(["slowed", `${name} ${text}`]);
    }
    if (lostAt !== undefined) rows.push(["node lost", `${name} at ${seconds(lostAt)}`]);
    return rows;
  });
}

function outputText({ output, parts }: RunResult): string {
  const total = parts.reduce((sum, part) => sum + part.bytes, 0);
  const records = parts.reduce((sum, part) => sum + part.records, 0);
  const files = counted(parts.length, "part file");
  return `${here(output)}: ${files}, ${counted(records, "record")}, ${bytes(total)}`;
}
