import { cell } from "../base/rows.ts";
import { type AttemptColumns, endAt, type Measure, slotMsAt } from "../history/columns.ts";

/** What the attempts of a phase used: sums. Absent where the log has no value. */
export interface PhaseUse {
  /** Of all attempts; of a lost one, until its node was last heard. */
  readonly slotMs: number;
  /** Attempts that failed or were lost. */
  readonly failed: number;
  readonly inputBytes?: number;
  readonly shuffleBytes?: number;
  readonly outputBytes?: number;
  readonly spilledBytes?: number;
  readonly gcMs?: number;
}

const SUMMED = ["inputBytes", "shuffleBytes", "outputBytes", "spilledBytes", "gcMs"] as const;

export function phaseUse(attempts: AttemptColumns): PhaseUse {
  let [slotMs, failed] = [0, 0];
  for (let row = 0; row < attempts.length; row++) {
    slotMs += slotMsAt(attempts, row);
    const ended = endAt(attempts, row);
    if (ended === "failed" || ended === "lost") failed += 1;
  }
  const sums = SUMMED.map((name) => [name, sumOf(attempts, name)] as const);
  const known = sums.filter(([, sum]) => sum !== undefined);
  return { slotMs, failed, ...Object.fromEntries(known) };
}

/** undefined if no attempt has a value. */
function sumOf(attempts: AttemptColumns, name: Measure): number | undefined {
  let sum: number | undefined;
  for (let row = 0; row < attempts.length; row++) {
    const value = cell(attempts[name][row]);
    if (!Number.isNaN(value)) sum = (sum ?? 0) + value;
  }
  return sum;
}
