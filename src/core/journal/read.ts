import { InputError } from "../../base/input-error.ts";
import { type Json, parseJson } from "../../base/json.ts";
import type { Action } from "../../model/action.ts";
import type { ClusterEvent } from "../../model/event.ts";
import { readAction } from "./action-line.ts";
import { readEvent } from "./event-line.ts";
import { Fields } from "./fields.ts";
import type { Names } from "./names.ts";
import { isSeal, Seal } from "./seal.ts";
import { isSealed, readSetup, type SetupDescription } from "./setup-line.ts";
import { Words } from "./words.ts";

/** `line` counts from 1; `text` is the line verbatim. */
export type JournalEntry = { readonly line: number; readonly text: string } & (
  | {
      readonly kind: "step";
      readonly event: ClusterEvent;
      readonly actions: readonly Action[];
    }
  | { readonly kind: "host"; readonly data: Json }
);

export interface Journal {
  /** The first line, verbatim. */
  readonly header: string;
  readonly setup: SetupDescription;
  /** Whether the journal's lines are sealed by a checksum. */
  readonly sealed: boolean;
  /** Entries are read lazily, and only once. */
  readonly entries: Iterable<JournalEntry>;
  /** The names of the ids in the latest entry. */
  readonly names: Names;
}

/**
 * Takes lines without line ends; an empty last line does not count. `place`: the file's name, for
 * errors.
 */
export function parseJournal(lines: Iterable<string>, place = "journal"): Journal {
  const numbered = numberedLines(lines, place)[Symbol.iterator]();
  const first = numbered.next();
  if (first.done)
    throw new InputError("bad-journal", place, "expected a first line with the set-up");
  const { text, json, place: firstPlace } = first.value;
  const fields = new Fields(json, firstPlace);
  const setup = readSetup(fields);
  const words = new Words(setup);
  const entries = readEntries(numbered, words);
  return { header: text, setup, sealed: isSealed(fields), entries, names: words.names };
}

function* readEntries(lines: Iterator<NumberedLine>, words: Words): Generator<JournalEntry, void> {
  let latest = 0;
  for (let next = lines.next(); !next.done; next = lines.next()) {
    const { line, text, json, place } = next.value;
    const fields = new Fields(json, place);
    if (fields.has("host")) {
      yield { kind: "host", line, text, data: fields.json("host") };
      continue;
    }
    const event = readEvent(fields, words);
    if (!(event.at >= latest))
      fields.fail("at", `${latest} or later, as time never runs backwards`);
    latest = event.at;
    const actions = fields.has("actions")
      ? fields.rows("actions").map((row) => readAction(row, words))
      : [];
    yield { kind: "step", line, text, event, actions };
    words.names.settle(event, actions);
  }
}

interface NumberedLine {
  readonly line: number;
  readonly text: string;
  readonly json: Json;
  readonly place: string;
}

function* numberedLines(lines: Iterable<string>, file: string): Generator<NumberedLine, void> {
  let line = 0;
  let blank = false;
  let seal: Seal | undefined;
  for (const text of lines) {
    line += 1;
    const place = `${file}:${line}`;
    if (blank) throw new InputError("bad-journal", `${file}:${line - 1}`, "expected no empty line");
    blank = text === "";
    if (blank) continue;
    seal?.read(text, file);
    if (seal !== undefined && isSeal(text)) continue;
    const parsed = parseJson(text);
    if (!parsed.ok) throw new InputError("bad-journal", place, parsed.problem);
    if (line === 1) seal = sealFrom(text, parsed.value, place);
    yield { line, text, json: parsed.value, place };
  }
}

/** The seal for the lines after the first, if the journal is sealed. */
function sealFrom(first: string, json: Json, place: string): Seal | undefined {
  if (!isSealed(new Fields(json, place))) return undefined;
  const seal = new Seal();
  seal.add(first);
  return seal;
}

/** Throws an InputError if lines of the journal are missing or altered. */
export function checkSeals(lines: Iterable<string>, place = "journal"): void {
  let seal: Seal | undefined;
  let line = 0;
  for (const text of lines) {
    line += 1;
    if (line > 1 && text !== "") seal?.read(text, place);
    if (line > 1) continue;
    const parsed = parseJson(text);
    if (!parsed.ok) return;
    seal = sealFrom(text, parsed.value, `${place}:1`);
  }
}
