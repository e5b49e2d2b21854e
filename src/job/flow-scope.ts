import type { WriteNode } from "./flow-node.ts";

/** What the records of one flow share. */
export interface FlowScope {
  /** InputError if the name is none, or taken. */
  claim(name: string): void;
  write(write: WriteNode): void;
}
