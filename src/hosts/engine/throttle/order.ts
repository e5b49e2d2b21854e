/**
 * What the master tells the throttle: all nodes as they should be now. Each order replaces the
 * last.
 */
export interface ThrottleOrder {
  readonly nodes: readonly ThrottledNode[];
}

export interface ThrottledNode {
  readonly name: string;
  readonly pid: number;
  /** 1: not slowed. */
  readonly factor: number;
  readonly paused: boolean;
  /** Attempts at work, not those that wait for map outputs. */
  readonly working: number;
}

/** What the throttle tells the master twice a second: totals of each node that was ever slowed. */
export interface ThrottleReport {
  readonly nodes: readonly ThrottleAccount[];
}

export interface ThrottleAccount {
  readonly name: string;
  /** Integral of the factor over the time that the node was slowed. */
  readonly factorMs: number;
  readonly forMs: number;
  /** CPU that its work would have got unslowed. */
  readonly unslowedMs: number;
  /** CPU that its work got. */
  readonly gotMs: number;
}
