import { grouped } from "../../base/grouped.ts";
import { log, pow } from "../../base/math.ts";
import { cell } from "../../base/rows.ts";
import { medianOf } from "../expect/robust.ts";
import type { Signals } from "../expect/signals.ts";
import { firstAbove } from "../first-above.ts";
import { type Plan, ROLE } from "../schedule/planned.ts";
import type { Hint } from "./hint.ts";
import type { Seen } from "./seen.ts";

/** The least number of attempts whose company differs from the median. */
const OTHERWISE_MIN = 20;
const T_MIN = 4;
/** The effect is worth a sentence if crowded attempts take this much longer. */
const LONGER_MIN = 1.1;
/** A straggler counts as late by at most this factor: it has other reasons. */
const RATIO_MAX = 2;

/**
 * Attempts took longer the more others of this log ran on their node: log(unexplained ratio) =
 * theta x log(company / its median), by least squares over all phases.
 */
export function crowded({ plan, signals, causes }: Seen): readonly Hint[] {
  const { own, expected, ms } = causes;
  const rows: number[] = [];
  for (let i = 0; i < plan.count; i++) {
    const isWhole = plan.role[i] === ROLE.finishes && signals.isWhole[i] === 1;
    if (isWhole && own[i]! > ms.unexplained[i]! && signals.node[i]! >= 0) rows.push(i);
  }
  if (rows.length < OTHERWISE_MIN) return [];
  const company = companyOf(plan, signals, expected, rows);
  const usual = medianOf(company);
  const x = company.map((count) => log(count / usual));
  if (x.filter((value) => Math.abs(value) > 0.1).length < OTHERWISE_MIN) return [];
  const y = withoutPhases(
    plan,
    rows,
    rows.map((i) => {
      const ratio = log(own[i]! / (own[i]! - ms.unexplained[i]!));
      return Math.min(Math.max(ratio, -log(RATIO_MAX)), log(RATIO_MAX));
    }),
  );
  const { theta, t } = slopeOf(withoutPhases(plan, rows, x), y);
  const most = company.toSorted((a, b) => Math.sign(b - a))[Math.floor(rows.length / 10)] ?? usual;
  const longer = pow(most / usual, theta);
  if (!(t > T_MIN) || longer < LONGER_MIN) return [];
  const text =
    `Attempts took longer the more others ran on their node: about ${longer.toFixed(1)} times as ` +
    `long with ${counted(most)} at once as with ${counted(usual)}.`;
  const attempts = rows.filter((_, n) => cell(company[n]) > usual);
  return [{ text, attempts }];
}

const counted = (company: number): string => company.toFixed(1).replace(/\.0$/, "");

/**
 * How many attempts ran on the node on average, the attempt itself included, for as long as it
 * should have taken: a straggler that outlasts the others is not alone for that.
 * COST: O(log attempts of the node + those that ran meanwhile) an attempt.
 */
function companyOf(
  { start, end }: Plan,
  signals: Signals,
  expected: Float64Array,
  rows: readonly number[],
): readonly number[] {
  const byNode = grouped([...start.keys()], (i) => cell(signals.node[i]));
  const latest = new Map([...byNode].map(([node, all]) => [node, latestEnds(all, end)]));
  return rows.map((i) => {
    const node = cell(signals.node[i]);
    const all = byNode.get(node) ?? [];
    const [from, span] = [start[i]!, Math.max(expected[i]!, 1)];
    let shared = 0;
    // All attempts before these have ended by then; the first that starts too late ends the loop.
    for (let n = firstAbove(latest.get(node) ?? [], from); n < all.length; n++) {
      const j = all[n]!;
      if (start[j]! >= from + span) break;
      if (j === i) continue;
      shared += Math.max(0, Math.min(end[j]!, from + span) - Math.max(start[j]!, from));
    }
    return 1 + shared / span;
  });
}

/** For each attempt: the latest end so far. */
function latestEnds(attempts: readonly number[], end: Float64Array): readonly number[] {
  let latest = Number.NEGATIVE_INFINITY;
  return attempts.map((i) => {
    latest = Math.max(latest, end[i]!);
    return latest;
  });
}

/** Phases differ in both by chance of their size: only differences within a phase count. */
function withoutPhases(plan: Plan, rows: readonly number[], values: readonly number[]): number[] {
  const sums = new Map<number, { sum: number; count: number }>();
  for (const [n, i] of rows.entries()) {
    const own = sums.get(plan.phase[i]!) ?? { sum: 0, count: 0 };
    sums.set(plan.phase[i]!, { sum: own.sum + cell(values[n]), count: own.count + 1 });
  }
  return rows.map((i, n) => {
    const { sum, count } = sums.get(plan.phase[i]!) ?? { sum: 0, count: 1 };
    return cell(values[n]) - sum / count;
  });
}

function slopeOf(x: readonly number[], y: readonly number[]): { theta: number; t: number } {
  let [xx, xy] = [0, 0];
  for (const [n, value] of x.entries()) {
    xx += value * value;
    xy += value * cell(y[n]);
  }
  if (!(xx > 0)) return { theta: 0, t: 0 };
  const theta = xy / xx;
  const rest = x.reduce((sum, value, n) => {
    const off = cell(y[n]) - theta * value;
    return sum + off * off;
  }, 0);
  return { theta, t: theta / Math.sqrt(rest / Math.max(1, x.length - 2) / xx) };
}
