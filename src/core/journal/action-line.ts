import type { Json } from "../../base/json.ts";
import { type Lines, line, lines } from "../../base/lines.ts";
import type { Without } from "../../base/without.ts";
import type { Action, JobOutcome, KillThen } from "../../model/action.ts";
import { ATTEMPT_KINDS } from "../../model/attempt.ts";
import { instant } from "../../model/ids.ts";
import type { Why } from "../../model/why.ts";
import {
  attempt,
  type JournalLine,
  job,
  node,
  nodes,
  oneOf,
  optional,
  rack,
  racks,
  request,
  slot,
  task,
  where,
} from "./codecs.ts";
import { type Fields, numberFrom, numberText } from "./fields.ts";
import type { Words } from "./words.ts";

const as = oneOf(ATTEMPT_KINDS);

type Reasoned = Without<Exclude<Action, { kind: "wake" }>, "why">;
type Launch = Without<Extract<Reasoned, { readonly kind: "launch" }>, "kind">;

const launchFields = line<Without<Launch, "attempt" | "task">, Fields, Words>({
  as,
  node,
  slot,
  request: optional(request),
});

/** The attempt's name includes its task's name. */
const launch: JournalLine<Launch> = {
  write(action, words) {
    words.names.addAttempt(action.attempt, action.task, action.node);
    const of = words.names.attemptText(action.attempt);
    const on = words.names.nodeText(action.node);
    const slot = words.slotText(action.slot);
    const asked = words.requestField(action.request);
    return `,"attempt":${of},"as":"${action.as}","node":${on},"slot":${slot}${asked}`;
  },
  read(fields, words) {
    const { id, task: of } = words.readNewAttempt(fields, "attempt");
    words.names.addAttempt(id, of, words.readNode(fields, "node"));
    return { attempt: id, task: of, ...launchFields.read(fields, words) };
  },
};

const ACTION_LINES: Lines<Reasoned, Fields, Words> = lines("kind", {
  launch,
  request: line({ request, task, as, where }),
  withdraw: line({ request }),
  kill: line({
    attempt,
    then: oneOf<KillThen>(["restart", "requeue", "nothing"]),
    for: optional(task),
  }),
  recompute: line({ task }),
  replicate: line({ task, to: rack }),
  prefer: line({ task, nodes, racks }),
  "declare-lost": line({ node }),
  "end-job": line({ job, outcome: oneOf<JobOutcome>(["succeeded", "failed", "killed"]) }),
  pass: line({ task: optional(task) }),
});

const KINDS: readonly Action["kind"][] = [...ACTION_LINES.kinds, "wake"];

/**
 * An action as an object in a line's `actions`, as text of JSON. Writing also adds the new names to
 * `words`.
 */
export function writeAction(action: Action, words: Words): string {
  if (action.kind === "wake") return `{"kind":"wake","at":${numberText(action.at)}}`;
  return `{${ACTION_LINES.write(action, words)}${words.whyText(action.why)}}`;
}

export function readAction(fields: Fields, words: Words): Action {
  const kind = fields.oneOf("kind", KINDS);
  if (kind === "wake") return { kind, at: instant(fields.number("at")) };
  const pairs = fields.has("numbers") ? fields.fields("numbers").entries() : [];
  const numbers = pairs.map(([name, value]) => [name, numberOrText(value, fields)] as const);
  const why: Why = { rule: fields.text("rule"), numbers: Object.fromEntries(numbers) };
  return { ...ACTION_LINES.read(kind, fields, words), why };
}

function numberOrText(value: Json, fields: Fields): number | string {
  const number = numberFrom(value);
  if (number !== undefined) return number;
  return typeof value === "string" ? value : fields.fail("numbers", "numbers and strings by name");
}
