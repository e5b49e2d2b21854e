import type { Slot } from "../../model/action.ts";
import type { AttemptKind } from "../../model/attempt.ts";
import type { ClusterEvent } from "../../model/event.ts";
import { attemptId, type SlotKind, taskId } from "../../model/ids.ts";
import { rule, type Why } from "../../model/why.ts";
import type { NodeRecord } from "../state/node-record.ts";
import { type JobRecord, NOTHING_WAITS, type PhaseRecord } from "../state/records.ts";
import { slotNames } from "../state/slots.ts";
import { NO_ROW } from "../state/sole-rows.ts";
import type { State } from "../state/state.ts";
import {
  announceLaunch,
  countRunning,
  type LaunchAction,
  recordEnd,
  recordLaunch,
  takeSlot,
} from "./attempts.ts";
import type { Core } from "./core.ts";
import { taskFinished } from "./jobs.ts";
import { takes } from "./may-run.ts";
import { recordOutput } from "./outputs.ts";
import { countWaiting } from "./tasks.ts";

// Most tasks of most jobs have one attempt, which succeeds: no policy judges the attempt, no host
// refuses, kills or loses it, and no phase reads the output. From submission to its end, such a
// task needs no record: the phase's range, the attempt's row and the counts hold everything. The
// functions here do for such tasks what `pickWaiting`, `launch` and `succeed` do for all.

const ANY_NODE = rule("any-node");
const AS: AttemptKind = "original";
const SUCCEEDED = "succeeded";

/**
 * Launches the job's first task on the slot, if only fresh tasks of the job wait for slots of its
 * kind. Returns false if there is no such task, or if the order does not let it take the slot.
 */
export function launchAlone(core: Core, job: JobRecord, node: NodeRecord, slot: Slot): boolean {
  const { state, seats } = core;
  if (state.keepsRunning) return false;
  const phase = freshPhase(job, slot);
  const index = phase?.fresh?.first ?? NO_ROW;
  if (phase?.fresh === undefined || index === NO_ROW) return false;
  const { kind } = slot;
  const id = taskId(phase.first + index);
  const { policy, ctx } = seats.order;
  if (policy.eligible?.(ctx, id, slot) === false) return false;
  const why = core.explains ? whyOn(core, node, kind, index) : ANY_NODE;
  takeSlot(core, node, kind);
  countWaiting(core, phase, -1);
  const action: LaunchAction = {
    kind: "launch",
    attempt: attemptId(state.nextAttempt++),
    task: id,
    as: AS,
    node: node.id,
    slot: kind,
    request: undefined,
    why,
  };
  const row = state.attempts.table.add(action, phase.place, core.now);
  phase.sole.enter(index, row);
  phase.fresh.take();
  phase.fresh.launched(index);
  phase.active += 1;
  job.unended += 1;
  state.nodeTable.launched(node.id, row);
  countRunning(core, phase, kind, { as: AS, by: 1 });
  recordLaunch(core, action, false);
  announceLaunch(core, action);
  return true;
}

const whyOn = (core: Core, node: NodeRecord, kind: SlotKind, key: number): Why =>
  core.why(ANY_NODE, () => ({ key, ...slotNames(core.state, node, kind) }));

/** The only phase of the job whose tasks wait for a slot of this kind, if all of them are fresh. */
function freshPhase({ phases }: JobRecord, { kind }: Slot): PhaseRecord | undefined {
  let found: PhaseRecord | undefined;
  for (const phase of phases) {
    if (phase.waiting === 0) continue;
    // Readers may have to wait for the phases that they read.
    if (phase.waitingTasks !== NOTHING_WAITS || phase.sources.length > 0) return undefined;
    if (found === undefined && takes(phase, kind)) found = phase;
  }
  return found;
}

/** The success of an attempt whose task has no record. Returns false if the task may have one. */
export function succeedAlone(
  core: Core,
  { attempt: id, output }: ClusterEvent & { kind: "attempt-succeeded" },
): boolean {
  const { attempts, keepsRunning, nodeScores, nodeTable } = core.state;
  if (keepsRunning) return false;
  const { table } = attempts;
  const row = table.find(id);
  if (row === NO_ROW) return false;
  const phase = attempts.phaseOf(row);
  if (phase.sole.at(table.task(row) - phase.first) !== row || !isPlain(phase)) return false;
  const node = table.node(row);
  phase.active -= 1;
  table.end(row, SUCCEEDED, core.now);
  phase.job.unended -= 1;
  nodeTable.ended(node, row);
  nodeTable.countSuccess(node);
  countRunning(core, phase, table.kind(row), { as: table.as(row), by: -1 });
  nodeScores.changed(node);
  recordEnd(core, row, { how: SUCCEEDED, output });
  recordOutput(core, row, output, true);
  attempts.endAlone(row, output);
  taskFinished(core, phase);
  return true;
}

/** Whether a task's success changes nothing in the phase but the number of tasks left. */
const isPlain = ({ job, readers, rates }: PhaseRecord): boolean =>
  job.live && readers.length === 0 && rates === undefined;

/** Forgets the task that succeeded in the last step, unless the task's record was forgotten. */
export function forgetAlone({ attempts }: State): void {
  const { over } = attempts;
  const { row } = over;
  over.row = NO_ROW;
  const phase = attempts.phaseOf(row);
  const index = attempts.table.task(row) - phase.first;
  if (phase.sole.at(index) !== row) return;
  if (phase.rates !== undefined) phase.rates.shed(attempts.at(row));
  phase.sole.remove(index);
  attempts.delete(row);
}
