import { isClearlyAbove, isClearlyBelow } from "../../../base/clearly-below.ts";
import { meanOf } from "../../../base/distribution.ts";
import { leastFirst } from "../../../base/on-paper.ts";
import type { Ask } from "../../../model/action.ts";
import type { Attempt } from "../../../model/attempt.ts";
import type { NodeId, TaskId } from "../../../model/ids.ts";
import { PRIORITIES } from "../../../model/job.ts";
import { refuse } from "../../refuse.ts";
import { couldRun } from "../../shared/near-data.ts";
import { type PreemptContext, yieldsOf } from "./memory.ts";
import type { Room } from "./room.ts";

/** A task that waits for a slot beside its data, and whether it has failed or is merely short. */
export interface Waiting {
  readonly task: TaskId;
  readonly hasFailed: boolean;
}

/** The attempt to kill for the task, as a list of one; or why there is none. */
export function makeRoom(ctx: PreemptContext, room: Room, waiting: Waiting): readonly Ask[] {
  const { params, view } = ctx;
  const { task, hasFailed } = waiting;
  const homes = homesOf(ctx, room, task);
  // §6: Hadoop waits for a slot that is not freed as quickly as expected. One that is free, or that
  // comes before the next look, is no such slot.
  if (homes.length === 0 || homes.some((node) => room.isComing(node))) return [];
  const held = homes.flatMap((node) => room.standing(node));
  const waitMs = held.reduce((least, one) => Math.min(least, timeLeft(ctx, one)), Infinity);
  const chosen = held
    .filter((attempt) => mayYield(ctx, room, attempt, task))
    .filter((attempt) => hasFailed || isShortBeside(ctx, task, attempt))
    .sort(leastWasted(ctx))[0];
  const name = nameOf(ctx, task);
  if (chosen === undefined) {
    return hasFailed ? refuse(ctx, "no-attempt-yields", () => ({ task: name }), task) : [];
  }
  // §6: a kill wastes the work done so far. The task has to be spared a longer wait than that.
  const wastedMs = view.now - chosen.launchedAt;
  const limitMs = Math.max(params.worth * wastedMs, params.lookMs);
  if (!isClearlyAbove(waitMs, limitMs)) {
    return refuse(ctx, "sooner-without-a-kill", () => ({ task: name, waitMs, wastedMs }), task);
  }
  room.take(chosen, task);
  const rule = hasFailed ? "slot-for-failed-task" : "slot-for-short-task";
  const why = { rule, numbers: { task: name, waitMs, wastedMs } };
  return [{ kind: "kill", attempt: chosen.id, then: "requeue", for: task, why }];
}

/** The nodes with the task's data that could run it. */
function homesOf(ctx: PreemptContext, { kind }: Room, task: TaskId): readonly NodeId[] {
  const { replicas } = ctx.view.task(task);
  return [...new Set(replicas)].filter((node) => couldRun(ctx, task, { node, kind }));
}

/**
 * Whether the attempt may be killed for the task: it does not itself run for a failed task, it has
 * not given way often enough, and its job is left with as many slots as the task's job has then.
 */
function mayYield(ctx: PreemptContext, room: Room, attempt: Attempt, task: TaskId): boolean {
  const { memory, params, view } = ctx;
  if (attempt.as === "retry" || attempt.as === "recompute") return false;
  if (attempt.as === "rerun" && !memory.killed.has(attempt.task)) return false;
  // A task and its copy may both stand, and this look may have taken one of them.
  const yields = yieldsOf(memory.killed, attempt.task) + (room.yields.get(attempt.task) ?? 0);
  if (yields >= params.yieldsMax) return false;
  const from = view.jobOf(view.task(attempt.task).phase);
  const to = view.jobOf(view.task(task).phase);
  if (from.id === to.id) return true;
  if (PRIORITIES.indexOf(from.priority) < PRIORITIES.indexOf(to.priority)) return false;
  return room.heldBy(from.id) - 1 >= room.heldBy(to.id) + 1;
}

/** §6: "Shorter tasks can preempt a longer one", where the longer one is expected to stay. */
function isShortBeside(ctx: PreemptContext, task: TaskId, attempt: Attempt): boolean {
  const ms = expectedMs(ctx, task, attempt);
  if (ms === undefined) return false;
  return isClearlyBelow(ms, ctx.params.shortShare * timeLeft(ctx, attempt));
}

/**
 * How long the task will take: as the earlier tasks of its phase, or else, by the bytes that both
 * read, at the rate of the attempt; undefined if neither is known.
 */
function expectedMs(ctx: PreemptContext, task: TaskId, beside: Attempt): number | undefined {
  const { estimate, view } = ctx;
  const known = meanOf(estimate.newCopy(task));
  if (known !== undefined) return known;
  const readBytes = view.inputBytes(beside.task) * view.score(beside.id);
  const bytes = view.inputBytes(task);
  if (bytes === 0 || !(readBytes > 0)) return undefined;
  return ((view.now - beside.launchedAt) / readBytes) * bytes;
}

/**
 * Milliseconds until the attempt leaves its slot. An attempt that has shown nothing yet counts as a
 * new one of its phase; without any knowledge it may stay for ever.
 */
function timeLeft({ estimate, view }: PreemptContext, attempt: Attempt): number {
  const { id, launchedAt, state, task } = attempt;
  const left = state === "assumed" ? Number.POSITIVE_INFINITY : estimate.timeLeft(id);
  if (left < Number.POSITIVE_INFINITY) return left;
  const usual = meanOf(estimate.newCopy(task));
  if (usual === undefined) return left;
  const rest = usual - (view.now - launchedAt);
  return isClearlyAbove(rest, 0) ? rest : left;
}

/** The attempt that has run for the shortest time comes first; ties go to the latest. */
const leastWasted = ({ view }: PreemptContext) =>
  leastFirst<Attempt>(
    ({ launchedAt }) => view.now - launchedAt,
    ({ id }) => -id,
  );

function nameOf({ view }: PreemptContext, task: TaskId): string {
  const { index, phase } = view.task(task);
  const { name } = view.phase(phase);
  return `${view.jobOf(phase).name}/${name}/${index}`;
}
