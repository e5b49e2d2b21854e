import type { Timeless } from "../base/without.ts";
import type { Scheduler } from "../core/index.ts";
import type { Action } from "../model/action.ts";
import type { Node, SlotCounts } from "../model/cluster.ts";
import type { ClusterEvent } from "../model/event.ts";
import type { JobId, NodeId, TaskId } from "../model/ids.ts";
import type { Task } from "../model/job.ts";
import type { Clock } from "./clock.ts";
import type { Course } from "./course.ts";
import type { Dice } from "./dice.ts";
import type { Plan } from "./plan.ts";

/** A node of a world. */
export interface Machine {
  readonly node: Node;
  readonly slowness: number;
  state: "up" | "silent" | "gone";
  readonly attempts: Set<HostAttempt>;
  /** Reports that the silent node could not send. */
  withheld: (() => void)[];
  /** The time of the node's last message. */
  heardAt: number;
  isOfferDue: boolean;
}

/** An attempt that a machine runs. */
export interface HostAttempt {
  readonly launch: Extract<Action, { kind: "launch" }>;
  readonly task: Task;
  readonly on: Machine;
  /** Once it has started. */
  course: Course | undefined;
  isOver: boolean;
}

/** A world, as its parts see it. */
export interface WorldParts {
  readonly plan: Plan;
  readonly clock: Clock;
  readonly dice: Dice;
  readonly scheduler: Scheduler;
  /** The outputs that really exist. */
  readonly files: Map<TaskId, Set<NodeId>>;
  readonly isCalm: boolean;
  readonly machines: {
    of(id: NodeId): Machine;
    free(machine: Machine): SlotCounts;
    later(machine: Machine, happens: () => void): void;
    tell(machine: Machine, tell: () => void): void;
    offerSoon(machine: Machine): void;
  };
  readonly attempts: { addStarted(launch: HostAttempt["launch"], on: Machine): void };
  readonly binder: { fill(machine: Machine): void };
  feed(event: Timeless<ClusterEvent>): void;
  /** The job of the task, if it lives. */
  jobOf(task: TaskId): JobId | undefined;
}
