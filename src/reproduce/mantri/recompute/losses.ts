import { type Chance, draw } from "../../../base/chance.ts";
import { type RandomState, uniform } from "../../../base/random.ts";
import { machineOf } from "../logs/losses.ts";
import type { LossModel } from "../logs/model.ts";

/**
 * An episode: while it lasts, no output on the machine can be read, and outputs there are gone, new
 * ones included. Milliseconds.
 */
export interface Loss {
  readonly machine: number;
  readonly from: number;
  readonly to: number;
  /** An output written during the episode is gone at most this much later. */
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

/** Whether an output that was written on the machine at `output.from` is gone by `output.to`. */
export function isLost(
  { machine, from, to, everyMs }: Loss,
  output: { readonly machine: number; readonly from: number; readonly to: number },
): boolean {
  if (machine !== output.machine || output.to < from) return false;
  // Outputs vanish at `from` and every `everyMs` after it, but not at `to`.
  const times = Math.ceil((to - from) / everyMs);
  const last = Math.min(times - 1, Math.floor((output.to - from) / everyMs));
  return from + last * everyMs > output.from;
}
