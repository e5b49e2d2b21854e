import { type EventFields, FIELD } from "./event-fields.ts";
import { operatorsOf, planOf, type StageTraces } from "./plan.ts";

/** A query of SQL. Times since 1970. */
export interface SparkQuery {
  readonly id: number;
  /** The query that began it; its own id if none did. */
  readonly root: number;
  readonly description: string;
  readonly submittedAt: number | undefined;
  readonly endedAt: number | undefined;
  /** Its error; empty if it had none, undefined if the log does not say. */
  readonly failure: string | undefined;
}

/** Longer plans are not read: the names of scopes stand for their operators. */
const PLAN_MAX = 4 << 20;

/** The queries of an application, and what its stages do for them. */
export class SparkQueries {
  readonly #queries = new Map<number, SparkQuery>();
  /** The latest plan of each query that has not ended, as JSON. */
  readonly #plans = new Map<number, string>();
  readonly #operators = new Map<number, readonly string[]>();

  /** By their ids. */
  get all(): readonly SparkQuery[] {
    return [...this.#queries.values()].sort((a, b) => a.id - b.id);
  }

  start(fields: EventFields): void {
    const id = fields.number(FIELD.queryId);
    if (Number.isNaN(id)) return;
    const root = fields.number(FIELD.queryRoot);
    this.#put(id, {
      root: Number.isNaN(root) ? id : root,
      description: fields.text(FIELD.queryDescription) ?? "",
      submittedAt: timeOf(fields),
    });
    this.replan(fields);
  }

  /** Adaptive execution changes a plan while it runs; the latest one has what ran before, too. */
  replan(fields: EventFields): void {
    const id = fields.number(FIELD.queryId);
    const plan = fields.object(FIELD.queryPlan);
    if (!Number.isNaN(id) && plan !== undefined && plan.length <= PLAN_MAX) {
      this.#plans.set(id, plan);
    }
  }

  end(fields: EventFields, tracesOfStages: TracesOf): void {
    const id = fields.number(FIELD.queryId);
    if (Number.isNaN(id)) return;
    this.#put(id, { endedAt: timeOf(fields), failure: fields.text(FIELD.queryError) });
    this.#settle(id, tracesOfStages);
  }

  /** Once the log has ended: the plans of queries that had not. */
  settle(tracesOfStages: TracesOf): void {
    for (const id of this.#plans.keys()) this.#settle(id, tracesOfStages);
  }

  /** What the stage does, in the order in which rows pass; undefined if no plan says it. */
  operatorsOf(stage: number): readonly string[] | undefined {
    return this.#operators.get(stage);
  }

  #put(id: number, known: Partial<SparkQuery>): void {
    this.#queries.set(id, { ...UNKNOWN, root: id, ...this.#queries.get(id), ...known, id });
  }

  #settle(id: number, tracesOfStages: TracesOf): void {
    const info = this.#plans.get(id);
    if (info === undefined) return;
    this.#plans.delete(id);
    const plan = planOf(info);
    for (const [stage, traces] of tracesOfStages(id)) {
      const operators = operatorsOf(plan, traces);
      if (operators.length > 0) this.#operators.set(stage, operators);
    }
  }
}

/** What the stages that ran for a query say of their data. */
type TracesOf = (query: number) => ReadonlyMap<number, StageTraces>;

const UNKNOWN = {
  description: "",
  submittedAt: undefined,
  endedAt: undefined,
  failure: undefined,
} as const;

function timeOf(fields: EventFields): number | undefined {
  const at = fields.number(FIELD.queryAt);
  return Number.isNaN(at) ? undefined : at;
}
