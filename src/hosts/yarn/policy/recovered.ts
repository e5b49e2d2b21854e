import { ascending } from "../../../base/order.ts";
import type { EndedLine, RecoveredLine, StartedLine } from "./am-line.ts";

/**
 * What an earlier AM saw of attempts that have ended, as if it happened now, in order. Of what has
 * left no trace of where it ran nothing is said.
 */
export function pastOf(lines: readonly RecoveredLine[]): readonly (StartedLine | EndedLine)[] {
  const past: (StartedLine | EndedLine)[] = [];
  for (const { at, attempt, task, state, host, counters, ...line } of lines) {
    if (host === undefined) continue;
    const endedAt = line.endedAt ?? at;
    const startedAt = Math.min(line.startedAt ?? endedAt, endedAt);
    const where = { host, rack: line.rack ?? "", copy: false };
    past.push({ type: "started", at: startedAt, attempt, task, ...where });
    past.push({ type: "ended", at: endedAt, attempt, task, state, counters });
  }
  return past.sort(ascending((line) => line.at));
}
