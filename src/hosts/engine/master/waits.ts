import { slotKind } from "../../../model/ids.ts";
import { SLOT_KINDS, type SlotName } from "../../../run/job-plan.ts";
import type { AwaitedTask, Wait } from "../../../run/run-event.ts";
import type { EngineTask, LiveAttempt } from "./attempts.ts";
import type { JobRun } from "./job-run.ts";
import type { MasterContext } from "./master-context.ts";
import { isBeingMade } from "./missed-outputs.ts";

/**
 * What the job waits for: silent nodes, readers without their outputs, working attempts without a
 * new record, tasks without a slot. COST: O(tasks) for each waiting reader.
 */
export function waitsOf(context: MasterContext, job: JobRun, namedMax: number): readonly Wait[] {
  const own = [...context.attempts.all].filter(({ task }) => job.has(task.id));
  return [
    ...context.nodes.flatMap((node): readonly Wait[] =>
      node.state === "silent"
        ? [{ kind: "node", node: node.name, silentMs: context.now - node.heardAt }]
        : [],
    ),
    ...own.map((attempt) => waitOf(context, attempt, namedMax)),
    ...job.phaseIds.flatMap((id): readonly Wait[] => {
      const { view } = context.driver;
      const { waiting } = view.counts(id);
      if (waiting === 0) return [];
      const { name, slots } = view.phase(id);
      const slot = SLOT_KINDS[slots[0] ?? 0] ?? "map";
      return [{ kind: "slot", phase: name, tasks: waiting, slot, ...slotsOf(context, slot) }];
    }),
  ];
}

/** What the reader waits for, for a message: names at most `namedMax` outputs. */
export function awaitedBy(context: MasterContext, reader: LiveAttempt, namedMax: number): string {
  const wait = outputsOf(context, reader, namedMax);
  if (wait.of.length === 0) return "outputs that are there";
  const named = wait.of.map(({ task, state }) => `${task} (${state})`).join(", ");
  return wait.more === 0 ? named : `${named} and ${wait.more} more`;
}

function waitOf(context: MasterContext, attempt: LiveAttempt, namedMax: number): Wait {
  const { name, node, seen, task, working } = attempt;
  if (!working && task.readsFrom.size > 0) return outputsOf(context, attempt, namedMax);
  return { kind: "record", attempt: name, node: node.name, records: seen.records };
}

function outputsOf(
  context: MasterContext,
  { name, node, task }: LiveAttempt,
  namedMax: number,
): Extract<Wait, { kind: "outputs" }> {
  const awaited = context.jobOf(task.id).awaited(task.id);
  const of = awaited.slice(0, namedMax).map((one) => ({
    task: one.name,
    state: stateOf(context, one),
  }));
  return { kind: "outputs", attempt: name, node: node.name, of, more: awaited.length - of.length };
}

function stateOf(context: MasterContext, { id }: EngineTask): AwaitedTask["state"] {
  const { view } = context.driver;
  if (view.isWaiting(id)) return "waits for a slot";
  if (isBeingMade(view, id)) return "runs";
  return view.isDone(id) ? "gone" : "not begun";
}

/** The slots of the kind on nodes that are heard, and how many of them are taken. */
function slotsOf(
  context: MasterContext,
  slot: SlotName,
): { readonly taken: number; slots: number } {
  const kind = slotKind(SLOT_KINDS.indexOf(slot));
  let taken = 0;
  let slots = 0;
  for (const node of context.nodes) {
    if (node.state !== "live") continue;
    slots += node.slots;
    for (const held of node.held.values()) if (held === kind) taken++;
  }
  return { taken, slots };
}
