import { defined } from "../../base/assert.ts";
import { type Interval, interval95, mean } from "../../base/stats.ts";
import type { Setup } from "../../core/setup.ts";
import type { Fault } from "../../model/fault.ts";
import { responseLowerBoundMs } from "./lower-bound.ts";
import { withOracle } from "./oracle.ts";
import type { SimulationResult } from "./result.ts";
import type { DisciplineSpec, Oracle, Published, Scenario, Settings } from "./scenario.ts";
import { simulate } from "./simulate.ts";

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

/** One line of a study: a discipline at one setting, over all seeds. */
export interface StudyRow {
  readonly label: string;
  readonly discipline: string;
  readonly set: Settings;
  readonly oracle?: Oracle;
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
  /** Faults that some runs ended too early for. */
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
  // All settings are resolved first, so that a mistake in the last one shows before the first run.
  const settings = scenario.study.disciplines.flatMap((spec) => settingsOf(spec));
  const resolved = settings.map((setting) => options.resolve(setting.discipline, setting.set));
  return settings.map((setting, i) =>
    runSetting(scenario, setting, defined(resolved[i], "a discipline"), options),
  );
}

type Setting = Pick<StudyRow, "label" | "discipline" | "set" | "oracle" | "swept" | "published">;

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

function runSetting(
  scenario: Scenario,
  setting: Setting,
  discipline: Discipline,
  options: StudyOptions,
): StudyRow {
  const { firstSeed } = scenario.study;
  const seeds = options.seeds ?? scenario.study.seeds;
  const world = withOracle(scenario, setting.oracle);
  const results: SimulationResult[] = [];
  for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
    const result = simulate(world, { seed, discipline });
    results.push(result);
    const { label, swept } = setting;
    options.onRun?.({ label, seed, result, ...(swept !== undefined && { swept }) });
  }
  const over = (value: (result: SimulationResult) => number) => interval95(results.map(value));
  return {
    ...setting,
    seeds,
    responseMs: over(meanResponseMs),
    makespanMs: over(({ makespanMs }) => makespanMs),
    wastedMsPerNode: over(({ wastedMs, wastedMsByNode }) => wastedMs / wastedMsByNode.size),
    speculative: {
      launched: over(({ attempts }) => attempts.speculative.launched),
      succeeded: over(({ attempts }) => attempts.speculative.succeeded),
      killed: over(({ attempts }) => attempts.speculative.killed),
    },
    stuck: results.filter(({ unfinished }) => unfinished.length > 0).length,
    faultsMissed: missedIn(scenario.faults, results),
  };
}

function missedIn(
  faults: readonly Fault[],
  results: readonly SimulationResult[],
): readonly StudyFaultMissed[] {
  return faults.flatMap((fault) => {
    const runs = results.filter(({ faultsMissed }) =>
      faultsMissed.some((missed) => missed.fault === fault),
    );
    if (runs.length === 0) return [];
    const missed = runs.flatMap(({ faultsMissed }) =>
      faultsMissed.filter((one) => one.fault === fault),
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
