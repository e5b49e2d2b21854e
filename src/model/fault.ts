import type { Chance } from "../base/chance.ts";

/**
 * What goes wrong, as data: one format for the simulator and the engine. Times are milliseconds
 * since the job began. A number that may be drawn is drawn anew for each node and each time.
 */
export type Fault = NodeFault | RackFault;

/** Of nodes. */
export type NodeFault = Slow | Pause | Kill | Stress | Load | LoseOutputs | Evict | FillDisk;

/** Of links between racks. */
export type RackFault = Congestion;

interface Timed {
  readonly at: Chance;
}

interface OnNodes extends Timed {
  /** A node's name; `*` stands for any text, so that one fault may happen to many. */
  readonly node: string;
  /** Only so many of them, drawn from the seed. */
  readonly pick?: number;
}

interface Again {
  /** From one beginning to the next, though never before the end; once only if left out. */
  readonly everyMs?: Chance;
  /** It does not begin from then on; what lasts without an end of its own ends then. */
  readonly until?: number;
}

/** The node runs `factor` times slower, for good or for `forMs`; factor 1 ends it. */
export interface Slow extends OnNodes, Again {
  readonly kind: "slow";
  readonly factor: Chance;
  readonly forMs?: Chance;
}

/** It stops and goes on after `forMs`; its heartbeats stop too. */
export interface Pause extends OnNodes, Again {
  readonly kind: "pause";
  readonly forMs: Chance;
}

/**
 * All that runs on the node ends, and its outputs are gone. `what` dies decides about the input
 * that it holds. machine (if left out): its files are gone, it comes back empty. reboot: its input
 * is there again when it is back. tracker: only the process that runs tasks; the machine goes on,
 * and its input can be read all the time.
 */
export interface Kill extends OnNodes, Again {
  readonly kind: "kill";
  readonly what?: "machine" | "reboot" | "tracker";
  /** It does not come back if left out. */
  readonly backAfterMs?: Chance;
}

/** Slow by `factor` for `onMs`, then normal for `offMs`, again and again from `at` to `until`. */
export interface Stress extends OnNodes {
  readonly kind: "stress";
  readonly factor: number;
  readonly onMs: number;
  readonly offMs: number;
  readonly until?: number;
}

/**
 * Other programs on the node compete with its tasks: `processes` that each would use a core whole,
 * and `writers` that each write to its disk without end. For good, or for `forMs`.
 */
export interface Load extends OnNodes, Again {
  readonly kind: "load";
  readonly processes?: number;
  readonly writers?: number;
  readonly forMs?: Chance;
}

/** Of the outputs that the node holds each is gone with probability `share`; the node lives. */
export interface LoseOutputs extends OnNodes, Again {
  readonly kind: "lose-outputs";
  /** All of them if left out. */
  readonly share?: Chance;
}

/**
 * The host ends attempts on the node, as a cluster does that takes slots back to be fair to others:
 * `count` of them, or each with probability `share`; one, if nothing is said.
 */
export interface Evict extends OnNodes, Again {
  readonly kind: "evict";
  readonly count?: number;
  readonly share?: Chance;
}

/** The node's disk is full for `forMs`: what writes there fails. */
export interface FillDisk extends OnNodes, Again {
  readonly kind: "fill-disk";
  readonly forMs: Chance;
}

/**
 * Others take `share` of a rack's links to the other racks: of the way up, down or both. For good,
 * for `forMs`, or until it is drawn anew.
 */
export interface Congestion extends Timed, Again {
  readonly kind: "congestion";
  /** A rack's name; `*` stands for any text. */
  readonly rack: string;
  /** 0 to 0.99. */
  readonly share: Chance;
  readonly way?: "up" | "down" | "both";
  readonly forMs?: Chance;
}

/** Those of the names that a fault's `node` or `rack` means. */
export function namesMeant(pattern: string, names: readonly string[]): readonly string[] {
  if (!pattern.includes("*")) return names.filter((name) => name === pattern);
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  const meant = new RegExp(`^${escaped}$`);
  return names.filter((name) => meant.test(name));
}

/** What others take of a rack's links, 0 to 1. */
export interface LinksTaken {
  readonly up: number;
  readonly down: number;
}
