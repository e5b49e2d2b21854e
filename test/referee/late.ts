import { drive } from "./driven/drive.ts";
import { happen } from "./driven/happen.ts";
import { LateWorld } from "./late/world.ts";
import type { Referee } from "./referee.ts";

/**
 * Zaharia et al., "Improving MapReduce Performance in Heterogeneous Environments", section 4 and
 * the order of 2.1, where attempts fail, nodes fall silent, are lost and come back, and maps run
 * again, all at once: judged from the books alone, slot by slot.
 *
 * Where the paper is open, the referee was told (docs/papers/late.md):
 *
 * - SpeculativeCap: a share of the slots of the kind on the nodes of the cluster, silent ones
 *   included. A copy counts until its end is reported.
 * - SlowNodeThreshold: a percentile over the nodes of the cluster, interpolated, strictly below. An
 *   attempt that is being killed is in progress. What succeeded on a node still counts when the
 *   node has been lost and has come back.
 * - SlowTaskThreshold: over the running and the succeeded attempts of the phase, also those of
 *   tasks that run again; interpolated, strictly below. An attempt with T = 0 has no rate.
 * - The minute is `runtimeMsMin`. A task that is not being speculated has one attempt. No copy
 *   goes where the task runs or has failed. Equals are ranked by phase, then by attempt.
 * - A silent node's attempts are known up to its last heartbeat; T goes on. One that is being
 *   killed there is over. The node is lost after the expiry: attempts are killed, and outputs that
 *   are still read are made again at once; readers wait meanwhile. Each job that has worked there
 *   counts a failure. A node that comes back has lost what ran there.
 * - 2.1: Failed tasks and maps that run again come first, by failures; then data on the node, on
 *   the rack, elsewhere. A task is not tried where it has failed unless it has failed everywhere.
 *   Four failures of a job close a node to it while fewer than a quarter of the nodes are closed,
 *   and others have slots.
 */
export const late: Referee = {
  name: "late",
  kinds: [
    ...["start", "start again", "copy", "copy of a map run again", "slot left", "map run again"],
    ...["node lost", "node back"],
  ],
  judge: (seed) => drive(new LateWorld(seed), happen),
};
