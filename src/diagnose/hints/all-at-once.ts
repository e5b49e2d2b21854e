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
  const moment = worstMoment(seen);
  if (moment === undefined || chanceOf(seen) > CHANCE_MAX) return [];
  const { time, ran } = moment;
  const found = late.filter((i) => cell(plan.start[i]) <= time && cell(plan.end[i]) > time);
  const nodes = new Set(found.map((i) => signals.node[i])).size;
  const when = `${((time - plan.job.submittedAt) / 1_000).toFixed(1)} s after the submission`;
  const who = `${found.length} of the ${ran} attempts that ran were late, on ${nodes} nodes`;
  const text = `${when}, ${who}: look for what these nodes share.`;
  return [{ text, attempts: found }];
}

/**
 * The first of the moments at which most late attempts ran, and how many ran in all. COST:
 * O(n log n) for n attempts.
 */
function worstMoment({ plan, signals: { node }, late }: Seen) {
  const isFirst = firstOnNode(plan, node);
  const running = new Sweep(plan, [...plan.start.keys()]);
  const lateNow = new Sweep(plan, late);
  const onNode = new Map<number, number>();
  let first = 0;
  const count = (i: number, by: 1 | -1): void => {
    const own = cell(node[i]);
    const left = (onNode.get(own) ?? 0) + by;
    if (left > 0) onNode.set(own, left);
    else onNode.delete(own);
    first += by * cell(isFirst[i]);
  };
  let worst: { readonly time: number; readonly late: number; readonly ran: number } | undefined;
  for (const moment of late) {
    const time = cell(plan.start[moment]);
    const ran = running.to(time);
    const those = lateNow.to(time, count);
    if (those < Math.max(AT_ONCE_MIN, (worst?.late ?? 0) + 1)) continue;
    if (first > those / 2 || onNode.size < NODES_AT_ONCE_MIN) continue;
    if (those >= SHARE_AT_ONCE * ran) worst = { time, late: those, ran };
  }
  return worst;
}

/** Goes through time, and counts which of some attempts run. */
class Sweep {
  readonly #plan: Plan;
  readonly #byStart: readonly number[];
  readonly #byEnd: readonly number[];
  #started = 0;
  #ended = 0;

  /** `attempts`: in the order of their starts. */
  constructor(plan: Plan, attempts: readonly number[]) {
    this.#plan = plan;
    this.#byStart = attempts.filter((i) => cell(plan.end[i]) > cell(plan.start[i]));
    this.#byEnd = this.#byStart.toSorted((a, b) =>
      Math.sign(cell(plan.end[a]) - cell(plan.end[b])),
    );
  }

  /** How many run at the time, which is no earlier than before; `on`: of each that came or went. */
  to(time: number, on: (i: number, by: 1 | -1) => void = () => undefined): number {
    const { start, end } = this.#plan;
    for (; this.#started < this.#byStart.length; this.#started++) {
      const i = cell(this.#byStart[this.#started]);
      if (cell(start[i]) > time) break;
      on(i, 1);
    }
    for (; this.#ended < this.#byEnd.length; this.#ended++) {
      const i = cell(this.#byEnd[this.#ended]);
      if (cell(end[i]) > time) break;
      on(i, -1);
    }
    return this.#started - this.#ended;
  }
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
  const seen = mostAtOnce(intervals, Number.POSITIVE_INFINITY);
  return chanceOfOverlap(intervals, starts, seen, CHANCE_MAX);
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
