import { cell } from "../../base/rows.ts";
import { slotMsAt, TRACE_ENDS } from "../../history/columns.ts";
import { ATTEMPT_KINDS } from "../../model/attempt.ts";
import type { PageDocument } from "./document.ts";

/** An attempt with its names, for files that other programs read. Times in ms; null if unknown. */
export interface AttemptRow {
  readonly job: string;
  readonly phase: string;
  readonly task: number;
  readonly attempt: number;
  readonly node: string;
  readonly kind: string;
  readonly end: string;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly expectedMs: number | null;
  readonly delayMs: number | null;
  readonly heldMs: number | null;
  readonly inputBytes: number | null;
  /** When its node was last heard: at its end, unless it was lost. */
  readonly heardAtMs: number;
  readonly slotMs: number;
}

/** In the order of the page: by slot and start. */
export function* attemptRows({ head, attempts }: PageDocument): Generator<AttemptRow, void> {
  for (let i = 0; i < attempts.length; i++) {
    const phase = head.phases[attempts.phase[i] ?? -1];
    yield {
      job: head.jobs[phase?.job ?? -1]?.name ?? "",
      phase: phase?.name ?? "",
      task: cell(attempts.task[i]),
      attempt: cell(attempts.ordinal[i]),
      node: head.nodes[attempts.node[i] ?? -1]?.name ?? "",
      kind: ATTEMPT_KINDS[cell(attempts.as[i])] ?? "original",
      end: TRACE_ENDS[cell(attempts.end[i])] ?? "cut-off",
      startedMs: cell(attempts.startedAt[i]),
      endedMs: cell(attempts.endedAt[i]),
      expectedMs: known(attempts.expectedMs[i]),
      delayMs: known(attempts.delayMs[i]),
      heldMs: known(attempts.heldMs[i]),
      inputBytes: known(attempts.inputBytes[i]),
      heardAtMs: attempts.heardAt[i]!,
      slotMs: slotMsAt(attempts, i),
    };
  }
}

function known(value = Number.NaN): number | null {
  return Number.isNaN(value) ? null : Math.round(value);
}
