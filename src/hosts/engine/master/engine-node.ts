import type { SlotCounts } from "../../../model/cluster.ts";
import { type NodeId, type SlotKind, slotKind } from "../../../model/ids.ts";
import type { Why } from "../../../model/why.ts";
import { SLOT_KINDS } from "../../../run/job-plan.ts";
import type { ToNode } from "../messages.ts";
import type { NodeProcess } from "./node-process.ts";

/**
 * starting: the core does not know the node yet; live; silent: heartbeats are missing; lost: the
 * core has declared it lost; anew: the lost node was heard after all, and is dropping its attempts
 * and outputs.
 */
export type NodeState = "starting" | "live" | "silent" | "lost" | "anew";

/** A node as the master knows it, across all of its processes. */
export class EngineNode {
  readonly id: NodeId;
  readonly name: string;
  readonly directory: string;
  readonly slots: number;
  /** Counted from 0. */
  readonly rack: number;
  process: NodeProcess | undefined;
  state: NodeState = "starting";
  /** The time of the node's last message, in milliseconds since the run began. */
  heardAt = 0;
  /** Whether the node's process is still to start, or has started but not reported yet. */
  booting = true;
  /** The attempts that hold a slot on the node, by its last report. */
  readonly held = new Map<number, SlotKind>();
  /** The attempts at work, without those that wait for map outputs. */
  working = 0;
  /** The master killed the node as a fault asked: only the node's silence may reveal it. */
  killed = false;
  /** Whether the node joins the cluster when ready; false if only its process was replaced. */
  joins = true;
  slowedBy = 1;
  paused = false;
  crashes = 0;
  /** How often the node's process has ended since the node's last message. */
  crashesInARow = 0;
  /** When and why the core last declared the node lost. */
  lost: { readonly at: number; readonly why: Why } | undefined;
  /** Copies of outputs that are on their way to the node. */
  copiesComing = 0;

  constructor(query: Pick<EngineNode, "id" | "name" | "directory" | "slots" | "rack">) {
    this.id = query.id;
    this.name = query.name;
    this.directory = query.directory;
    this.slots = query.slots;
    this.rack = query.rack;
  }

  send(message: ToNode): void {
    this.process?.send(message);
  }

  get slotCounts(): SlotCounts {
    return SLOT_KINDS.map((_, kind) => ({ kind: slotKind(kind), count: this.slots }));
  }

  get free(): SlotCounts {
    return this.slotCounts.map(({ kind, count }) => {
      let free = count;
      for (const held of this.held.values()) if (held === kind) free--;
      return { kind, count: free };
    });
  }
}
