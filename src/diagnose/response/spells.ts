import { cell } from "../../base/rows.ts";
import { firstAbove } from "../first-above.ts";
import { attemptsOf, type Plan, phaseOf } from "../schedule/planned.ts";
import type { Idle } from "./idle.ts";
import { Places } from "./places.ts";
import { both, type Spans, union, without } from "./spans.ts";
import type { Spell } from "./spell.ts";

/** The idle times of a job, in their order. */
export function spellsOf(plan: Plan, idle: Idle): readonly Spell[] {
  const fetches = fetchesOf(plan);
  const fetched = union(
    fetches.fetches.map((i) => cell(plan.end[i]) - cell(plan.resultMs[i])),
    fetches.fetches.map((i) => cell(plan.end[i])),
  );
  const places = new Places(plan.job);
  const of = (part: Spell["part"], spans: Spans, isFetch = false): readonly Spell[] =>
    pairs(spans).map((pair) => ({
      part,
      fromMs: pair[0] - plan.job.submittedAt,
      ms: pair[1] - pair[0],
      ...(isFetch ? fetchedIn(plan, fetches, pair) : places.at((pair[0] + pair[1]) / 2)),
    }));
  const spells = [
    ...of("driver", without(idle.driver, fetched)),
    ...of("driver", both(idle.driver, fetched), true),
    ...of("no-slot", idle.noSlot),
    ...of("launching", idle.launching),
  ];
  return spells.sort((a, b) => Math.sign(a.fromMs - b.fromMs));
}

type Pair = readonly [start: number, end: number];

const pairs = (spans: Spans): readonly Pair[] =>
  Array.from({ length: spans.length / 2 }, (_, n) => [cell(spans[2 * n]), cell(spans[2 * n + 1])]);

/** The attempts whose results were fetched, by when that began, and the latest end so far. */
interface Fetches {
  readonly fetches: readonly number[];
  readonly latest: readonly number[];
}

function fetchesOf({ resultMs, end }: Plan): Fetches {
  const beganAt = (i: number): number => cell(end[i]) - cell(resultMs[i]);
  const fetches = Array.from(resultMs.keys()).filter((i) => cell(resultMs[i]) > 0);
  fetches.sort((a, b) => Math.sign(beganAt(a) - beganAt(b)));
  let until = Number.NEGATIVE_INFINITY;
  const latest = fetches.map((i) => {
    until = Math.max(until, cell(end[i]));
    return until;
  });
  return { fetches, latest };
}

/** The result that took the longest of those that were fetched at the time. */
function fetchedIn(
  plan: Plan,
  { fetches, latest }: Fetches,
  [start, end]: Pair,
): Pick<Spell, "at" | "where"> {
  let most = -1;
  for (let n = firstAbove(latest, start); n < fetches.length; n++) {
    const i = cell(fetches[n]);
    const [fetchedMs, until] = [cell(plan.resultMs[i]), cell(plan.end[i])];
    if (until - fetchedMs >= end) break;
    if (until > start && (most < 0 || fetchedMs > cell(plan.resultMs[most]))) most = i;
  }
  const row = cell(plan.row[most]);
  const task = `${phaseOf(plan, most).name}/${cell(attemptsOf(plan, most).task[row])}`;
  const took = `${(cell(plan.resultMs[most]) / 1_000).toFixed(1)} s`;
  return { at: "result", where: `fetching the result of ${task} (${took})` };
}
