import type { Contenders } from "../contest.ts";

/** What is to be done, by name. */
export interface Work {
  readonly name: string;
  /** Minutes and tens of gigabytes: only when it is asked for. */
  readonly isLong?: true;
  contenders(asked: Asked): Contenders;
}

export interface Asked {
  /** A dataset's file, which is made when it is asked for the first time. */
  file(name: string): string;
  /** Programs, other Nodes than the one that runs this. */
  readonly nodes: readonly string[];
}
