import type { Measured } from "./experiment.ts";
import { figureKey } from "./parse-figures.ts";
import type { PublishedFigure, ReportRow, ResultRow } from "./published.ts";
import { verdictOf } from "./verdict.ts";

/** Measured figures by the key that joins them with published ones. */
export type MeasuredByKey = ReadonlyMap<string, Measured>;

/**
 * One row for each published figure, in their order, with the measured value beside it. With a
 * single requested run, the measured value has no interval and decides nothing.
 */
export function reportRows(
  figures: readonly PublishedFigure[],
  measured: MeasuredByKey,
  asked: { readonly runs: number },
): readonly ReportRow[] {
  return figures.map((figure) => {
    const found = measured.get(figureKey(figure));
    const usable = found === undefined ? undefined : withInterval(found, asked);
    const { paper, figure: name, setting, metric, tag, published, source } = figure;
    return {
      paper,
      figure: name,
      setting,
      metric,
      tag,
      published,
      measured: usable?.value ?? null,
      low: finiteOrNull(usable?.low),
      high: finiteOrNull(usable?.high),
      verdict: verdictOf(figure, usable),
      source,
      runs: usable?.runs ?? null,
      remarks: [...explained(figure), ...lacking(found)],
    };
  });
}

/**
 * The measured number as it is judged; undefined if it is not a number, like a share of nothing.
 */
function withInterval(found: Measured, asked: { readonly runs: number }): Measured | undefined {
  if (!Number.isFinite(found.value)) return undefined;
  const single = asked.runs === 1 && found.runs === 1;
  const known = !single && Number.isFinite(found.low) && Number.isFinite(found.high);
  const [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return known ? found : { ...found, low, high };
}

/**
 * The reasons for the row's reading; for our own studies also the paper's words on the question.
 */
function explained({ tag, published, source, note }: PublishedFigure): readonly string[] {
  const asked = tag === "ours" ? [`the paper (${source}): ${published}`] : [];
  return note === undefined ? asked : [...asked, note];
}

/** Why a number, or an interval, is missing. */
function lacking(found: Measured | undefined): readonly string[] {
  if (found === undefined) return ["no experiment measures it"];
  if (!Number.isFinite(found.value)) return ["it could not be computed: it is a share of nothing"];
  const known = Number.isFinite(found.low) && Number.isFinite(found.high);
  return known ? [] : ["its interval could not be computed"];
}

const finiteOrNull = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null;

/** The fields of a row in `results.json`. */
export function resultRow({ source, runs, remarks, ...row }: ReportRow): ResultRow {
  return row;
}
