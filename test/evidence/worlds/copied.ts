import type { Dice } from "../../diagnose/support/dice.ts";
import { type Attempt, type End, SUCCESS } from "./attempt.ts";
import { type Run, zeros } from "./dispatch.ts";
import type { Beside } from "./event-log.ts";
import { endOf, type Made, staged, withLastOf } from "./growing.ts";
import type { Plan } from "./plan.ts";
import { trueShares } from "./shares.ts";

const RACE: End = { reason: "TaskKilled", says: "another attempt succeeded" };
/** A loser is killed so long after its winner's end. */
const LAG_MS = 3;

/** The last task gets a copy. It wins against bad luck, or loses against a usual attempt. */
export function copyMade(plan: Plan, beside: Beside, dice: Dice, isWon: boolean): Made {
  const luck = isWon ? dice.between(2, 4) : 0;
  const changed = withLastOf(plan, (work) => {
    const unexplained = work.extraMs.unexplained + luck * work.usualMs;
    return { ...work, extraMs: { ...work.extraMs, unexplained } };
  });
  const run = staged(changed, {});
  const original = run.attempts.at(-1);
  if (original === undefined) throw new Error("a run has attempts");
  const usualMs = Math.round(original.work.usualMs);
  const ranMs = Math.round((isWon ? dice.between(1.2, 1.7) : 0.6) * original.work.usualMs);
  const place = placeFor(run, original, changed, ranMs);
  const ends = place.launch + usualMs;
  const finish = isWon ? ends : original.finish + LAG_MS;
  const copy: Attempt = {
    ...{ ...original, ...place, number: 1, isCopy: true, finish, usualMs },
    ...{ parts: zeros(), after: -1, end: isWon ? SUCCESS : RACE },
  };
  const own: Attempt = isWon ? { ...original, finish: ends + LAG_MS, end: RACE } : original;
  const done = isWon ? ends : original.finish;
  const stages = run.stages.map((stage) =>
    stage.stage === original.stage ? { ...stage, completedAt: othersEnd(run, done) } : stage,
  );
  const raced = { attempts: [...run.attempts.slice(0, -1), own, copy], stages };
  const whole = staged(plan, {});
  const costMs = endOf(raced) - endOf(whole);
  return {
    run: raced,
    beside,
    // The other attempts differ by chance, too: they may give back what the bad luck cost.
    lostMs: isWon ? Math.max(0, costMs + trueShares(plan, whole.attempts).unexplained) : costMs,
    cause: isWon ? "unexplained" : "retries",
    says: isWon ? /1 copy was made, 1 won/ : /1 copy was made, 0 won/,
    copies: { made: 1, won: isWon ? 1 : 0 },
  };
}

/** The core of another executor that is free first, once the original has run for some time. */
function placeFor(run: Run, original: Attempt, plan: Plan, ranMs: number) {
  const freeAt = new Map(plan.executors.map(({ id }) => [id, 0]));
  for (const { executor, finish } of run.attempts) {
    freeAt.set(executor, Math.max(freeAt.get(executor) ?? 0, finish));
  }
  const others = plan.executors.filter(({ id }) => id !== original.executor);
  const first = others.reduce((a, b) =>
    (freeAt.get(b.id) ?? 0) < (freeAt.get(a.id) ?? 0) ? b : a,
  );
  const launch = Math.max(freeAt.get(first.id) ?? 0, original.launch + ranMs);
  return { executor: first.id, node: first.node, launch };
}

/** When the last stage is done: its last task may not be the one that ends last. */
const othersEnd = ({ attempts }: Run, doneAt: number): number =>
  attempts.slice(0, -1).reduce((latest, { finish }) => Math.max(latest, finish), doneAt);
