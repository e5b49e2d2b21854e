import { assert, defined } from "../../../base/assert.ts";
import type { Json } from "../../../base/json.ts";
import { sum } from "../../../base/stats.ts";
import { chopTailMakespan, noSkewMakespan } from "../../../hosts/sim/oracles.ts";
import type { Discipline } from "../../../policy/policy.ts";
import type { Done } from "../../experiment.ts";
import type { LoggedJobRun } from "../jobs/job-run.ts";
import type { LogModel } from "../logs/model.ts";
import { column, numberOf, rowsOf } from "../study.ts";
import { loggedTimes, runPhase } from "./phase-run.ts";
import type { SampledPhase } from "./sample.ts";
import type { Weighted } from "./weighted.ts";

/** Ideal schemes of §6.1, which no scheduler can follow. */
export const ORACLES = ["NoSkew", "NoSkew+ChopTail"] as const;
const ORACLE_NAMES: readonly string[] = ORACLES;

/** The restarts of a scheme over some phases. */
interface Restarts {
  /** The sum over the phases of their restarts per task. */
  readonly perTask: number;
  readonly launched: number;
  readonly succeeded: number;
}

/**
 * A worker's answer, as rows of numbers. First a row for each scheme with its restarts; then a row
 * for each phase: its weight, its lifetime under the baseline, for each scheme the reductions of
 * completion time and of resources, for each oracle the reduction of completion time.
 */
export function runPhases(
  phases: readonly SampledPhase[],
  {
    model,
    baseline,
    schemes,
  }: {
    readonly model: LogModel;
    readonly baseline: Discipline;
    readonly schemes: readonly Discipline[];
  },
): Json {
  const restarts = schemes.map(() => ({ perTask: 0, launched: 0, succeeded: 0 }));
  const rows = phases.map(({ phase, standsFor }) => {
    const time = loggedTimes(model, phase);
    const current = runPhase(phase, { time, discipline: baseline });
    const row = [rounded(standsFor), rounded(current.completionMs / 1_000)];
    for (const [i, discipline] of schemes.entries()) {
      const run = runPhase(phase, { time, discipline });
      count(defined(restarts[i], "a scheme"), run, { tasks: phase.bytes.length, standsFor });
      row.push(
        reduction(current.completionMs, run.completionMs),
        reduction(current.resourceMs, run.resourceMs),
      );
    }
    const taskMs = Array.from(phase.bytes, (_, index) => time({ index, ordinal: 0 }));
    row.push(
      reduction(current.completionMs, noSkewMakespan([{ taskMs }], phase.slots)),
      reduction(current.completionMs, chopTailMakespan([{ taskMs }], phase.slots)),
    );
    return row;
  });
  return [
    ...restarts.map(({ perTask, launched, succeeded }) => [perTask, launched, succeeded]),
    ...rows,
  ];
}

function count(
  sums: { perTask: number; launched: number; succeeded: number },
  run: LoggedJobRun,
  { tasks, standsFor }: { readonly tasks: number; readonly standsFor: number },
): void {
  sums.perTask += (standsFor * run.restarts) / tasks;
  sums.launched += standsFor * run.restarts;
  sums.succeeded += standsFor * run.successes;
}

/** Equation 4. */
const reduction = (current: number, modified: number): number =>
  rounded((current - modified) / current);

/** More digits would bloat the files of a full run. */
const rounded = (value: number): number => Math.round(value * 1e5) / 1e5;

/** The outcomes of all units together. */
export interface Outcomes {
  readonly phases: number;
  /** The groups of phases for the intervals. */
  readonly runs: number;
  readonly completion: (scheme: string) => Weighted;
  readonly resources: (scheme: string) => Weighted;
  readonly restarts: (scheme: string) => readonly (Restarts & { readonly phases: number })[];
}

export function outcomesOf(done: readonly Done[], labels: readonly string[]): Outcomes {
  const table: (readonly number[])[] = [];
  const runs: number[] = [];
  const sums: { run: number; phases: number; rows: readonly (readonly number[])[] }[] = [];
  for (const unit of done) {
    const rows = rowsOf(unit);
    const run = numberOf(unit.unit.work, "run");
    const phases = rows.slice(labels.length);
    sums.push({ run, phases: sum(column(phases, 0)), rows: rows.slice(0, labels.length) });
    for (const row of phases) {
      table.push(row);
      runs.push(run);
    }
  }
  const weights = table.map(([standsFor = 0, lifetime = 0]) => standsFor * lifetime);
  const at = (index: number): Weighted => ({
    values: table.map((row) => defined(row[index], "a reduction")),
    weights,
    runs,
  });
  // The phases of the logs are too many to spread into the arguments of a call.
  const groups = runs.reduce((most, run) => Math.max(most, run + 1), 0);
  return {
    phases: table.length,
    runs: groups,
    completion: (scheme) => at(completionColumn(labels, scheme)),
    resources: (scheme) => at(3 + 2 * placeOf(labels, scheme)),
    restarts: (scheme) =>
      Array.from({ length: groups }, (_, group) =>
        restartsOf(
          sums.filter(({ run }) => run === group),
          placeOf(labels, scheme),
        ),
      ),
  };
}

function completionColumn(labels: readonly string[], scheme: string): number {
  const oracle = ORACLE_NAMES.indexOf(scheme);
  return oracle < 0 ? 2 + 2 * placeOf(labels, scheme) : 2 + 2 * labels.length + oracle;
}

function placeOf(labels: readonly string[], scheme: string): number {
  const place = labels.indexOf(scheme);
  assert(place >= 0, `a scheme ${scheme}`);
  return place;
}

function restartsOf(
  sums: readonly { phases: number; rows: readonly (readonly number[])[] }[],
  place: number,
): Restarts & { readonly phases: number } {
  const total = (index: number) => sum(sums.map(({ rows }) => rows[place]?.[index] ?? 0));
  return {
    perTask: total(0),
    launched: total(1),
    succeeded: total(2),
    phases: sum(sums.map(({ phases }) => phases)),
  };
}
