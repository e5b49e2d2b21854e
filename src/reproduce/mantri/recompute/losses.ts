import { type Chance, draw } from "../../../base/chance.ts";
import { type RandomState, uniform } from "../../../base/random.ts";
import { machineOf } from "../logs/losses.ts";
import type { LossModel } from "../logs/model.ts";

/**
 * While it lasts, nothing on the machine can be read: what lies there and what is written there
 * meanwhile is gone. Milliseconds.
 */
export interface Loss {
  readonly machine: number;
  readonly from: number;
  readonly to: number;
  /** What is written meanwhile is gone after so long at most. */
  readonly everyMs: number;
}

/** §6.5: a temporal problem of a machine; future requests for its data fail (§5.3). */
export interface EpisodeModel {
  readonly lastsMs: Chance;
  readonly everyMs: number;
}

/** The episode that hits one job; §4.2: half of them are on one machine in twenty. */
export function drawLoss(
  chance: RandomState,
  of: { readonly losses: LossModel; readonly machines: number; readonly episode: EpisodeModel },
  job: { readonly from: number; readonly to: number },
): Loss {
  const machine = machineOf({ ...of.losses, machines: of.machines }, chance);
  const from = uniform(chance, job);
  const { lastsMs, everyMs } = of.episode;
  return { machine, from, to: from + draw(chance, lastsMs), everyMs };
}

/** Whether an output that was written on the machine at a time could be read until another. */
export function isLost(
  { machine, from, to, everyMs }: Loss,
  output: { readonly machine: number; readonly from: number; readonly to: number },
): boolean {
  if (machine !== output.machine || output.to < from) return false;
  // The first is at `from`, none at `to`.
  const times = Math.ceil((to - from) / everyMs);
  const last = Math.min(times - 1, Math.floor((output.to - from) / everyMs));
  return from + last * everyMs > output.from;
}
