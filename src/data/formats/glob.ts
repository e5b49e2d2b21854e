import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { InputError } from "../../base/input-error.ts";

/**
 * The files that a pattern names: `*` and `?` within a name, `**` for any number of directories,
 * `{a,b}` for either, `[a-z]` for one of a class. A directory stands for all files below it. Names
 * that start with `_` or `.` are passed over unless the pattern spells that out; a path that exists
 * is taken by its letters. Absolute, in no order, perhaps more than once.
 */
export function globFiles({ pattern, from }: { pattern: string; from: string }): string[] {
  const whole = resolve(from, pattern);
  if (existsSync(whole)) return filesBelow(whole);
  return expandBraces(pattern).flatMap((one) => {
    const [root = "/", ...names] = resolve(from, one).split("/");
    return match(root === "" ? "/" : root, names);
  });
}

/** Passed over unless a pattern spells it out. */
export const isHidden = (name: string): boolean => name.startsWith("_") || name.startsWith(".");

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => !isHidden(name));
  return names.flatMap((name) => filesBelow(join(path, name)));
}

function match(path: string, [name, ...rest]: readonly string[]): string[] {
  if (name === undefined) return existsSync(path) ? filesBelow(path) : [];
  if (!/[*?[]/.test(name)) return match(join(path, name), rest);
  const entries = readEntries(path);
  if (name === "**") {
    const deeper = entries.filter((entry) => entry.isDirectory() && !isHidden(entry.name));
    const below = deeper.flatMap((entry) => match(join(path, entry.name), [name, ...rest]));
    return [...match(path, rest.length === 0 ? ["*"] : rest), ...below];
  }
  const wanted = wildcard(name);
  return entries
    .filter((entry) => wanted.test(entry.name) && (isHidden(name) || !isHidden(entry.name)))
    .flatMap((entry) => match(join(path, entry.name), rest));
}

function readEntries(path: string) {
  const isDirectory = existsSync(path) && statSync(path).isDirectory();
  return isDirectory ? readdirSync(path, { withFileTypes: true }) : [];
}

/** Of one name between slashes. InputError for a class that is none, as `[z-a]`. */
export function wildcard(name: string): RegExp {
  const source = name.replace(/\[!?[^\]]+\]|[*?]|[\\^$.|+()[\]{}]/g, (part) => {
    if (part === "*") return "[^/]*";
    if (part === "?") return "[^/]";
    if (part.length === 1) return `\\${part}`;
    return part.replace(/^\[!/, "[^").replaceAll("\\", "\\\\");
  });
  try {
    return new RegExp(`^${source}$`, "u");
  } catch {
    throw new InputError("bad-flag", `input ${name}`, "expected classes such as [a-z] in a glob");
  }
}

/** The innermost first: `a{b,c{d,e}}` is `ab`, `acd` and `ace`. */
export function expandBraces(pattern: string): string[] {
  const braces = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (braces === null) return [pattern];
  const [all, choices = ""] = braces;
  const before = pattern.slice(0, braces.index);
  const after = pattern.slice(braces.index + all.length);
  return choices.split(",").flatMap((choice) => expandBraces(before + choice + after));
}
