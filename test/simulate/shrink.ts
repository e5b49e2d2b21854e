import type { Plan } from "../../src/testing/plan.ts";
import { cutsOf, phasesOf } from "./cuts.ts";
import { BrokenWorld, runWorld } from "./run-world.ts";

/** How a world breaks with these cuts; undefined if it does not break. */
export type HowItBreaks<T> = (cuts: readonly string[]) => T | undefined;

/**
 * Cuts one thing after another, while the world still breaks in the same way: jobs, nodes, kinds of
 * trouble, phases, tasks. Undefined if the whole world does not break.
 */
export function shrink<T extends { readonly problem: string }>(
  plan: Plan,
  howItBreaks: HowItBreaks<T>,
  until: number,
): { readonly cuts: readonly string[]; readonly broken: T } | undefined {
  let broken = howItBreaks([]);
  if (broken === undefined) return undefined;
  const kind = kindOf(broken.problem);
  let cuts: readonly string[] = [];
  const takesCut = (cut: string): boolean => {
    if (performance.now() > until || cuts.includes(cut)) return false;
    const less = howItBreaks([...cuts, cut]);
    if (less === undefined || kindOf(less.problem) !== kind) return false;
    broken = less;
    cuts = [...cuts, cut];
    return true;
  };
  for (let before = -1; before < cuts.length; ) {
    before = cuts.length;
    for (const cut of cutsOf(plan)) takesCut(cut);
    for (const [place, tasks] of phasesOf(plan)) {
      fewerTasks(place, lastSaid(cuts, place) ?? tasks, takesCut);
    }
  }
  return { cuts: withoutIdle(cuts), broken };
}

/** Halves the tasks while possible, then leaves out one at a time. */
function fewerTasks(place: string, tasks: number, takesCut: (cut: string) => boolean): void {
  let left = tasks;
  while (left > 1 && takesCut(`tasks:${place}=${left >> 1}`)) left >>= 1;
  while (left > 0 && takesCut(`tasks:${place}=${left - 1}`)) left -= 1;
}

/** The number of a phase's tasks after the cuts; undefined for all. */
function lastSaid(cuts: readonly string[], place: string): number | undefined {
  const said = cuts.findLast((cut) => cut.startsWith(`tasks:${place}=`));
  return said === undefined ? undefined : Number(said.slice(said.indexOf("=") + 1));
}

/** Only a phase's last cut of its tasks counts, and removed things need no further cuts. */
function withoutIdle(cuts: readonly string[]): readonly string[] {
  return cuts.filter((cut, index) => {
    const [, kind, job, phase] = /^(phase|tasks):(\d+)\.(\d+)/.exec(cut) ?? [];
    if (kind === undefined) return true;
    if (cuts.includes(`job:${job}`)) return false;
    if (kind === "phase") return true;
    const later = cuts.slice(index + 1);
    const isSaidAgain = later.some((other) => other.startsWith(`tasks:${job}.${phase}=`));
    return !isSaidAgain && !cuts.includes(`phase:${job}.${phase}`);
  });
}

/** A replay takes as long as the run, and a few worlds break only there. */
export const howWorldBreaks =
  (seed: number, { isReplayed }: { readonly isReplayed: boolean }): HowItBreaks<BrokenWorld> =>
  (cuts) => {
    try {
      runWorld(seed, { cuts, isReplayed });
      return undefined;
    } catch (error) {
      if (error instanceof BrokenWorld) return error;
      throw error;
    }
  };

/** Numbers and names change as the world becomes smaller. */
const kindOf = (problem: string): string =>
  problem.replace(/job\d+\/phase\d+\/\d+/g, "a task").replace(/-?\d+(\.\d+)?/g, "N");
