import { cell } from "../../base/rows.ts";
import type { Limits } from "../limits.ts";
import { type EvenBytes, evenBytesOf, evened } from "./even-bytes.ts";
import { fitRelative, type Line, medianOf } from "./robust.ts";
import type { Signals } from "./signals.ts";
import { type Witness, witnessOf } from "./witness.ts";

/** The time that an attempt of a phase should take, on a node of usual speed. Times in ms. */
export interface PhaseFit {
  readonly alphaMs: number;
  readonly msPerByte: number;
  /** Of the tasks whose bytes are known. */
  readonly meanBytes: number;
  readonly even: EvenBytes;
  /** The slope is that of a single task, which reads much more than its peers. */
  readonly witness?: Witness;
  readonly farMs: number;
  readonly firstMs: number;
  /** Medians of what the log measured. */
  readonly gcMs: number;
  readonly fetchMs: number;
  readonly deserializeMs: number;
  /** The number of attempts that were compared. */
  readonly peers: number;
}

/** The values to fit: one per attempt that succeeded. */
export interface FitInput {
  /** Duration without GC, fetch wait and deserialisation, over the node's factor. */
  readonly netMs: Float64Array;
  readonly bytes: Float64Array;
  readonly isFar: Float64Array;
  readonly isFirst: Float64Array;
  readonly gcMs: Float64Array;
  readonly fetchMs: Float64Array;
  readonly deserializeMs: Float64Array;
}

type Term = "bytes" | "far" | "first";

/** A term needs this many attempts of both sorts. */
const BOTH_MIN = 5;
const SPREAD_MIN = 0.05;

/**
 * At least `limits.peersMin` attempts. `kept`: the fit of all attempts, where `input` is a draw of
 * them: whether a single task, or the few first attempts on executors, are believed does not depend
 * on how many of them are drawn.
 */
export function fitPhase(input: FitInput, limits: Limits, kept?: PhaseFit): PhaseFit {
  if (kept?.witness !== undefined) return withWitness(input, limits, kept.witness, kept);
  const fit = lineFit(input, limits, kept);
  const witness = fit.msPerByte > 0 || kept !== undefined ? undefined : singleIn(input, limits);
  return witness === undefined ? fit : withWitness(input, limits, witness);
}

/** The line through the peers of a single task, and a slope up to it. */
function withWitness(input: FitInput, limits: Limits, witness: Witness, kept?: PhaseFit): PhaseFit {
  const { msPerByte, peersBytes, fromBytes } = witness;
  const isPeer = input.bytes.map((value) => (value < fromBytes ? 1 : 0));
  const peers = (column: Float64Array): Float64Array => column.filter((_, i) => isPeer[i] === 1);
  const others = { ...limits, fitMin: Number.POSITIVE_INFINITY };
  const fit = lineFit(inputOf(input, peers), others, kept);
  const alphaMs = Math.max(0, fit.alphaMs - msPerByte * peersBytes);
  return { ...fit, alphaMs, msPerByte, even: { bytes: peersBytes, filled: 0 }, witness };
}

const inputOf = (input: FitInput, of: (column: Float64Array) => Float64Array): FitInput => ({
  netMs: of(input.netMs),
  bytes: of(input.bytes),
  isFar: of(input.isFar),
  isFirst: of(input.isFirst),
  gcMs: of(input.gcMs),
  fetchMs: of(input.fetchMs),
  deserializeMs: of(input.deserializeMs),
});

function singleIn(input: FitInput, limits: Limits): Witness | undefined {
  const { bytes, netMs } = input;
  const isKnown = bytes.every((value) => value >= 0) && netMs.length >= limits.fitMin;
  if (!isKnown) return undefined;
  const scale = mean(bytes);
  if (!(scale > 0)) return undefined;
  return witnessOf(input, lineOfOthers(input, ["bytes"]), { at: 1, scale });
}

function lineFit(input: FitInput, limits: Limits, kept?: PhaseFit): PhaseFit {
  const { netMs } = input;
  const known = input.bytes.filter((value) => !Number.isNaN(value));
  const meanBytes = known.length === 0 ? Number.NaN : mean(known);
  const measured = {
    meanBytes,
    even: evenBytesOf(known),
    gcMs: medianKnown(input.gcMs),
    fetchMs: medianKnown(input.fetchMs),
    deserializeMs: medianKnown(input.deserializeMs),
    peers: netMs.length,
  };
  let terms = termsOf(input, meanBytes, limits, kept);
  for (;;) {
    const columns = columnsOf(input, terms, meanBytes);
    const line = terms.length === 0 ? undefined : fitRelative(columns, netMs);
    if (line === undefined) {
      return { ...measured, alphaMs: medianOf(netMs), msPerByte: 0, farMs: 0, firstMs: 0 };
    }
    const weak = terms.filter(
      (term, i) => !isKept(term, kept) && !stays(input, terms, term, cell(line.t[i + 1]), limits),
    );
    if (weak.length === 0) {
      const of = (term: Term): number => {
        const at = terms.indexOf(term);
        return at < 0 ? 0 : Math.max(0, cell(line.coefficients[at + 1]));
      };
      const msPerByte = of("bytes") === 0 ? 0 : of("bytes") / meanBytes;
      const alphaMs = cell(line.coefficients[0]);
      return { ...measured, alphaMs, msPerByte, farMs: of("far"), firstMs: of("first") };
    }
    // The weakest term goes first: the others may gain by it.
    const t = (term: Term): number => cell(line.t[terms.indexOf(term) + 1]);
    const weakest = weak.reduce((a, b) => (t(b) < t(a) ? b : a));
    terms = terms.filter((term) => term !== weakest);
  }
}

