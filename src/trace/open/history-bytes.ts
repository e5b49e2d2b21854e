import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../base/input-error.ts";
import { readerOf } from "../../data/formats/remote-path.ts";
import { fileBytes, type OnStored } from "./file-bytes.ts";
import { standardInput } from "./standard-input.ts";

/** The files of one history, in the order in which they are read. */
export function filesOfHistory(path: string): readonly string[] {
  if (path === "-") return [path];
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) {
    const reader = readerOf(path);
    const pipe = `this URL is not read: try \`${reader} | broomwagon why -\``;
    throw new InputError("missing-file", path, reader === undefined ? "no such file" : pipe);
  }
  if (!stat.isDirectory()) return [path];
  const numbered = readdirSync(path).flatMap((name) => {
    const [, number] = /^events_(\d+)_/.exec(name) ?? [];
    return number === undefined ? [] : [{ name, number: Number(number) }];
  });
  return numbered.sort((a, b) => a.number - b.number).map(({ name }) => join(path, name));
}

/** The decompressed bytes of a file, or of standard input for `-`. */
export const historyBytes = (
  path: string,
  onStored: OnStored = () => {},
): AsyncGenerator<Uint8Array, void, undefined> =>
  path === "-" ? standardInput(onStored) : fileBytes(path, onStored);
