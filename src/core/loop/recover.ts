import { after } from "../../model/ids.ts";
import { rule, type Why } from "../../model/why.ts";
import { changeClusterSize } from "../state/cluster-size.ts";
import { countAgainst, countFailure } from "../state/failures.ts";
import type { NodeRecord } from "../state/node-record.ts";
import type { JobRecord, TaskRecord } from "../state/records.ts";
import { changeUsable, setFree } from "../state/slots.ts";
import { taskRecordOf } from "../state/task-record.ts";
import { perform } from "./asks.ts";
import { endKilled } from "./attempts.ts";
import type { Core } from "./core.ts";
import { dropCopy, isNeeded, recompute } from "./outputs.ts";
import { holdReaders } from "./readiness.ts";

const EXPIRED = rule("silent-too-long");
const REDUCES_NEED_IT = rule("output-lost-and-needed");
const MISSED = rule("output-missed");

/**
 * Hadoop 1.2.1 (JobInProgress.fetchFailureNotification): the reports that make an output suspect.
 */
const FETCH_REPORTS_MIN = 3;
/** ... and the reports as a share of the readers that run now. */
const FETCH_REPORTS_SHARE = 0.5;
/**
 * Declares lost the nodes that have been silent for too long, and sets the time of the next look.
 */
export function findLostNodes(core: Core): void {
  const { policy, ctx } = core.seats.detection;
  core.wakes.clear("detection");
  let earliest = Number.POSITIVE_INFINITY;
  for (const node of [...core.state.silent]) {
    const since = node.silentSince!;
    const expiryMs = policy.expiry(ctx, node.id);
    const lostAt = after(since, expiryMs);
    if (core.now < lostAt) {
      earliest = Math.min(earliest, lostAt);
      continue;
    }
    const silentMs = core.now - since;
    const why = core.why(EXPIRED, () => ({ silentMs, expiryMs }));
    core.emit({ kind: "declare-lost", node: node.id, why });
    loseNode(core, node, why);
  }
  if (earliest < Number.POSITIVE_INFINITY) core.wakes.set("detection", earliest);
}

/** The machine is gone: its attempts are killed, not failed, and its outputs are lost. */
export function loseNode(core: Core, node: NodeRecord, why?: Why): void {
  if (!node.joined) return;
  if (core.wants["node-lost"]) {
    core.record({
      at: core.now,
      kind: "node-lost",
      node: node.id,
      ...(why !== undefined && { why }),
    });
  }
  const since = node.silentSince ?? core.now;
  changeUsable(core.state, node, () => {
    node.joined = false;
    node.silentSince = undefined;
  });
  core.state.silent.delete(node);
  changeClusterSize(core.state, -1);
  for (const { kind, count } of node.node.slots) core.state.load[kind]!.slots -= count;
  for (const kind of core.state.kinds) setFree(core.state, node, kind, 0);
  // Hadoop 1.2.1, JobTracker.lostTaskTracker: each job that ran on the node or has left output
  // there counts one failure of the node, however many of its tasks are affected.
  for (const job of jobsOn(core, node)) countAgainst(node, job);
  for (const attempt of core.state.attempts.on(node)) endKilled(core, attempt, "node-lost", since);
  for (const id of [...node.outputs]) loseCopy(core, taskRecordOf(core.state, id), node);
  if (core.seats.hearers["node-lost"] !== undefined)
    core.notify({ at: core.now, kind: "node-lost", node: node.id });
}

/**
 * Live jobs that lose an attempt or an output with the node. The last attempts of a finished task
 * without readers are no loss.
 */
function jobsOn({ state }: Core, node: NodeRecord): ReadonlySet<JobRecord> {
  const jobs = new Set<JobRecord>();
  for (const { record: task } of state.attempts.on(node)) {
    const { job, readers } = task.phase;
    if (job.live && (task.needed || readers.length > 0)) jobs.add(job);
  }
  for (const id of node.outputs) {
    const { job } = taskRecordOf(state, id).phase;
    if (job.live) jobs.add(job);
  }
  return jobs;
}

/**
 * A node's copy of an output is gone; if it was the last copy, the data policies are asked. A
 * reader that has failed to fetch that copy misses it, and will not report so again.
 */
export function loseCopy(core: Core, task: TaskRecord, node: NodeRecord): void {
  const isMissed = task.mishaps.fetchReports?.has(node) === true;
  if (!dropCopy(core, task, node)) outputLost(core, task, isMissed ? "missed" : "lost");
}

/**
 * A reader could not fetch an output. The output is missed after three reports, if they are also
 * half as many as the readers that run. Hadoop counts this as a failure of the attempt that wrote
 * the output. Returns the task if it has now failed.
 */
export function fetchFailed(
  core: Core,
  output: TaskRecord,
  from: NodeRecord,
): TaskRecord | undefined {
  if (output.needed) return undefined;
  if (output.outputNodes.length === 0) {
    outputLost(core, output, "missed");
    return undefined;
  }
  if (!output.outputNodes.includes(from)) return undefined;
  const mishaps = output.ensureMishaps();
  mishaps.fetchReports ??= new Map();
  const reports = (mishaps.fetchReports.get(from) ?? 0) + 1;
  mishaps.fetchReports.set(from, reports);
  const readers = output.phase.readers.reduce((sum, reader) => sum + reader.running, 0);
  if (reports < FETCH_REPORTS_MIN || reports < FETCH_REPORTS_SHARE * readers) return undefined;
  countFailure(output, from);
  if (!dropCopy(core, output, from)) outputLost(core, output, "missed");
  return output;
}

/**
 * No node holds the output any more. Hadoop runs the task again at once while readers need the
 * output. A data policy that decides this takes Hadoop's place, but an output that readers have
 * missed is always recomputed, or the readers would hang.
 */
function outputLost(core: Core, task: TaskRecord, how: "lost" | "missed"): void {
  holdReaders(core, task.phase);
  if (!isNeeded(task)) return;
  let asked = false;
  for (const seat of core.seats.data) {
    const asks = seat.policy.onOutputLost?.(seat.ctx, task.id, how);
    if (asks === undefined) continue;
    asked = true;
    perform(core, seat, asks);
  }
  if (how === "missed") recompute(core, task, MISSED);
  else if (!asked) recompute(core, task, REDUCES_NEED_IT);
}
