import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Replayed, replay } from "../../../src/core/journal/index.ts";
import type { ShuffleOutput } from "../../../src/data/index.ts";
import type { HostLine } from "../../../src/hosts/engine/host-line.ts";
import { restoreDiscipline } from "../../../src/policy/discipline.ts";
import type { RunResult } from "../../../src/run/run-result.ts";
import { AttemptsByFacts, ofSummary, sorted } from "../../books/attempts-by-facts.ts";
import { Books } from "../../support/books.ts";

/**
 * Replays the journal's events in a fresh scheduler. Its facts must agree with its view at every
 * step, and with all attempts of the run's summary.
 */
export function replayOf(
  lines: readonly string[],
  { attempts }: Partial<Pick<RunResult, "attempts">> = {},
): Replayed {
  const books = new Books();
  const byFacts = new AttemptsByFacts();
  const replayed = replay(lines, (description) => restoreDiscipline(description), {
    onStep: (step) => {
      books.step(step.facts, step.view);
      byFacts.step(step);
    },
  });
  books.end();
  if (attempts !== undefined) expect(sorted(ofSummary(attempts))).toEqual(sorted(byFacts.all));
  return replayed;
}

/** The journal's lines as objects: its header, steps and host lines. */
export function journalOf(path: string): readonly JournalLine[] {
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

export interface JournalLine {
  readonly event?: string;
  readonly attempt?: string;
  readonly byPartition?: readonly number[];
  readonly phases?: readonly { readonly inputBytes?: { readonly each?: readonly number[] } }[];
  readonly host?: HostLine;
  readonly actions?: readonly {
    readonly kind: string;
    readonly task?: string;
    /** Of a launch: an `AttemptKind`. */
    readonly as?: string;
    readonly rule?: string;
  }[];
}

/** Tasks that the scheduler had run again because their output was lost. */
export const recomputed = (lines: readonly JournalLine[]): readonly string[] =>
  lines
    .flatMap(({ actions = [] }) => actions)
    .flatMap(({ kind, task }) => (kind === "recompute" && task !== undefined ? [task] : []));

/** The folder of the run that began last; names only differ by seconds. */
export function newestRun(runs: string): string {
  const folders = readdirSync(runs).map((id) => join(runs, id));
  const born = new Map(folders.map((folder) => [folder, statSync(folder).birthtimeMs]));
  return folders.reduce((newest, folder) =>
    (born.get(folder) ?? 0) > (born.get(newest) ?? 0) ? folder : newest,
  );
}

/** The shuffle outputs that the newest run has accepted so far, by its journal. */
export function outputsIn(runs: string): readonly (ShuffleOutput & { readonly task: string })[] {
  return journalOf(join(newestRun(runs), "journal.ndjson")).flatMap(({ host }) => {
    if (host?.kind !== "output" || host.result.kind !== "shuffle-output") return [];
    return [{ ...host.result.output, task: host.attempt.replace(/#\d+$/, "") }];
  });
}

/** The file ends like a run file, so it is complete. */
export const isRunFile = (path: string): boolean =>
  existsSync(path) && readFileSync(path, "latin1").endsWith("BWRN");
