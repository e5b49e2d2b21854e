import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { InputError } from "../base/input-error.ts";
import { readerOf } from "../data/formats/remote-path.ts";
import { detect, type FileFormat } from "../trace/detect.ts";
import { compressionOf, headOf } from "../trace/open/file-bytes.ts";
import { isUrl } from "../trace/open/server/address.ts";

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

const DIAGNOSES = ["why", "whatif", "compare", "report", "page"] as const;

/** What the files of a command must be. */
const EXPECTED: ReadonlyMap<string, string> = new Map([
  ...DIAGNOSES.map((name) => [name, "a history"] as const),
  ["simulate", "a scenario"],
  ["replay", "a journal.ndjson that Broomwagon wrote"],
  ["run", "a job file"],
  ["submit", "a job file"],
  ["resume", "the directory of a run"],
]);

/** InputError if the name of a command is that of a file, or the URL of one. */
export function refuseFileAsCommand(name: string): void {
  const kind = kindOf(name);
  const reader = isUrl(name) ? undefined : readerOf(name);
  const expected = "expected a command before it";
  if (reader !== undefined) {
    throw new InputError("bad-flag", name, `${expected}: try \`${reader} | broomwagon why -\``);
  }
  if (kind === undefined) return;
  const call = `broomwagon ${kind.commands[0]} ${name}`;
  throw new InputError("bad-flag", name, `${expected}; this is ${kind.what}: try \`${call}\``);
}

/** InputError if a file of the command is the URL of an object that the command does not read. */
export function refuseRemote(command: string, operands: readonly string[]): void {
  const expected = EXPECTED.get(command);
  if (expected === undefined) return;
  const isHistory = expected === "a history";
  const url = operands.find((each) => readerOf(each) !== undefined && !(isHistory && isUrl(each)));
  if (url === undefined) return;
  const reader = readerOf(url);
  const call = isHistory
    ? `${reader} | broomwagon ${command} -`
    : `${reader} > FILE && broomwagon ${command} FILE`;
  throw new InputError("missing-file", url, `this URL is not read: try \`${call}\``);
}

/**
 * A better error than this one about an operand of the command, if the file is meant for another
 * command.
 */
export function mistakenFile(
  error: unknown,
  command: string,
  operands: readonly string[],
): InputError | undefined {
  const expected = EXPECTED.get(command);
  if (!(error instanceof InputError) || expected === undefined) return undefined;
  const path = operands.find((each) =>
    [each, resolve(each)].some((one) => error.place === one || error.place.startsWith(`${one}:`)),
  );
  const kind = path === undefined || isUrl(path) || isFolder(path) ? undefined : kindOf(path);
  if (path === undefined || kind === undefined || kind.commands.includes(command)) return undefined;
  return new InputError(error.code, path, expectedText(command, kind, path));
}

function expectedText(command: string, { what, commands }: FileKind, path: string): string {
  const hint = `this is ${what}: try \`broomwagon ${commands[0]} ${path}\``;
  return `expected ${EXPECTED.get(command)}; ${hint}`;
}

/** What is wrong with a compressed operand, whose content is in a file; undefined: not known. */
export function mistakenContent(
  command: string,
  path: string,
  content: string,
): string | undefined {
  const kind = kindOf(content);
  if (kind === undefined || kind.commands.includes(command)) return undefined;
  return expectedText(command, { ...kind, what: `${kind.what}, compressed` }, path);
}

/** What a file is, and the commands that take such a file, the likeliest first. */
interface FileKind {
  readonly what: string;
  readonly commands: readonly [first: string, ...others: string[]];
}

const FORMATS: Readonly<Record<FileFormat, FileKind>> = {
  jhist: { what: "a job history of Hadoop 2 or 3", commands: DIAGNOSES },
  jobtracker: { what: "a job history of Hadoop 0.20 or 1", commands: DIAGNOSES },
  spark: { what: "an event log of Spark", commands: DIAGNOSES },
  rumen: { what: "a job trace of Rumen", commands: DIAGNOSES },
  journal: { what: "a journal of Broomwagon", commands: [...DIAGNOSES, "replay"] },
};

const HEAD_BYTES = 16_384;

/** Undefined if there is no such file, it cannot be read, or it is of no known kind. */
function kindOf(path: string): FileKind | undefined {
  if (isUrl(path)) return { what: "a URL", commands: DIAGNOSES };
  if (!existsSync(path)) return undefined;
  const stat = statSync(path);
  if (stat.isDirectory()) return { what: "a directory", commands: [...DIAGNOSES, "resume"] };
  try {
    return stat.isFile() ? kindByContent(path) : undefined;
  } catch {
    return undefined;
  }
}

/** A job file is known by its name: it is a module. */
function kindByContent(path: string): FileKind | undefined {
  const head = headOf(path, HEAD_BYTES);
  const compression = compressionOf(head, path);
  if (compression !== "none") {
    return { what: `a file compressed with ${compression}`, commands: [...DIAGNOSES, "replay"] };
  }
  const format = detect(head);
  if (format !== undefined) return FORMATS[format];
  if (/\.[cm]?[jt]s$/.test(path)) return { what: "a job file", commands: ["run", "submit"] };
  const isScenario = /^\s*\{.*"(?:cluster|study)"\s*:/s.test(Buffer.from(head).toString());
  return isScenario ? { what: "a scenario", commands: ["simulate"] } : undefined;
}
