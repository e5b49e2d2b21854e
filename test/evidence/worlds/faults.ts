import { Dice } from "../../diagnose/support/dice.ts";
import { type Attempt, type End, SUCCESS } from "./attempt.ts";
import { type Core, coresOf, type Run, runStage, type StageRun, zeros } from "./dispatch.ts";
import type { Beside } from "./event-log.ts";
import { drawPlan, type Executor, type Plan } from "./plan.ts";

/** A job that one thing happened to, and what that cost: without it, the same job is quicker. */
export interface FaultyWorld {
  readonly fault: Fault;
  readonly plan: Plan;
  readonly run: Run;
  readonly beside: Beside;
  readonly lostMs: number;
  /** The cause whose interval must hold the seconds; undefined: the first lines name them. */
  readonly cause: "retries" | "waited-to-start" | undefined;
  /** What the first lines must name besides. */
  readonly says: RegExp;
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

type Made = Pick<FaultyWorld, "run" | "beside" | "lostMs" | "cause" | "says">;
type Make = (plan: Plan, beside: Beside, dice: Dice) => Made;

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
    return { run, beside: { ...beside, jobs }, lostMs: idleMs, cause: undefined, says };
  },
  "late-executors": (plan, beside, dice) => {
    const lateMs = Math.round(dice.between(0.2, 0.6) * endOf(staged(plan, {})));
    const executors = plan.executors.map((each, n) => (n === 0 ? each : { ...each, from: lateMs }));
    const made = difference({ ...plan, executors }, plan, { ...beside, executors });
    return { ...made, cause: undefined, says: /executors?|slots/i };
  },
};

/** The run of the changed plan, and how much longer it takes than that of the plan. */
function difference(changed: Plan, plan: Plan, beside: Beside): Omit<Made, "cause" | "says"> {
  const run = staged(changed, {});
  return { run, beside, lostMs: endOf(run) - endOf(staged(plan, {})) };
}

const endOf = ({ stages }: Run): number =>
  stages.reduce((latest, { completedAt }) => Math.max(latest, completedAt), 0);

/** The stages one after the other; the driver may sleep after the first. */
function staged(plan: Plan, { afterFirst = 0 }: { readonly afterFirst?: number }): Run {
  const cores = coresOf(plan, new Dice(1));
  const attempts: Attempt[] = [];
  const stages: StageRun[] = [];
  let from = 0;
  for (const [stage] of plan.stages.entries()) {
    const own = addStage({ plan, cores, attempts, stages }, { stage, from });
    from = own + plan.gapMs + (stage === 0 ? afterFirst : 0);
  }
  return { attempts, stages };
}

interface Growing {
  readonly plan: Plan;
  readonly cores: readonly Core[];
  readonly attempts: Attempt[];
  readonly stages: StageRun[];
}

/** Runs a whole stage, or these tasks of it; returns when it is done. */
function addStage(
  { plan, cores, attempts, stages }: Growing,
  {
    stage,
    from,
    nth = 0,
    only,
    number = 0,
  }: {
    readonly stage: number;
    readonly from: number;
    readonly nth?: number;
    readonly only?: readonly number[];
    readonly number?: number;
  },
): number {
  const works = plan.stages[stage] ?? [];
  const tasks = works
    .map((work, index) => ({ index, number, work }))
    .filter(({ index }) => only === undefined || only.includes(index));
  const own = runStage({ stage, try: nth, tasks, from, place: attempts.length }, cores);
  const completedAt = own.reduce((latest, { finish }) => Math.max(latest, finish), from);
  attempts.push(...own);
  stages.push({ stage, try: nth, tasks: tasks.length, submittedAt: from, completedAt });
  return completedAt;
}

/** The last task of the last stage is changed, so that the job waits for it. */
function withLastOf(
  plan: Plan,
  change: (work: Plan["stages"][0][0]) => Plan["stages"][0][0],
): Plan {
  const stages = plan.stages.map((works, stage) =>
    works.map((work, index) =>
      stage === plan.stages.length - 1 && index === works.length - 1 ? change(work) : work,
    ),
  );
  return { ...plan, stages };
}

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

/**
 * The second stage cannot read what an executor wrote: its attempts fail, the tasks of that
 * executor are made again, and the stage runs again. A new executor takes the place of a lost one,
 * so that the job has as many cores as before.
 */
