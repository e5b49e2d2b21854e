import { cell } from "../../base/rows.ts";
import { type Line, medianOf } from "./robust.ts";

/** One task that reads much more than its peers, and takes as much longer. */
export interface Witness {
  readonly msPerByte: number;
  /** The median of the others. */
  readonly peersBytes: number;
  /** Its peers read less than this. */
  readonly fromBytes: number;
}

/** The witness reads at least so many times the largest of its peers ... */
const BYTES_MIN = 2;
/** ... and takes at least so many times their median time. */
const TIME_MIN = 1.5;
/** It takes at most so many times the peers' time a byte: much more has another reason. */
const PER_BYTE_MAX = 2;
const PEERS_MIN = 5;

/**
 * Where the peers read alike, no line through them has a slope, and a single larger task cannot
 * prove one: it may be late for another reason. It is believed if it takes about as much time a
 * byte as its peers, which is what its bytes explain at most, and if the peers do not contradict:
 * `others` is the line through them, whose slope over `scale` bytes is in place `at`.
 */
export function witnessOf(
  { bytes, netMs }: { readonly bytes: Float64Array; readonly netMs: Float64Array },
  others: Line | undefined,
  { at, scale }: { readonly at: number; readonly scale: number },
): Witness | undefined {
  const largest = bytes.reduce((a, b, i) => (b > cell(bytes[a]) ? i : a), 0);
  const isPeer = (_: number, i: number): boolean => i !== largest;
  const [peers, times] = [bytes.filter(isPeer), netMs.filter(isPeer)];
  if (peers.length < PEERS_MIN) return undefined;
  const [peersBytes, peersMs] = [medianOf(peers), medianOf(times)];
  const [own, ms] = [cell(bytes[largest]), cell(netMs[largest])];
  const most = peers.reduce((a, b) => Math.max(a, b));
  const isLarge = own > BYTES_MIN * most && ms >= TIME_MIN * peersMs && peersBytes > 0;
  if (!isLarge || ms / own > (PER_BYTE_MAX * peersMs) / peersBytes) return undefined;
  const slope = (ms - peersMs) / (own - peersBytes);
  if (others !== undefined) {
    const known = cell(others.coefficients[at]) / scale;
    const error = Math.abs(known / cell(others.t[at]));
    if (slope - known > CONTRADICTS * error) return undefined;
  }
  // A task without bytes takes no less than no time.
  const msPerByte = Math.min(slope, peersMs / peersBytes);
  return { msPerByte, peersBytes, fromBytes: own / BYTES_MIN };
}

const CONTRADICTS = 3;
