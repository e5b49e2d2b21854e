/** The four reproduced papers, in the order of the reports. */
export const PAPERS = ["late", "mantri", "esplash", "elephant"] as const;
export type Paper = (typeof PAPERS)[number];

/**
 * How a published figure is used. input: a generator or a cluster model was fitted to it, so it is
 * shown and proves nothing; ratio: judged by its size; ordering: which is before which; shape: a
 * sentence about a curve, or a difference too small to be judged; not printed: the paper has a
 * picture and no number.
 */
export const TAGS = ["input", "ratio", "ordering", "shape", "not printed"] as const;
/** ours: a study of our own, about which no paper prints anything. */
export type Tag = (typeof TAGS)[number] | "ours";

/**
 * How a `ratio` is judged. speedup: time of the other / time of ours, the gain is the part above 1;
 * reduction: (baseline - modified) / baseline, the gain is the value itself; value: measured /
 * published.
 */
export const GAINS = ["speedup", "reduction", "value"] as const;
export type Gain = (typeof GAINS)[number];

/** The sign that an `ordering` claims for the measured difference or reduction. */
export const CLAIMS = ["above 0", "below 0"] as const;
export type Claim = (typeof CLAIMS)[number];

/**
 * A line of `reproduction/figures.json`: one published figure and its use. Or a line of
 * `reproduction/ours.json`, which has no tag because all of them are `ours`.
 */
export interface PublishedFigure {
  readonly paper: Paper;
  /** "fig4", "table2", "s5.1.2". */
  readonly figure: string;
  /** Unique together with figure and metric. */
  readonly setting: string;
  /** With its unit, if any: "speedup over native", "response, s". */
  readonly metric: string;
  readonly tag: Tag;
  /** Present for a `ratio` only. */
  readonly gain?: Gain;
  /** The printed number, or the paper's statement where it prints none. */
  readonly published: number | string;
  /** Present for an `ordering` only. */
  readonly claims?: Claim;
  /** Section or figure of the paper. */
  readonly source: string;
  /** The reason for the tag, or for the reading, where neither is plain. */
  readonly note?: string;
}

export const VERDICTS = [
  "within",
  "same direction",
  "contradicted",
  "undecided",
  "holds",
  "shown",
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A line of `results.json`. */
export interface ResultRow {
  readonly paper: Paper;
  readonly figure: string;
  readonly setting: string;
  readonly metric: string;
  readonly tag: Tag;
  readonly published: number | string;
  readonly measured: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly verdict: Verdict;
}

/** A line of the tables and of the page, with what a reader needs to weigh it. */
export interface ReportRow extends ResultRow {
  /** Section or figure of the paper. */
  readonly source: string;
  /** Paired runs behind the measured number; null without a measurement. */
  readonly runs: number | null;
  /** Reasons for the tag or the reading, or why the figure could not be measured. */
  readonly remarks: readonly string[];
}
