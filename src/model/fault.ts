/**
 * What goes wrong, as data: one format for the simulator and the engine. Times are milliseconds
 * since the job began. Nodes are named.
 */
export type Fault =
  /** From `at` on the node runs `factor` times slower; factor 1 ends it. */
  | { readonly kind: "slow"; readonly at: number; readonly node: string; readonly factor: number }
  /** Stops and goes on after `forMs`; its heartbeats stop too. */
  | { readonly kind: "pause"; readonly at: number; readonly node: string; readonly forMs: number }
  /** The machine dies, its files with it; it comes back empty after `backAfterMs`, if given. */
  | {
      readonly kind: "kill";
      readonly at: number;
      readonly node: string;
      readonly backAfterMs?: number;
    }
  /** Slow by `factor` for `onMs`, then normal for `offMs`, again and again from `at` to `until`. */
  | {
      readonly kind: "stress";
      readonly at: number;
      readonly node: string;
      readonly factor: number;
      readonly onMs: number;
      readonly offMs: number;
      readonly until?: number;
    }
  /** The outputs that the node holds are gone; the node lives. */
  | { readonly kind: "lose-outputs"; readonly at: number; readonly node: string }
  /** The node's disk is full for `forMs`: what writes there fails. */
  | {
      readonly kind: "fill-disk";
      readonly at: number;
      readonly node: string;
      readonly forMs: number;
    };
