import { cell } from "../../base/rows.ts";
import { CURVE_POINTS, TRACE_ENDS } from "../../history/columns.ts";
import { ATTEMPT_KINDS } from "../../model/attempt.ts";
import type { AttemptTable } from "./document.ts";
import type { Placed } from "./lanes.ts";

/** A page of at most this many attempts has the curves of all. */
const WHOLE_MAX = 100_000;
/** Of larger pages, every tenth task has the curves of its attempts, whatever they were. */
const ONE_IN = 10;

const ORIGINAL = ATTEMPT_KINDS.indexOf("original");
const SUCCEEDED = TRACE_ENDS.indexOf("succeeded");

interface Source {
  /** The attempts in the order of the table. */
  readonly placed: readonly Placed[];
  readonly order: readonly number[];
  readonly table: Omit<AttemptTable, "length" | "curves">;
  readonly lateAbove: number;
  /** A live run keeps all curves, since it is not yet known which attempts will be late. */
  readonly isLive: boolean;
}

/** Curves, and the number of attempts whose curves a large page keeps. */
interface KeptCurves {
  readonly curves: Float64Array;
  readonly curvesKept?: number;
}

/**
 * Recorded curves are the largest part of a page. Beyond 100,000 attempts a page keeps those of
 * attempts that were late, did not succeed, or have a copy beside them, and of every tenth task.
 */
export function keptCurves(
  { placed, order, table, lateAbove, isLive }: Source,
  wholeMax = WHOLE_MAX,
): KeptCurves {
  const curves = new Float64Array(CURVE_POINTS * order.length).fill(Number.NaN);
  const isWhole = isLive || order.length <= wholeMax;
  const copied = isWhole ? new Set<number>() : tasksWithCopies(table);
  const isKept = (n: number): boolean => {
    const took = cell(table.endedAt[n]) - cell(table.startedAt[n]) - (table.heldMs[n] || 0);
    return (
      cell(table.task[n]) % ONE_IN === 0 ||
      table.end[n] !== SUCCEEDED ||
      took > lateAbove * cell(table.expectedMs[n]) ||
      copied.has(keyOf(table, n))
    );
  };
  let kept = 0;
  for (let n = 0; n < order.length; n++) {
    const { columns, at = 0 } = placed[cell(order[n])] ?? {};
    if (columns?.curves === undefined || !(isWhole || isKept(n))) continue;
    kept += 1;
    for (let point = 0; point < CURVE_POINTS; point++) {
      curves[CURVE_POINTS * n + point] = cell(columns.curves[CURVE_POINTS * at + point]);
    }
  }
  return isWhole ? { curves } : { curves, curvesKept: kept };
}

type Tasks = Pick<Source["table"], "phase" | "task">;

/** A number for each task of a page: no phase has as many tasks. */
const keyOf = ({ phase, task }: Tasks, n: number): number =>
  cell(phase[n]) * 0x8000_0000 + cell(task[n]);

function tasksWithCopies({ as, ...tasks }: Source["table"]): Set<number> {
  const found = new Set<number>();
  for (let n = 0; n < as.length; n++) if (as[n] !== ORIGINAL) found.add(keyOf(tasks, n));
  return found;
}
