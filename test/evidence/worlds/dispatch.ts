import type { Dice } from "../../diagnose/support/dice.ts";
import { type Attempt, type End, type Part, SUCCESS, type Work } from "./attempt.ts";
import type { Executor, Plan } from "./plan.ts";

/** A run of a plan: attempts in the order of their launches, and when each stage was submitted. */
export interface Run {
  readonly attempts: readonly Attempt[];
  readonly stages: readonly StageRun[];
}

export interface StageRun {
  readonly stage: number;
  readonly try: number;
  readonly tasks: number;
  readonly submittedAt: number;
  readonly completedAt: number;
  readonly failed?: string;
}

export interface Core {
  readonly executor: Executor;
  freeAt: number;
  isWarm: boolean;
}

/** The cores of the plan's executors, in any order: among equally free ones the first is taken. */
export function coresOf({ executors, coresEach }: Plan, dice: Dice): Core[] {
  return executors
    .flatMap((executor) =>
      Array.from({ length: coresEach }, () => ({ key: dice.next(), executor })),
    )
    .toSorted((a, b) => Math.sign(a.key - b.key))
    .map(({ executor }) => ({ executor, freeAt: executor.from, isWarm: false }));
}

/** The attempts of a stage, launched in the order of their tasks, each on the first free core. */
export interface StageOrder {
  readonly stage: number;
  readonly try: number;
  readonly tasks: readonly {
    readonly index: number;
    readonly number: number;
    readonly work: Work;
  }[];
  readonly from: number;
  /** The attempts of the stage have places from here on in the run's list. */
  readonly place: number;
}

export function runStage(order: StageOrder, cores: readonly Core[]): Attempt[] {
  const attempts: Attempt[] = [];
  const fresh = [...order.tasks];
  const again: { task: StageOrder["tasks"][number]; readyAt: number; after: number }[] = [];
  while (fresh.length > 0 || again.length > 0) {
    const core = cores.reduce((a, b) => (b.freeAt < a.freeAt ? b : a));
    const free = Math.max(core.freeAt, order.from);
    // A task that failed is launched before those that have not begun.
    const due = again.findIndex(({ readyAt }) => readyAt <= free || fresh.length === 0);
    const [retried] = due < 0 ? [] : again.splice(due, 1);
    const task = retried?.task ?? fresh.shift();
    if (task === undefined) break;
    const isCold = !core.isWarm;
    core.isWarm = true;
    const { index, number, work } = task;
    const fails = work.fails[number];
    const held = number === 0 ? work.heldMs : 0;
    const launch = Math.round(Math.max(free, retried?.readyAt ?? 0) + held);
    const attempt = attemptOf(
      { ...order, index, number, work, after: retried?.after ?? -1 },
      { core, launch, isCold },
      fails,
    );
    core.freeAt = attempt.finish;
    if (fails !== undefined) {
      const after = order.place + attempts.length;
      again.push({ task: { index, number: number + 1, work }, readyAt: attempt.finish, after });
    }
    attempts.push(attempt);
  }
  return attempts;
}

function attemptOf(
  {
    stage,
    try: nth,
    index,
    number,
    work,
    after,
  }: Pick<Attempt, "stage" | "try" | "index" | "number" | "work" | "after">,
  { core, launch, isCold }: { core: Core; launch: number; isCold: boolean },
  fails: number | undefined,
): Attempt {
  const { id, node, factor, gcShare = 0 } = core.executor;
  const moreGcMs = gcShare * work.usualMs;
  const cold = isCold ? work.coldMs : 0;
  const extras = Object.values(work.extraMs).reduce((sum, ms) => sum + ms, 0);
  const even = Math.max(50, work.usualMs + extras + cold + moreGcMs);
  const place = {
    stage,
    try: nth,
    index,
    number,
    executor: id,
    node,
    launch,
    work,
    after,
    moreGcMs,
  };
  const took = Math.round(even * factor * (fails ?? 1));
  const none = { ...work.extraMs, node: 0, "cold-start": 0, retries: 0 };
  if (fails !== undefined) {
    const end: End = { reason: "ExceptionFailure", says: "java.io.IOException: no such row 17" };
    const parts = { ...zeros(), retries: took };
    return { ...place, finish: launch + took, parts, usualMs: 0, end };
  }
  const gc = none.gc + moreGcMs;
  const parts = { ...none, gc, node: took - even, "cold-start": cold };
  const usualMs = took - Object.values(parts).reduce((sum, ms) => sum + ms, 0);
  return { ...place, finish: launch + took, parts, usualMs, end: SUCCESS };
}

export const zeros = (): Record<Part | "retries", number> => ({
  node: 0,
  gc: 0,
  "fetch-wait": 0,
  "cold-start": 0,
  bytes: 0,
  unexplained: 0,
  retries: 0,
});

/** One stage after the other, without faults other than those of its tasks. */
export function runPlan(plan: Plan, dice: Dice): Run {
  const cores = coresOf(plan, dice);
  const attempts: Attempt[] = [];
  const stages: StageRun[] = [];
  let from = 0;
  for (const [stage, works] of plan.stages.entries()) {
    const tasks = works.map((work, index) => ({ index, number: 0, work }));
    const own = runStage({ stage, try: 0, tasks, from, place: attempts.length }, cores);
    const completedAt = own.reduce((latest, { finish }) => Math.max(latest, finish), from);
    stages.push({ stage, try: 0, tasks: works.length, submittedAt: from, completedAt });
    attempts.push(...own);
    from = completedAt + plan.gapMs;
  }
  return { attempts, stages };
}
