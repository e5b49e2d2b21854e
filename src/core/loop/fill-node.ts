import type { Ask, Slot } from "../../model/action.ts";
import type { SlotCounts } from "../../model/cluster.ts";
import type { SlotKind } from "../../model/ids.ts";
import type { Locality } from "../../model/job.ts";
import { rule, type Why } from "../../model/why.ts";
import { noteClusterSize, tellClusterSize } from "../state/cluster-size.ts";
import { isClosed } from "../state/failures.ts";
import type { NodeRecord } from "../state/node-record.ts";
import type { JobRecord, RequestRecord } from "../state/records.ts";
import { slotNames } from "../state/slots.ts";
import { launchAlone } from "./alone.ts";
import { perform } from "./asks.ts";
import { launch } from "./attempts.ts";
import type { Core } from "./core.ts";
import { launchOnKept } from "./launch-on-kept.ts";
import { copyBan } from "./may-run.ts";
import { isFar, type Pick, pickWaiting } from "./pick.ts";
import { dropRequest, requestFor } from "./requests.ts";

const PLAIN: Record<Pick["by"], Why> = {
  urgent: rule("urgent"),
  preferred: rule("preferred"),
  node: rule("node-local"),
  rack: rule("rack-local"),
  any: rule("off-rack"),
  unplaced: rule("any-node"),
};
const BOUND = rule("request-bound");

/** The outcome of offering a slot to a job. */
type Turn = "took-near" | "took-far" | "declined";

/** The main loop: offers each free slot of a node to the jobs in their order. */
export function fillNode(core: Core, node: NodeRecord): void {
  if (!node.usable) return;
  if (core.state.keptSlots.size > 0) launchOnKept(core, node);
  if (!wanted(core, node)) {
    tellClusterSize(core.state, node);
    return;
  }
  const { policy, ctx } = core.seats.sharing;
  const plan = policy.plan(ctx, node.id, freeOf(core, node));
  const { slots, farMax, launchesMax = Number.POSITIVE_INFINITY } = plan;
  let launches = 0;
  const { offered } = core.state;
  offered.clear();
  for (const kind of slots) {
    if (launches >= launchesMax) break;
    if (offered.isDeclined(kind) || offered.far(kind) >= farMax || node.free(kind) === 0) continue;
    const turn = offerSlot(core, node, kind);
    if (turn === "declined") {
      offered.decline(kind);
      continue;
    }
    launches += 1;
    if (turn !== "took-far") continue;
    offered.countFar(kind);
    if (offered.far(kind) === farMax && core.explains) passFar(core, node, farMax);
  }
  if (core.explains) passUnplanned(core, node, farMax);
}

const freeOf = ({ state }: Core, node: NodeRecord): SlotCounts => state.freeLists.of(node);

function passFar(core: Core, node: NodeRecord, farMax: number): void {
  core.pass("far-limit", () => ({ node: node.node.name, farMax }));
}

/** Explains the free slots that the plan leaves out. */
function passUnplanned(core: Core, node: NodeRecord, farMax: number): void {
  const { offered } = core.state;
  for (const { kind, count } of freeOf(core, node)) {
    if (count === 0 || offered.isDeclined(kind) || offered.far(kind) >= farMax) continue;
    core.pass("not-planned", () => ({ ...slotNames(core.state, node, kind), free: count }));
  }
}

/** Whether any job could use the node's slots. If none could, no question is asked. */
function wanted(core: Core, node: NodeRecord): boolean {
  if (core.state.live === 0) return false;
  for (const kind of core.state.kinds) {
    if (node.free(kind) === 0) continue;
    if (core.state.load[kind]!.waiting > 0 || asksIdle(core)) return true;
  }
  return false;
}

/** Whether a job without waiting tasks may want a slot. */
export function asksIdle(core: Core): boolean {
  return core.seats.askIdle || core.state.requests.size > 0;
}

function offerSlot(core: Core, node: NodeRecord, kind: SlotKind): Turn {
  const { policy, ctx } = core.seats.sharing;
  const slot: Slot = { node: node.id, kind };
  const passes = core.actions.length;
  const asksAll = asksIdle(core);
  for (const id of policy.jobs(ctx, slot, asksAll || core.state.hasNewSize ? "all" : "waiting")) {
    const job = core.view.jobRecord(id);
    if (!job.live || job.admittedAt === undefined) continue;
    noteClusterSize(core.state, job);
    if (!asksAll && job.own.waiting[kind] === 0) continue;
    if (isClosed(core.state, job, node.id)) {
      if (core.explains) passClosed(core, job, node, kind);
      continue;
    }
    const turn = offerToJob(core, job, node, slot);
    if (turn !== "declined") return turn;
  }
  if (core.explains && core.actions.length === passes) passNothing(core, node, kind);
  return "declined";
}

