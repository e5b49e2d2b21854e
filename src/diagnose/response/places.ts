import { grouped } from "../../base/grouped.ts";
import { ascending } from "../../base/order.ts";
import { cell } from "../../base/rows.ts";
import type { JobSpan, TraceJob, TracePhase } from "../../history/model.ts";
import type { Spell } from "./spell.ts";

type Place = Pick<Spell, "at" | "where">;
type Part = Pick<JobSpan, "name" | "submittedAt" | "endedAt">;

/** Names moments by the parts of a job beside them: Spark's jobs, else its phases. */
export class Places {
  readonly #spans: readonly Part[];
  /** The parts by their starts, and by their ends. */
  readonly #byStart: readonly Part[];
  readonly #byEnd: readonly Part[];
  readonly #phasesOf: ReadonlyMap<number, readonly TracePhase[]>;

  constructor({ spans, phases }: TraceJob) {
    const ran = phases.filter(({ attempts }) => attempts.length > 0);
    const parts = spans.length > 0 ? spans : ran.map(timesOf);
    this.#spans = spans;
    this.#byStart = [...parts].sort(ascending(({ submittedAt }) => submittedAt));
    this.#byEnd = [...parts].sort(ascending(({ endedAt }) => endedAt));
    this.#phasesOf = grouped(ran, ({ span }) => span);
  }

  at(moment: number): Place {
    const begun = countTo(this.#byStart, ({ submittedAt }) => submittedAt <= moment);
    const isOpen = ({ endedAt }: Part): boolean => endedAt >= moment;
    const own = this.#byStart.slice(Math.max(0, begun - NESTED_MAX), begun).findLast(isOpen);
    if (own !== undefined && this.#spans.length > 0) {
      const beside = this.#stageBeside(this.#spans.indexOf(own), moment);
      return { at: "inside", where: `in ${own.name} ${beside}` };
    }
    const ended = countTo(this.#byEnd, ({ endedAt }) => endedAt <= moment);
    const last = this.#byEnd[ended - 1];
    const next = this.#byStart[begun];
    if (last !== undefined && next !== undefined) {
      return { at: "between", where: `between ${last.name} and ${next.name}` };
    }
    if (next !== undefined) return { at: "before", where: `before ${next.name}` };
    if (ended === this.#byEnd.length && last !== undefined) {
      return { at: "after", where: `after ${last.name}` };
    }
    return { at: "inside", where: own === undefined ? "in the job" : `in ${own.name}` };
  }

  #stageBeside(span: number, moment: number): string {
    const own = this.#phasesOf.get(span) ?? [];
    const next = own.find(({ attempts }) => cell(attempts.startedAt[0]) >= moment);
    if (next !== undefined) return `before ${next.name}`;
    const last = own.at(-1);
    return last === undefined ? "without tasks" : `after ${last.name}`;
  }
}

/** So many of the latest jobs are asked whether they still run. */
const NESTED_MAX = 1_000;

/** When the attempts of a phase ran. */
const timesOf = ({ name, attempts: { startedAt, endedAt } }: TracePhase): Part => ({
  name,
  submittedAt: cell(startedAt[0]),
  endedAt: endedAt.reduce((a, b) => Math.max(a, b)),
});

/** How many of the first parts hold. */
function countTo(parts: readonly Part[], holds: (part: Part) => boolean): number {
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(cell(parts[middle]))) low = middle + 1;
    else high = middle;
  }
  return low;
}
