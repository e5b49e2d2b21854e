import { slotKind } from "../../../model/ids.ts";
import { SLOT_KINDS, type SlotName } from "../job-plan.ts";
import type { AwaitedTask, Wait } from "../run-event.ts";
import type { EngineTask, LiveAttempt } from "./attempts.ts";
import type { JobRun } from "./job-run.ts";
import { isBeingMade } from "./missed-outputs.ts";
import type { Office } from "./office.ts";

/**
 * What the job waits for: nodes that are not heard, readers without their outputs, attempts at work
 * without another record, tasks without a slot. COST: O(tasks) for each reader that waits.
 */
export function waitsOf(office: Office, job: JobRun, namedMax: number): readonly Wait[] {
  const own = [...office.attempts.all].filter(({ task }) => job.has(task.id));
  return [
    ...office.nodes.flatMap((node): readonly Wait[] =>
      node.state === "silent"
        ? [{ kind: "node", node: node.name, silentMs: office.now - node.heardAt }]
        : [],
    ),
    ...own.map((attempt) => waitOf(office, attempt, namedMax)),
    ...job.phaseIds.flatMap((id): readonly Wait[] => {
      const { view } = office.driver;
      const { waiting } = view.counts(id);
      if (waiting === 0) return [];
      const { name, slots } = view.phase(id);
      const slot = SLOT_KINDS[slots[0] ?? 0] ?? "map";
      return [{ kind: "slot", phase: name, tasks: waiting, slot, ...slotsOf(office, slot) }];
    }),
  ];
}

/** What the reader waits for, for a message: at most so many outputs by name. */
export function awaitedBy(office: Office, reader: LiveAttempt, namedMax: number): string {
  const wait = outputsOf(office, reader, namedMax);
  if (wait.of.length === 0) return "outputs that are there";
  const named = wait.of.map(({ task, state }) => `${task} (${state})`).join(", ");
  return wait.more === 0 ? named : `${named} and ${wait.more} more`;
}

function waitOf(office: Office, attempt: LiveAttempt, namedMax: number): Wait {
  const { name, node, seen, task, working } = attempt;
  if (!working && task.readsFrom.size > 0) return outputsOf(office, attempt, namedMax);
  return { kind: "record", attempt: name, node: node.name, records: seen.records };
}

function outputsOf(
  office: Office,
  { name, node, task }: LiveAttempt,
  namedMax: number,
): Extract<Wait, { kind: "outputs" }> {
  const awaited = office.jobOf(task.id).awaited(task.id);
  const of = awaited.slice(0, namedMax).map((one) => ({
    task: one.name,
    state: stateOf(office, one),
  }));
  return { kind: "outputs", attempt: name, node: node.name, of, more: awaited.length - of.length };
}

function stateOf(office: Office, { id }: EngineTask): AwaitedTask["state"] {
  const { view } = office.driver;
  if (view.isWaiting(id)) return "waits for a slot";
  if (isBeingMade(view, id)) return "runs";
  return view.isDone(id) ? "gone" : "not begun";
}

/** Slots of the kind on nodes that are heard, and how many of these are taken. */
function slotsOf(office: Office, slot: SlotName): { readonly taken: number; slots: number } {
  const kind = slotKind(SLOT_KINDS.indexOf(slot));
  let taken = 0;
  let slots = 0;
  for (const node of office.nodes) {
    if (node.state !== "live") continue;
    slots += node.slots;
    for (const held of node.held.values()) if (held === kind) taken++;
  }
  return { taken, slots };
}
