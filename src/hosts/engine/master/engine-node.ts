import type { SlotCounts } from "../../../model/cluster.ts";
import { type NodeId, type SlotKind, slotKind } from "../../../model/ids.ts";
import type { Why } from "../../../model/why.ts";
import { SLOT_KINDS } from "../../../run/job-plan.ts";
import type { ToNode } from "../messages.ts";
import type { NodeProcess } from "./node-process.ts";

/**
 * starting: the core does not know it yet; live; silent: heartbeats are missing; lost: declared so
 * by the core; anew: a lost node that was heard after all, and is throwing away what it had.
 */
export type NodeState = "starting" | "live" | "silent" | "lost" | "anew";

/** A node as the master knows it, over all the processes that it may have had. */
export class EngineNode {
  readonly id: NodeId;
  readonly name: string;
  readonly directory: string;
  readonly slots: number;
  /** From 0. */
  readonly rack: number;
  process: NodeProcess | undefined;
  state: NodeState = "starting";
  /** When anything was last heard of it, in milliseconds since the run began. */
  heardAt = 0;
  /** Its process is to be started, or has been and was not heard yet. */
  booting = true;
  /** Attempts that hold a slot there, by what was last heard. */
  readonly held = new Map<number, SlotKind>();
  /** Attempts at work, not those that wait for map outputs. */
  working = 0;
  /** Its death is part of the plan, and only silence may tell of it. */
  killed = false;
  /** Whether it joins the cluster when it is ready: not if its process was merely replaced. */
  joins = true;
  slowedBy = 1;
  paused = false;
  crashes = 0;
  /** Ends of its process since it was last heard. */
  crashesInARow = 0;
  /** When and why it was last declared lost. */
  lost: { readonly at: number; readonly why: Why } | undefined;
  /** Copies of outputs that are on their way to it. */
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
