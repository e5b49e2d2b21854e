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
    const isLate = new Set(late);
    return late.flatMap((i) => single(plan, isLate, i));
  }
  if (others.length < LATE_MIN) return [];
  const ratio = medianOf(own) / medianOf(others);
  if (!(ratio >= RECORDS_ABOVE)) return [];
  const text = `The late attempts read ${ratio.toFixed(1)} times as many records per byte.`;
  return [{ kind: "records", text, attempts: late }];
}

const bytesOf = (plan: Plan, i: number): number =>
  measureOf(plan, i, "inputBytes") || measureOf(plan, i, "shuffleBytes") || Number.NaN;

const recordsOf = (plan: Plan, i: number): number =>
  measureOf(plan, i, "inputRecords") || measureOf(plan, i, "shuffleRecords") || Number.NaN;

/** A late attempt that read many more records than each of its peers. */
function single(plan: Plan, isLate: ReadonlySet<number>, i: number): readonly Hint[] {
  const isPeer = (j: number): boolean => plan.phase[j] === plan.phase[i] && !isLate.has(j);
  const peers = Array.from(plan.phase.keys()).filter(isPeer);
  const known = peers.filter((j) => recordsOf(plan, j) > 0);
  if (known.length < PEERS_MIN) return [];
  const most = known.reduce((a, j) => Math.max(a, recordsOf(plan, j)), 0);
  const times = recordsOf(plan, i) / medianOf(known.map((j) => recordsOf(plan, j)));
  const size = bytesOf(plan, i) / medianOf(known.map((j) => bytesOf(plan, j)));
  const isMore = recordsOf(plan, i) >= RECORDS_OF_FEW * most && times / size >= RECORDS_OF_FEW;
  if (!isMore) return [];
  const task = attemptName(plan, i).replace(/#\d+$/, "");
  const bytes = size <= AS_MANY && size >= 1 / AS_MANY ? "as many" : `${size.toFixed(1)} times the`;
  const text = `${task} read ${times.toFixed(1)} times the records of its peers in ${bytes} bytes.`;
  return [{ kind: "records", text, attempts: [i] }];
}
