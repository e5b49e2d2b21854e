/**
 * The master's order to the throttle: the wanted state of all nodes. Each order replaces the last.
 */
export interface ThrottleOrder {
  readonly nodes: readonly ThrottledNode[];
}

export interface ThrottledNode {
  readonly name: string;
  readonly pid: number;
  /** 1 means not slowed. */
  readonly factor: number;
  readonly paused: boolean;
  /** The attempts at work, without those that wait for map outputs. */
  readonly working: number;
}

/**
 * The throttle's report to the master, twice a second: totals of each node that was ever slowed.
 */
export interface ThrottleReport {
  readonly nodes: readonly ThrottleAccount[];
}

export interface ThrottleAccount {
  readonly name: string;
  /** The integral of the factor over the time for which the node was slowed. */
  readonly factorMs: number;
  readonly forMs: number;
  /** The CPU time that the node's work would have got unslowed. */
  readonly unslowedMs: number;
  /** The CPU time that the node's work got. */
  readonly gotMs: number;
}
