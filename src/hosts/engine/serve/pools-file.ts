import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { resolve } from "node:path";
import { InputError } from "../../../base/input-error.ts";
import { findParam } from "../../../policy/params.ts";
import type { Discipline } from "../../../policy/policy.ts";

/** The sharing policy's parameter for pools or queues; InputError if the policy has none. */
export function poolsParameter(
  { sharing: { policy } }: Pick<Discipline, "sharing">,
  file: string,
): string {
  const name = ["pools", "queues"].find((one) => findParam(policy, one) !== undefined);
  if (name !== undefined) return name;
  const expected = `expected fair or capacity in the seat of sharing, found ${policy.name}`;
  throw new InputError("bad-flag", file, expected);
}

/**
 * The parameter's text, read from a file with one pool or queue per line; `#` begins a comment.
 * InputError with the file for mistakes.
 */
export function readPoolsFile(file: string, { sharing }: Pick<Discipline, "sharing">): string {
  const { policy } = sharing;
  const parameter = poolsParameter({ sharing }, file);
  const text = textOf(file);
  try {
    const fault = findParam(policy, parameter)?.fault?.(text);
    if (fault !== undefined) throw new InputError("bad-parameter", file, fault);
  } catch (error) {
    if (!(error instanceof InputError) || error.place === file) throw error;
    throw new InputError("bad-parameter", file, error.message);
  }
  return text;
}

function textOf(file: string): string {
  let whole: string;
  try {
    whole = readFileSync(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError("missing-file", resolve(file), `expected a file to read: ${reason}`);
  }
  const lines = whole.split("\n").map((line) => line.replace(/#.*/, "").trim());
  return lines.filter((line) => line !== "").join(";");
}

/** Calls `changed` when the file changes; the returned function stops watching. */
export function watchPoolsFile(file: string, changed: () => void): () => void {
  const listener = ({ mtimeMs, size }: Stamp, before: Stamp): void => {
    if (mtimeMs !== before.mtimeMs || size !== before.size) changed();
  };
  watchFile(file, { interval: LOOK_MS }, listener);
  return () => unwatchFile(file, listener);
}

interface Stamp {
  readonly mtimeMs: number;
  readonly size: number;
}

const LOOK_MS = 500;
