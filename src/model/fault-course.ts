import { never } from "../base/assert.ts";
import { type Chance, draw } from "../base/chance.ts";
import { type RandomState, randomState, shuffle, split } from "../base/random.ts";
import { type Fault, namesMeant } from "./fault.ts";

/** What happens to one node or rack because of one fault. */
export interface FaultCourse {
  readonly fault: Fault;
  /** Its name. */
  readonly target: string;
  /** Rising in time, worked out as they are asked for; without end if it happens again for ever. */
  readonly moments: Iterator<Moment, undefined>;
  /** For what is drawn at a moment, `split` by its number: nothing else hangs on how much. */
  readonly stream: RandomState;
}

export type Moment =
  | {
      readonly at: number;
      readonly is: "begin";
      /** 0 and on. */
      readonly ordinal: number;
      /** Infinity if it has no end of its own. */
      readonly forMs: number;
      /** The factor of a slow-down, the share of a loss, an eviction or a congestion. */
      readonly strength: number;
    }
  | { readonly at: number; readonly is: "end" };

/** The courses of the faults, drawn from the seed: the same whatever else goes on. */
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
  /** Whether it is a state of things that `until` ends, not something that happens. */
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

/** Whether a fault may happen without end. */
export const recurs = (fault: Fault): boolean =>
  fault.kind === "stress" || fault.everyMs !== undefined;
