import { never } from "../../base/assert.ts";
import type { AttemptFacts, RunEvent, RunResult } from "../../hosts/engine/index.ts";
import { brief } from "../display/sentence.ts";
import { type Act, acts } from "../run-result-text.ts";
import { whyText } from "../why-text.ts";

/** An output that is to be made again, and why. */
export type Recompute = Extract<RunEvent, { readonly kind: "recompute" }>;

/** Attempts that make up for something that went wrong. */
const REPAIRS = ["recompute", "retry", "rerun", "restart"];

/**
 * What was copied, made again, killed or lost, in the order of time. A repair is told by what it
 * makes up for: why it got just this slot says nothing of that.
 */
export function actsTold(result: RunResult, recomputes: readonly Recompute[]): readonly Act[] {
  const repairs = result.attempts.filter((facts) => REPAIRS.includes(facts.as));
  const told = repairs.map((facts): Act => {
    const reason = facts.as === "recompute" ? outputGone(facts, recomputes) : undefined;
    const text = reason ?? endedBefore(facts, result.attempts);
    const who = `${brief(facts.attempt)} on ${facts.node}`;
    return { at: facts.launchedAt, what: facts.as, text: `${who}: ${text}` };
  });
  const others = acts(result).filter(({ what }) => !REPAIRS.includes(what));
  const all = [...others, ...told];
  return all.sort((a, b) => (a.at === b.at ? (a.text < b.text ? -1 : 1) : a.at - b.at));
}

/** Tasks whose output went with its node, or could not be fetched: each once. */
export function outputsGone(
  { outputsLost }: RunResult,
  recomputes: readonly Recompute[],
): readonly string[] {
  return [...new Set([...outputsLost, ...recomputes.map(({ task }) => task)])];
}

/** The reason of the latest decision before the launch to make the output again. */
function outputGone(
  { attempt, launchedAt }: AttemptFacts,
  recomputes: readonly Recompute[],
): string | undefined {
  const decided = recomputes.filter(({ task, at }) => task === taskOf(attempt) && at <= launchedAt);
  const latest = decided.at(-1);
  return latest === undefined ? undefined : whyText(latest.why);
}

/** What became of the task's attempt that ended last before the launch. */
function endedBefore(
  { attempt, launchedAt, why }: AttemptFacts,
  attempts: readonly AttemptFacts[],
): string {
  const earlier = attempts.filter(
    (one) =>
      one.attempt !== attempt &&
      taskOf(one.attempt) === taskOf(attempt) &&
      one.endedAt <= launchedAt &&
      one.end.kind !== "succeeded",
  );
  const latest = earlier.sort((a, b) => a.endedAt - b.endedAt).at(-1);
  return latest === undefined ? whyText(why) : `${brief(latest.attempt)} ${fateOf(latest)}`;
}

function fateOf({ node, end }: AttemptFacts): string {
  switch (end.kind) {
    case "succeeded":
      return "succeeded";
    case "failed":
      return "failed";
    case "killed":
      return end.by === "node-lost" ? `was lost with ${node}` : `was killed: ${whyText(end.why)}`;
    default:
      return never(end);
  }
}

const taskOf = (attempt: string): string => attempt.slice(0, attempt.lastIndexOf("#"));
