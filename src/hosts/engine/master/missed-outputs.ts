import { assert } from "../../../base/assert.ts";
import type { TaskId } from "../../../model/ids.ts";
import type { View } from "../../../model/view.ts";
import type { LiveAttempt } from "./attempts.ts";
import type { MasterContext } from "./master-context.ts";

/**
 * Asks waiting readers which lost outputs they miss. A reader that began after the loss has no path
 * to fetch from, so it never fails and never reports the loss; the master asks again and again for
 * outputs that are lost and that no attempt is making.
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
 * Handles a reader's answer: reports to the core each missed output that no node has and no attempt
 * is making, so that the core has it recomputed.
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
    // While the core still believes in a copy, it needs several reports before it gives the copy
    // up.
    const { view } = driver;
    const isSeenTo = isBeingMade(view, task) || view.outputNodes(task).length > 0;
    assert(isSeenTo, "what a reader at work misses is made again");
  }
}

/** Whether the task waits for a slot, or has an attempt that has not ended. */
export const isBeingMade = (view: View, task: TaskId): boolean =>
  view.isWaiting(task) || view.attemptsOf(task).some(({ endedAt }) => endedAt === undefined);
