import type { AttemptKind } from "../../../model/attempt.ts";
import { rule, type Why } from "../../../model/why.ts";
import type { Decision } from "./decisions.ts";
import { taskOf } from "./task-names.ts";
import type { AttemptRow } from "./yarn-rest.ts";

/** The reason of an attempt's launch. */
export interface Begun {
  readonly as: AttemptKind;
  readonly why: Why;
}

const HADOOP = rule("started-by-hadoop");

/**
 * Why an attempt was launched, and which attempt it stands beside or replaces: a copy that the
 * policies asked for, or an attempt of Hadoop's own. `rows`: all attempts of its task. `lost`:
 * attempts whose output is known to be gone.
 */
export function begun(
  row: AttemptRow,
  rows: readonly AttemptRow[],
  decisions: readonly Decision[],
  lost: ReadonlySet<string> = new Set(),
): Begun {
  const copy = commandOf(decisions, row.attempt);
  if (copy !== undefined) return { as: "speculative", why: copy.why };
  const earlier = rows
    .filter((one) => numberOf(one) < numberOf(row) && one.endedAt > 0)
    .filter((one) => one.endedAt <= row.startedAt || row.startedAt === 0);
  const last = earlier.sort((x, y) => x.endedAt - y.endedAt).at(-1);
  if (last === undefined) return { as: "original", why: HADOOP };
  if (lost.has(last.attempt)) return { as: "recompute", why: HADOOP };
  if (last.state === "FAILED") return { as: "retry", why: HADOOP };
  if (last.state === "SUCCEEDED") return { as: "recompute", why: HADOOP };
  const killed = killOf(decisions, last.attempt);
  if (killed !== undefined) return { as: "restart", why: killed.why };
  return { as: "rerun", why: HADOOP };
}

/** The policies' kill of the attempt. */
export function killOf(decisions: readonly Decision[], attempt: string) {
  return decisions.find(
    (one): one is Extract<Decision, { kind: "kill" }> =>
      one.kind === "kill" && one.attempt === attempt,
  );
}

/** The policies' command for the copy that became this attempt. */
function commandOf(decisions: readonly Decision[], attempt: string) {
  const done = decisions.find((one) => one.kind === "done" && one.attempt === attempt);
  if (done?.kind !== "done") return undefined;
  return decisions.find(
    (one): one is Extract<Decision, { kind: "copy" }> =>
      one.kind === "copy" && one.command === done.command && one.task === taskOf(attempt),
  );
}

const numberOf = ({ attempt }: AttemptRow): number =>
  Number(attempt.slice(attempt.lastIndexOf("_") + 1));
