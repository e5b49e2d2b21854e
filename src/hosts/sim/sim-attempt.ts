import type { Action } from "../../model/action.ts";
import type { AttemptKind } from "../../model/attempt.ts";
import type { AttemptId, RequestId, SlotKind } from "../../model/ids.ts";
import type { Task } from "../../model/job.ts";
import type { FixedRun } from "./fixed-run.ts";
import type { FluidRun } from "./fluid-run.ts";
import type { SimNode } from "./sim-node.ts";
import type { SimPhase } from "./workload.ts";

export type Launch = Extract<Action, { readonly kind: "launch" }>;

export type AttemptEnd =
  | { readonly how: "succeeded"; readonly bytes: number }
  | { readonly how: "failed" }
  | { readonly how: "killed"; readonly by: "us" | "host" };

/** One run of a task, from its launch until the scheduler hears of its end. */
export class SimAttempt {
  readonly id: AttemptId;
  readonly task: Task;
  readonly phase: SimPhase;
  readonly node: SimNode;
  readonly as: AttemptKind;
  readonly slot: SlotKind;
  readonly request: RequestId | undefined;
  /** Where it stands among the live attempts: the subject of its entries in the agenda. */
  place = 0;
  startedAt = 0;
  endedAt = 0;
  /** Undefined until it begins. */
  run: FixedRun | FluidRun | undefined = undefined;
  end: AttemptEnd | undefined = undefined;

  constructor(
    action: Launch,
    of: { readonly task: Task; readonly phase: SimPhase },
    node: SimNode,
  ) {
    this.id = action.attempt;
    this.task = of.task;
    this.phase = of.phase;
    this.node = node;
    this.as = action.as;
    this.slot = action.slot;
    this.request = action.request;
  }
}
