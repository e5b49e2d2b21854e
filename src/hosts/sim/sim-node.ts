import type { Node, SlotCounts } from "../../model/cluster.ts";
import type { Kill } from "../../model/fault.ts";
import type { Load } from "./load.ts";
import type { Machine } from "./machine.ts";
import type { SimAttempt } from "./sim-attempt.ts";
import type { StoredOutput } from "./stored-output.ts";

export type KillWhat = NonNullable<Kill["what"]>;

/** What is true of a node, whether the scheduler knows it or not. */
export class SimNode {
  readonly node: Node;
  /** How many times slower than normal it is by nature. */
  readonly factor: number;
  /** Its share of a machine; only where tasks read, compute and write. */
  readonly machine: Machine | undefined;
  /** Its heartbeats come at this time and every interval after it. */
  readonly firstBeat: number;
  slow = 1;
  stress = 1;
  health: "up" | "paused" | "dead" = "up";
  /** What of it is dead, if it is. */
  dead: KillWhat = "machine";
  /** Whether its machine has died with its files: the input that it held is gone for good. */
  emptied = false;
  pausedUntil = 0;
  diskFull = false;
  /** Whether the scheduler has been told that it is silent. */
  silent = false;
  /** Whether the scheduler has given it up. */
  lost = false;
  /** When it last spoke with the scheduler. */
  lastContact = 0;
  /** Per kind, as the scheduler may know it. */
  readonly free: number[];
  /** Attempts that hold a slot. */
  readonly attempts: SimAttempt[] = [];
  /** Of those, the ones that have ended since the last heartbeat. */
  readonly unreported: SimAttempt[] = [];
  /** Launched while it did not listen. */
  readonly undelivered: SimAttempt[] = [];
  beatPending = false;
  /** Outputs that are really on its disk. */
  readonly outputs = new Set<StoredOutput>();
  /** Blocks of input that are read from it, and of output that are written to it, now. */
  blocksServed = 0;
  /** Copies of outputs that are on their way to it. */
  copiesComing = 0;
  /** Other programs that run on it, by what started them. */
  readonly loads = new Map<object, Load>();

  constructor(
    node: Node,
    nature: {
      readonly factor: number;
      readonly firstBeat: number;
      readonly machine: Machine | undefined;
      readonly kinds: number;
    },
  ) {
    this.node = node;
    this.factor = nature.factor;
    this.firstBeat = nature.firstBeat;
    this.machine = nature.machine;
    this.free = new Array<number>(nature.kinds).fill(0);
    this.freeAll();
  }

  /** How many times slower than normal it is now, if it runs. */
  get slowness(): number {
    return this.factor * this.slow * this.stress;
  }

  /** Whether anything flows through it: the machine goes on where only its tracker is dead. */
  get machineIsOn(): boolean {
    return this.health === "up" || (this.health === "dead" && this.dead === "tracker");
  }

  /** Whether it has the input that was placed on it, even if it may be slow to answer. */
  get hasInput(): boolean {
    return !this.emptied && (this.health !== "dead" || this.dead === "tracker");
  }

  unload(startedBy: object, now: number): void {
    this.loads.get(startedBy)?.stop(now);
    this.loads.delete(startedBy);
  }

  /** What fixed work does in a millisecond. */
  speed(slowed: boolean): number {
    if (this.health !== "up") return 0;
    return slowed ? 1 / this.slowness : 1;
  }

  freeAll(): void {
    this.free.fill(0);
    for (const { kind, count } of this.node.slots) this.free[kind] = count;
  }

  get freeSlots(): SlotCounts {
    return this.node.slots.map(({ kind }) => ({ kind, count: this.free[kind] ?? 0 }));
  }
}
