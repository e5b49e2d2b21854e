import { ascending, descending } from "../../../base/order.ts";
import type { PhaseId, TaskId } from "../../../model/ids.ts";
import type { MantriContext } from "./params.ts";
import { helpFor, savedMs } from "./pseudocode-1.ts";
import { type AnotherRun, standingOf } from "./standing.ts";

/** A task that another run would help, on an average node. Plain data. */
export interface Candidate {
  readonly task: TaskId;
  readonly gainMs: number;
  /** Its Δ. */
  readonly periodMs: number;
}

/** By task, the one that another run would help most first. */
export type Candidates = Map<TaskId, Candidate>;

/** undefined if no slot, contended or idle, would help the task as things are. */
export function candidateOf(
  ctx: MantriContext,
  task: TaskId,
  run: AnotherRun,
): Candidate | undefined {
  const standing = standingOf(ctx, task, run);
  if (standing === undefined) return undefined;
  const help = helpFor(ctx, standing, "contended") ?? helpFor(ctx, standing, "idle");
  return help === undefined
    ? undefined
    : { task, gainMs: savedMs(standing), periodMs: run.periodMs };
}

export const listed = (candidates: Iterable<Candidate>): Candidates =>
  new Map([...candidates].sort(mostFirst).map((one) => [one.task, one]));

const mostFirst = descending<Candidate>(
  ({ gainMs }) => gainMs,
  ascending(({ task }) => task),
);

/** What has been acted upon, or is over, is left alone until the next look. */
export function dropCandidate({ memory, view }: MantriContext, task: TaskId): void {
  memory.looks.get(view.task(task).phase)?.candidates.delete(task);
}

export const candidatesOf = ({ memory }: MantriContext, phase: PhaseId): Iterable<Candidate> =>
  memory.looks.get(phase)?.candidates.values() ?? [];
