import { numberFrom } from "../../../core/journal/fields.ts";
import type { Why } from "../../../model/why.ts";
import { DECISIONS_FILE } from "../policy/decisions-file.ts";
import { JsonAnswer } from "./json-answer.ts";

/** A decision of the policies in an ApplicationMaster, as its container's log records it. */
export type Decision =
  | {
      readonly kind: "copy";
      readonly at: number;
      readonly command: number;
      readonly task: string;
      readonly why: Why;
    }
  | {
      readonly kind: "kill";
      readonly at: number;
      readonly command: number;
      readonly attempt: string;
      readonly why: Why;
    }
  /** A command took effect; `attempt` is the copy's attempt. */
  | {
      readonly kind: "done";
      readonly at: number;
      readonly command: number;
      readonly attempt: string;
    }
  | {
      readonly kind: "refused";
      readonly at: number;
      readonly command: number;
      readonly reason: string;
    }
  | { readonly kind: "log"; readonly at: number; readonly level: string; readonly text: string };

/** The decisions in the whole lines of the file; other lines are skipped. */
export function readDecisions(lines: readonly string[]): readonly Decision[] {
  return lines.flatMap((line) => {
    const decision = decisionOf(line);
    return decision === undefined ? [] : [decision];
  });
}

function decisionOf(text: string): Decision | undefined {
  const line = parsed(text);
  const at = line.number("at");
  const command = line.number("command");
  switch (line.text("type")) {
    case "copy":
      return { kind: "copy", at, command, task: line.text("task"), why: whyOf(line.part("why")) };
    case "kill":
      return {
        kind: "kill",
        at,
        command,
        attempt: line.text("attempt"),
        why: whyOf(line.part("why")),
      };
    case "done":
      return { kind: "done", at, command, attempt: line.text("attempt") };
    case "refused":
      return { kind: "refused", at, command, reason: line.text("reason") };
    case "log":
      return { kind: "log", at, level: line.text("level"), text: line.text("text") };
    case "idle":
      return { kind: "log", at, level: "warn", text: line.text("reason") };
    default:
      return undefined;
  }
}

function parsed(text: string): JsonAnswer {
  try {
    return new JsonAnswer(JSON.parse(text), DECISIONS_FILE);
  } catch {
    return new JsonAnswer({}, DECISIONS_FILE);
  }
}

/** Numbers that JSON lacks, such as Infinity, are written as text, as in journals. */
function whyOf(why: JsonAnswer): Why {
  const pairs = Object.entries(why.record("numbers"));
  const numbers = pairs.map(([name, value]) => [name, numberFrom(value) ?? value] as const);
  return { rule: why.text("rule"), numbers: Object.fromEntries(numbers) };
}