/** The time that attempt `i` should take on a usual node, without GC and fetch wait. */
export function expectedNetMs(fit: PhaseFit, signals: Signals, i: number): number {
  const bytes = cell(signals.bytes[i]);
  const known = Number.isNaN(bytes) ? fit.meanBytes : bytes;
  const data = fit.msPerByte === 0 ? 0 : fit.msPerByte * known;
  const far = fit.farMs * cell(signals.isFar[i]);
  return fit.alphaMs + data + far + fit.firstMs * cell(signals.isFirst[i]);
}

/** The bytes of an attempt if inputs were even: where time depends on them, of one like it. */
export const evenBytes = ({ msPerByte, even, meanBytes }: PhaseFit, bytes: number): number =>
  msPerByte > 0 && !Number.isNaN(bytes) ? evened(even, bytes) : meanBytes;

/** The time that a typical attempt takes on a usual node, with its usual GC and fetch wait. */
export function usualMs(fit: PhaseFit, bytes: number): number {
  const dataMs = fit.msPerByte > 0 ? fit.msPerByte * evenBytes(fit, bytes) : 0;
  return fit.alphaMs + dataMs + fit.gcMs + fit.fetchMs + fit.deserializeMs;
}

/** The terms for which the phase has enough attempts. */
function termsOf(
  input: FitInput,
  meanBytes: number,
  limits: Limits,
  kept: PhaseFit | undefined,
): readonly Term[] {
  const count = input.netMs.length;
  if (count < limits.fitMin) return [];
  const terms: Term[] = [];
  const isComplete = input.bytes.every((value) => !Number.isNaN(value));
  if (isComplete && meanBytes > 0) {
    const spread = Math.sqrt(
      mean(input.bytes.map((value) => (value - meanBytes) * (value - meanBytes))),
    );
    if (spread / meanBytes >= SPREAD_MIN) terms.push("bytes");
  }
  const both = (flags: Float64Array, term: Term): boolean => {
    const set = flags.filter((flag) => flag === 1).length;
    const least = isKept(term, kept) ? 1 : BOTH_MIN;
    return set >= least && count - set >= least;
  };
  if (both(input.isFar, "far")) terms.push("far");
  if (both(input.isFirst, "first")) terms.push("first");
  return terms;
}

/** Whether the term was found among all attempts, where the others are a draw of them. */
const isKept = (term: Term, kept: PhaseFit | undefined): boolean =>
  kept !== undefined &&
  ((term === "far" && kept.farMs > 0) || (term === "first" && kept.firstMs > 0));

/** Bytes are counted in means, so that all columns are of one size. */
function columnsOf(
  input: FitInput,
  terms: readonly Term[],
  meanBytes: number,
): readonly Float64Array[] {
  return terms.map((term) => {
    if (term === "bytes") return input.bytes.map((value) => value / meanBytes);
    return term === "far" ? input.isFar : input.isFirst;
  });
}

/**
 * A term stays if it makes attempts significantly longer; a slope over bytes must also do so
 * without the largest input, which alone could cause the slope.
 */
function stays(
  input: FitInput,
  terms: readonly Term[],
  term: Term,
  t: number,
  limits: Limits,
): boolean {
  if (t <= limits.tMin) return false;
  if (term !== "bytes") return true;
  return (lineOfOthers(input, terms)?.t[terms.indexOf("bytes") + 1] ?? 0) > limits.tMin;
}

/** The line without the largest input. */
function lineOfOthers(input: FitInput, terms: readonly Term[]): Line | undefined {
  const largest = input.bytes.reduce((a, b, i) => (b > cell(input.bytes[a]) ? i : a), 0);
  const others = (column: Float64Array): Float64Array => column.filter((_, i) => i !== largest);
  const columns = columnsOf(input, terms, mean(input.bytes));
  return fitRelative(columns.map(others), others(input.netMs));
}

const mean = (values: Float64Array): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** 0 if the log has no values. */
function medianKnown(values: Float64Array): number {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? 0 : medianOf(known);
}
