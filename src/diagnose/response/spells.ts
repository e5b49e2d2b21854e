import { cell } from "../../base/rows.ts";
import { attemptsOf, type Plan, phaseOf } from "../schedule/planned.ts";
import type { Idle } from "./idle.ts";
import { Places } from "./places.ts";
import { both, type Spans, union, without } from "./spans.ts";
import type { Spell } from "./spell.ts";

/** The idle times of a job, in their order. */
export function spellsOf(plan: Plan, idle: Idle): readonly Spell[] {
  const fetches = fetchesOf(plan);
  const until = fetches.map((i) => cell(plan.end[i]));
  const fetched = union(
    fetches.map((i) => cell(plan.end[i]) - cell(plan.resultMs[i])),
    until,
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

/** The attempts whose results were fetched, by when that began. */
const fetchesOf = ({ resultMs, end }: Plan): readonly number[] =>
  Array.from(resultMs.keys())
    .filter((i) => cell(resultMs[i]) > 0)
    .sort((a, b) => Math.sign(cell(end[a]) - cell(resultMs[a]) - cell(end[b]) + cell(resultMs[b])));

/** The result that took the longest of those that were fetched at the time. */
function fetchedIn(
  plan: Plan,
  fetches: readonly number[],
  [start, end]: Pair,
): Pick<Spell, "at" | "where"> {
  let most = -1;
  for (const i of fetches) {
    const [fetchedMs, until] = [cell(plan.resultMs[i]), cell(plan.end[i])];
    if (until - fetchedMs >= end) break;
    if (until > start && (most < 0 || fetchedMs > cell(plan.resultMs[most]))) most = i;
  }
  const row = cell(plan.row[most]);
  const task = `${phaseOf(plan, most).name}/${cell(attemptsOf(plan, most).task[row])}`;
  const took = `${(cell(plan.resultMs[most]) / 1_000).toFixed(1)} s`;
  return { at: "result", where: `fetching the result of ${task} (${took})` };
}
