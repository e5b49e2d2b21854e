import { isList, isObject, type Json } from "../../base/json.ts";
import type { Action } from "../../model/action.ts";
import type { ClusterEvent } from "../../model/event.ts";
import type { Fact } from "../../model/fact.ts";
import type { View } from "../../model/view.ts";
import type { Discipline, DisciplineDescription } from "../../policy/policy.ts";
import { createScheduler } from "../scheduler.ts";
import type { Setup } from "../state/setup.ts";
import type { Names } from "./names.ts";
import { parseJournal } from "./read.ts";
import { journalWriter } from "./write.ts";

export type Replayed =
  | { readonly kind: "same"; readonly steps: number }
  /** The first line that a fresh scheduler writes differently. */
  | {
      readonly kind: "different";
      readonly line: number;
      readonly expected: string;
      readonly got: string;
    };

export interface ReplayOptions {
  /** The file's name, for errors. */
  readonly place?: string;
  /** Called with each step until the first difference. */
  readonly onStep?: (step: ReplayedStep) => void;
  /** Called with each line of the host's own. */
  readonly onHost?: (data: Json) => void;
}

/** A step of a journal, with its facts. */
export interface ReplayedStep {
  readonly event: ClusterEvent;
  readonly actions: readonly Action[];
  readonly facts: readonly Fact[];
  /** The view after the step. */
  readonly view: View;
  /** The names at this step: names of ended jobs are dropped later. */
  readonly names: Names;
}

/**
 * Runs the events of a journal through a fresh scheduler, which must reproduce every line to the
 * byte. `restore` finds the policies that the first line names; a parameter that is newer than the
 * journal has its default.
 */
export function replay(
  lines: Iterable<string>,
  restore: (description: DisciplineDescription) => Discipline,
  { place = "journal", onStep, onHost }: ReplayOptions = {},
): Replayed {
  const journal = parseJournal(lines, place);
  const { explain, ...described } = journal.setup;
  const setup: Setup = { ...described, discipline: restore(described.discipline) };
  const writer = journalWriter(setup, { explain, sealed: journal.sealed });
  const header = writer.header();
  if (!headersAgree(journal.header, header)) {
    return { kind: "different", line: 1, expected: journal.header, got: header };
  }
  const scheduler = createScheduler(setup, { explain, facts: onStep !== undefined });
  let steps = 0;
  for (const entry of journal.entries) {
    if (entry.kind === "host") {
      onHost?.(entry.data);
      continue;
    }
    const { actions, facts } = scheduler.step(entry.event);
    const difference = differs(entry.line, entry.text, writer.step(entry.event, actions));
    if (difference !== undefined) return difference;
    onStep?.({ event: entry.event, actions, facts, names: journal.names, view: scheduler.view });
    steps += 1;
  }
  return { kind: "same", steps };
}

function differs(line: number, expected: string, got: string): Replayed | undefined {
  return expected === got ? undefined : { kind: "different", line, expected, got };
}

/**
 * Whether the first lines of two journals say the same, but for parameters of policies that are
 * newer than the recorded one: each has its default then.
 */
export const headersAgree = (recorded: string, got: string): boolean =>
  agrees(JSON.parse(recorded), JSON.parse(got));

/** Whether everything recorded is present and equal, and only parameters of policies are new. */
function agrees(recorded: Json, got: Json, isParams = false): boolean {
  if (isList(recorded)) {
    if (!isList(got) || got.length !== recorded.length) return false;
    return recorded.every((element, i) => agrees(element, got[i] ?? null));
  }
  if (!isObject(recorded)) return recorded === got;
  if (!isObject(got)) return false;
  const names = Object.keys(recorded);
  if (!isParams && Object.keys(got).length !== names.length) return false;
  return names.every((name) => {
    const [left, right] = [recorded[name], got[name]];
    return left !== undefined && right !== undefined && agrees(left, right, name === "params");
  });
}
