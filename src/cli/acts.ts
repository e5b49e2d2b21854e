import { never } from "../base/assert.ts";
import { ascending } from "../base/order.ts";
import type { AttemptFacts, NamedEnd, RecomputeFacts, RunResult } from "../hosts/engine/index.ts";
import { whyText } from "../report/why-text.ts";
import { brief } from "./display/sentence.ts";

/** A row about a copy, a repair, a kill, a failure or a loss, and its reason. */
export interface Act {
  /** Milliseconds since the run began. */
  readonly at: number;
  readonly what: string;
  readonly text: string;
}

/** Kinds of attempts that repair something that went wrong. */
const REPAIRS = ["recompute", "retry", "rerun", "restart"];

/**
 * Copies, repairs, kills and losses, in the order of time. The reason given for a repair is what it
 * repairs, because the reason for its slot does not say.
 */
export function acts(result: RunResult): readonly Act[] {
  const all = result.attempts.flatMap((facts) => {
    const who = `${brief(facts.attempt)} on ${facts.node}`;
    const launch = {
      at: facts.launchedAt,
      what: facts.as,
      text: `${who}: ${reasonOf(facts, result)}`,
    };
    const ends = badEnd(facts.end).map(({ what, reason }) => {
      return { at: facts.endedAt, what, text: `${who}: ${reason}` };
    });
    return facts.as === "original" ? ends : [launch, ...ends];
  });
  return all.sort(
    ascending(
      ({ at }) => at,
      (a, b) => (a.text < b.text ? -1 : 1),
    ),
  );
}

/** Tasks whose output was lost with its node, or could not be fetched, each once. */
export function outputsGone({ outputsLost, recomputes }: RunResult): readonly string[] {
  return [...new Set([...outputsLost, ...recomputes.map(({ task }) => task)])];
}

function reasonOf(facts: AttemptFacts, { attempts, recomputes }: RunResult): string {
  if (!REPAIRS.includes(facts.as)) return whyText(facts.why);
  const reason = facts.as === "recompute" ? outputGone(facts, recomputes) : undefined;
  return reason ?? endedBefore(facts, attempts);
}

/** One entry for a bad end, none for a good one. */
function badEnd(end: NamedEnd): readonly { readonly what: string; readonly reason: string }[] {
  switch (end.kind) {
    case "succeeded":
      return [];
    case "failed":
      return [{ what: "failed", reason: end.message }];
    case "killed":
    case "lost":
      return [{ what: end.kind, reason: whyText(end.why) }];
    default:
      return never(end);
  }
}

/** The reason of the latest decision before the launch to recompute the output. */
function outputGone(
  { task, launchedAt }: AttemptFacts,
  recomputes: readonly RecomputeFacts[],
): string | undefined {
  const decided = recomputes.filter((one) => one.task === task && one.at <= launchedAt);
  const latest = decided.at(-1);
  return latest === undefined ? undefined : whyText(latest.why);
}

/** The end of the task's attempt that ended last before the launch. */
function endedBefore(
  { attempt, task, launchedAt, why }: AttemptFacts,
  attempts: readonly AttemptFacts[],
): string {
  const earlier = attempts.filter(
    (one) =>
      one.attempt !== attempt &&
      one.task === task &&
      one.endedAt <= launchedAt &&
      one.end.kind !== "succeeded",
  );
  const latest = earlier.sort(ascending(({ endedAt }) => endedAt)).at(-1);
  return latest === undefined ? whyText(why) : `${brief(latest.attempt)} ${fateOf(latest)}`;
}

function fateOf({ node, end }: AttemptFacts): string {
  switch (end.kind) {
    case "succeeded":
      return "succeeded";
    case "failed":
      return "failed";
    case "killed":
      return `was killed: ${whyText(end.why)}`;
    case "lost":
      return `was lost with ${node}`;
    default:
      return never(end);
  }
}
