import { mostFirst } from "../../../base/on-paper.ts";
import type { PhaseId, TaskId } from "../../../model/ids.ts";
import type { Candidate, Candidates, MantriContext, Standing } from "./memory.ts";
import { helpFor, savedMs } from "./pseudocode-1.ts";

/** undefined if no slot, contended or idle, would help the task now. */
export function candidateOf(ctx: MantriContext, standing: Standing): Candidate | undefined {
  const help = helpFor(ctx, standing, "contended") ?? helpFor(ctx, standing, "idle");
  if (help === undefined) return undefined;
  return { task: standing.task, gainMs: savedMs(standing), periodMs: standing.periodMs };
}

export const listed = (candidates: readonly Candidate[]): Candidates => ({
  inOrder: [...candidates].sort(MOST_GAIN_FIRST),
  byTask: new Map(candidates.map((one) => [one.task, one])),
});

const MOST_GAIN_FIRST = mostFirst<Candidate>(
  ({ gainMs }) => gainMs,
  ({ task }) => task,
);

export function addCandidate(candidates: Candidates, one: Candidate): void {
  removeCandidate(candidates, one.task);
  candidates.inOrder.splice(placeOf(candidates, one), 0, one);
  candidates.byTask.set(one.task, one);
}

/** A task that was acted upon, or is over, is left alone until the next look. */
export function dropCandidate({ memory, view }: MantriContext, task: TaskId): void {
  const look = memory.looks.get(view.task(task).phase);
  if (look !== undefined) removeCandidate(look.candidates, task);
}

function removeCandidate(candidates: Candidates, task: TaskId): void {
  const one = candidates.byTask.get(task);
  if (one === undefined) return;
  candidates.byTask.delete(task);
  candidates.inOrder.splice(placeOf(candidates, one), 1);
}

/** The candidate's index, or the index at which to insert it. */
function placeOf({ inOrder }: Candidates, one: Candidate): number {
  let low = 0;
  let high = inOrder.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = inOrder[middle];
    if (other !== undefined && MOST_GAIN_FIRST(other, one) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const candidatesOf = ({ memory }: MantriContext, phase: PhaseId): Iterable<Candidate> =>
  memory.looks.get(phase)?.candidates.inOrder ?? [];
