import { cell } from "../base/rows.ts";
import { mean } from "../base/stats.ts";
import type { TraceJob } from "../history/model.ts";
import { type JobMeasures, jobMeasures } from "./job-measures.ts";
import { type PhaseMeasures, phaseMeasures } from "./phase-measures.ts";
import { runsOf } from "./task-runs.ts";

/** What the papers measure of a run, or the mean over several runs. */
export interface RunMeasures {
  /** Of all jobs of the run together. */
  readonly measures: JobMeasures;
  /** In the order of the jobs; of phases with the same name, the mean. */
  readonly phases: readonly MeasuredPhase[];
}

export interface MeasuredPhase {
  readonly phase: string;
  readonly measures: PhaseMeasures;
}

export function runMeasures(jobs: readonly TraceJob[]): RunMeasures {
  const measured = jobs.map((job) => ({ job, phases: runsOf(job) }));
  const phases = measured.flatMap(({ job, phases }) =>
    phases.flatMap(({ runs }, index) => {
      const measures = phaseMeasures(runs);
      return measures === undefined ? [] : [{ phase: cell(job.phases[index]).name, measures }];
    }),
  );
  return { measures: jobMeasures(measured), phases: byName(phases) };
}

/** The mean of each measure over the runs that have it. */
export function meanMeasures(runs: readonly RunMeasures[]): RunMeasures {
  return {
    measures: meanOfJobs(runs.map(({ measures }) => measures)),
    phases: byName(runs.flatMap(({ phases }) => phases)),
  };
}

function byName(phases: readonly MeasuredPhase[]): readonly MeasuredPhase[] {
  const all = new Map<string, PhaseMeasures[]>();
  for (const { phase, measures } of phases) {
    const alike = all.get(phase) ?? [];
    all.set(phase, alike);
    alike.push(measures);
  }
  return Array.from(all, ([phase, alike]) => ({ phase, measures: meanOfPhases(alike) }));
}

function meanOfJobs(all: readonly JobMeasures[]): JobMeasures {
  const nodeLocal = meanOfKnown(all.map((of) => of.nodeLocal));
  const rackLocal = meanOfKnown(all.map((of) => of.rackLocal));
  const crossRackBytes = meanOfKnown(all.map((of) => of.crossRackBytes));
  return {
    ...(nodeLocal !== undefined && { nodeLocal }),
    ...(rackLocal !== undefined && { rackLocal }),
    ...(crossRackBytes !== undefined && { crossRackBytes }),
    copies: mean(all.map((of) => of.copies)),
    usefulCopies: mean(all.map((of) => of.usefulCopies)),
    wastedMs: mean(all.map((of) => of.wastedMs)),
    killedCopiesMs: mean(all.map((of) => of.killedCopiesMs)),
    recomputes: mean(all.map((of) => of.recomputes)),
    recomputedMs: mean(all.map((of) => of.recomputedMs)),
  };
}

function meanOfPhases(all: readonly PhaseMeasures[]): PhaseMeasures {
  const outlierTimes = meanOfKnown(all.map((of) => of.outlierTimes));
  const explained = meanOfKnown(all.map((of) => of.explained));
  const improvable = meanOfKnown(all.map((of) => of.improvable));
  return {
    tasks: mean(all.map((of) => of.tasks)),
    medianMs: mean(all.map((of) => of.medianMs)),
    outliers: mean(all.map((of) => of.outliers)),
    ...(outlierTimes !== undefined && { outlierTimes }),
    ...(explained !== undefined && { explained }),
    ...(improvable !== undefined && { improvable }),
  };
}

/** Undefined if none is known. */
function meanOfKnown(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : mean(known);
}
