import { recordOf } from "../../base/record-of.ts";
import { cell } from "../../base/rows.ts";
import { declarationOf, MOVES_WORK, OWN_CAUSES, type OwnCause } from "../cause.ts";
import type { Expectation } from "../expect/expect.ts";
import { usualMs } from "../expect/phase-fit.ts";
import { medianOf } from "../expect/robust.ts";
import type { Signals } from "../expect/signals.ts";
import { medianOfKilled, tailExponent } from "../expect/tail.ts";
import { lengthOf, outside } from "../response/spans.ts";
import { attemptsOf, endOf, type Plan, phaseOf, ROLE } from "../schedule/planned.ts";
import { isRecompute } from "../schedule/relate.ts";
import type { Timing } from "../schedule/schedule.ts";

/** Each attempt's duration taken apart; all values in ms, one per attempt of the plan. */
export interface AttemptCauses {
  /** The duration that is taken apart; for a losing attempt, the least that it would have taken. */
  readonly own: Float64Array;
  /** Sums with `expected` to `own`, exactly. Of both signs for bytes and the unexplained. */
  readonly ms: Readonly<Record<OwnCause, Float64Array>>;
  /** The time that the attempt takes without any cause. */
  readonly expected: Float64Array;
  /** The wait to start above the usual wait of the phase. */
  readonly waitMs: Float64Array;
  /** 1 if the wait is a part of retries: until it was noticed that a result was lost. */
  readonly isRetryWait: Uint8Array;
}

/** The causes that are parts of an attempt's own time. */
const PARTS = OWN_CAUSES.flatMap((cause) => {
  const { part } = declarationOf(cause);
  return part === undefined ? [] : [{ cause, ...part }];
});

/** What an executor's first attempts have more of than the later ones. */
const STARTING = OWN_CAUSES.filter((cause) => declarationOf(cause).isOfStart === true);

/** How much of its wait is usual for an attempt. */
export interface UsualWait {
  readonly waits: PhaseWaits;
  /** So much of a phase's median wait is usual. */
  readonly part: number;
}

/** From the outside in, duration = node x (base + parts). */
export function attemptCauses(
  plan: Plan,
  timing: Timing,
  signals: Signals,
  expectation: Expectation,
  usualWait: UsualWait = { waits: phaseWaits(plan, timing.wait), part: 1 },
): AttemptCauses {
  const column = (): Float64Array => new Float64Array(plan.count);
  const ms = recordOf(OWN_CAUSES, column);
  const all = OWN_CAUSES.map((cause) => ms[cause]);
  const own = timing.own.slice();
  const expected = column();
  const alpha = tailExponent(plan, signals, expectation);
  const partsOf = PARTS.map(({ of }) => of({ plan, signals, expectation }));
  const parts = new Float64Array(PARTS.length);
  for (let i = 0; i < plan.count; i++) {
    const fit = expectation.fits[cell(plan.phase[i])];
    const isLost = plan.role[i] === ROLE.fails && endOf(plan, i) === "succeeded";
    if ((plan.role[i] === ROLE.fails && !isLost) || isRecompute(plan, i)) {
      // The attempt gave nothing, or nothing new: without the cause it would not have run.
      ms.retries[i] = cell(own[i]);
      continue;
    }
    if (fit === undefined) {
      expected[i] = cell(own[i]);
      continue;
    }
    const factor = cell(expectation.slowed[i]);
    for (let n = 0; n < PARTS.length; n++) parts[n] = cell(partsOf[n])(i, fit, factor);
    const usual = usualMs(fit, cell(signals.bytes[i]));
    const whole = factor * withExpected(parts, usual);
    if (isShort(plan, i) && cell(own[i]) <= whole) {
      expected[i] = cell(own[i]);
      continue;
    }
    if (signals.isCut[i] === 1) {
      own[i] = Math.max(cell(own[i]), medianOfKilled(cell(signals.ownMs[i]), whole, alpha));
    }
    // The driver fetches a result, whatever the attempt was like.
    const ownMs = cell(own[i]) - cell(plan.resultMs[i]);
    takeApart(ownMs, { factor, usual, parts }, ms, i);
    if (startsReplacement(plan, signals, i)) moveToRetries(ms, i);
    let sum = 0;
    for (const column of all) sum += cell(column[i]);
    expected[i] = cell(own[i]) - sum;
  }
  const { isRetryWait } = usualWait.waits;
  return { own, ms, expected, waitMs: excessWaits(plan, usualWait), isRetryWait };
}

function moveToRetries(ms: AttemptCauses["ms"], i: number): void {
  for (const cause of STARTING) {
    const value = cell(ms[cause][i]);
    if (!(value > 0)) continue;
    ms.retries[i] = cell(ms.retries[i]) + value;
    ms[cause][i] = 0;
  }
}

