import { posix } from "node:path";
import type { Check, Finding, SourceFile } from "./source.ts";

const LINKED = /\[`[^`]*`\]\(([^()\s#]+)(?:#[^()\s]*)?\)/g;
const SPAN = /`([^`]+)`/g;

/**
 * In the tables of docs/papers, code that is quoted beside a file's name must occur in that file.
 * The name is in the column's header or in the cell. `..` stands for omitted code.
 */
export const quotes: Check = (files) => {
  const known = new Map(files.map((file) => [file.path, file]));
  return files
    .filter(({ path }) => /^docs\/papers\/[^/]+\.md$/.test(path))
    .flatMap((page) => tablesOf(page).flatMap((table) => findingsIn(page, table, known)));
};

interface Table {
  /** The header's line, from 1. */
  readonly line: number;
  readonly rows: readonly (readonly string[])[];
}

/** Consecutive lines that begin with a bar; the second is the rule under the header. */
function tablesOf({ text }: SourceFile): readonly Table[] {
  const tables: { line: number; rows: string[][] }[] = [];
  let isInside = false;
  text.split("\n").forEach((line, index) => {
    const isRow = line.startsWith("|");
    if (isRow && !isInside) tables.push({ line: index + 1, rows: [] });
    if (isRow) tables.at(-1)?.rows.push(cellsOf(line));
    isInside = isRow;
  });
  return tables;
}

const cellsOf = (line: string): string[] => line.split("|").slice(1, -1);

type Files = ReadonlyMap<string, SourceFile>;

function findingsIn(page: SourceFile, { line, rows }: Table, known: Files): readonly Finding[] {
  const [header = [], , ...body] = rows;
  return body.flatMap((row, index) =>
    row.flatMap((cell, column) => {
      const named = filesIn(page, `${header[column] ?? ""} ${cell}`, known);
      if (named.length === 0) return [];
      return codeIn(cell)
        .filter((code) => !named.some((file) => holds(file, code)))
        .map((code) => ({
          path: page.path,
          line: line + index + 2,
          message: `\`${code}\` is not in ${named.map(({ path }) => path).join(", ")}`,
        }));
    }),
  );
}

/** The files that a text links to, or names in the form that the page links elsewhere. */
function filesIn(page: SourceFile, text: string, known: Files): readonly SourceFile[] {
  const linked = linksOf(page, text);
  const called = linksOf(page, page.text).filter((path) => text.includes(`\`${baseOf(path)}\``));
  return [...new Set([...linked, ...called])].flatMap((path) => known.get(path) ?? []);
}

const linksOf = (page: SourceFile, text: string): readonly string[] =>
  [...text.matchAll(LINKED)].map(([, target = ""]) => posix.join(posix.dirname(page.path), target));

const baseOf = (path: string): string => posix.basename(path);

/** The quoted code, without the names of files. */
const codeIn = (cell: string): readonly string[] =>
  [...cell.replace(LINKED, "").matchAll(SPAN)]
    .map(([, code = ""]) => code)
    .filter((code) => !/^[\w./-]+\.(ts|txt|json|md)$/.test(code));

/** Whether the file contains the code's pieces in order, regardless of line breaks. */
function holds({ text }: SourceFile, code: string): boolean {
  const flat = flattened(text);
  let from = 0;
  for (const piece of code.split("..")) {
    const at = flat.indexOf(flattened(piece), from);
    if (at < 0) return false;
    from = at + 1;
  }
  return true;
}

const flattened = (text: string): string => text.replace(/\s+/g, "").replace(/,([)\]}])/g, "$1");
