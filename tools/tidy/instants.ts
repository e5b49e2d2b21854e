import {
  type Check,
  type Finding,
  isNode,
  isTest,
  isTypeScript,
  lineAt,
  type SourceFile,
  type SyntaxNode,
  textOf,
  walk,
} from "./source.ts";

/** The files that decide. */
export const DECIDES = /^src\/(core|policy)\//;

/**
 * The core and its policies compare instants, never the time that has passed with a span. A wake is
 * asked for at a sum, `from + ms`. When the sum has been reached, the difference `now - from` may
 * still be smaller than `ms` by its last bit, and a policy that tests the difference is woken at
 * the same instant without end.
 */
export const instants: Check = (files) =>
  files
    .filter((file) => DECIDES.test(file.path) && isTypeScript(file) && !isTest(file))
    .flatMap(comparedDifferences);

function comparedDifferences(file: SourceFile): readonly Finding[] {
  const findings: Finding[] = [];
  const names = new Set<string>();
  walk(file, (node) => {
    if (node.type !== "VariableDeclarator" || !isPassedTime(node.init, names)) return;
    const name = textOf(node.id, "name");
    if (name !== undefined) names.add(name);
  });
  walk(file, (node) => {
    if (!isOrdering(node)) return;
    const { left, right } = node;
    const isFound =
      (isPassedTime(left, names) && !isZero(right)) ||
      (isPassedTime(right, names) && !isZero(left));
    if (!isFound) return;
    const message =
      "compares the time that has passed with a span: compare instants, now >= after(from, ms), " +
      "as a wake does; or, if the span is computed, isClearlyAbove";
    findings.push({ path: file.path, line: lineAt(file, node.start), message });
  });
  return findings;
}

const ORDERINGS: ReadonlySet<unknown> = new Set(["<", "<=", ">", ">="]);

export const isOrdering = (node: SyntaxNode): boolean =>
  node.type === "BinaryExpression" && ORDERINGS.has(node.operator);

/** `now - x`, or a sum or product that contains it, or a variable that holds it. */
function isPassedTime(node: unknown, names: ReadonlySet<string>): boolean {
  if (!isNode(node)) return false;
  if (node.type === "Identifier") return names.has(textOf(node, "name") ?? "");
  if (node.type === "ParenthesizedExpression" || node.type === "TSNonNullExpression") {
    return isPassedTime(node.expression, names);
  }
  if (node.type !== "BinaryExpression") return false;
  const { left, operator, right } = node;
  if (operator === "-" && nameOf(left) === "now") return true;
  // Something by time is a rate.
  if (operator === "/") return isPassedTime(left, names);
  return isPassedTime(left, names) || isPassedTime(right, names);
}

/** The last name of `now`, `view.now`, `ctx.view.now`. */
export function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === "Identifier") return textOf(node, "name");
  if (node.type === "MemberExpression") return textOf(node.property, "name");
  if (node.type === "TSNonNullExpression") return nameOf(node.expression);
  return undefined;
}

/** x - y > 0 holds exactly if x > y. */
const isZero = (node: unknown): boolean =>
  isNode(node) && node.type === "Literal" && node.value === 0;
