import type { Contenders } from "../contest.ts";

/** A named piece of work. */
export interface Work {
  readonly name: string;
  /** Takes minutes and tens of gigabytes, so it runs only on request. */
  readonly isLong?: true;
  contenders(asked: Asked): Contenders;
}

export interface Asked {
  /** A dataset's file, made on first use. */
  file(name: string): string;
  /** Programs of other versions of Node than the one that runs this benchmark. */
  readonly nodes: readonly string[];
}
