import { assert } from "../../base/assert.ts";
import type { Ask } from "../../model/action.ts";
import { rule } from "../../model/why.ts";
import type { NodeRecord } from "../state/node-record.ts";
import type { TaskRecord } from "../state/records.ts";
import { isLive } from "../state/running.ts";
import { slotNames } from "../state/slots.ts";
import { kill, launch } from "./attempts.ts";
import type { Core } from "./core.ts";
import { isOpen, mayRun, takes } from "./may-run.ts";

const KEPT_SLOT = rule("kept-slot");

/** Kills an attempt so that a waiting task gets its slot. */
export function killFor(core: Core, ask: Ask & { kind: "kill" }, task: TaskRecord): void {
  const attempt = core.view.attemptRecord(ask.attempt);
  if (!isLive(attempt)) return;
  const { host: node, kind } = attempt;
  assert(task.waiting, "a slot is kept for a task that waits");
  assert(takes(task.phase, kind), "a task takes a slot of its kinds");
  core.state.keptSlots.set(task.id, { task, node, kind });
  kill(core, attempt, ask.then, ask.why, task.id);
}

/**
 * Launches the tasks for which free slots of the node are kept. A slot whose task may not run there
 * any more is left to the others. COST: O(kept slots).
 */
export function launchOnKept(core: Core, node: NodeRecord): void {
  const mine = [...core.state.keptSlots.values()].filter((kept) => kept.node === node);
  for (const { task, kind } of mine) {
    if (node.free(kind) === 0 || !isOpen(core, task.phase)) continue;
    if (!mayRun(core, task, node, { node: node.id, kind })) continue;
    const why = core.why(KEPT_SLOT, () => slotNames(core.state, node, kind));
    launch(core, { task, node, kind, as: task.next, why });
  }
}
