import { isNode, type SourceFile, type SyntaxNode, textOf, walk } from "../tidy/source.ts";
import type { Change } from "./mutant.ts";

/** Every change that can be drawn in a file, in the order of the text; each is within one line. */
export function changesOf(file: SourceFile): readonly Change[] {
  const changes: Change[] = [];
  const silent = silentParts(file);
  walk(file, (node, parent, field) => {
    if (silent.some(({ start, end }) => node.start >= start && node.end <= end)) return;
    const isAlone = isOnlyStatement(parent, field);
    for (const change of changesAt(file.text, node)) {
      if (file.text.slice(change.start, change.end).includes("\n")) continue;
      changes.push(isAlone && change.text === "" ? { ...change, text: ";" } : change);
    }
  });
  return changes.sort((a, b) => a.start - b.start || a.end - b.end || (a.text < b.text ? -1 : 1));
}

/** Whether the node stands without braces behind a loop or a condition, which need a statement. */
const isOnlyStatement = (parent: SyntaxNode | undefined, field: string): boolean =>
  (field === "body" && /^(For|While|Do)/.test(parent?.type ?? "")) ||
  (parent?.type === "IfStatement" && (field === "consequent" || field === "alternate"));

type Span = Pick<SyntaxNode, "start" | "end">;

/** Types, messages, assertions, and the bounds of parameters: no rule is stated there. */
function silentParts(file: SourceFile): readonly Span[] {
  const parts: Span[] = [];
  walk(file, (node) => {
    const { type } = node;
    const isSilent =
      (/^TS/.test(type) && !/^TS(AsExpression|SatisfiesExpression|NonNull)/.test(type)) ||
      /^(TemplateLiteral|ThrowStatement|ImportDeclaration)$/.test(type) ||
      (type === "CallExpression" && /^(assert|defined|never)$/.test(nameOf(node.callee))) ||
      (type === "Property" && /^(min|max|whole|about)$/.test(nameOf(node.key)));
    if (isSilent) parts.push(node);
  });
  return parts;
}

const nameOf = (node: unknown): string => textOf(node, "name") ?? "";

function changesAt(text: string, node: SyntaxNode): readonly Change[] {
  switch (node.type) {
    case "BinaryExpression":
      return binary(text, node);
    case "LogicalExpression":
      return operator(text, node, { "&&": ["||"], "||": ["&&"] });
    case "UnaryExpression":
      return unary(node);
    case "ConditionalExpression":
    case "WhileStatement":
      return negated(text, node);
    case "IfStatement":
      return [...negated(text, node), ...dropped(node)];
    case "ExpressionStatement":
      return isEffect(node.expression) ? dropped(node) : [];
    case "Literal":
      return literal(text, node);
    case "MemberExpression":
      return renamed(node);
    default:
      return [];
  }
}

type Others = { readonly [operator: string]: readonly string[] };

const COMPARED: Others = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
};
const COMPUTED: Others = { "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"] };

function binary(text: string, node: SyntaxNode): readonly Change[] {
  const isText = [node.left, node.right].some(
    (side) => isNode(side) && typeof side.value === "string",
  );
  return operator(text, node, isText ? COMPARED : { ...COMPARED, ...COMPUTED });
}

function operator(text: string, node: SyntaxNode, others: Others): readonly Change[] {
  const { left, right, operator: sign } = node;
  if (!isNode(left) || !isNode(right) || typeof sign !== "string") return [];
  const start = text.indexOf(sign, left.end);
  if (start === -1 || start >= right.start) return [];
  const end = start + sign.length;
  return (others[sign] ?? []).map((other) => ({ start, end, text: other, runsAt: node.start }));
}

function unary({ operator: sign, start }: SyntaxNode): readonly Change[] {
  if (sign !== "!" && sign !== "-") return [];
  return [{ start, end: start + sign.length, text: "", runsAt: start }];
}

function negated(text: string, { start: runsAt, test }: SyntaxNode): readonly Change[] {
  if (!isNode(test)) return [];
  const { start, end } = test;
  return [{ start, end, text: `!(${text.slice(start, end)})`, runsAt }];
}

/** Drops a statement; of an early return that spans several lines, its condition is never true. */
function dropped(node: SyntaxNode): readonly Change[] {
  const { start, test } = node;
  const whole = { start, end: node.end, text: "", runsAt: start };
  if (!isNode(test)) return [whole];
  if (node.alternate !== null) return [];
  const never = { start: test.start, end: test.end, text: "false", runsAt: start };
  return isNode(node.consequent) && node.consequent.type === "BlockStatement" ? [never] : [whole];
}

function isEffect(expression: unknown): boolean {
  return (
    isNode(expression) &&
    /^(CallExpression|AssignmentExpression|UpdateExpression)$/.test(expression.type)
  );
}

function literal(text: string, { start, end, value }: SyntaxNode): readonly Change[] {
  const change = (instead: string): Change => ({ start, end, text: instead, runsAt: start });
  if (typeof value === "boolean") return [change(String(!value))];
  if (typeof value !== "number") return [];
  const raw = text.slice(start, end);
  if (!Number.isInteger(value)) return [change(`(${raw} * 0.8)`), change(`(${raw} * 1.25)`)];
  if (value >= 100) return [change(`(${raw} * 0.8)`), change(`(${raw} + 1)`)];
  return value === 0 ? [change("1")] : [change(String(value - 1)), change(String(value + 1))];
}

const OTHER_NAMES = new Map([
  ["min", "max"],
  ["max", "min"],
  ["some", "every"],
  ["every", "some"],
  ["floor", "ceil"],
  ["ceil", "floor"],
]);

function renamed({ object, property, start: runsAt }: SyntaxNode): readonly Change[] {
  const name = nameOf(property);
  const other = OTHER_NAMES.get(name);
  if (other === undefined || !isNode(property)) return [];
  if (!/^(some|every)$/.test(name) && nameOf(object) !== "Math") return [];
  return [{ start: property.start, end: property.end, text: other, runsAt }];
}
