import { lineAt, type SourceFile } from "../tidy/source.ts";

/** A change of one place in one line of the code that decides. */
export interface Mutant {
  readonly path: string;
  readonly line: number;
  /** The place in the file's text. */
  readonly start: number;
  readonly end: number;
  /** What stands there instead. */
  readonly text: string;
  /** Where the changed code begins to run: the start of the expression or statement around it. */
  readonly runsAt: number;
  /** The line before and after, without its indentation. */
  readonly before: string;
  readonly after: string;
}

export type Change = Pick<Mutant, "start" | "end" | "text" | "runsAt">;

export function mutantOf(file: SourceFile, change: Change): Mutant {
  const { path, text } = file;
  const from = text.lastIndexOf("\n", change.start - 1) + 1;
  const next = text.indexOf("\n", change.end);
  const to = next === -1 ? text.length : next;
  const head = text.slice(from, change.start);
  return {
    path,
    line: lineAt(file, change.start),
    ...change,
    before: text.slice(from, to).trim(),
    after: (head + change.text + text.slice(change.end, to)).trim(),
  };
}

/** The text of the mutant's file. */
export const mutated = ({ text }: SourceFile, { start, end, text: instead }: Change): string =>
  text.slice(0, start) + instead + text.slice(end);

/** Unique in a tree. */
export const keyOf = ({ path, line, before, after }: Mutant): string =>
  `${path}:${line}: ${before} -> ${after === "" ? "(nothing)" : after}`;

/** The files that decide: no tests, and no files that only read what a user has written. */
export const decides = ({ path }: SourceFile): boolean =>
  /^src\/(policy|core|model)\/.*\.ts$/.test(path) &&
  !/\.test(-d)?\.ts$/.test(path) &&
  !READS_TEXT.some((reads) => reads.test(path));

/**
 * Settings, names and the files of a user: what these read, other tests check. The journal of the
 * core writes decisions and reads them again, and decides nothing.
 */
const READS_TEXT = [
  /^src\/core\/journal\//,
  /^src\/model\/(chance-shape|fault[a-z-]*|missed-fault)\.ts$/,
  /^src\/policy\/(check-own-policy|discipline|guard-hooks|index|known-sets|own-policies)\.ts$/,
  /^src\/policy\/(parameters|params|registry|seat|seat-fields|setting)\.ts$/,
];