/** Whether the attempt waits for the start of an executor that would not start without a loss. */
function startsReplacement(plan: Plan, { isFirst }: Signals, i: number): boolean {
  if (isFirst[i] !== 1 || plan.replacing.size === 0) return false;
  return plan.replacing.has(cell(attemptsOf(plan, i).executor[cell(plan.row[i])]));
}

/** Whether the attempt ended before its work did: with its job, or with the log. */
function isShort(plan: Plan, i: number): boolean {
  return plan.lostRace[i] === 0 && endOf(plan, i) !== "succeeded";
}

/** The time of a typical attempt in that place: with the parts that the fit expects there. */
function withExpected(parts: Float64Array, usual: number): number {
  let sum = usual;
  for (let n = 0; n < PARTS.length; n++) if (cell(PARTS[n]).isExpected) sum += cell(parts[n]);
  return sum;
}

/**
 * Measured and fitted time never exceeds the duration: any excess is cut in proportion. `usual`:
 * what a typical attempt takes, on a node of usual speed as the parts.
 */
function takeApart(
  own: number,
  of: { readonly factor: number; readonly usual: number; readonly parts: Float64Array },
  ms: AttemptCauses["ms"],
  i: number,
): void {
  const { factor, usual, parts } = of;
  const even = own / factor;
  let [claimed, added, moved] = [0, 0, 0];
  for (let n = 0; n < PARTS.length; n++) {
    const part = cell(parts[n]);
    claimed += Math.max(part, 0);
    if (cell(PARTS[n]).cause === MOVES_WORK) moved = part;
    else added += part;
  }
  const cut = claimed > even ? even / claimed : 1;
  const shortened = (part: number): number => (part > 0 ? part * cut : part);
  ms.node[i] = own - even;
  for (let n = 0; n < PARTS.length; n++) ms[cell(PARTS[n]).cause][i] = shortened(cell(parts[n]));
  ms.unexplained[i] = even - usual - added * cut - shortened(moved);
}

/**
 * Until it was noticed that an attempt or its output was lost, and what it reads was made again. An
 * attempt that then had to wait for its turn waits as any other does.
 */
function retryWaits(plan: Plan, waits: Float64Array): Uint8Array {
  return Uint8Array.from({ length: plan.count }, (_, i) => {
    const after = cell(plan.after[i]);
    if (after < 0 || plan.role[after] !== ROLE.fails) return 0;
    const start = cell(plan.start[i]);
    const { laterTries = [] } = phaseOf(plan, i);
    const own = laterTries.findLast(({ submittedAt }) => submittedAt <= start);
    const readyAt = Math.max(cell(plan.end[after]), own?.submittedAt ?? Number.NEGATIVE_INFINITY);
    return start - cell(waits[i]) <= readyAt + ROUNDING_MS ? 1 : 0;
  });
}

const ROUNDING_MS = 1;

/** The waits of a job, whatever its attempts are expected to take. */
export interface PhaseWaits {
  /** As in the causes. */
  readonly isRetryWait: Uint8Array;
  /** No attempt waited while no slot existed. */
  readonly waits: Float64Array;
  /** By phase: the median where nothing had been lost, at least 0. */
  readonly medians: Float64Array;
}

export function phaseWaits(plan: Plan, recorded: Float64Array): PhaseWaits {
  const isRetryWait = retryWaits(plan, recorded);
  const waits =
    plan.noSlot.length === 0
      ? recorded
      : recorded.map((wait, i) => (isRetryWait[i] === 1 ? wait : turn(plan, wait, i)));
  const byPhase = plan.job.phases.map((): number[] => []);
  for (let i = 0; i < plan.count; i++) {
    if (isRetryWait[i] === 0) byPhase[cell(plan.phase[i])]?.push(cell(waits[i]));
  }
  const medians = Float64Array.from(byPhase, (own) =>
    own.length === 0 ? 0 : Math.max(0, medianOf(own)),
  );
  return { isRetryWait, waits, medians };
}

/** The waits above what is usual in the phase. */
const excessWaits = (plan: Plan, { waits: { waits, medians }, part }: UsualWait): Float64Array =>
  waits.map((wait, i) => Math.max(0, wait - part * cell(medians[cell(plan.phase[i])])));

/** A wait as far as there were slots: what is left of one without any is the way in and out. */
function turn({ noSlot, start }: Plan, wait: number, i: number): number {
  const at = cell(start[i]);
  const turnMs = wait > 0 ? lengthOf(outside(noSlot, at - wait, at)) : wait;
  return turnMs > wait / 2 ? turnMs : 0;
}
