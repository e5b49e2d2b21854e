import { grouped } from "../../base/grouped.ts";
import { cell } from "../../base/rows.ts";
import { attemptsOf, type Plan } from "../schedule/planned.ts";

/**
 * Which attempts are the first of their phase on their executor: they began before any other had
 * ended there, as many as the executor has slots. Without this number the next ones would be first,
 * too: a busy driver of Spark records the end of an attempt after the start of the one that follows
 * in its slot, by up to a second.
 */
export function firstOnExecutor(plan: Plan): Uint8Array {
  const isFirst = new Uint8Array(plan.count);
  const { executors, slots } = plan.job;
  if (executors.length === 0) return isFirst;
  const ofExecutor = grouped(slots, ({ executor }) => executor);
  const key = (i: number): string => `${plan.phase[i]}/${executorOf(plan, i)}`;
  for (const own of grouped(Array.from(isFirst.keys()), key).values()) {
    const [any = 0] = own;
    const room = ofExecutor.get(executorOf(plan, any))?.length ?? own.length;
    const endedAt = own.reduce(
      (at, i) => Math.min(at, cell(plan.end[i])),
      Number.POSITIVE_INFINITY,
    );
    for (const i of own.slice(0, room)) if (cell(plan.start[i]) < endedAt) isFirst[i] = 1;
  }
  return isFirst;
}

const executorOf = (plan: Plan, i: number): number =>
  cell(attemptsOf(plan, i).executor[cell(plan.row[i])]);
