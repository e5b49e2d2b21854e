import type { Input } from "./input.ts";
import type { Output } from "./output.ts";
import type { Combiner, Group, Partition, Round } from "./program.ts";
import type { JoinHow, Step } from "./step.ts";

/**
 * A flow as the user wrote it: each node stands for records made from other nodes' records. Nodes
 * are compared by identity.
 */
export type FlowNode =
  | { readonly kind: "read"; readonly name: string; readonly input: Input<unknown> }
  | { readonly kind: "steps"; readonly from: FlowNode; readonly steps: readonly Step[] }
  /** A join whose right side every task holds. */
  | {
      readonly kind: "lookup";
      readonly from: FlowNode;
      readonly table: FlowNode;
      readonly how: JoinHow;
    }
  | { readonly kind: "union"; readonly from: readonly FlowNode[] }
  | ShuffleNode
  | LoopNode
  /** In a loop's body: the records of the round before. */
  | { readonly kind: "state"; readonly name: string };

export interface ShuffleNode {
  readonly kind: "shuffle";
  readonly name: string;
  readonly sides: readonly ShuffleSide[];
  readonly group: Group;
  readonly partitions: number | undefined;
  readonly pipeline: boolean;
}

export interface ShuffleSide {
  /** A node of pairs. */
  readonly from: FlowNode;
  readonly combine: Combiner;
  readonly partition: PartitionPlan;
}

/** A partition whose sample is a node and has no dataset number yet. */
export type PartitionPlan =
  | Exclude<Partition, { readonly sample: number }>
  | { readonly kind: "range" }
  | { readonly kind: "salted"; readonly hot: "in-turn" | "to-all" };

export interface LoopNode {
  readonly kind: "loop";
  readonly name: string;
  readonly start: FlowNode;
  readonly state: FlowNode;
  readonly next: FlowNode;
  readonly roundsMax: number;
  until?(round: Round): boolean;
}

/** The end of a branch: records that become files. */
export interface WriteNode {
  readonly name: string | undefined;
  readonly from: FlowNode;
  readonly output: Output;
}

/** The nodes whose records this node takes, in order. */
export function sourcesOf(node: FlowNode): readonly FlowNode[] {
  switch (node.kind) {
    case "read":
    case "state":
      return [];
    case "steps":
      return [node.from];
    case "lookup":
      return [node.from, node.table];
    case "union":
      return node.from;
    case "shuffle":
      return node.sides.map(({ from }) => from);
    case "loop":
      return [node.start, node.next];
  }
}
