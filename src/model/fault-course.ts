import { never } from "../base/assert.ts";
import { type Chance, draw } from "../base/chance.ts";
import { type RandomState, randomState, shuffle, split } from "../base/random.ts";
import { type Fault, namesMeant } from "./fault.ts";

/** The course of one fault on one node or rack. */
export interface FaultCourse {
  readonly fault: Fault;
  /** The name of the node or rack. */
  readonly target: string;
  /**
   * The fault's moments, rising in time and computed lazily; endless if the fault recurs for ever.
   */
  readonly moments: Iterator<Moment, undefined>;
  /**
   * The stream for draws at a moment, `split` by the moment's number, so that no draw affects
   * another moment's.
   */
  readonly stream: RandomState;
}

export type Moment =
  | {
      readonly at: number;
      readonly is: "begin";
      /** Counted from 0. */
      readonly ordinal: number;
      /** Infinity if the fault has no end of its own. */
      readonly forMs: number;
      /** The factor of a slow-down, or the share of a loss, an eviction or a congestion. */
      readonly strength: number;
    }
  | { readonly at: number; readonly is: "end" };

/** The courses of the faults, drawn from the seed, independent of everything else in the run. */
export function coursesOf(
  faults: readonly Fault[],
  of: {
    readonly nodes: readonly string[];
    readonly racks: readonly string[];
    readonly seed: number;
  },
): readonly FaultCourse[] {
  const all = randomState(of.seed, "faults");
  return faults.flatMap((fault, index) => {
    const own = split(all, index);
    const names = fault.kind === "congestion" ? of.racks : of.nodes;
    return targetsOf(fault, names, own).map((target): FaultCourse => {
      const stream = split(own, names.indexOf(target));
      return { fault, target, moments: momentsOf(fault, stream), stream: split(stream, 0) };
    });
  });
}

function targetsOf(fault: Fault, names: readonly string[], own: RandomState): readonly string[] {
  if (fault.kind === "congestion") return namesMeant(fault.rack, names);
  const meant = namesMeant(fault.node, names);
  if (fault.pick === undefined) return meant;
  const picked = new Set(shuffle(own, meant).slice(0, fault.pick));
  return meant.filter((name) => picked.has(name));
}

const NEVER = Number.POSITIVE_INFINITY;

export function* momentsOf(fault: Fault, stream: RandomState): Generator<Moment, undefined> {
  const { forMs: lasts, strength, everyMs, endsAtUntil } = chancesOf(fault);
  const until = fault.until ?? NEVER;
  let at = draw(stream, fault.at);
  for (let ordinal = 0; at < until; ordinal += 1) {
    const forMs = draw(stream, lasts);
    yield { at, is: "begin", ordinal, forMs, strength: draw(stream, strength) };
    const over = at + forMs;
    const next = Math.max(at + draw(stream, everyMs), over < NEVER ? over : at);
    const end = endsAtUntil ? Math.min(over, until) : over;
    if (end < NEVER && end <= next) yield { at: end, is: "end" };
    at = next;
  }
  return undefined;
}

interface Chances {
  readonly forMs: Chance;
  readonly strength: Chance;
  readonly everyMs: Chance;
  /** Whether the fault is a state that `until` ends, rather than an event. */
  readonly endsAtUntil: boolean;
}

function chancesOf(fault: Fault): Chances {
  const everyMs = "everyMs" in fault ? (fault.everyMs ?? NEVER) : NEVER;
  const happens = { everyMs, endsAtUntil: false };
  const holds = { everyMs, endsAtUntil: true };
  switch (fault.kind) {
    case "slow":
      return { ...holds, forMs: fault.forMs ?? NEVER, strength: fault.factor };
    case "stress": {
      const { factor, onMs, offMs } = fault;
      return { ...holds, forMs: onMs, strength: factor, everyMs: onMs + offMs };
    }
    case "load":
      return { ...holds, forMs: fault.forMs ?? NEVER, strength: 1 };
    case "congestion":
      return { ...holds, forMs: fault.forMs ?? NEVER, strength: fault.share };
    case "pause":
    case "fill-disk":
      return { ...happens, forMs: fault.forMs, strength: 1 };
    case "kill":
      return { ...happens, forMs: fault.backAfterMs ?? NEVER, strength: 1 };
    case "lose-outputs":
      return { ...happens, forMs: NEVER, strength: fault.share ?? 1 };
    case "evict":
      return { ...happens, forMs: NEVER, strength: fault.share ?? 0 };
    default:
      return never(fault);
  }
}

/** Whether a fault may recur without end. */
export const recurs = (fault: Fault): boolean =>
  fault.kind === "stress" || fault.everyMs !== undefined;
