import { type OwnPolicies, withOwnPolicies } from "../policy/own-policies.ts";
import { REGISTRY, type Registry } from "../policy/registry.ts";
import { SEATS } from "../policy/seat.ts";
import { type ConformanceTest, type DisciplineTests, disciplineTests } from "./discipline-tests.ts";

export interface ConformanceOptions {
  /** Settings, in the form of `--set`, under which the policies act in small worlds. */
  readonly sets?: readonly string[];
  /**
   * The actions that the policies must show in the worlds. Default: `speculative`, a copy, for
   * policies of speculation.
   */
  readonly acts?: readonly string[];
  /** The random worlds: three by default. */
  readonly seeds?: readonly number[];
}

/**
 * The tests that every policy must pass, by name, for each policy and each discipline of the
 * user's. A test throws a ConformanceError, whose message has the cure.
 *
 *     for (const { name, run } of conformanceTests(mine, { sets })) test(name, run);
 */
export const conformanceTests = (
  own: OwnPolicies,
  options: ConformanceOptions = {},
): readonly ConformanceTest[] =>
  testedDisciplines(own, options).flatMap((of) =>
    disciplineTests(of).map(({ name, run }) => ({ name: `${of.discipline} ${name}`, run })),
  );

/**
 * Runs all tests; returns the message of the first failure of each discipline, since others may
 * follow from it. No message: the policies conform.
 */
export const checkConformance = (
  own: OwnPolicies,
  options: ConformanceOptions = {},
): readonly string[] =>
  testedDisciplines(own, options).flatMap((of) => {
    for (const { name, run } of disciplineTests(of)) {
      try {
        run();
      } catch (error) {
        return [`${name}: ${error instanceof Error ? error.message : error}`];
      }
    }
    return [];
  });

function testedDisciplines(
  own: OwnPolicies,
  { sets = [], ...options }: ConformanceOptions,
): readonly DisciplineTests[] {
  const registry = withOwnPolicies(REGISTRY, [{ file: "(tested)", exported: own }]);
  return disciplinesOf(registry, own).map((of) => {
    const known = sets.filter((set) => isFor(set, of.discipline));
    return { ...of, ...options, sets: known, registry };
  });
}

/** Settings of one seat do not fit the policies that another test puts into that seat. */
function isFor(set: string, discipline: string): boolean {
  const seat = /,(\w+)=/.exec(discipline)?.[1];
  return seat === undefined || set.startsWith(`${seat}.`);
}

/** The user's disciplines, and each of the user's policies in its seat of LATE. */
function disciplinesOf(
  registry: Registry,
  own: OwnPolicies,
): readonly Pick<DisciplineTests, "discipline" | "acts">[] {
  const named = registry.disciplines.slice(REGISTRY.disciplines.length);
  const policies = SEATS.flatMap((seat) =>
    registry[seat].slice(REGISTRY[seat].length).map(({ policy: { name } }) => ({
      discipline: `late,${seat}=${name}`,
      acts: seat === "speculation" ? ["speculative"] : [],
    })),
  );
  return [
    ...named.map(({ name, speculation }) => ({
      discipline: name,
      acts: own.speculation !== undefined && speculation !== "none" ? ["speculative"] : [],
    })),
    ...policies,
  ];
}
