import { defined } from "../../base/assert.ts";
import { type Interval, interval95, mean } from "../../base/stats.ts";
import type { Setup } from "../../core/state/setup.ts";
import { meanMeasures, type RunMeasures } from "../../measures/run-measures.ts";
import type { Fault } from "../../model/fault.ts";
import { responseLowerBoundMs } from "./lower-bound.ts";
import type { SimulationResult } from "./result.ts";
import { rowScenario } from "./row-scenario.ts";
import type { DisciplineSpec, Oracle, Published, Scenario, Settings } from "./scenario.ts";
import { simulateOnce } from "./simulate-once.ts";

type Discipline = Setup["discipline"];

/** Finds a discipline by its name in a scenario; throws an InputError if there is none. */
export type Resolve = (discipline: string, settings: Settings) => Discipline;

export interface StudyOptions {
  readonly resolve: Resolve;
  /** Replaces the number of seeds in the scenario. */
  readonly seeds?: number;
  /** Called after each run. */
  readonly onRun?: (run: StudyRun) => void;
}

export interface StudyRun {
  readonly label: string;
  /** The swept parameter and its value in this row. */
  readonly swept?: StudyRow["swept"];
  readonly seed: number;
  readonly result: SimulationResult;
}

/** One line of a study: a discipline at one setting, over all seeds; the measures are means. */
export interface StudyRow extends RunMeasures {
  readonly label: string;
  readonly discipline: string;
  readonly set: Settings;
  readonly oracle?: Oracle;
  readonly noCopies?: readonly string[];
  /** The swept parameter and its value in this row. */
  readonly swept?: { readonly parameter: string; readonly value: number | string | boolean };
  readonly seeds: number;
  /** Mean response time of a job. */
  readonly responseMs: Interval;
  readonly makespanMs: Interval;
  /** Slot time of killed attempts, divided by the number of nodes. */
  readonly wastedMsPerNode: Interval;
  readonly speculative: {
    readonly launched: Interval;
    readonly succeeded: Interval;
    readonly killed: Interval;
  };
  /** The number of runs in which some job never ended. */
  readonly stuck: number;
  /** Faults that came after the end of some runs. */
  readonly faultsMissed: readonly StudyFaultMissed[];
  readonly published?: Published;
}

/** A fault of the scenario that did not happen to some target in some runs of a row. */
export interface StudyFaultMissed {
  readonly fault: Fault;
  readonly targets: readonly string[];
  /** The earliest time at which the fault was due in these runs. */
  readonly at: number;
  /** The number of these runs. */
  readonly runs: number;
  /** The end of the shortest of these runs. */
  readonly endedAtMs: number;
}

/** Every discipline of a scenario, at every value of its sweep, over the same seeds. */
export function runStudy(scenario: Scenario, options: StudyOptions): StudyRow[] {
  const study = new Study(scenario, options);
  return study.rows(
    study.units.map((unit) => {
      const result = study.run(unit);
      const { label, swept } = study.settingOf(unit);
      options.onRun?.({ label, seed: unit.seed, result, ...(swept !== undefined && { swept }) });
      return study.figuresOf(result);
    }),
  );
}

type Setting = Pick<
  StudyRow,
  "label" | "discipline" | "set" | "oracle" | "noCopies" | "swept" | "published"
>;

/** A run of a study, which depends on no other run. */
export interface StudyUnit {
  /** Its setting's place among those of the study. */
  readonly setting: number;
  readonly seed: number;
}

/** What a row needs from a run: plain data, which a thread can send. */
export interface RunFigures {
  readonly responseMs: number;
  readonly makespanMs: number;
  readonly wastedMsPerNode: number;
  readonly launched: number;
  readonly succeeded: number;
  readonly killed: number;
  readonly isStuck: boolean;
  readonly measured: RunMeasures;
  /** The place of each fault in the scenario. */
  readonly faultsMissed: readonly {
    readonly fault: number;
    readonly target: string;
    readonly at: number;
  }[];
}

/** A study in parts, which may run in any order, and elsewhere. */
export class Study {
  /** Row by row, by rising seeds. */
  readonly units: readonly StudyUnit[];
  readonly #scenario: Scenario;
  readonly #settings: readonly Setting[];
  readonly #resolved: readonly Discipline[];
  readonly #seeds: number;

