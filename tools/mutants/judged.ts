import type { Mutant } from "./mutant.ts";

/** A survivor that no test can kill, or that is no matter of the letter. */
export interface Judged {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /**
   * "equal": every net gives the same answers, since the program does the same. "unstated": what
   * changes is no rule that the letter states; other nets must kill it.
   */
  readonly is: "equal" | "unstated";
  readonly reason: string;
}

/** The survivors that have been judged by hand. */
export const JUDGED: readonly Judged[] = [];

export const judgedAs = ({ path, before, after }: Mutant): Judged | undefined =>
  JUDGED.find((one) => one.path === path && one.before === before && one.after === after);
