import type { WriteNode } from "./flow-node.ts";

/** The names that the records of one flow share. */
export interface FlowScope {
  /** Throws an InputError if the name is invalid or taken. */
  claim(name: string): void;
  write(write: WriteNode): void;
}
