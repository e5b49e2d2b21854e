import type { Chance } from "../base/chance.ts";

/**
 * Faults as data: one format for the simulator and the engine. Times are milliseconds since the job
 * began. A number given as a chance is drawn for each node and each time.
 */
export type Fault = NodeFault | RackFault;

/** Faults of nodes. */
export type NodeFault = Slow | Pause | Kill | Stress | Load | LoseOutputs | Evict | FillDisk;

/** Faults of the links between racks. */
export type RackFault = Congestion;

interface Timed {
  readonly at: Chance;
}

interface OnNodes extends Timed {
  /** A node's name; `*` matches any text, so that one fault may strike many nodes. */
  readonly node: string;
  /** Strikes only this many of the nodes, drawn from the seed. */
  readonly pick?: number;
}

interface Again {
  /**
   * The time from one beginning to the next, but never before the end; the fault happens once if
   * left out.
   */
  readonly everyMs?: Chance;
  /** The fault does not begin from this time on; a fault without an end of its own ends then. */
  readonly until?: number;
}

/** The node runs `factor` times slower, for good or for `forMs`; factor 1 ends it. */
export interface Slow extends OnNodes, Again {
  readonly kind: "slow";
  readonly factor: Chance;
  readonly forMs?: Chance;
}

/** The node stops, its heartbeats included, and continues after `forMs`. */
export interface Pause extends OnNodes, Again {
  readonly kind: "pause";
  readonly forMs: Chance;
}

/**
 * All attempts on the node end, and its outputs are gone. `what` decides about the input that the
 * node holds. machine (default): the files are gone, and the node comes back empty. reboot: the
 * input can be read again when the node is back. tracker: only the process that runs tasks dies;
 * the machine continues, and the input stays readable.
 */
export interface Kill extends OnNodes, Again {
  readonly kind: "kill";
  readonly what?: "machine" | "reboot" | "tracker";
  /** The node does not come back if this is left out. */
  readonly backAfterMs?: Chance;
}

/**
 * The node is slow by `factor` for `onMs`, then normal for `offMs`, again and again from `at` to
 * `until`.
 */
export interface Stress extends OnNodes {
  readonly kind: "stress";
  readonly factor: number;
  readonly onMs: number;
  readonly offMs: number;
  readonly until?: number;
}

/**
 * Other programs on the node compete with its tasks: `processes` that each use one core fully, and
 * `writers` that each write to the disk without end. For good, or for `forMs`.
 */
export interface Load extends OnNodes, Again {
  readonly kind: "load";
  readonly processes?: number;
  readonly writers?: number;
  readonly forMs?: Chance;
}

/** Each output that the node holds is lost with probability `share`; the node lives on. */
export interface LoseOutputs extends OnNodes, Again {
  readonly kind: "lose-outputs";
  /** All outputs if left out. */
  readonly share?: Chance;
}

/**
 * The host ends attempts on the node, like a cluster that takes slots back to be fair to others:
 * `count` of them, or each with probability `share`; one if neither is given.
 */
export interface Evict extends OnNodes, Again {
  readonly kind: "evict";
  readonly count?: number;
  readonly share?: Chance;
}

/** The node's disk is full for `forMs`: writes fail. */
export interface FillDisk extends OnNodes, Again {
  readonly kind: "fill-disk";
  readonly forMs: Chance;
}

/**
 * Other traffic takes `share` of a rack's links to the other racks: of the way up, down or both.
 * For good, for `forMs`, or until the share is drawn again.
 */
export interface Congestion extends Timed, Again {
  readonly kind: "congestion";
  /** A rack's name; `*` matches any text. */
  readonly rack: string;
  /** 0 to 0.99. */
  readonly share: Chance;
  readonly way?: "up" | "down" | "both";
  readonly forMs?: Chance;
}

/** The names that match a fault's `node` or `rack`. */
export function namesMeant(pattern: string, names: readonly string[]): readonly string[] {
  if (!pattern.includes("*")) return names.filter((name) => name === pattern);
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  const meant = new RegExp(`^${escaped}$`);
  return names.filter((name) => meant.test(name));
}

/** The share of a rack's links that others take, 0 to 1. */
export interface LinksTaken {
  readonly up: number;
  readonly down: number;
}
