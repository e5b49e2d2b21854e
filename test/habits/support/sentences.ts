import {
  isNode,
  lineAt,
  type SourceFile,
  type SyntaxNode,
  textOf,
  walk,
} from "../../../tools/tidy/source.ts";

export interface Sentence {
  readonly path: string;
  readonly line: number;
  /** The longest piece that does not depend on a value. */
  readonly text: string;
}

/** Two words beside each other. */
const WORDS = /[A-Za-z]{2,} [A-Za-z]{2,}/;

/** Labels of tables, and what the page says of them: they are shown whole. */
const LABELS = new Set(["label", "help", "title"]);

/** The texts of a file that hold two words or more. */
export function sentencesIn(file: SourceFile): readonly Sentence[] {
  const labels: SyntaxNode[] = [];
  walk(file, (node) => {
    if (node.type === "Property" && LABELS.has(textOf(node.key, "name") ?? "")) labels.push(node);
  });
  return textsIn(file, (node) => !labels.some((label) => isWithin(node, label)));
}

/** The texts beside an InputError: its arguments, and what the block around it puts together. */
export function refusalsIn(file: SourceFile): readonly Sentence[] {
  const blocks: SyntaxNode[] = [];
  const refusing: SyntaxNode[] = [];
  walk(file, (node) => {
    if (node.type === "BlockStatement") blocks.push(node);
    if (node.type !== "NewExpression" || textOf(node.callee, "name") !== "InputError") return;
    // Parents come first: the last block is the innermost one.
    refusing.push(blocks.findLast((block) => isWithin(node, block)) ?? node);
  });
  const isRefusing = (node: SyntaxNode): boolean => refusing.some((one) => isWithin(node, one));
  return textsIn(file, isRefusing);
}

function textsIn(file: SourceFile, isWanted: (node: SyntaxNode) => boolean): readonly Sentence[] {
  const found: Sentence[] = [];
  walk(file, (node) => {
    const text = longestIn(node);
    if (text === undefined || !WORDS.test(text) || !isWanted(node)) return;
    found.push({ path: file.path, line: lineAt(file, node.start), text });
  });
  return found;
}

/** What the tests quote, with texts of two lines joined, and patterns without their escapes. */
export const quoted = (files: readonly SourceFile[]): string =>
  files
    .map(({ text }) => text.replace(/["'`]\s*\+\s*["'`]/g, "").replace(/\\(.)/g, "$1"))
    .join("\n");

/** The longest piece of a text between the values in it. */
function longestIn(node: SyntaxNode): string | undefined {
  if (node.type === "Literal") return textOf(node, "value")?.trim();
  if (node.type !== "TemplateLiteral" || !Array.isArray(node.quasis)) return undefined;
  const pieces = node.quasis
    .filter(isNode)
    .map(({ value }) => String((value as { readonly cooked?: unknown }).cooked).trim());
  return pieces.reduce((a, b) => (b.length > a.length ? b : a), "");
}

const isWithin = (inner: SyntaxNode, outer: SyntaxNode): boolean =>
  inner.start >= outer.start && inner.end <= outer.end;
