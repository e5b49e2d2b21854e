import { PAPERS, type Paper, type ResultRow, type Tag, type Verdict } from "./published.ts";
import { isJudged } from "./verdict.ts";

/** The totals of the judged rows. */
export interface Score {
  readonly orderings: ScoreTally;
  readonly ratios: ScoreTally;
}

/** One kind of rows: their number, and the number with each verdict. */
export interface ScoreTally {
  readonly of: number;
  /** `holds` for an ordering, `within` for a ratio. */
  readonly good: number;
  readonly sameDirection: number;
  readonly contradicted: number;
  readonly undecided: number;
}

export function scoreOf(rows: readonly ResultRow[]): Score {
  return { orderings: tally(rows, "ordering"), ratios: tally(rows, "ratio") };
}

function tally(rows: readonly ResultRow[], tag: Tag): ScoreTally {
  const own = rows.filter((row) => row.tag === tag);
  const count = (...verdicts: readonly Verdict[]): number =>
    own.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return {
    of: own.length,
    good: count("holds", "within"),
    sameDirection: count("same direction"),
    contradicted: count("contradicted"),
    undecided: count("undecided"),
  };
}

/** The last line of a reproduction; a kind of rows that there is none of is left out. */
export function scoreLine({ orderings, ratios }: Score): string {
  if (orderings.of + ratios.of === 0) return "nothing here is judged";
  return [
    ...(orderings.of === 0 ? [] : [`orderings ${orderings.good} of ${orderings.of}`]),
    ...(ratios.of === 0 ? [] : [`ratios ${ratios.good} of ${ratios.of} within`]),
    `${orderings.contradicted + ratios.contradicted} contradicted`,
    `${orderings.undecided + ratios.undecided} undecided`,
  ].join(", ");
}

/** The goal: for a paper that misses it, the paper's page says why. */
export const GOAL = "The goal: no ordering contradicted, four fifths of the ratios within.";

/** The score of a paper; the last line is the sum of all papers, where there are several. */
export interface PaperStanding extends Score {
  readonly paper: Paper | "all";
}

export function standings(rows: readonly ResultRow[]): readonly PaperStanding[] {
  const papers = PAPERS.filter((paper) =>
    rows.some((row) => row.paper === paper && isJudged(row.tag)),
  );
  const each = papers.map((paper) => ({
    paper,
    ...scoreOf(rows.filter((row) => row.paper === paper)),
  }));
  return papers.length > 1 ? [...each, { paper: "all", ...scoreOf(rows) }] : each;
}

/** The judged rows that did not come out as published, the worst first. */
export function otherwise<Row extends ResultRow>(rows: readonly Row[]): readonly Row[] {
  return (["contradicted", "same direction"] as const).flatMap((verdict) =>
    rows.filter((row) => isJudged(row.tag) && row.verdict === verdict),
  );
}
