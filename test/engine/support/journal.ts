import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Replayed, replay } from "../../../src/core/journal/index.ts";
import { restoreDiscipline } from "../../../src/policy/discipline.ts";

/** A fresh scheduler on the events of the journal. */
export const replayOf = (lines: readonly string[]): Replayed =>
  replay(lines, (description) => restoreDiscipline(description));

/** The journal's lines as objects: its header, steps and host lines. */
export function journalOf(path: string): readonly JournalLine[] {
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

export interface JournalLine {
  readonly event?: string;
  readonly host?: { readonly kind: string; readonly [name: string]: unknown };
  readonly actions?: readonly { readonly kind: string; readonly task?: string }[];
}

/** Tasks that the scheduler had run again because their output was lost. */
export const recomputed = (lines: readonly JournalLine[]): readonly string[] =>
  lines
    .flatMap(({ actions = [] }) => actions)
    .flatMap(({ kind, task }) => (kind === "recompute" && task !== undefined ? [task] : []));

/** Map outputs that the newest run has accepted so far, as far as its journal is on the disk. */
export function outputsIn(runs: string): readonly MapOutputLine[] {
  const id = readdirSync(runs).sort().at(-1) ?? "";
  return journalOf(join(runs, id, "journal.ndjson")).flatMap(({ host }) => {
    const { kind, path, bytes, records, checksum } = host ?? { kind: "none" };
    if (kind !== "output" || typeof path !== "string" || typeof checksum !== "string") return [];
    return [{ path, bytes: Number(bytes), records: Number(records), checksum }];
  });
}

export interface MapOutputLine {
  readonly path: string;
  readonly bytes: number;
  readonly records: number;
  readonly checksum: string;
}
