import { withOracle } from "./oracle.ts";
import type { DisciplineSpec, Scenario } from "./scenario.ts";

/** The scenario as one row of its study runs it: with its oracle, and where copies are off. */
export function rowScenario(
  scenario: Scenario,
  { noCopies = [], oracle }: Pick<DisciplineSpec, "noCopies" | "oracle">,
): Scenario {
  const known = withOracle(scenario, oracle);
  if (noCopies.length === 0) return known;
  const isOff = (kinds: readonly string[]): boolean =>
    kinds.every((kind) => noCopies.includes(kind));
  const jobs = known.jobs.map((job) => ({
    ...job,
    phases: job.phases.map((phase) =>
      isOff(phase.slots) ? { ...phase, speculate: false } : phase,
    ),
  }));
  return { ...known, jobs };
}
