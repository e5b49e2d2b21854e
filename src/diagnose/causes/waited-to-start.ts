import { grouped } from "../../base/grouped.ts";
import { cell } from "../../base/rows.ts";
import { localityAt } from "../../history/columns.ts";
import type { Recorded } from "../../history/model.ts";
import { settingMs } from "../../history/setting-duration.ts";
import { savedAlone, span } from "../figures.ts";
import type { CauseFigures, Evidence } from "../findings.ts";
import { firstAbove } from "../first-above.ts";
import { attemptsOf, type Plan } from "../schedule/planned.ts";
import type { Advise, CauseDeclaration, CauseWords, Cost } from "./declaration.ts";

export const waitedToStartWords = {
  name: "waited-to-start",
  label: "waited to start",
  help: "waiting for the scheduler, above the phase's median",
} as const satisfies CauseWords<string>;

/** The only cause that takes no part of an attempt's own time. */
export const waitedToStart: CauseDeclaration<"waited-to-start"> = {
  name: "waited-to-start",
  details: waitRows,
  clause: () => "waiting to start",
  advice: { rank: 3, of: freeSlots },
  fixed: "waits to start",
};

/** What attempts waited for before their start, as far as the log shows. */
function waitRows({ plan, waits, weights, costOf }: Cost): Partial<CauseFigures> {
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
    { what: BESIDE_FREE, ms: plan.pools.isRecorded ? before : 0 },
  ].filter(({ ms }) => ms > 0);
  if (!plan.pools.isRecorded) return { parts };
  // A task keeps to its data's node for about as long as spark.locality.wait says.
  const waitMs = localityWaitMs(plan.job.settings);
  if (waitMs === undefined || waitMs === 0) return { parts, waitedFor: [] };
  const long = waited.filter((i) => cell(waits[i]) >= ABOUT * waitMs);
  return { parts, waitedFor: nodesWaitedFor(plan, long, costOf) };
}

const BESIDE_FREE = "beside a free slot";
const ABOUT = 0.8;

/** How long Spark lets a task wait for a slot beside its data; undefined if the log is unclear. */
function localityWaitMs({ values }: Recorded): number | undefined {
  return settingMs(values["spark.locality.wait"] ?? "3s");
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
    const own = ends.get(nodeOf(i)) ?? [];
    const hasEnded = firstAbove(own, start - SOON_MS) < firstAbove(own, start + 10);
    if (hasEnded) costs.set(name, (costs.get(name) ?? 0) + costOf(i));
  }
  return [...costs].map(([what, ms]) => ({ what, ms })).sort((a, b) => Math.sign(b.ms - a.ms));
}

/** Advice names this many nodes. */
const NAMED = 3;

/** Of the systems in these histories, Spark alone lets a slot wait for a task's data. */
function freeSlots(...[{ phases, job }, row]: Parameters<Advise>): readonly string[] {
  const part = row.parts?.find(({ what }) => what === BESIDE_FREE);
  const [worst = ""] = row.evidence.map(({ what }) => what);
  const phase = phases.find((one) => worst.startsWith(`${one.phase}/`));
  const locality = job.settings.values["spark.locality.wait"] ?? "3s";
  const waitMs = localityWaitMs(job.settings);
  const isSpark = phase?.phase.startsWith("stage ") === true && waitMs !== undefined && waitMs > 0;
  if (part === undefined || part.ms < row.ms / 2 || !isSpark) return [];
  const set = `spark.locality.wait (${locality}) is a likely reason, try 0s`;
  const waited = row.waitedFor ?? [];
  const forNodes = waited.reduce((sum, { ms }) => sum + ms, 0);
  const names = waited.slice(0, NAMED).map(({ what }) => what);
  if (forNodes >= part.ms / 2) {
    const where = `for ${names.join(", ")}, where their data are`;
    return [
      `Tasks waited ${span(forNodes)} ${where}, beside free slots elsewhere: ${set}; ` +
        `${savedAlone(row)}.`,
    ];
  }
  if (!phase.isPlaced) return [];
  return [`Attempts waited beside free slots for ${span(part.ms)}: ${set}; ${savedAlone(row)}.`];
}
