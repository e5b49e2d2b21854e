import type { ClusterEvent } from "../../model/event.ts";

/** A step threw half-way: the scheduler's state since then is inconsistent. */
export class PoisonedError extends Error {
  override readonly name = "PoisonedError";

  constructor({ at, kind }: ClusterEvent) {
    super(`the step of event ${kind} at ${at} ms failed half-way: start a new scheduler`);
  }
}
