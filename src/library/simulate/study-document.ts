import { Place } from "../../base/shape.ts";
import { checkFault } from "../../hosts/sim/check-fault.ts";
import {
  type DisciplineSpec,
  type Resolve,
  type Scenario,
  type StudyRow,
  studyLowerBoundMs,
} from "../../hosts/sim/index.ts";
import type { Fault } from "../../model/fault.ts";
import { knownSets } from "../../policy/known-sets.ts";
import type { Registry } from "../../policy/registry.ts";
import { type Documented, documented } from "../documents.ts";
import { settingsInForce, withFlags } from "../study-rows.ts";

/** The result of a study. Times in ms. */
export interface StudyContent {
  readonly name: string;
  readonly about: string;
  /** Below every row's mean response time; absent if unknown. */
  readonly lowerBoundMs?: number;
  readonly rows: readonly StudyRow[];
}

/** The changes to a scenario, and how its rows find their disciplines. */
export interface Choice {
  /** Texts of `--set`: each changes the rows that have its parameter. */
  readonly sets: readonly string[];
  /** In place of the scenario's. */
  readonly faults?: readonly Fault[] | undefined;
  readonly registry: Registry;
  readonly resolve: Resolve;
}

/**
 * The scenario with the chosen rows under the settings, and with other faults, if given. InputError
 * for a mistake in the rows, or else in the changes.
 */
export function chosenStudy(
  scenario: Scenario,
  rows: readonly DisciplineSpec[],
  { sets, faults, registry, resolve }: Choice,
): Scenario {
  for (const { discipline, set } of rows) resolve(discipline, set);
  const names = rows.map(({ discipline }) => discipline);
  const known = knownSets(names, sets, registry);
  const hasOtherFaults = faults !== undefined;
  const disciplines = rows.map((row, n) =>
    withFlags(row, { sets: known[n] ?? [], hasOtherFaults }),
  );
  return withRows(scenario, disciplines, faults);
}

/** The scenario with other rows, and with other faults, if given, which its cluster can have. */
export function withRows(
  scenario: Scenario,
  disciplines: readonly DisciplineSpec[],
  faults: readonly Fault[] | undefined,
): Scenario {
  for (const [n, fault] of (faults ?? []).entries()) {
    checkFault(fault, scenario.cluster, new Place("bad-flag", "simulate", "faults").index(n));
  }
  return {
    ...scenario,
    ...(faults !== undefined && { faults }),
    study: { ...scenario.study, disciplines },
  };
}

/** The document of the rows, with the settings in force. */
export function studyDocument(
  scenario: Scenario,
  found: readonly StudyRow[],
  how: { readonly seeds: number; readonly resolve: Resolve },
): Documented<"simulate", StudyContent> {
  const { seeds, resolve } = how;
  const rows = found.map((row) => {
    return { ...row, set: settingsInForce(row, resolve(row.discipline, row.set)) };
  });
  const { name, about } = scenario;
  const lowerBoundMs = studyLowerBoundMs(scenario, seeds);
  const bound = lowerBoundMs === undefined ? {} : { lowerBoundMs };
  return documented("simulate", { name, about, ...bound, rows });
}
