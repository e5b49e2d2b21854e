import { addMoment, type Moments, meanOf, noMoments } from "../../../base/moments.ts";
import type { Instant, RequestId, TaskId } from "../../../model/ids.ts";
import type { Job } from "../../../model/job.ts";
import type { View } from "../../../model/view.ts";
import type { EstimatorContext, HeardOf } from "../../policy.ts";

/** §5.5: schedLag, the average delay between being scheduled and getting to run. Plain data. */
export interface Lags {
  readonly waits: Moments;
  /** The times of requests for copies, on a host that chooses the place itself. */
  readonly requests: Map<RequestId, Instant>;
  /**
   * The times at which attempts of these tasks were killed, for the host to run the tasks again.
   */
  readonly restarts: Map<TaskId, Instant>;
}

export const noLags = (): Lags => ({
  waits: noMoments(),
  requests: new Map(),
  restarts: new Map(),
});

/** 0 while no lag is known. */
export const averageLag = ({ waits }: Lags): number => (waits.count === 0 ? 0 : meanOf(waits));

/** A lag begins with a request for a copy, or with a kill that makes the task run again. */
export function recordAsk(
  { requests, restarts }: Lags,
  view: View,
  { action, at }: HeardOf<"acted">,
): void {
  if (action.kind === "request") requests.set(action.request, at);
  else if (action.kind === "withdraw") requests.delete(action.request);
  else if (action.kind === "kill" && action.then === "restart") {
    restarts.set(view.attempt(action.attempt).task, at);
  }
}

export function forgetRequest({ requests }: Lags, request: RequestId): void {
  requests.delete(request);
}

export function forgetRestart({ restarts }: Lags, task: TaskId): void {
  restarts.delete(task);
}

export function forgetRestarts({ restarts }: Lags, { phases }: Job): void {
  for (const { tasks } of phases) for (const { id } of tasks) restarts.delete(id);
}

/**
 * Records the lag from launch to start. On a host that starts attempts itself, the lag begins with
 * the request for the copy, or with the kill that makes the task run again: a new attempt costs
 * that much there.
 */
export function recordLag(
  { requests, restarts, waits }: Lags,
  ctx: Pick<EstimatorContext<object, unknown>, "has" | "view">,
  what: HeardOf<"attempt-started">,
): void {
  const { as, launchedAt, startedAt, task } = ctx.view.attempt(what.attempt);
  if (startedAt === undefined) return;
  const askedAt = what.request === undefined ? undefined : requests.get(what.request);
  if (what.request !== undefined) requests.delete(what.request);
  const killedAt = as === "restart" ? restarts.get(task) : undefined;
  restarts.delete(task);
  const from = askedAt ?? killedAt;
  // A host that starts attempts itself does not say how long an attempt has waited.
  if (from === undefined && !ctx.has("slot-offers")) return;
  addMoment(waits, Math.max(0, startedAt - (from ?? launchedAt)));
}
