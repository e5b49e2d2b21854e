import { existsSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { getSystemErrorMap } from "node:util";
import { InputError } from "../base/input-error.ts";

/**
 * Does work with a path that the user named: where the file system refuses, the error is an
 * InputError.
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

/** Removes something unless the file system refuses; then it stays. */
export function ifAllowed(clear: () => void): void {
  try {
    clear();
  } catch (error) {
    if (systemReason(error) === undefined) throw error;
  }
}

/** "not a directory", "permission denied"; undefined if the system did not refuse. */
function systemReason(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("errno" in error)) return undefined;
  const { errno } = error;
  if (typeof errno !== "number") return undefined;
  return getSystemErrorMap().get(errno)?.[1] ?? error.message;
}

/**
 * Makes a directory and its missing parents; returns the first that was made. Works one directory
 * at a time, since `mkdirSync`'s own recursion never ends where a parent exists and takes no
 * entries, as in `/proc`.
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
    // Another process may have made the directory in the same instant.
    if (!isDirectory(path)) throw error;
  }
}

export const isDirectory = (path: string): boolean =>
  existsSync(path) && statSync(path).isDirectory();

/** The absolute path without symbolic links, even if nothing exists there yet. */
export function realPath(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync.native(whole);
  } catch {
    const parent = dirname(whole);
    return parent === whole ? whole : join(realPath(parent), basename(whole));
  }
}
