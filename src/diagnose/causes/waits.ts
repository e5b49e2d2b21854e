import { grouped } from "../../base/grouped.ts";
import { cell } from "../../base/rows.ts";
import { localityAt } from "../../history/columns.ts";
import type { Recorded } from "../../history/model.ts";
import type { CauseRow, Evidence } from "../document.ts";
import { attemptsOf, type Plan } from "../schedule/planned.ts";

/** What attempts waited for before their start, as far as the log shows. */
export function waitRows(
  plan: Plan,
  waits: Float64Array,
  weights: Float64Array,
  costOf: (i: number) => number,
): Pick<CauseRow, "parts" | "waitedFor"> {
  let [assigned, before] = [0, 0];
  const waited: number[] = [];
  for (let i = 0; i < plan.count; i++) {
    const ms = costOf(i);
    if (ms === 0) continue;
    waited.push(i);
    const assignedAt = cell(attemptsOf(plan, i).assignedAt[cell(plan.row[i])]);
    const after = cell(weights[i]) * Math.max(0, cell(plan.start[i]) - assignedAt);
    const part = Number.isNaN(after) ? 0 : Math.min(after, ms);
    assigned += part;
    before += ms - part;
  }
  const parts = [
    { what: "assigned but not begun", ms: assigned },
    { what: "beside a free slot", ms: plan.pools.isRecorded ? before : 0 },
  ].filter(({ ms }) => ms > 0);
  if (!plan.pools.isRecorded) return { parts };
  // A task keeps to its data's node for about as long as it is told to.
  const least = ABOUT * localityWaitMs(plan.job.settings);
  const long = waited.filter((i) => cell(waits[i]) >= least);
  return { parts, waitedFor: least > 0 ? nodesWaitedFor(plan, long, costOf) : [] };
}

const ABOUT = 0.8;
const UNITS: ReadonlyMap<string, number> = new Map([
  ["", 1],
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["min", 60_000],
]);

/** How long Spark lets a task wait for a slot beside its data. */
export function localityWaitMs({ values }: Recorded): number {
  const text = values["spark.locality.wait"] ?? "3s";
  const [, amount, unit = ""] = /^(\d+)([a-z]*)$/.exec(text) ?? [];
  return amount === undefined ? 0 : Number(amount) * (UNITS.get(unit) ?? 0);
}

/** An attempt that waited for a slot of its own node starts this soon after an end there. */
const SOON_MS = 250;

/**
 * The nodes that attempts waited for although slots were free elsewhere: those that ran beside
 * their data, as soon as an attempt there had ended.
 */
function nodesWaitedFor(
  plan: Plan,
  waited: readonly number[],
  costOf: (i: number) => number,
): readonly Evidence[] {
  const nodeOf = (i: number): number => cell(attemptsOf(plan, i).node[cell(plan.row[i])]);
  const ends = new Map(
    [...grouped([...plan.end.keys()], nodeOf)].map(([node, own]) => [
      node,
      Float64Array.from(own, (i) => cell(plan.end[i]) - cell(plan.resultMs[i])).sort(),
    ]),
  );
  const costs = new Map<string, number>();
  for (const i of waited) {
    const name = plan.job.nodes[nodeOf(i)];
    const isNear = localityAt(attemptsOf(plan, i), cell(plan.row[i])) === "node";
    if (name === undefined || !isNear) continue;
    const start = cell(plan.start[i]);
    const hasEnded = ends.get(nodeOf(i))?.some((at) => at <= start + 10 && at > start - SOON_MS);
    if (hasEnded === true) costs.set(name, (costs.get(name) ?? 0) + costOf(i));
  }
  return [...costs].map(([what, ms]) => ({ what, ms })).sort((a, b) => Math.sign(b.ms - a.ms));
}
