import { InputError } from "../../../base/input-error.ts";
import type { Json } from "../../../base/json.ts";
import { Fields } from "../../../core/journal/fields.ts";
import { headersAgree, isSeal, parseJournal } from "../../../core/journal/index.ts";
import { REGISTRY, type Registry } from "../../../policy/registry.ts";
import type { AmLine } from "./am-line.ts";
import { type FactsLine, readFacts } from "./facts.ts";
import type { PolicyOutput } from "./followed-job.ts";
import { readAmLine } from "./read-am-line.ts";
import { PolicySession } from "./session.ts";

/** The result of replaying a journal's lines from the ApplicationMaster in a fresh child. */
export type ReplayedSession =
  | { readonly kind: "same"; readonly lines: number; readonly commands: number }
  /** The first line that differs; "" if there is one line less. */
  | {
      readonly kind: "different";
      readonly line: number;
      readonly expected: string;
      readonly got: string;
    };

/** Whether the journal's line records input of an ApplicationMaster's child. */
export const isOfSession = (line: string): boolean => line.startsWith('{"host":{"kind":"from-am"');

/**
 * Gives a fresh session the input of the journal's child, and nothing else: every line of the
 * journal, commands included, must come out again, to the byte. The first line may lack parameters
 * that are newer than the journal; the seals, which count the first line, then differ.
 */
export function replaySession(
  lines: readonly string[],
  place = "journal",
  registry: Registry = REGISTRY,
): ReplayedSession {
  const { journal: got, commands } = sessionAgain(lines, place, registry);
  const expected = lines.filter((line) => line !== "");
  const length = Math.max(expected.length, got.length);
  const isOlder = expected[0] !== got[0];
  for (let i = 0; i < length; i++) {
    const [one = "", other = ""] = [expected[i], got[i]];
    if (one === other || (isOlder && isSeal(one) && isSeal(other))) continue;
    if (i === 0 && one !== "" && other !== "" && headersAgree(one, other)) continue;
    return { kind: "different", line: i + 1, expected: one, got: other };
  }
  return { kind: "same", lines: length, commands };
}

/** The journal of a fresh session with the input of the journal's child. */
export function sessionAgain(
  lines: readonly string[],
  place = "journal",
  registry: Registry = REGISTRY,
): {
  readonly journal: readonly string[];
  readonly commands: number;
  readonly names: PolicySession["names"];
} {
  const journal: string[] = [];
  let commands = 0;
  const output: PolicyOutput = {
    say: (line) => {
      if ("command" in line) commands++;
    },
    journal: (line) => journal.push(line),
  };
  const session = new PolicySession(output, () => registry);
  for (const entry of parseJournal(lines, place).entries) {
    if (entry.kind !== "host") continue;
    const given = givenIn(entry.data, `${place}:${entry.line}`);
    if (given !== undefined) session.take(given);
  }
  session.end();
  return { journal, commands, names: session.names };
}

/** The client's names of the tasks in the journal; undefined if the journal has none. */
export function namesOfPlan(
  lines: readonly string[],
  place = "journal",
  registry: Registry = REGISTRY,
): PolicySession["names"] {
  return sessionAgain(lines, place, registry).names;
}

/** The child's input in the host's line, if the line records one. */
function givenIn(data: Json, place: string): AmLine | FactsLine | undefined {
  const fields = new Fields(data, place);
  const kind = fields.text("kind");
  if (kind === "facts") return readFacts(fields.json("line"), place);
  if (kind !== "from-am") return undefined;
  const line = readAmLine(fields.json("line"), place);
  if (line === undefined) throw new InputError("bad-journal", place, "expected a line of the AM");
  return line;
}
