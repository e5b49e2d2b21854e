import { Dice } from "../../diagnose/support/dice.ts";
import type { End } from "./attempt.ts";
import { copyMade } from "./copied.ts";
import type { Beside } from "./event-log.ts";
import { difference, endOf, type Made, type Make, staged, withLastOf } from "./growing.ts";
import { beginningMissing, shuffled, strayed, withAnother } from "./lines.ts";
import { outputLost, stageRetried } from "./lost.ts";
import { drawPlan, type Plan } from "./plan.ts";
import { trueShares } from "./shares.ts";

/** A job that one thing happened to. */
export interface FaultyWorld extends Made {
  readonly fault: Fault;
  readonly plan: Plan;
}

export const FAULTS = [
  "stage-retried",
  "executor-lost",
  "output-lost",
  "preempted",
  "exceptions",
  "held",
  "idle-driver",
  "late-executors",
  "loss-unseen",
  "replaced-late",
  "copy-wins",
  "copy-loses",
  "gc-on-one",
  "stray-attempts",
  "two-applications",
  "lines-shuffled",
  "beginning-missing",
] as const;
export type Fault = (typeof FAULTS)[number];

/** No cause of `plan.ts` is in these worlds; attempts vary by a few hundredths. */
export function drawFaulty(seed: number, fault: Fault): FaultyWorld {
  const dice = new Dice(seed);
  const plan = { ...drawPlan(seed, 0), injected: new Set<never>() };
  const beside = {
    executors: plan.executors,
    removed: [],
    resubmitted: [],
    jobs: [plan.stages.map((_, stage) => stage)],
  };
  return { fault, plan, ...FAULTY[fault](plan, beside, dice) };
}

const FAULTY: Readonly<Record<Fault, Make>> = {
  "stage-retried": (plan, beside, dice) => stageRetried(plan, beside, dice, false),
  "executor-lost": (plan, beside, dice) => stageRetried(plan, beside, dice, true),
  "output-lost": outputLost,
  preempted: (plan, beside, dice) => {
    const killed: End = { reason: "TaskKilled", says: "Container preempted by scheduler" };
    return { ...again(plan, beside, dice, killed), says: /preempted|killed/i };
  },
  exceptions: (plan, beside, dice) => {
    const thrown: End = { reason: "ExceptionFailure", says: "java.io.IOException: no row 17" };
    return { ...again(plan, beside, dice, thrown), says: /no row/ };
  },
  held: (plan, beside, dice) => {
    const heldMs = Math.round(dice.between(10_000, 40_000));
    const changed = withLastOf(plan, (work) => ({ ...work, heldMs }));
    const made = difference(changed, plan, beside);
    return { ...made, cause: "waited-to-start", says: /waiting to start/ };
  },
  "idle-driver": (plan, beside, dice) => {
    const idleMs = Math.round(dice.between(0.2, 1) * endOf(staged(plan, {})));
    const run = staged(plan, { afterFirst: idleMs });
    const [first = 0, ...others] = plan.stages.keys();
    const jobs = [[first], others];
    const says = /driver|no (task|attempt) ran/i;
    return { run, beside: { ...beside, jobs }, lostMs: idleMs, cause: "told", says };
  },
  "late-executors": (plan, beside, dice) => {
    const lateMs = Math.round(dice.between(0.2, 0.6) * endOf(staged(plan, {})));
    const executors = plan.executors.map((each, n) => (n === 0 ? each : { ...each, from: lateMs }));
    const made = difference({ ...plan, executors }, plan, { ...beside, executors });
    return { ...made, cause: "told", says: /executors?|slots/i };
  },
  // The log has no event of the executor's removal.
  "loss-unseen": (plan, beside, dice) => {
    const made = stageRetried(plan, beside, dice, true);
    return { ...made, beside: { ...made.beside, removed: [] } };
  },
  "replaced-late": (plan, beside, dice) => outputLost(plan, beside, dice, dice.between(0.1, 0.4)),
  "copy-wins": (plan, beside, dice) => copyMade(plan, beside, dice, true),
  "copy-loses": (plan, beside, dice) => copyMade(plan, beside, dice, false),
  "gc-on-one": (plan, beside, dice) => {
    const [first, ...others] = plan.executors;
    if (first === undefined) throw new Error("a plan has executors");
    const executors = [{ ...first, gcShare: dice.between(0.4, 1) }, ...others];
    const changed = { ...plan, executors };
    const run = staged(changed, {});
    // A part of the others' collections is above the usual, too.
    const lostMs = trueShares(changed, run.attempts).gc;
    const says = /garbage collection/;
    return { run, beside: { ...beside, executors }, lostMs, cause: "gc", says };
  },
  "stray-attempts": (plan, beside, dice) => strayed(plan, beside, dice),
  "two-applications": (plan, beside, dice) => withAnother(plan, beside, dice),
  "lines-shuffled": (plan, beside, dice) => {
    const thrown: End = { reason: "ExceptionFailure", says: "java.io.IOException: no row 17" };
    const made = { ...again(plan, beside, dice, thrown), says: /no row/ };
    return { ...made, change: (lines) => shuffled(lines, dice) };
  },
  "beginning-missing": (plan, beside, dice) => beginningMissing(plan, beside, dice),
};

/** The last task ends without a result one to three times, and runs again. */
function again(plan: Plan, beside: Beside, dice: Dice, end: End): Omit<Made, "says"> {
  const fails = Array.from({ length: dice.whole(1, 3) }, () => dice.between(0.5, 1));
  const changed = withLastOf(plan, (work) => ({ ...work, fails }));
  const made = difference(changed, plan, beside);
  const attempts = made.run.attempts.map((attempt) =>
    attempt.end.reason === "Success" ? attempt : { ...attempt, end },
  );
  return { ...made, run: { ...made.run, attempts }, cause: "retries" };
}
