import { cell } from "../../base/rows.ts";
import { aboveUsual } from "../expect/signals.ts";
import { savedAlone } from "../figures.ts";
import type { Evidence } from "../findings.ts";
import { attemptsOf, type Plan } from "../schedule/planned.ts";
import type { CauseDeclaration, CauseWords } from "./declaration.ts";

export const gcWords = {
  name: "gc",
  label: "garbage collection",
  help: "measured, above the phase's median",
} as const satisfies CauseWords<string>;

export const gc: CauseDeclaration<"gc"> = {
  name: "gc",
  part: {
    isExpected: false,
    of:
      ({ signals }) =>
      (i, fit, factor) =>
        aboveUsual(cell(signals.gcMs[i]), fit.gcMs, factor),
  },
  isOfStart: true,
  details: ({ plan, costOf }) => {
    const mostOn = placeOfMost(plan, costOf);
    return mostOn === undefined ? {} : { mostOn };
  },
  clause: () => "in garbage collection",
  advice: {
    rank: 4,
    of: (_, row) => {
      const { mostOn } = row;
      if (mostOn !== undefined) {
        const its = "its attempts collect garbage where their peers do not";
        return [`Look what else ${mostOn.what} keeps in memory: ${its}; ${savedAlone(row)}.`];
      }
      const some = "some collect garbage where their peers do not";
      return [`Give tasks more memory or less data: ${some}; ${savedAlone(row)}.`];
    },
  },
};

/** The share of a cause's seconds from which on its place is the one that has them. */
const MOST = 0.8;

/**
 * The one executor, or the one node where executors are not known, on whose attempts nearly all
 * seconds of a cause fall; undefined if there is none, or no other.
 */
function placeOfMost(plan: Plan, costOf: (i: number) => number): Evidence | undefined {
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
