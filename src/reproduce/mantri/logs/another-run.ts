import { nextFloat, type RandomState, split } from "../../../base/random.ts";
import { type JobLog, startOf, Timeline } from "./job-log.ts";
import type { LogModel } from "./model.ts";
import { outliersAt, type PhaseLog, timeAt } from "./phase-log.ts";

/**
 * A job of the logs at another time, `run` being 1 or more: the same code on the same data, but
 * with the cluster's busyness, idle slots and hindered attempts of that time. §4.3.
 */
export function anotherRun(model: LogModel, job: JobLog, run: number): JobLog {
  const { drawn } = job;
  const chance = split(drawn.chance, run);
  const timeline = new Timeline(startOf(model, chance), job.edges);
  const more = guaranteed(model, split(drawn.chance, 0)) / guaranteed(model, chance);
  const phases: PhaseLog[] = [];
  for (const phase of job.phases) {
    const time = timeAt(model, drawn, timeline.beginMs);
    const again: PhaseLog = {
      ...phase,
      slots: Math.max(1, Math.round(phase.slots * more)),
      time,
      hindrance: {
        ...phase.hindrance,
        outliers: outliersAt(model, phase.contended, time.busyness),
      },
      chance: split(phase.chance, RUNS + run),
    };
    phases.push(again);
    timeline.add(again);
  }
  return { ...job, phases };
}

/** The share of a run's slots that is the job's own; other jobs leave the rest idle. */
const guaranteed = ({ jobs }: LogModel, chance: RandomState): number =>
  1 - jobs.idleSlotsMost * nextFloat(split(chance, 0));

/** An offset for random streams beyond those of all attempts. */
const RUNS = 0x100_0000_0000;