function passClosed(core: Core, { job }: JobRecord, node: NodeRecord, kind: SlotKind): void {
  core.pass("job-blacklist", () => ({ job: job.name, ...slotNames(core.state, node, kind) }));
}

function passNothing(core: Core, node: NodeRecord, kind: SlotKind): void {
  core.pass("nothing-waits", () => slotNames(core.state, node, kind));
}

function offerToJob(core: Core, job: JobRecord, node: NodeRecord, slot: Slot): Turn {
  const { kind } = slot;
  // A request is bound at its job's turn, not ahead of other jobs' originals.
  const request = job.requests.size === 0 ? undefined : requestFor(core, job, node, kind);
  if (request !== undefined) {
    dropRequest(core, request, "bound");
    const { record: task, as, id } = request;
    const why = boundWhy(core, request);
    launch(core, { task, node, kind, as, why, request: id });
    return as === "speculative" ? "took-far" : "took-near";
  }
  const { sharing, speculation } = core.seats;
  const allowed = sharing.policy.allowedLocality?.(sharing.ctx, job.job.id, slot) ?? "any";
  if (allowed === "any" && isOfNoUse(core, job, kind)) return "declined";
  if (launchAlone(core, job, node, slot)) return "took-near";
  let pick = pickWaiting(core, { job, node, slot, allowed });
  if (pick.kind === "none") {
    if (allowed !== "any") return decline(core, job, slot, allowed);
    const asks = idleSlot(core, job, slot);
    if (asks !== undefined && perform(core, speculation, asks, slot)) return "took-far";
    return "declined";
  }
  const asks =
    copyBan(job, kind) === undefined
      ? speculation.policy.onContendedSlot?.(speculation.ctx, job.job.id, slot)
      : undefined;
  if (asks !== undefined && asks.length > 0) {
    if (perform(core, speculation, asks, slot)) return "took-far";
    pick = pickWaiting(core, { job, node, slot, allowed });
  }
  if (pick.kind === "too-far") return decline(core, job, slot, allowed);
  if (pick.kind !== "task") return "declined";
  launchPick(core, pick, node, kind);
  return isFar(pick) ? "took-far" : "took-near";
}

/** Whether the job certainly leaves the slot, so that a question could only explain why. */
function isOfNoUse({ explains, seats, state }: Core, job: JobRecord, kind: SlotKind): boolean {
  if (explains || job.own.waiting[kind]! > 0 || job.unended > 0) return false;
  // A question would leave behind statistics that outlive the step.
  return seats.speculation.policy.idleNeedsAttempts === true && state.setup.statisticsEvery === 0;
}

const boundWhy = (core: Core, { madeAt }: RequestRecord): Why =>
  core.why(BOUND, () => ({ waitedMs: core.now - madeAt }));

function idleSlot(core: Core, job: JobRecord, slot: Slot): readonly Ask[] | undefined {
  const { policy, ctx } = core.seats.speculation;
  if (policy.onIdleSlot === undefined) return undefined;
  const ban = copyBan(job, slot.kind);
  if (ban === undefined) return policy.onIdleSlot(ctx, job.job.id, slot);
  core.pass(ban, () => ({}));
  return undefined;
}

function launchPick(core: Core, pick: Pick, node: NodeRecord, kind: SlotKind): void {
  const { task, by } = pick;
  const why = core.why(PLAIN[by], () => ({ key: task.key, ...slotNames(core.state, node, kind) }));
  launch(core, { task, node, kind, as: task.next, why });
}

function decline(core: Core, job: JobRecord, slot: Slot, allowed: Locality): Turn {
  if (core.seats.hearers["slot-declined"] !== undefined)
    core.notify({ at: core.now, kind: "slot-declined", job: job.job.id, slot, allowed });
  core.pass("locality-wait", () => ({
    job: job.job.name,
    allowed,
    ...slotNames(core.state, core.view.nodeRecord(slot.node), slot.kind),
  }));
  return "declined";
}
