import { cell } from "../../base/rows.ts";
import type { Measure } from "../../history/columns.ts";
import type { TraceFormat } from "../../history/model.ts";
import { medianOf } from "../expect/robust.ts";
import type { Signals } from "../expect/signals.ts";
import type { Limits } from "../limits.ts";
import { attemptsOf, type Plan, ROLE } from "../schedule/planned.ts";
import type { AttemptCauses } from "./attempt-causes.ts";
import { crowded } from "./crowded.ts";
import type { Hint } from "./hint.ts";

/** Time-outs of Hadoop and Spark that an attempt can wait out in vain, in ms. */
const TIME_OUTS: readonly TimeOut[] = [
  { ms: 60_000, name: "60 s, the default of HDFS's dfs.client.socket-timeout", of: "both" },
  { ms: 120_000, name: "120 s, the default of spark.network.timeout", of: "spark" },
  { ms: 480_000, name: "480 s, the default of dfs.datanode.socket.write.timeout", of: "both" },
  { ms: 600_000, name: "600 s, the default of mapreduce.task.timeout", of: "hadoop" },
];

interface TimeOut {
  readonly ms: number;
  readonly name: string;
  readonly of: "spark" | "hadoop" | "both";
}
const NEAR = 0.05;
/**
 * The least number of attempts late at one moment, of their nodes, and their least share of the
 * running attempts.
 */
const AT_ONCE_MIN = 5;
const NODES_AT_ONCE_MIN = 3;
const SHARE_AT_ONCE = 0.6;
/** Late attempts used this much less of their time on the CPU than the others. */
const OFF_CPU = 0.5;
/** The others use at least this share of their time, or the phase waits by nature. */
const COMPUTING = 0.2;
const LATE_MIN = 3;
const RECORDS_ABOVE = 2;

interface Seen {
  readonly plan: Plan;
  readonly signals: Signals;
  readonly causes: AttemptCauses;
  readonly limits: Limits;
  /** Of the log, if that is known: each system has time-outs of its own. */
  readonly format: TraceFormat | undefined;
}

/** Design of the diagnosis, section 6. */
export function hintsOf({ plan, signals, causes, limits, format }: Seen): readonly Hint[] {
  const late = lateIn(plan, causes, limits);
  return [
    ...timeOuts({ plan, signals, causes, late, format }),
    ...allAtOnce(plan, signals, late),
    ...offCPU(plan, late),
    ...manyRecords(plan, late),
    ...crowded(plan, signals, causes),
  ];
}

/** Attempts that took longer than they should have, mostly for no reason that the log holds. */
function lateIn(plan: Plan, { own, ms, expected }: AttemptCauses, limits: Limits): number[] {
  const late: number[] = [];
  for (let i = 0; i < plan.count; i++) {
    if (plan.role[i] !== ROLE.finishes) continue;
    const [took, should, unexplained] = [own[i]!, expected[i]!, ms.unexplained[i]!];
    const isLate = should > 0 && took > limits.lateAbove * should;
    if (isLate && unexplained > (took - should) / 2) late.push(i);
  }
  return late;
}

/** Two attempts or more, on different nodes, that each lost exactly a time-out at the same time. */
function timeOuts({
  plan,
  signals,
  causes: { own, expected },
  late,
  format,
}: Omit<Seen, "limits"> & { readonly late: readonly number[] }): readonly Hint[] {
  // All of the excess: garbage may be collected while an attempt waits.
  const excess = (i: number): number => own[i]! - expected[i]!;
  return TIME_OUTS.filter((one) => isIn(one, format)).flatMap(({ ms: timeOut, name }) => {
    const near = late.filter((i) => Math.abs(excess(i) / timeOut - 1) <= NEAR);
    const together = near.filter((i) =>
      near.some(
        (j) =>
          signals.node[i] !== signals.node[j] &&
          Math.abs(plan.start[i]! - plan.start[j]!) <= timeOut,
      ),
    );
    if (together.length < 2) return [];
    const text = `${together.length} attempts each lost about ${name}, at the same time.`;
    return [{ kind: "time-out", text, attempts: together }];
  });
}

