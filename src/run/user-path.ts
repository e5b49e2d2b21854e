import { existsSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { getSystemErrorMap } from "node:util";
import { InputError } from "../base/input-error.ts";

/**
 * Does what needs a path that the user named: where the file system says no, that is the user's to
 * correct.
 */
export function atUserPath<T>(path: string, expected: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const reason = systemReason(error);
    if (reason === undefined) throw error;
    throw new InputError("missing-file", resolve(path), `expected ${expected}: ${reason}`);
  }
}

/** Clears something away, unless the file system says no: then it stays where it is. */
export function ifAllowed(clear: () => void): void {
  try {
    clear();
  } catch (error) {
    if (systemReason(error) === undefined) throw error;
  }
}

/** "not a directory", "permission denied"; undefined if it was not the system that refused. */
function systemReason(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("errno" in error)) return undefined;
  const { errno } = error;
  if (typeof errno !== "number") return undefined;
  return getSystemErrorMap().get(errno)?.[1] ?? error.message;
}

/**
 * Makes a directory and the parents that are missing; the first that was made. One at a time, since
 * `mkdirSync`'s own recursion never ends where a parent is there and takes no entries, as in
 * `/proc`.
 */
export function makeDirectory(path: string): string | undefined {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const each of missing) makeOne(each);
  return missing[0];
}

function makeOne(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it in the same instant.
    if (!isDirectory(path)) throw error;
  }
}

export const isDirectory = (path: string): boolean =>
  existsSync(path) && statSync(path).isDirectory();

/** Absolute and without symbolic links, also of what is not there yet. */
export function realPath(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync.native(whole);
  } catch {
    const parent = dirname(whole);
    return parent === whole ? whole : join(realPath(parent), basename(whole));
  }
}
