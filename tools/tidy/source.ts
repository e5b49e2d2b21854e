import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vitest/node";

/** One file of the repository; `path` is relative to its root, with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** A violation of a rule, and how to correct it. */
export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** A rule over the whole repository. */
export type Check = (files: readonly SourceFile[]) => readonly Finding[];

const SKIPPED = new Set([
  "node_modules",
  "dist",
  ".git",
  ".build",
  ".broomwagon",
  "coverage",
  "target",
]);
const READ =
  /\.(tsx?|css|[cm]?js|java|py|xml|md|json|txt|svg|png|yml|cff)$|(^|\/)(LICENSE|\.ci\/run)$/;

/** Every text file, and every picture without its content, below `root`, in the order of paths. */
export function readRepository(root: string): readonly SourceFile[] {
  const files: SourceFile[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) visit(path);
      } else if (READ.test(path)) {
        const isPicture = path.endsWith(".png");
        files.push({ path, text: isPicture ? "" : readFileSync(join(root, path), "utf8") });
      }
    }
  };
  visit("");
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** AssemblyScript looks like TypeScript, but its own compiler checks it. */
const IS_ASSEMBLY = /^src\/data\/kernel\/assembly\//;

export const isTypeScript = (file: SourceFile): boolean =>
  /\.tsx?$/.test(file.path) && !IS_ASSEMBLY.test(file.path);
export const isTest = (file: SourceFile): boolean => file.path.endsWith(".test.ts");

/** A node of the syntax tree, without the fields of its own type. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

export type Visit = (node: SyntaxNode, parent: SyntaxNode | undefined, field: string) => void;

const langOf = ({ path }: SourceFile): "ts" | "tsx" => (path.endsWith("x") ? "tsx" : "ts");

const trees = new WeakMap<SourceFile, unknown>();

/** Calls `visit` with each node of the file's syntax tree, parents first. */
export function walk(file: SourceFile, visit: Visit): void {
  const tree = trees.get(file) ?? parseAst(file.text, { lang: langOf(file) }, file.path);
  trees.set(file, tree);
  walkNode(tree, undefined, "", visit);
}

function walkNode(
  value: unknown,
  parent: SyntaxNode | undefined,
  field: string,
  visit: Visit,
): void {
  if (Array.isArray(value)) {
    for (const item of value) walkNode(item, parent, field, visit);
  } else if (isNode(value)) {
    visit(value, parent, field);
    for (const [name, child] of Object.entries(value)) walkNode(child, value, name, visit);
  }
}

/** The line, from 1, that holds the character at `offset`. */
export function lineAt(file: SourceFile, offset: number): number {
  let line = 1;
  for (
    let i = file.text.indexOf("\n");
    i !== -1 && i < offset;
    i = file.text.indexOf("\n", i + 1)
  ) {
    line += 1;
  }
  return line;
}

/** A node's string field, such as an identifier's name. */
export function textOf(node: unknown, field: string): string | undefined {
  if (!isNode(node)) return undefined;
  const value = node[field];
  return typeof value === "string" ? value : undefined;
}