/** Our own simulator and engine have no such time-outs. */
function isIn({ of }: TimeOut, format: TraceFormat | undefined): boolean {
  if (format === undefined) return true;
  if (format === "journal") return false;
  return of === "both" || (of === "spark") === (format === "spark");
}

/** A moment at which most of what ran was late, on several nodes: something that they share. */
function allAtOnce(plan: Plan, signals: Signals, late: readonly number[]): readonly Hint[] {
  let found: readonly number[] = [];
  let at = 0;
  let ran = 0;
  for (const moment of late) {
    const time = plan.start[moment]!;
    const isRunning = (i: number): boolean => plan.start[i]! <= time && plan.end[i]! > time;
    const lateThen = late.filter(isRunning);
    if (lateThen.length < Math.max(AT_ONCE_MIN, found.length + 1)) continue;
    let running = 0;
    for (let i = 0; i < plan.count; i++) if (isRunning(i)) running += 1;
    const nodes = new Set(lateThen.map((i) => signals.node[i])).size;
    if (nodes < NODES_AT_ONCE_MIN || lateThen.length < SHARE_AT_ONCE * running) continue;
    found = lateThen;
    at = time - plan.job.submittedAt;
    ran = running;
  }
  if (found.length === 0) return [];
  const nodes = new Set(found.map((i) => signals.node[i])).size;
  const when = `${(at / 1_000).toFixed(1)} s after the submission`;
  const who = `${found.length} of the ${ran} attempts that ran were late, on ${nodes} nodes`;
  const text = `${when}, ${who}: look for what these nodes share.`;
  return [{ kind: "all-at-once", text, attempts: found }];
}

/** The late attempts waited where the others computed. */
function offCPU(plan: Plan, late: readonly number[]): readonly Hint[] {
  const shareOf = (i: number): number =>
    measureOf(plan, i, "cpuMs") / (plan.end[i]! - plan.start[i]!);
  const { own, others } = beside(plan, late, shareOf);
  if (own.length < LATE_MIN || others.length < LATE_MIN) return [];
  const [low, usual] = [medianOf(own), medianOf(others)];
  if (!(low < OFF_CPU * usual) || usual < COMPUTING) return [];
  const percent = (share: number): string => `${Math.round(100 * share)} %`;
  const spent = `spent ${percent(low)} of their time on the CPU, the others ${percent(usual)}`;
  const text = `The late attempts ${spent}: they waited for something.`;
  return [{ kind: "off-cpu", text, attempts: late }];
}

/** The late attempts had more records in as many bytes. */
function manyRecords(plan: Plan, late: readonly number[]): readonly Hint[] {
  const densityOf = (i: number): number => {
    const bytes = measureOf(plan, i, "inputBytes") || measureOf(plan, i, "shuffleBytes");
    const records = measureOf(plan, i, "inputRecords") || measureOf(plan, i, "shuffleRecords");
    return bytes > 0 && records > 0 ? records / bytes : Number.NaN;
  };
  const { own, others } = beside(plan, late, densityOf);
  if (own.length < LATE_MIN || others.length < LATE_MIN) return [];
  const ratio = medianOf(own) / medianOf(others);
  if (!(ratio >= RECORDS_ABOVE)) return [];
  const text = `The late attempts read ${ratio.toFixed(1)} times as many records per byte.`;
  return [{ kind: "records", text, attempts: late }];
}

/** A value of the late attempts, and of the others in the same phases. */
function beside(plan: Plan, late: readonly number[], measured: (i: number) => number) {
  const isLate = new Set(late);
  const phases = new Set(late.map((i) => plan.phase[i]));
  const own: number[] = [];
  const others: number[] = [];
  for (let i = 0; i < plan.count; i++) {
    const value = phases.has(plan.phase[i]) ? measured(i) : Number.NaN;
    if (Number.isFinite(value)) (isLate.has(i) ? own : others).push(value);
  }
  return { own, others };
}

const measureOf = (plan: Plan, i: number, measure: Measure): number =>
  cell(attemptsOf(plan, i)[measure][cell(plan.row[i])]);
