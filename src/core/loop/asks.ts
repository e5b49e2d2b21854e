import { assert, never } from "../../base/assert.ts";
import type { Ask, Slot } from "../../model/action.ts";
import type { Policy } from "../../policy/policy.ts";
import { kill, launch } from "./attempts.ts";
import type { Core } from "./core.ts";
import { killFor } from "./launch-on-kept.ts";
import { forbidsCopies, isOpen } from "./may-run.ts";
import { recompute } from "./outputs.ts";
import { makeRequest, withdraw } from "./requests.ts";
import type { SeatedPolicy } from "./seats.ts";

/**
 * Carries out a policy's ask. A launch takes the slot that the policy was asked about. Returns
 * whether that slot was taken.
 */
export function perform(
  core: Core,
  seat: SeatedPolicy<Policy<object, unknown>>,
  asks: readonly Ask[],
  slot?: Slot,
): boolean {
  let taken = false;
  for (const ask of asks) {
    const first = core.actions.length;
    if (carryOut(core, seat, ask, slot)) taken = true;
    if (core.seats.hearers.acted === undefined) continue;
    const last = core.actions.length;
    for (let i = first; i < last; i++) {
      const action = core.actions[i]!;
      if (action.kind === ask.kind && action.kind !== "pass") {
        core.notify({ at: core.now, kind: "acted", action });
      }
    }
  }
  return taken;
}

function carryOut(
  core: Core,
  seat: SeatedPolicy<Policy<object, unknown>>,
  ask: Ask,
  slot: Slot | undefined,
): boolean {
  const { view } = core;
  switch (ask.kind) {
    case "launch": {
      if (isForbidden(core, ask)) return false;
      assert(slot !== undefined && ask.node === slot.node, "a launch answers the slot offered");
      const task = view.taskRecord(ask.task);
      // A restart replaces the attempt that is killed for it: the phase gets no further slot.
      if (ask.as !== "restart" && !isOpen(core, task.phase)) return false;
      assert(task.phase.phase.slots.includes(slot.kind), "a task takes a slot of its kinds");
      const { as, why } = ask;
      launch(core, { task, node: view.nodeRecord(ask.node), kind: slot.kind, as, why });
      return true;
    }
    case "request":
      if (!isForbidden(core, ask)) makeRequest(core, ask);
      return false;
    case "withdraw":
      withdraw(core, view.requestRecord(ask.request), ask.why);
      return false;
    case "kill":
      if (ask.for === undefined) kill(core, view.attemptRecord(ask.attempt), ask.then, ask.why);
      else killFor(core, ask, view.taskRecord(ask.for));
      return false;
    case "recompute":
      recompute(core, view.taskRecord(ask.task), ask.why);
      return false;
    case "replicate":
      core.emit(ask);
      return false;
    case "prefer": {
      const task = view.taskRecord(ask.task);
      task.preference = { nodes: ask.nodes, racks: ask.racks };
      if (task.waiting) task.phase.ensureWaitingTasks().addPreferred(task);
      core.emit(ask);
      return false;
    }
    case "wake":
      core.wakes.set(seat.owner, ask.at);
      return false;
    case "pass":
      if (core.explains) core.emit(ask);
      return false;
    default:
      return never(ask);
  }
}

/**
 * Whether the ask would run a task twice at once though the task's phase or job forbids it. A
 * policy need not look at them: the core refuses copies here, under any name, for all policies.
 */
function isForbidden(core: Core, ask: Ask & { kind: "launch" | "request" }): boolean {
  const { phase, unended } = core.view.taskRecord(ask.task);
  if (!forbidsCopies(phase) || (ask.as !== "speculative" && unended === 0)) return false;
  const isJob = phase.job.job.speculate === false;
  core.pass(isJob ? "job-forbids-copies" : "phase-forbids-copies", () => ({}));
  return true;
}
