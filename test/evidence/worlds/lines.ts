import type { Dice } from "../../diagnose/support/dice.ts";
import { type Beside, eventLog } from "./event-log.ts";
import { type Made, staged } from "./growing.ts";
import { drawPlan, type Plan } from "./plan.ts";

/** What is only in the log costs nothing. */
const free = (plan: Plan, beside: Beside): Pick<Made, "run" | "beside" | "lostMs" | "cause"> => ({
  ...{ run: staged(plan, {}), beside, lostMs: 0, cause: "retries" },
});

/** A year; more than any clock is wrong by. */
const YEAR_MS = 31_536_000_000;

/** Some ends have times of another year. */
export function strayed(plan: Plan, beside: Beside, dice: Dice): Made {
  const count = dice.whole(1, 3);
  const moveMs = dice.pick([-YEAR_MS, YEAR_MS]);
  const change = (lines: readonly string[]): readonly string[] => {
    const ends = [...lines.keys()].filter((n) => /TaskEnd"/.test(lines[n] ?? ""));
    const chosen = new Set(Array.from({ length: count }, () => dice.pick(ends)));
    return lines.map((line, n) => (chosen.has(n) ? moved(line, moveMs) : line));
  };
  return { ...free(plan, beside), says: /left out|missing|lacks/, change };
}

const moved = (line: string, ms: number): string =>
  line.replaceAll(
    /"(Launch|Finish) Time":(\d+)/g,
    (_, which, at) => `"${which} Time":${Number(at) + ms}`,
  );

/** Somebody joined the logs of two applications line by line. */
export function withAnother(plan: Plan, beside: Beside, dice: Dice): Made {
  const other = { ...drawPlan(dice.whole(1, 1_000_000), 0), injected: new Set<never>() };
  const [run, jobs] = [staged(other, {}), [other.stages.map((_, stage) => stage)]];
  const { executors } = other;
  const others = eventLog(other, run, { executors, removed: [], resubmitted: [], jobs }).map(
    (line) => line.replace('"app-1"', '"app-2"'),
  );
  const change = (lines: readonly string[]): readonly string[] => mixed(lines, others, dice);
  const says = /are mixed|left out|lacks/;
  return { ...free(plan, beside), cause: "none", says, change };
}

/** Each list keeps its order. */
function mixed(own: readonly string[], others: readonly string[], dice: Dice): readonly string[] {
  const [a, b] = [[...own], [...others]];
  const made: string[] = [];
  while (a.length + b.length > 0) {
    const from = dice.chance(a.length / (a.length + b.length)) ? a : b;
    made.push(...from.splice(0, 1));
  }
  return made;
}

/** The lines in any order, but those of the start, by which a log is known. */
export function shuffled(lines: readonly string[], dice: Dice): readonly string[] {
  const [start = "", ...others] = lines;
  const keyed = others.map((line) => ({ line, key: dice.next() }));
  return [start, ...keyed.toSorted((a, b) => Math.sign(a.key - b.key)).map(({ line }) => line)];
}

/** The first part of the log is gone, as after a rotation. */
export function beginningMissing(plan: Plan, beside: Beside, dice: Dice): Made {
  const share = dice.between(0.1, 0.6);
  const change = (lines: readonly string[]): readonly string[] =>
    lines.slice(Math.round(share * lines.length));
  return { ...free(plan, beside), cause: "none", says: /lacks its beginning/, change };
}
