import type { SourceFile } from "../tidy/source.ts";
import { type Mutant, mutantOf } from "./mutant.ts";

/** A mutant by its exact text, which occurs once in the file and is part of one line. */
interface Listed {
  readonly about: string;
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

/** Mutants that a review found to survive: each is a rule of a paper or a source. */
export const LISTED: readonly Listed[] = [
  {
    about: "eSplash IV-B: tasks below the mean count in the straggler value",
    path: "src/policy/speculation/esplash/straggler-value.ts",
    from: "return aboveMs > 0 ? aboveMs / deviationMs : 0;",
    to: "return aboveMs / deviationMs;",
  },
  {
    about: "eSplash IV-C: the value is not divided by the containers of all levels",
    path: "src/policy/speculation/esplash/min-level.ts",
    from: "return all === 0 ? 0 : savedMs / all;",
    to: "return all === 0 ? 0 : savedMs;",
  },
  {
    about: "eSplash: a node at tau is a straggler",
    path: "src/policy/speculation/esplash/epoch.ts",
    from: "own.stragglerValue > params.tau * (1 + 1e-9)",
    to: "own.stragglerValue >= params.tau * (1 - 1e-9)",
  },
  {
    about: "Mantri: a phase that becomes ready gets no look",
    path: "src/policy/speculation/mantri.ts",
    from: "onPhaseReady: lookNow,",
    to: "",
  },
  {
    about: "Mantri, line 6: a restart that saves exactly its period",
    path: "src/policy/speculation/mantri/pseudocode-1.ts",
    from: "isClearlyAbove(of.timeLeftMs, of.newCopyMs + of.periodMs)",
    to: "!isClearlyBelow(of.timeLeftMs, of.newCopyMs + of.periodMs)",
  },
  {
    about: "the progress on a silent node runs on",
    path: "src/core/statistics/progress.ts",
    from: "if (silent !== undefined && attempt.holdsSlot && silent < until) until = silent;",
    to: "",
  },
  {
    about: "a lost node counts no failure of the node",
    path: "src/core/loop/recover.ts",
    from: "for (const job of jobsOn(core, node)) countAgainst(node, job);",
    to: "",
  },
  {
    about: "lost outputs further upstream are not made again",
    path: "src/core/loop/outputs.ts",
    from: "for (const missing of source.missing) recompute(core, missing, why);",
    to: "",
  },
  {
    about: "YARN: the gate opens at 4 % of the tasks",
    path: "src/policy/speculation/yarn.ts",
    from: "const DONE_SHARE_MIN = Math.fround(0.05);",
    to: "const DONE_SHARE_MIN = Math.fround(0.04);",
  },
  {
    about: "a dying attempt counts as ended",
    path: "src/model/sole-attempt.ts",
    from: 'state === "running" || state === "assumed" || state === "dying";',
    to: 'state === "running" || state === "assumed";',
  },
  {
    about: "LATE: of equal times in two phases, the later task is copied",
    path: "src/policy/speculation/late.ts",
    from: "({ task }) => task,",
    to: "({ task }) => -task,",
  },
  {
    about: "a dying attempt of a held list is copied",
    path: "src/model/shortlist.ts",
    from: 'else if (sole.state === "running" && mayBeCopiedTo(view, task, node))',
    to: "else if (mayBeCopiedTo(view, task, node))",
  },
  {
    about: "eSplash, Algorithm 2: the first member chooses for its group",
    path: "src/policy/speculation/esplash/k-means.ts",
    from: "return votes.indexOf(Math.max(...votes));",
    to: "return nearest(members[0]!.times, centers);",
  },
];

/** Throws if a text is no longer there: the list must follow the code. */
export const listed = (files: readonly SourceFile[]): readonly Mutant[] =>
  LISTED.map(({ about, path, from, to }) => {
    const file = files.find((one) => one.path === path);
    const start = file?.text.indexOf(from) ?? -1;
    if (file === undefined || start === -1 || file.text.indexOf(from, start + 1) !== -1) {
      throw new Error(
        `listed mutant "${about}": ${path} has not exactly one place with\n  ${from}`,
      );
    }
    return mutantOf(file, { start, end: start + from.length, text: to, runsAt: start });
  });
