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
export const JUDGED: readonly Judged[] = [
  {
    path: "src/policy/estimate/mantri/process-rates.ts",
    before: "for (let i = 0; i < count; i++) {",
    after: "for (let i = 0; i <= count; i++) {",
    is: "equal",
    reason: "The last place would be (count + 0.5) / count of the length: there is no value there.",
  },
  {
    path: "src/policy/shared/first-copy.ts",
    before: "return explains ? whyNone(view, phase, node, search) : NOTHING_RUNS;",
    after: "return !(explains) ? whyNone(view, phase, node, search) : NOTHING_RUNS;",
    is: "unstated",
    reason: "The reason of a refusal changes, and no decision: the letter compares decisions.",
  },
];

export const judgedAs = ({ path, before, after }: Mutant): Judged | undefined =>
  JUDGED.find((one) => one.path === path && one.before === before && one.after === after);
