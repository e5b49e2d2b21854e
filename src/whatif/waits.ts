import { cell } from "../base/rows.ts";
import { medianOf } from "../diagnose/expect/robust.ts";
import type { Plan } from "../diagnose/schedule/planned.ts";
import type { Timing } from "../diagnose/schedule/schedule.ts";
import type { RecordedAttempt } from "../hosts/sim/index.ts";
import type { Sample } from "./sample.ts";

/** How each attempt of a plan came to its start. */
export interface Waits {
  /** Held on its slot: what a launch takes. */
  readonly heldMs: Float64Array;
  /** The number of attempts that were launched late beside a free slot. */
  readonly late: number;
  /**
   * From when its phase was ready, or from the end of the attempt before, to its own launch if that
   * was late, or to the latest late launch before it; else 0.
   */
  readonly unlaunchedMs: Float64Array;
}

/** A wait above the phase's usual one that is longer than this part of the attempt has a reason. */
const LONG = 0.1;
/** A launch takes no longer than this part of the attempt. */
const USUAL_MAX = 0.5;

/**
 * A wait beside a free slot is not the attempt's: the task waits unlaunched for the cluster, for
 * its data or for another job, and no policy changes when that ends.
 */
export function waitsOf(plan: Plan, { wait }: Timing, expectedMs: Float64Array): Waits {
  const usual = usualWaits(plan, wait);
  const heldMs = new Float64Array(plan.count);
  const unlaunchedMs = new Float64Array(plan.count);
  let count = 0;
  // By phase: the latest launch so far that came late.
  const late = new Float64Array(plan.job.phases.length).fill(Number.NEGATIVE_INFINITY);
  for (let i = 0; i < plan.count; i++) {
    const phase = cell(plan.phase[i]);
    const waited = Math.max(0, cell(wait[i]));
    const takesMs = cell(expectedMs[i]);
    const isLate = waited > LONG * takesMs + Math.min(cell(usual[phase]), USUAL_MAX * takesMs);
    if (isLate) {
      late[phase] = cell(plan.start[i]);
      count += 1;
    } else heldMs[i] = waited;
    // A task that came after a late one in the record does not take its slot meanwhile.
    const isCopy = cell(plan.beside[i]) >= 0;
    unlaunchedMs[i] = isCopy ? 0 : Math.max(0, cell(late[phase]) - readyAt(plan, i));
  }
  return { heldMs, unlaunchedMs, late: count };
}

/** By phase: what a launch takes. A phase of few tasks may have waited as a whole. */
function usualWaits(plan: Plan, wait: Float64Array): readonly number[] {
  const byPhase = plan.job.phases.map((): number[] => []);
  for (let i = 0; i < plan.count; i++) byPhase[cell(plan.phase[i])]?.push(cell(wait[i]));
  const medianWait = (waits: ArrayLike<number>): number =>
    waits.length === 0 ? 0 : Math.max(0, medianOf(waits));
  const ofJob = medianWait(wait);
  return byPhase.map((waits) => Math.min(ofJob, medianWait(waits)));
}

/** When the task's phase was ready, or its attempt before had ended. */
function readyAt(plan: Plan, i: number): number {
  const before = cell(plan.after[i]);
  if (before >= 0) return cell(plan.end[before]);
  return cell(plan.gates[cell(plan.readyGate[cell(plan.phase[i])])]).at;
}

/** That such waits stay, if there are any. */
export function waitsText({ late }: Waits): readonly string[] {
  if (late === 0) return [];
  const [who, they] =
    late === 1 ? ["1 attempt was", "it waits"] : [`${late} attempts were`, "they wait"];
  return [
    `${who} launched late beside a free slot: a task that has not been launched cannot be ` +
      `copied, so ${they} as long under every policy.`,
  ];
}

/** `sample`: a task waits as long as it does before the sample's tasks of its time. */
export function waitOf(
  {
    plan,
    waits: { heldMs, unlaunchedMs },
    sample,
  }: { readonly plan: Plan; readonly waits: Waits; readonly sample?: Sample },
  i: number,
): Pick<RecordedAttempt, "waitMs" | "unlaunchedMs"> {
  const waitMs = cell(heldMs[i]);
  const wholeMs = cell(unlaunchedMs[i]);
  if (sample === undefined || wholeMs === 0) return { waitMs, unlaunchedMs: wholeMs };
  const from = readyAt(plan, i) - plan.job.submittedAt;
  return { waitMs, unlaunchedMs: sample.scaled(from + wholeMs) - sample.scaled(from) };
}
