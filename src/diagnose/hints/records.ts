import { grouped } from "../../base/grouped.ts";
import { cell } from "../../base/rows.ts";
import { medianOf } from "../expect/robust.ts";
import { attemptName, type Plan } from "../schedule/planned.ts";
import type { Hint } from "./hint.ts";
import { beside, measureOf, type Seen } from "./seen.ts";

const RECORDS_ABOVE = 2;
const LATE_MIN = 3;
/** One or two late attempts must have many more records, and their peers be alike. */
const RECORDS_OF_FEW = 3;
const PEERS_MIN = 5;
/** So near to each other, inputs are as many bytes. */
const AS_MANY = 1.25;

/** The late attempts had more records in as many bytes. */
export function manyRecords({ plan, late }: Seen): readonly Hint[] {
  const densityOf = (i: number): number => recordsOf(plan, i) / bytesOf(plan, i);
  const { own, others } = beside(plan, late, densityOf);
  if (own.length < LATE_MIN) {
    const peers = peersOf(plan, late);
    return late.flatMap((i) => single(plan, peers.get(cell(plan.phase[i])), i));
  }
  if (others.length < LATE_MIN) return [];
  const ratio = medianOf(own) / medianOf(others);
  if (!(ratio >= RECORDS_ABOVE)) return [];
  const text = `The late attempts read ${ratio.toFixed(1)} times as many records per byte.`;
  return [{ text, attempts: late }];
}

const bytesOf = (plan: Plan, i: number): number =>
  measureOf(plan, i, "inputBytes") || measureOf(plan, i, "shuffleBytes") || Number.NaN;

const recordsOf = (plan: Plan, i: number): number =>
  measureOf(plan, i, "inputRecords") || measureOf(plan, i, "shuffleRecords") || Number.NaN;

/** What the attempts of a phase read that are not late. */
interface Peers {
  readonly mostRecords: number;
  /** Medians. */
  readonly records: number;
  readonly bytes: number;
}

/** By phase of the late attempts; none where too few others have records. */
function peersOf(plan: Plan, late: readonly number[]): ReadonlyMap<number, Peers> {
  const isLate = new Set(late);
  const phases = new Set(late.map((i) => plan.phase[i]));
  const isKnown = (j: number): boolean =>
    phases.has(plan.phase[j]) && !isLate.has(j) && recordsOf(plan, j) > 0;
  const known = Array.from(plan.phase.keys()).filter(isKnown);
  const found = new Map<number, Peers>();
  for (const [phase, own] of grouped(known, (j) => cell(plan.phase[j]))) {
    if (own.length < PEERS_MIN) continue;
    const records = own.map((j) => recordsOf(plan, j));
    const mostRecords = records.reduce((a, b) => Math.max(a, b), 0);
    const bytes = medianOf(own.map((j) => bytesOf(plan, j)));
    found.set(phase, { mostRecords, records: medianOf(records), bytes });
  }
  return found;
}

/** A late attempt that read many more records than each of its peers. */
function single(plan: Plan, peers: Peers | undefined, i: number): readonly Hint[] {
  if (peers === undefined) return [];
  const times = recordsOf(plan, i) / peers.records;
  const size = bytesOf(plan, i) / peers.bytes;
  const most = peers.mostRecords;
  const isMore = recordsOf(plan, i) >= RECORDS_OF_FEW * most && times / size >= RECORDS_OF_FEW;
  if (!isMore) return [];
  const task = attemptName(plan, i).replace(/#\d+$/, "");
  const bytes = size <= AS_MANY && size >= 1 / AS_MANY ? "as many" : `${size.toFixed(1)} times the`;
  const text = `${task} read ${times.toFixed(1)} times the records of its peers in ${bytes} bytes.`;
  return [{ text, attempts: [i] }];
}
