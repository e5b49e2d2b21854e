import { assert } from "../../../base/assert.ts";
import type { TaskId } from "../../../model/ids.ts";
import type { View } from "../../../model/view.ts";
import type { LiveAttempt } from "./attempts.ts";
import type { MasterContext } from "./master-context.ts";

/**
 * A reader that waits has no path at which it could fail where an output is nowhere: one that began
 * after the loss was never told of any. So it is asked, again and again, what it misses of the
 * outputs that were lost and that nobody makes again.
 */
export function askForMissed(context: MasterContext): void {
  for (const job of context.jobs.values()) {
    const lost = job.outputs.nowhere.filter(({ task }) => !isBeingMade(context.driver.view, task));
    if (lost.length === 0) continue;
    const sources = lost.map(({ source }) => source);
    const readers = [...context.attempts.all].filter(
      (attempt) => !attempt.working && attempt.killedFor === undefined && job.has(attempt.task.id),
    );
    for (const node of new Set(readers.map(({ node }) => node))) {
      node.send({ kind: "who-misses", job: job.id, sources });
    }
  }
}

/**
 * A reader at work misses these outputs: each that is nowhere, and that nobody makes again, is told
 * to the core, whose part it is to have it made.
 */
export function missed(
  context: MasterContext,
  reader: LiveAttempt,
  sources: readonly number[],
): void {
  const job = context.jobOf(reader.task.id);
  const { driver } = context;
  for (const source of sources) {
    const last = job.outputs.lastPlace(source);
    if (reader.killedFor !== undefined || last === undefined) continue;
    const { task, node } = last;
    if (isBeingMade(driver.view, task)) continue;
    driver.feed({ kind: "fetch-failed", reader: reader.id, output: task, from: node.id });
    if (job.outputs.lastPlace(source) === undefined || context.attempts.find(reader.id) !== reader)
      continue;
    // Where the core still thinks of a copy, it takes several reports to give that up.
    const { view } = driver;
    const isSeenTo = isBeingMade(view, task) || view.outputNodes(task).length > 0;
    assert(isSeenTo, "what a reader at work misses is made again");
  }
}

/** It waits for a slot, or an attempt of it has not ended. */
export const isBeingMade = (view: View, task: TaskId): boolean =>
  view.isWaiting(task) || view.attemptsOf(task).some(({ endedAt }) => endedAt === undefined);
