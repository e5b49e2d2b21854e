import { grouped } from "../../base/grouped.ts";
import { cell } from "../../base/rows.ts";
import { mostAtOnce } from "../response/most-at-once.ts";
import type { Plan } from "../schedule/planned.ts";
import { chanceOfOverlap } from "./chance.ts";
import type { Hint } from "./hint.ts";
import type { Seen } from "./seen.ts";

/**
 * The least number of attempts late at one moment, of their nodes, and their least share of the
 * running attempts.
 */
const AT_ONCE_MIN = 5;
const NODES_AT_ONCE_MIN = 3;
const SHARE_AT_ONCE = 0.6;
/** Late attempts overlap as much by no more than this chance. */
const CHANCE_MAX = 0.01;

/**
 * A moment at which most of what ran was late, on several nodes: something that they share. The
 * first attempts on each node share that they are the first.
 */
export function allAtOnce(seen: Seen): readonly Hint[] {
  const { plan, signals, late } = seen;
  const isFirst = firstOnNode(plan, signals.node);
  let found: readonly number[] = [];
  let at = 0;
  let ran = 0;
  for (const moment of late) {
    const time = plan.start[moment]!;
    const isRunning = (i: number): boolean => plan.start[i]! <= time && plan.end[i]! > time;
    const lateThen = late.filter(isRunning);
    if (lateThen.length < Math.max(AT_ONCE_MIN, found.length + 1)) continue;
    if (lateThen.filter((i) => isFirst[i] === 1).length > lateThen.length / 2) continue;
    let running = 0;
    for (let i = 0; i < plan.count; i++) if (isRunning(i)) running += 1;
    const nodes = new Set(lateThen.map((i) => signals.node[i])).size;
    if (nodes < NODES_AT_ONCE_MIN || lateThen.length < SHARE_AT_ONCE * running) continue;
    found = lateThen;
    at = time - plan.job.submittedAt;
    ran = running;
  }
  if (found.length === 0 || chanceOf(seen) > CHANCE_MAX) return [];
  const nodes = new Set(found.map((i) => signals.node[i])).size;
  const when = `${(at / 1_000).toFixed(1)} s after the submission`;
  const who = `${found.length} of the ${ran} attempts that ran were late, on ${nodes} nodes`;
  const text = `${when}, ${who}: look for what these nodes share.`;
  return [{ kind: "all-at-once", text, attempts: found }];
}

/**
 * By which chance as many late attempts ran at once, had others of their phases been the late ones.
 * Each counts for as long as it should have taken: late attempts overlap because they last long.
 */
function chanceOf({ plan: { phase, start }, causes, late }: Seen): number {
  const intervals = late.map((i) => {
    const from = cell(start[i]);
    return { from, until: from + cell(causes.expected[i]), group: cell(phase[i]) };
  });
  const byPhase = grouped([...phase.keys()], (i) => cell(phase[i]));
  const starts = new Map(
    [...byPhase].map(([group, own]) => [group, own.map((i) => cell(start[i]))]),
  );
  return chanceOfOverlap(intervals, starts, mostAtOnce(intervals, Number.POSITIVE_INFINITY));
}

/** 1 for an attempt that began before any had ended on its node. */
function firstOnNode({ start, end }: Plan, node: Int32Array): Uint8Array {
  const earliest = new Map<number, number>();
  for (const [i, own] of node.entries()) {
    const known = earliest.get(own) ?? Number.POSITIVE_INFINITY;
    earliest.set(own, Math.min(known, cell(end[i])));
  }
  return Uint8Array.from(node, (own, i) => (cell(start[i]) < cell(earliest.get(own)) ? 1 : 0));
}
