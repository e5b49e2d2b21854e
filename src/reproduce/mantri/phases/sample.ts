import { nextFloat, type RandomState, randomState, split } from "../../../base/random.ts";
import { drawJob } from "../logs/job-log.ts";
import type { LogModel } from "../logs/model.ts";
import type { PhaseLog } from "../logs/phase-log.ts";

/** A phase of a sample, and its weight: how many of all phases it stands for. */
export interface SampledPhase {
  readonly phase: PhaseLog;
  readonly standsFor: number;
}

/**
 * Phases of random jobs, from all dates by the number of their jobs. Figures weigh phases by their
 * lifetime, so that a few phases with long tasks would decide everything. The probability of taking
 * a phase therefore rises with the time of its tasks, up to `longMs`, and a taken phase stands for
 * the others.
 */
export function samplePhases(
  model: LogModel,
  of: { readonly seed: number; readonly phases: number; readonly longMs: number },
): readonly SampledPhase[] {
  const chance = randomState(of.seed, "mantri/sample");
  const taken: SampledPhase[] = [];
  for (let job = 0; taken.length < of.phases; job += 1) {
    const date = drawDate(model, chance);
    for (const phase of drawJob(model, { date, job, seed: of.seed }).phases) {
      const probability = Math.min(1, meanMs(phase) / of.longMs);
      if (nextFloat(chance) < probability) taken.push({ phase, standsFor: 1 / probability });
    }
  }
  return taken.slice(0, of.phases);
}

/** The mean time of the phase's tasks, unhindered. */
const meanMs = ({ bytes, fixedMs, msPerByte }: PhaseLog): number =>
  fixedMs + (msPerByte * bytes.reduce((sum, one) => sum + one, 0)) / bytes.length;

function drawDate({ dates }: LogModel, chance: RandomState): number {
  const jobs = dates.reduce((sum, date) => sum + date.jobs, 0);
  let left = jobs * nextFloat(chance);
  const found = dates.findIndex((date) => {
    left -= date.jobs;
    return left < 0;
  });
  return Math.max(0, found);
}

/** §6.3 repeats each phase: the data stay, contention and network are drawn again. */
export const repeated = ({ phase, standsFor }: SampledPhase, time: number): SampledPhase => ({
  phase: { ...phase, chance: split(phase.chance, time) },
  standsFor,
});
