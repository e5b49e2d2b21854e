import type { Measured } from "./experiment.ts";
import { figureKey } from "./parse-figures.ts";
import type { PublishedFigure, ReportRow, ResultRow } from "./published.ts";
import { isJudged, verdictOf } from "./verdict.ts";

/** Measured figures by what joins them with published ones. */
export type MeasuredByKey = ReadonlyMap<string, Measured>;

/**
 * One row for each published figure, in their order, with what was measured beside it. Where one
 * run was asked for, what comes of a single run is shown without an interval and decides nothing.
 */
export function reportRows(
  figures: readonly PublishedFigure[],
  measured: MeasuredByKey,
  asked: { readonly runs: number },
): readonly ReportRow[] {
  return figures.map((figure) => {
    const found = measured.get(figureKey(figure));
    const usable = found === undefined ? undefined : withInterval(found, asked);
    const { paper, figure: name, setting, metric, tag, published, source, note } = figure;
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
      remarks: [...(note === undefined ? [] : [note]), ...lacking(found)],
    };
  });
}

/** The measured number as it is judged; undefined where it is none, as a share of nothing. */
function withInterval(found: Measured, asked: { readonly runs: number }): Measured | undefined {
  if (!Number.isFinite(found.value)) return undefined;
  const single = asked.runs === 1 && found.runs === 1;
  const known = !single && Number.isFinite(found.low) && Number.isFinite(found.high);
  const [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return known ? found : { ...found, low, high };
}

/** What a reader must be told of a number, or an interval, that is not there. */
function lacking(found: Measured | undefined): readonly string[] {
  if (found === undefined) return ["no experiment measures it"];
  if (!Number.isFinite(found.value)) return ["it could not be computed: it is a share of nothing"];
  const known = Number.isFinite(found.low) && Number.isFinite(found.high);
  return known ? [] : ["its interval could not be computed"];
}

const finiteOrNull = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null;

/** What `results.json` has of a row. */
export function resultRow({ source, runs, remarks, ...row }: ReportRow): ResultRow {
  return row;
}

/** Lines that are named under one remark; of more it is told how many. */
const NAMED_MAX = 3;

/** Each remark once, with the lines that it is about: "native, wasted s; LATE, wasted s: ...". */
export function remarksOn(rows: readonly ReportRow[]): readonly string[] {
  const lines = new Map<string, string[]>();
  for (const { setting, metric, remarks } of rows) {
    for (const remark of remarks) {
      lines.set(remark, [...(lines.get(remark) ?? []), `${setting}, ${metric}`]);
    }
  }
  return [...lines].map(([remark, about]) => {
    const more = about.length > NAMED_MAX ? [`${about.length - NAMED_MAX} more`] : [];
    return `${[...about.slice(0, NAMED_MAX), ...more].join("; ")}: ${remark}`;
  });
}

export interface Score {
  readonly orderings: { readonly hold: number; readonly of: number };
  readonly ratios: { readonly within: number; readonly of: number };
  readonly contradicted: number;
  readonly undecided: number;
}

/** What the rows that are judged add up to. */
export function scoreOf(rows: readonly ResultRow[]): Score {
  const judged = rows.filter(({ tag }) => isJudged(tag));
  const orderings = judged.filter(({ tag }) => tag === "ordering");
  const ratios = judged.filter(({ tag }) => tag === "ratio");
  const count = (among: readonly ResultRow[], verdict: ResultRow["verdict"]): number =>
    among.filter((row) => row.verdict === verdict).length;
  return {
    orderings: { hold: count(orderings, "holds"), of: orderings.length },
    ratios: { within: count(ratios, "within"), of: ratios.length },
    contradicted: count(judged, "contradicted"),
    undecided: count(judged, "undecided"),
  };
}

/** The last line of a reproduction. */
export function scoreLine({ orderings, ratios, contradicted, undecided }: Score): string {
  return [
    `orderings ${orderings.hold} of ${orderings.of}`,
    `ratios ${ratios.within} of ${ratios.of} within`,
    `${contradicted} contradicted`,
    `${undecided} undecided`,
  ].join(", ");
}
