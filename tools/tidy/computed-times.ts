import { DECIDES, isOrdering, nameOf } from "./instants.ts";
import {
  type Check,
  type Finding,
  isNode,
  isTest,
  isTypeScript,
  lineAt,
  type SourceFile,
  type SyntaxNode,
  walk,
} from "./source.ts";

/**
 * The core and its policies compare and rank computed times by the helpers in `src/base` alone:
 * numbers that are equal on paper may differ in their last bits, and must not be ordered by these.
 */
export const computedTimes: Check = (files) =>
  files
    .filter((file) => DECIDES.test(file.path) && isTypeScript(file) && !isTest(file))
    .flatMap((file) => findingsIn(file));

function findingsIn(file: SourceFile): readonly Finding[] {
  const findings: Finding[] = [];
  walk(file, (node) => {
    const message = isCompared(node) ? COMPARED : isRanked(node) ? RANKED : undefined;
    if (message === undefined) return;
    findings.push({ path: file.path, line: lineAt(file, node.start), message });
  });
  return findings;
}

const COMPARED =
  "compares computed times by their last bits: use isClearlyBelow, isClearlyAbove or onPaper";
const RANKED =
  "ranks by a computed time: use leastFirst or mostFirst, whose ties are those on paper";

function isCompared(node: SyntaxNode): boolean {
  const isComparison = isOrdering(node) || node.operator === "===" || node.operator === "!==";
  if (!isComparison || node.type !== "BinaryExpression") return false;
  const { left, right } = node;
  // The time of an event is given, not computed, and so is what is added to one.
  if (nameOf(left) === "now" || nameOf(right) === "now") return false;
  return (isTime(left) && !isGiven(right)) || (isTime(right) && !isGiven(left));
}

/** `ascending(({ gainMs }) => gainMs, ..)`. */
function isRanked(node: SyntaxNode): boolean {
  if (node.type !== "CallExpression") return false;
  const by = nameOf(node.callee);
  if (by !== "ascending" && by !== "descending") return false;
  const [key] = Array.isArray(node.arguments) ? node.arguments : [];
  return isNode(key) && key.type === "ArrowFunctionExpression" && isTime(key.body);
}

const TIME = /(?<!Per)Ms$|^timeLeft$/;

/** A name or call that ends in Ms, or a sum or product that contains one. */
function isTime(node: unknown): boolean {
  if (!isNode(node)) return false;
  if (node.type === "BinaryExpression") return isTime(node.left) || isTime(node.right);
  if (node.type === "ParenthesizedExpression") return isTime(node.expression);
  const name = node.type === "CallExpression" ? nameOf(node.callee) : nameOf(node);
  return name !== undefined && TIME.test(name);
}

/** A number that is written out, infinity, or none at all. */
const isGiven = (node: unknown): boolean =>
  isNode(node) &&
  (node.type === "Literal" || nameOf(node) === "undefined" || nameOf(node) === "POSITIVE_INFINITY");
