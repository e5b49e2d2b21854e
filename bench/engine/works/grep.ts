import { FREQUENT_LITERAL, RARE_LITERAL } from "../data/prose.ts";
import { ours } from "../ours.ts";
import { gnuGrep, ripgrep } from "../peers/system.ts";
import type { Work } from "./work.ts";

export const grep: Work = grepFor({
  name: "grep",
  job: "../jobs/grep.ts",
  literal: FREQUENT_LITERAL,
  goal: 0.3,
});

export const grepRare: Work = grepFor({
  name: "grep-rare",
  job: "../jobs/grep-rare.ts",
  literal: RARE_LITERAL,
  goal: 0.8,
});

/** Counts the lines that contain the literal. */
function grepFor(about: {
  readonly name: string;
  /** The job's file, which searches for the same literal. */
  readonly job: string;
  readonly literal: string;
  readonly goal: number;
}): Work {
  const { name, job, literal, goal } = about;
  return {
    name,
    contenders({ file }) {
      const prose = file("prose");
      return {
        order: "fixed",
        contestants: [
          ours({ name: "ours", job, inputs: [prose] }),
          gnuGrep(prose, literal),
          ripgrep(prose, literal),
        ],
        comparisons: [
          { work: name, ours: "ours", peer: "GNU grep", goal },
          { work: name, ours: "ours", peer: "ripgrep" },
        ],
      };
    },
  };
}
