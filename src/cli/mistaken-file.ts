import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { InputError } from "../base/input-error.ts";
import { readerOf } from "../data/formats/remote-path.ts";
import { isUrl } from "../trace/open/server/address.ts";
import { kindOf } from "./file-kind.ts";

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

/** What the files of a command must be. */
const EXPECTED: ReadonlyMap<string, string> = new Map([
  ...["why", "whatif", "compare", "report", "page"].map((name) => [name, "a history"] as const),
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
  const hint = `this is ${kind.what}: try \`broomwagon ${kind.commands[0]} ${path}\``;
  return new InputError(error.code, path, `expected ${expected}; ${hint}`);
}
