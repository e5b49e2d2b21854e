import type { PhaseId } from "../../model/ids.ts";
import type { View } from "../../model/view.ts";

/** Whether every phase that this one reads is done: only then is the size of its input known. */
export const isInputWritten = (view: View, phase: PhaseId): boolean =>
  view.upstream(phase).every(({ id }) => {
    const { done, tasks } = view.counts(id);
    return done === tasks;
  });
