import { addMoment, type Moments, meanOf, noMoments } from "../../../base/moments.ts";
import type { Notice } from "../../../model/action.ts";
import type { ClusterEvent } from "../../../model/event.ts";
import type { Instant, RequestId, TaskId } from "../../../model/ids.ts";
import type { EstimatorContext } from "../../policy.ts";

/** §5.5: schedLag, the average delay between being scheduled and getting to run. Plain data. */
export interface Lags {
  readonly waits: Moments;
  /** The times of requests for copies, on a host that finds the place by itself. */
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

/**
 * Records the lag from launch to start. On a host that starts attempts by itself the lag begins
 * with the request for the copy, or with the kill that makes the task run again: a new attempt
 * costs that much there.
 */
export function recordLag(
  lags: Lags,
  ctx: Pick<EstimatorContext<object, unknown>, "has" | "view">,
  what: ClusterEvent | Notice,
): void {
  const { view } = ctx;
  switch (what.kind) {
    case "acted":
      if (what.action.kind === "request") lags.requests.set(what.action.request, what.at);
      else if (what.action.kind === "withdraw") lags.requests.delete(what.action.request);
      else if (what.action.kind === "kill" && what.action.then === "restart") {
        lags.restarts.set(view.attempt(what.action.attempt).task, what.at);
      }
      return;
    case "request-refused":
      lags.requests.delete(what.request);
      return;
    case "attempt-assumed":
      // An attempt that the core launches waits from its launch on.
      lags.restarts.delete(view.attempt(what.attempt).task);
      return;
    case "attempt-started":
      recordStart(lags, ctx, what);
      return;
    case "job-ended":
      for (const { tasks } of view.job(what.job).phases) {
        for (const { id } of tasks) lags.restarts.delete(id);
      }
      return;
    default:
  }
}

function recordStart(
  { requests, restarts, waits }: Lags,
  ctx: Pick<EstimatorContext<object, unknown>, "has" | "view">,
  what: Extract<ClusterEvent, { readonly kind: "attempt-started" }>,
): void {
  const { as, launchedAt, startedAt, task } = ctx.view.attempt(what.attempt);
  if (startedAt === undefined) return;
  const askedAt = what.request === undefined ? undefined : requests.get(what.request);
  if (what.request !== undefined) requests.delete(what.request);
  const killedAt = as === "restart" ? restarts.get(task) : undefined;
  restarts.delete(task);
  const from = askedAt ?? killedAt;
  // A host that starts an attempt by itself does not say how long the attempt has waited.
  if (from === undefined && !ctx.has("slot-offers")) return;
  addMoment(waits, Math.max(0, startedAt - (from ?? launchedAt)));
}