  constructor(scenario: Scenario, { resolve, seeds }: Pick<StudyOptions, "resolve" | "seeds">) {
    const { study } = scenario;
    this.#scenario = scenario;
    this.#seeds = seeds ?? study.seeds;
    this.#settings = study.disciplines.flatMap((spec) => settingsOf(spec));
    // All are resolved first, so that a mistake in the last one shows before the first run.
    this.#resolved = this.#settings.map(({ discipline, set }) => resolve(discipline, set));
    this.units = this.#settings.flatMap((_, setting) =>
      Array.from({ length: this.#seeds }, (_, index) => {
        return { setting, seed: study.firstSeed + index };
      }),
    );
  }

  /** Calls `onShare` now and then with the share of the run's tasks that are done. */
  run({ setting, seed }: StudyUnit, onShare?: (done: number) => void): SimulationResult {
    const scenario = rowScenario(this.#scenario, defined(this.#settings[setting], "a setting"));
    const discipline = defined(this.#resolved[setting], "a discipline");
    return simulateOnce(scenario, {
      ...{ seed, discipline, measures: true },
      ...(onShare === undefined ? {} : { onShare }),
    });
  }

  /** The first run of the last row. */
  get ofLastRow(): StudyUnit {
    return defined(this.units.at(-this.#seeds), "a row");
  }

  settingOf({ setting }: StudyUnit): Pick<StudyRow, "label" | "swept"> {
    return defined(this.#settings[setting], "a setting");
  }

  /** Of a result that has measures. */
  figuresOf(result: SimulationResult): RunFigures {
    const { makespanMs, wastedMs, wastedMsByNode, attempts, unfinished, faultsMissed } = result;
    const measured = defined(result.measured, "the measures of a run");
    const { launched, succeeded, killed } = attempts.speculative;
    return {
      ...{ responseMs: meanResponseMs(result), makespanMs, launched, succeeded, killed },
      wastedMsPerNode: wastedMs / wastedMsByNode.size,
      isStuck: unfinished.length > 0,
      measured,
      faultsMissed: faultsMissed.map(({ fault, target, at }) => {
        return { fault: this.#scenario.faults.indexOf(fault), target, at };
      }),
    };
  }

  /** The rows, from the figures of all runs in the order of the units. */
  rows(figures: readonly RunFigures[]): StudyRow[] {
    return this.#settings.map((setting, index) => {
      const runs = figures.slice(index * this.#seeds, (index + 1) * this.#seeds);
      const over = (value: (run: RunFigures) => number) => interval95(runs.map(value));
      return {
        ...setting,
        seeds: this.#seeds,
        responseMs: over(({ responseMs }) => responseMs),
        makespanMs: over(({ makespanMs }) => makespanMs),
        wastedMsPerNode: over(({ wastedMsPerNode }) => wastedMsPerNode),
        speculative: {
          launched: over(({ launched }) => launched),
          succeeded: over(({ succeeded }) => succeeded),
          killed: over(({ killed }) => killed),
        },
        ...meanMeasures(runs.map(({ measured }) => measured)),
        stuck: runs.filter(({ isStuck }) => isStuck).length,
        faultsMissed: missedIn(this.#scenario.faults, runs),
      };
    });
  }
}

function settingsOf({ sweep, ...setting }: DisciplineSpec): Setting[] {
  const { set } = setting;
  if (sweep === undefined) return [setting];
  const { parameter, values } = sweep;
  return values.map((value) => ({
    ...setting,
    set: { ...set, [parameter]: value },
    swept: { parameter, value },
  }));
}

function missedIn(
  faults: readonly Fault[],
  all: readonly RunFigures[],
): readonly StudyFaultMissed[] {
  return faults.flatMap((fault, place) => {
    const runs = all.filter(({ faultsMissed }) => faultsMissed.some((one) => one.fault === place));
    if (runs.length === 0) return [];
    const missed = runs.flatMap(({ faultsMissed }) =>
      faultsMissed.filter((one) => one.fault === place),
    );
    return [
      {
        fault,
        targets: [...new Set(missed.map(({ target }) => target))],
        at: Math.min(...missed.map(({ at }) => at)),
        runs: runs.length,
        endedAtMs: Math.min(...runs.map(({ makespanMs }) => makespanMs)),
      },
    ];
  });
}

/**
 * A lower bound, in ms, of every row's mean response time over the same seeds; undefined if
 * unknown.
 */
export function studyLowerBoundMs(scenario: Scenario, seeds: number): number | undefined {
  const { firstSeed } = scenario.study;
  const bounds: number[] = [];
  for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
    const bound = responseLowerBoundMs(scenario, seed);
    if (bound === undefined) return undefined;
    bounds.push(bound);
  }
  return mean(bounds);
}

/** The mean over the jobs that ended; 0 if none did. */
export function meanResponseMs({ jobs }: SimulationResult): number {
  let total = 0;
  for (const { responseMs } of jobs) total += responseMs;
  return jobs.length === 0 ? 0 : total / jobs.length;
}
