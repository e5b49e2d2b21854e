import { cell } from "../../base/rows.ts";
import type { Evidence } from "../document.ts";
import { attemptsOf, type Plan } from "../schedule/planned.ts";

/** The share of a cause's seconds from which on its place is the one that has them. */
const MOST = 0.8;

/**
 * The one executor, or the one node where executors are not known, on whose attempts nearly all
 * seconds of a cause fall; undefined if there is none, or no other.
 */
export function placeOfMost(plan: Plan, costOf: (i: number) => number): Evidence | undefined {
  const { executors, nodes } = plan.job;
  const byExecutor = executors.length > 0;
  const found = new Map<number, number>();
  const nodeOf = new Map<number, number>();
  let total = 0;
  for (let i = 0; i < plan.count; i++) {
    const { executor, node } = attemptsOf(plan, i);
    const row = cell(plan.row[i]);
    const place = cell((byExecutor ? executor : node)[row]);
    const ms = Math.max(0, costOf(i));
    found.set(place, (found.get(place) ?? 0) + ms);
    nodeOf.set(place, cell(node[row]));
    total += ms;
  }
  const [most] = [...found].sort(([, a], [, b]) => Math.sign(b - a));
  if (most === undefined || found.size < 2 || total === 0) return undefined;
  const [place, ms] = most;
  const node = nodes[nodeOf.get(place) ?? -1];
  if (place < 0 || node === undefined || ms < MOST * total) return undefined;
  return { what: byExecutor ? `executor ${executors[place]} on ${node}` : node, ms };
}
