import { drive } from "./driven/drive.ts";
import { happen } from "./mantri/happen.ts";
import { MantriWorld } from "./mantri/world.ts";
import type { Referee } from "./referee.ts";

/**
 * Ananthanarayanan et al., "Reining in the Outliers in Map-Reduce Clusters using Mantri", section
 * 5: Pseudocode 1 with the order of 5.4, the placement of 5.2 and the protection of 5.3 on the same
 * offers. t_rem and t_new are the world's own (an estimator of the referee), so 5.5 is left out.
 *
 * Where the paper is open, the referee was told (docs/papers/mantri.md):
 *
 * - Line 1: Delta belongs to the task, whichever node asks. Line 3: only copies that have run for
 *   Delta are ranked. Line 6: the restart takes the slot, of a task with one copy. Line 10: the
 *   sign is turned. Nothing runs again on, or is copied to, a node where the task has run.
 * - "Periodically": a phase is looked at once in the period of its tasks, and as soon as its input
 *   is complete. Between two looks a task is judged at its first report, and when it need no longer
 *   be left alone (`stablePeriods`), but not after a copy of it was killed. A task that became
 *   worth an action since the last look may be known or not; of more than three candidates of a
 *   phase one may be left. While its input is being written no task is judged.
 * - 5.4: Phase by phase. d of a reader counts the parts that were there when it began to wait. A
 *   failed task is tried on other nodes while there are any; Hadoop's blacklist of the job holds. A
 *   phase leaves the slots to what it reads, directly or not, while that waits for them.
 * - 6.1: The affinity list is the replicas, the rack of 5.2, or the places of 5.3. A task leaves a
 *   slot if a place on its list has a free slot that it may use.
 * - 5.2: Every assignment of reduces to racks counts, j = 1 .. 2r; reduces that read nothing are
 *   not placed. The phase is placed once, when it first begins; with the links as sampled if the
 *   busiest is done within a minute, otherwise with equal links. Reduces wait for all maps.
 * - 5.3: r = (lost + prior) / (written + 10 outputs), over a week. A task's stall is taken when the
 *   first task of its phase ends. An output with one copy is replicated, with the tokens of this
 *   task. One or two losses of last copies within ten minutes are an onset; then all outputs that
 *   only this machine has are made again, elsewhere if they can, each within what is left of
 *   `recomputeBudget`. What is made again for another output is charged, too, and not refused. What
 *   a reader has missed is made again whatever the budget.
 */
export const mantri: Referee = {
  name: "mantri",
  kinds: [
    ...["line 3 kill", "line 6 restart", "line 7 copy", "line 8 start", "line 8 start, preferred"],
    ...["line 10 copy", "slot left", "5.2 placed phase", "5.3 replicate", "5.3 recompute"],
    ...["5.3 place elsewhere"],
  ],
  judge: (seed) => drive(new MantriWorld(seed), happen),
};
