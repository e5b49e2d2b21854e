import { Dice } from "../../diagnose/support/dice.ts";
import type { Attempt } from "./attempt.ts";
import { type Core, coresOf, type Run, runStage, type StageRun } from "./dispatch.ts";
import type { Beside } from "./event-log.ts";
import type { Plan } from "./plan.ts";

/** What happened to a job, and what must be said of it. */
export interface Made {
  readonly run: Run;
  readonly beside: Beside;
  /** What it cost: without it, the same job is quicker. */
  readonly lostMs: number;
  /**
   * The cause whose interval must hold the seconds. told: the first lines name them; none: they
   * need not be told.
   */
  readonly cause: "retries" | "waited-to-start" | "gc" | "unexplained" | "told" | "none";
  /** What the first lines must name besides. */
  readonly says: RegExp;
  /** What they must not say. */
  readonly isSilentOf?: RegExp;
  readonly copies?: { readonly made: number; readonly won: number };
  /** What happens to the lines of the log. */
  readonly change?: (lines: readonly string[]) => readonly string[];
}

export type Make = (plan: Plan, beside: Beside, dice: Dice) => Made;

/** The run of the changed plan, and how much longer it takes than that of the plan. */
export function difference(
  changed: Plan,
  plan: Plan,
  beside: Beside,
): Pick<Made, "run" | "beside" | "lostMs"> {
  const run = staged(changed, {});
  return { run, beside, lostMs: endOf(run) - endOf(staged(plan, {})) };
}

export const endOf = ({ stages }: Run): number =>
  stages.reduce((latest, { completedAt }) => Math.max(latest, completedAt), 0);

/** The stages one after the other; the driver may sleep after the first. */
export function staged(plan: Plan, { afterFirst = 0 }: { readonly afterFirst?: number }): Run {
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

export interface Growing {
  readonly plan: Plan;
  readonly cores: readonly Core[];
  readonly attempts: Attempt[];
  readonly stages: StageRun[];
}

/** Runs a whole stage, or these tasks of it; returns when it is done. */
export function addStage(
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
export function withLastOf(
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
