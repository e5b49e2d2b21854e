import type { Step } from "../../job/step.ts";
import type { LiteralFinder } from "./required-literal.ts";

/** Which lines are wanted, as data: those that `matching` steps let through. */
export interface LineFilter {
  /** A text that each of them holds: what a kernel can look for. */
  readonly literal: string;
  /** Whether it is wanted, of a line that holds the literal. Undefined: each is. */
  accepts?(line: string): boolean;
}

/** The steps behind those that only say which lines are wanted. */
export interface FilteredSteps {
  /** Undefined: all are wanted. */
  readonly where: LineFilter | undefined;
  readonly rest: readonly Step[];
}

/** Undefined: lines are wanted that have no text in common that a kernel could look for. */
export function filteredSteps(
  steps: readonly Step[],
  literalIn: LiteralFinder,
): FilteredSteps | undefined {
  const patterns: (string | RegExp)[] = [];
  for (const step of steps) {
    if (step.kind !== "matching") break;
    patterns.push(step.pattern);
  }
  const rest = steps.slice(patterns.length);
  if (patterns.length === 0) return { where: undefined, rest };
  const [literal] = patterns
    .flatMap((one) => literalOf(one, literalIn))
    .sort((one, other) => other.length - one.length);
  if (literal === undefined) return undefined;
  const others = patterns.filter((pattern) => pattern !== literal);
  if (others.length === 0) return { where: { literal }, rest };
  const accepts = (line: string): boolean =>
    others.every((one) => (typeof one === "string" ? line.includes(one) : one.test(line)));
  return { where: { literal, accepts }, rest };
}

/** What a kernel finds in each text in which the pattern is found. */
function literalOf(pattern: string | RegExp, literalIn: LiteralFinder): readonly string[] {
  const literal = typeof pattern === "string" ? pattern : literalIn(pattern);
  // Half a pair of surrogates stands for a byte that is no UTF-8.
  const isUsable =
    literal !== undefined && literal !== "" && !/[\r\n]|\p{Surrogate}/u.test(literal);
  return isUsable ? [literal] : [];
}
