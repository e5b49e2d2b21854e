import { isObject, type JsonObject, parseJson } from "../../base/json.ts";
import { listIn, numberIn, objectsIn, textIn } from "../json-values.ts";

/** An operator of a physical plan. */
interface PlanNode {
  readonly name: string;
  /** Operators that are compiled together have one; it is the place of the first in the plan. */
  readonly unit: number;
}

/** Operators that one piece of code computes: one alone, or those compiled together. */
interface PlanUnit {
  /** The name that Spark gives to the data that it computes. */
  readonly scope: string;
  /** The counters that tasks raise when they run it. */
  readonly counters: number[];
}

/** The operators of a query, each after those that it reads. */
export interface PhysicalPlan {
  readonly nodes: readonly PlanNode[];
  readonly units: readonly PlanUnit[];
}

/** What a stage says of the data that it computes. */
export interface StageTraces {
  /** The names that Spark gives to its data. */
  readonly scopes: ReadonlySet<string>;
  /** The counters that its tasks raised. */
  readonly counters: ReadonlySet<number>;
}

/** Frames that compile operators together, or name what ran as a stage: no work of their own. */
const FRAME = /^(WholeStageCodegen|InputAdapter|AdaptiveSparkPlan|\w*QueryStage\b)/;
const COMPILES = /^WholeStageCodegen/;
/** One stage writes it and others read it. */
const EXCHANGE = /Exchange/;

/** `info`: the JSON of a `sparkPlanInfo`; no operators if it is none. COST: O(nodes). */
export function planOf(info: string): PhysicalPlan {
  const parsed = parseJson(info);
  const nodes: PlanNode[] = [];
  const units: PlanUnit[] = [];
  // Plans may be deeper than calls can be.
  const open = [{ node: parsed.ok ? parsed.value : null, compiled: -1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, compiled } = next;
    if (!isObject(node)) continue;
    const name = (textIn(node, "nodeName") ?? "").trim();
    const isFrame = FRAME.test(name);
    const isAlone = COMPILES.test(name) || compiled < 0 || EXCHANGE.test(name);
    const unit = !isAlone && !isFrame ? compiled : units.length;
    if (unit === units.length) units.push({ scope: name, counters: [] });
    units[unit]?.counters.push(...countersIn(node));
    if (!isFrame) nodes.push({ name, unit });
    const below = COMPILES.test(name) || (!isFrame && unit === compiled) ? unit : -1;
    for (const child of listIn(node, "children")) open.push({ node: child, compiled: below });
  }
  return { nodes: nodes.reverse(), units };
}

const countersIn = (node: JsonObject): readonly number[] =>
  objectsIn(node, "metrics").flatMap((metric) => numberIn(metric, "accumulatorId") ?? []);

/**
 * The operators of a stage, in the order in which rows pass. Several units may have the name of a
 * scope: the stage's are those whose counters its tasks raised, if that is so of any.
 */
export function operatorsOf(
  { nodes, units }: PhysicalPlan,
  { scopes, counters }: StageTraces,
): readonly string[] {
  const isRaised = units.map((unit) => unit.counters.some((one) => counters.has(one)));
  const sure = new Set(units.filter((_, n) => isRaised[n]).map(({ scope }) => scope));
  const isOwn = units.map(({ scope }, n) => scopes.has(scope) && (isRaised[n] || !sure.has(scope)));
  const names = nodes.filter(({ unit }) => isOwn[unit]).map(({ name }) => name);
  const last = names.at(-1) ?? "";
  // A stage may read an exchange and write another.
  const isAgain = names.indexOf(last) < names.length - 1 && EXCHANGE.test(last);
  return [...new Set(names), ...(isAgain ? [last] : [])];
}
