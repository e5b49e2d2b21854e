import { cell } from "../../base/rows.ts";
import type { JobSpan } from "../../history/model.ts";
import { attemptsOf, type Plan, phaseOf } from "../schedule/planned.ts";
import type { Idle } from "./idle.ts";
import type { Part } from "./part.ts";
import { both, type Spans, union, without } from "./spans.ts";

/** Part of the response in which no attempt ran. */
export interface Spell {
  readonly part: Exclude<Part, "work" | "few-tasks">;
  /** Since the submission. */
  readonly fromMs: number;
  readonly ms: number;
  /** Beside which of Spark's jobs, or of the phases where there are no such jobs. */
  readonly at: "before" | "between" | "inside" | "after" | "result";
  /** In words: `between job 0 and job 1`. */
  readonly where: string;
}

/** The idle times of a job, in their order. */
export function spellsOf(plan: Plan, idle: Idle): readonly Spell[] {
  const { from, until } = fetches(plan);
  const fetched = union(from, until);
  const of = (part: Spell["part"], spans: Spans, at?: Spell["at"]): readonly Spell[] =>
    pairs(spans).map(([start, end]) => ({
      part,
      fromMs: start - plan.job.submittedAt,
      ms: end - start,
      ...(at === "result" ? fetchedIn(plan, start, end) : placeOf(plan, start, end)),
    }));
  const spells = [
    ...of("driver", without(idle.driver, fetched)),
    ...of("driver", both(idle.driver, fetched), "result"),
    ...of("no-slot", idle.noSlot),
    ...of("launching", idle.launching),
  ];
  return spells.sort((a, b) => Math.sign(a.fromMs - b.fromMs));
}

const pairs = (spans: Spans): readonly (readonly [number, number])[] =>
  Array.from({ length: spans.length / 2 }, (_, n) => [cell(spans[2 * n]), cell(spans[2 * n + 1])]);

function fetches({ count, end, resultMs }: Plan) {
  const [from, until]: [number[], number[]] = [[], []];
  for (let i = 0; i < count; i++) {
    if (cell(resultMs[i]) === 0) continue;
    from.push(cell(end[i]) - cell(resultMs[i]));
    until.push(cell(end[i]));
  }
  return { from, until };
}

/** The result that took the longest of those that were fetched at the time. */
function fetchedIn(plan: Plan, start: number, end: number): Pick<Spell, "at" | "where"> {
  let most = -1;
  for (let i = 0; i < plan.count; i++) {
    const [fetchedMs, until] = [cell(plan.resultMs[i]), cell(plan.end[i])];
    const isThen = fetchedMs > 0 && until > start && until - fetchedMs < end;
    if (isThen && (most < 0 || fetchedMs > cell(plan.resultMs[most]))) most = i;
  }
  const row = cell(plan.row[most]);
  const task = `${phaseOf(plan, most).name}/${cell(attemptsOf(plan, most).task[row])}`;
  const took = `${(cell(plan.resultMs[most]) / 1_000).toFixed(1)} s`;
  return { at: "result", where: `fetching the result of ${task} (${took})` };
}

function placeOf(plan: Plan, start: number, end: number): Pick<Spell, "at" | "where"> {
  const { spans } = plan.job;
  const middle = (start + end) / 2;
  const own = spans.findLast((one) => one.submittedAt <= middle && one.endedAt >= middle);
  if (own !== undefined) {
    const index = spans.indexOf(own);
    return { at: "inside", where: `in ${own.name} ${stageBeside(plan, index, middle)}` };
  }
  return spans.length > 0 ? beside(spans, middle) : beside(ranOf(plan), middle);
}

/** Between which of these parts of the job the moment lies. */
function beside(parts: readonly JobSpan[], at: number): Pick<Spell, "at" | "where"> {
  const before = parts.filter(({ endedAt }) => endedAt <= at);
  const last = before.reduce<JobSpan | undefined>(
    (a, b) => (a === undefined || b.endedAt >= a.endedAt ? b : a),
    undefined,
  );
  const next = parts
    .filter(({ submittedAt }) => submittedAt >= at)
    .reduce<JobSpan | undefined>(
      (a, b) => (a === undefined || b.submittedAt < a.submittedAt ? b : a),
      undefined,
    );
  if (last !== undefined && next !== undefined) {
    return { at: "between", where: `between ${last.name} and ${next.name}` };
  }
  if (next !== undefined) return { at: "before", where: `before ${next.name}` };
  return last === undefined
    ? { at: "inside", where: `in ${parts[0]?.name ?? "the job"}` }
    : { at: "after", where: `after ${last.name}` };
}

/** When the attempts of each phase ran. */
const ranOf = ({ job }: Plan): readonly JobSpan[] =>
  job.phases.flatMap(({ name, attempts: { startedAt, endedAt, length } }) =>
    length === 0
      ? []
      : [
          {
            name,
            submittedAt: cell(startedAt[0]),
            endedAt: endedAt.reduce((a, b) => Math.max(a, b)),
          },
        ],
  );

function stageBeside({ job }: Plan, span: number, at: number): string {
  const own = job.phases.filter((phase) => phase.span === span && phase.attempts.length > 0);
  const next = own.find(({ attempts }) => cell(attempts.startedAt[0]) >= at);
  if (next !== undefined) return `before ${next.name}`;
  const last = own.at(-1);
  return last === undefined ? "without tasks" : `after ${last.name}`;
}
