import type { Step } from "../../job/step.ts";
import type { LiteralFinder } from "./required-literal.ts";

/** The lines that match, as data: those that `matching` steps let through. */
export interface LineFilter {
  /** A text that each matching line contains, which a kernel can search for. */
  readonly literal: string;
  /** Whether a line that contains the literal matches. Absent if every such line does. */
  accepts?(line: string): boolean;
}

/** The remaining steps after the leading filters. */
export interface FilteredSteps {
  /** Undefined if all lines match. */
  readonly where: LineFilter | undefined;
  readonly rest: readonly Step[];
}

/** Undefined if the matching lines share no text that a kernel could search for. */
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

/** A text that each text in which the pattern is found contains, for a kernel to search for. */
function literalOf(pattern: string | RegExp, literalIn: LiteralFinder): readonly string[] {
  const literal = typeof pattern === "string" ? pattern : literalIn(pattern);
  // A lone surrogate stands for a byte that is not UTF-8.
  const isUsable =
    literal !== undefined && literal !== "" && !/[\r\n]|\p{Surrogate}/u.test(literal);
  return isUsable ? [literal] : [];
}