function stageRetried(plan: Plan, beside: Beside, dice: Dice, isLost: boolean): Made {
  const cores = coresOf(plan, new Dice(1));
  const growing: Growing = { plan, cores, attempts: [], stages: [] };
  const victim = dice.pick(plan.executors);
  const from = addStage(growing, { stage: 0, from: 0 }) + plan.gapMs;
  const shortest = Math.min(...(plan.stages[1] ?? []).map(({ usualMs }) => usualMs));
  const failsAt = Math.round(from + dice.between(0.2, 0.7) * shortest);
  const works = plan.stages[1] ?? [];
  for (const [index, core] of cores.entries()) {
    const work = works[index];
    if (work === undefined) continue;
    const { id, node } = core.executor;
    const gone: End = { reason: "ExecutorLostFailure", says: "Command exited with code 137" };
    const unread: End = { reason: "FetchFailed", node: victim.node, executor: victim.id };
    const finish = isLost && id === victim.id ? failsAt : failsAt + 200;
    growing.attempts.push({
      ...{ stage: 1, try: 0, index, number: 0, executor: id, node, launch: from, finish, work },
      ...{ parts: { ...zeros(), retries: finish - from }, usualMs: 0, after: -1 },
      end: isLost && id === victim.id ? gone : unread,
    });
    core.freeAt = failsAt + 200;
  }
  growing.stages.push({
    ...{ stage: 1, try: 0, tasks: works.length, submittedAt: from },
    completedAt: failsAt + 210,
    failed: "org.apache.spark.shuffle.FetchFailedException: connection closed",
  });
  const replaced = isLost ? replace(cores, victim, failsAt) : [];
  const only = growing.attempts
    .filter(({ stage, executor }) => stage === 0 && executor === victim.id)
    .map(({ index }) => index);
  const madeAt = addStage(growing, { stage: 0, from: failsAt + 400, nth: 1, only });
  const rest = madeAt + plan.gapMs;
  let next = addStage(growing, { stage: 1, from: rest, nth: 1 }) + plan.gapMs;
  for (let stage = 2; stage < plan.stages.length; stage++) {
    next = addStage(growing, { stage, from: next }) + plan.gapMs;
  }
  const removed = isLost
    ? [{ id: victim.id, at: failsAt, why: "Command exited with code 137" }]
    : [];
  return {
    run: growing,
    beside: { ...beside, executors: [...plan.executors, ...replaced], removed },
    lostMs: rest - from,
    cause: "retries",
    says: isLost ? /137/ : /fetch|connection closed/i,
  };
}

/** An executor is lost while its stage runs: what it had finished runs again. */
function outputLost(plan: Plan, beside: Beside, dice: Dice): Made {
  const cores = coresOf(plan, new Dice(1));
  const whole = staged(plan, {});
  const victim = dice.pick(plan.executors);
  const first = whole.stages[0]?.completedAt ?? 0;
  const at = Math.round(dice.between(0.4, 0.7) * first);
  const before = runStage(
    { stage: 0, try: 0, tasks: tasksOf(plan), from: 0, place: 0 },
    cores,
  ).filter(({ launch }) => launch < at);
  const gone: End = { reason: "ExecutorLostFailure", says: "Command exited with code 137" };
  const attempts = before.map((attempt): Attempt => {
    if (attempt.executor !== victim.id) return attempt;
    const parts = { ...zeros(), retries: Math.min(attempt.finish, at) - attempt.launch };
    if (attempt.finish <= at) return { ...attempt, parts, usualMs: 0 };
    return { ...attempt, parts, usualMs: 0, finish: at, end: gone };
  });
  const mine = attempts.filter(({ executor }) => executor === victim.id);
  const resubmitted = mine
    .filter(({ end }) => end === SUCCESS)
    .map((attempt) => ({ attempt, at: at + 1 }));
  // Each core is free when its last attempt ends; cores of one executor are alike.
  const ends = new Map<string, number[]>();
  for (const { executor, finish } of attempts) {
    if (finish > at) ends.set(executor, [...(ends.get(executor) ?? []), finish]);
  }
  for (const core of cores) core.freeAt = ends.get(core.executor.id)?.pop() ?? at;
  const replaced = replace(cores, victim, at);
  const begun = new Set(before.map(({ index }) => index));
  const tasks = [
    ...mine.map(({ index, work }) => ({ index, number: 1, work })),
    ...tasksOf(plan).filter(({ index }) => !begun.has(index)),
  ];
  const later = runStage({ stage: 0, try: 0, tasks, from: at + 2, place: before.length }, cores);
  const growing: Growing = { plan, cores, attempts: [...attempts, ...later], stages: [] };
  const completedAt = growing.attempts.reduce((latest, { finish }) => Math.max(latest, finish), 0);
  const stage = { stage: 0, try: 0, tasks: tasksOf(plan).length, submittedAt: 0, completedAt };
  growing.stages.push(stage);
  let next = completedAt + plan.gapMs;
  for (let n = 1; n < plan.stages.length; n++) {
    next = addStage(growing, { stage: n, from: next }) + plan.gapMs;
  }
  const removed = [{ id: victim.id, at, why: "Command exited with code 137" }];
  return {
    run: growing,
    beside: { ...beside, executors: [...plan.executors, ...replaced], removed, resubmitted },
    lostMs: endOf(growing) - endOf(whole),
    cause: "retries",
    says: /137/,
  };
}

const tasksOf = (plan: Plan) =>
  (plan.stages[0] ?? []).map((work, index) => ({ index, number: 0, work }));

/** The executor's cores belong to a new one from then on. */
function replace(cores: readonly Core[], lost: Executor, at: number): readonly Executor[] {
  const replacement = { ...lost, id: "new", node: `${lost.node}-new`, from: at };
  for (const [n, core] of cores.entries()) {
    if (core.executor !== lost) continue;
    Object.assign(core, { executor: replacement, freeAt: Math.max(core.freeAt, at + n) });
  }
  return [replacement];
}
