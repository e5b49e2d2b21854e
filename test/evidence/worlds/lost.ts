import { Dice } from "../../diagnose/support/dice.ts";
import { type Attempt, type End, SUCCESS } from "./attempt.ts";
import { type Core, coresOf, runStage, zeros } from "./dispatch.ts";
import type { Beside } from "./event-log.ts";
import { addStage, endOf, type Growing, type Made, staged } from "./growing.ts";
import type { Executor, Plan } from "./plan.ts";

/**
 * The second stage cannot read what an executor wrote: its attempts fail, the tasks of that
 * executor are made again, and the stage runs again. A new executor takes the place of a lost one,
 * so that the job has as many cores as before.
 */
export function stageRetried(plan: Plan, beside: Beside, dice: Dice, isLost: boolean): Made {
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

/**
 * An executor is lost while its stage runs: what it had finished runs again. `lateShare`: when the
 * new executor comes, as a share of the stage.
 */
export function outputLost(plan: Plan, beside: Beside, dice: Dice, lateShare = 0): Made {
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
  const lateMs = Math.round(lateShare * first);
  const replaced = replace(cores, victim, at + lateMs);
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
    // What comes in the place of something is not late.
    isSilentOf: /came .*late|slots? came|where .* would do/,
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
