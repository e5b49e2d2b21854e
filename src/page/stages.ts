import { cell } from "../base/rows.ts";
import { median } from "../base/stats.ts";
import type { Stage } from "../model/job.ts";
import type { Run } from "./run.ts";

/** Where an attempt is in its work. */
export interface Progress {
  /** NaN if the source does not say. */
  readonly score: number;
  /** Empty if the work is one stage. */
  readonly stage: string;
  /** Infinite if unknown. */
  readonly leftMs: number;
}

const WHOLE: Stage = { name: "", share: 1 };
/** Below this share of a stage, an attempt's rate is unreliable. */
const TOLD = 0.05;
/** A share is a sum of many small ones, so it may be slightly off. */
const ROUNDING = 1e-9;

/**
 * How far attempts were at a moment, and the time left of each: its stage continues at the
 * attempt's rate since the stage began, and later stages take as long as they took its peers.
 */
export function progressAt(run: Run, at: number): (i: number) => Progress {
  let peers: readonly (readonly number[])[][] | undefined;
  return (i) => {
    const phase = run.phaseOf(i);
    const [...later] = run.head.phases[phase]?.stages ?? [WHOLE];
    let { name, share } = later.shift() ?? WHOLE;
    const score = run.scoreAt(i, at);
    let before = 0;
    while (later.length > 0 && before + share <= score + ROUNDING) {
      before += share;
      ({ name, share } = later.shift() ?? WHOLE);
    }
    const done = (score - before) / share;
    if (!(done >= TOLD)) return { score, stage: name, leftMs: Infinity };
    const wholeMs = (at - run.reachedAt(i, before)) / done;
    let leftMs = (1 - done) * wholeMs;
    for (const [n, next] of later.entries()) {
      peers ??= stageTimes(run, at);
      const took = peers[phase]?.at(n - later.length) ?? [];
      // Until a peer has come this far, the attempt's own rate is used.
      leftMs += took.length > 0 ? median(took) : (wholeMs * next.share) / share;
    }
    return { score, stage: name, leftMs };
  };
}

/**
 * The part of a task's work that is done at a score: stages count by the time that they took the
 * peers, not by their share of the score. Where reduces copy and sort nothing, the first two thirds
 * of their score are no work.
 */
export function workOf(run: Run): (i: number, score: number) => number {
  const took = stageTimes(run, Infinity).map((of) =>
    of.map((one) => (one.length > 0 ? median(one) : Number.NaN)),
  );
  return (i, score) => {
    const phase = run.phaseOf(i);
    let [whole, done, before] = [0, 0, 0];
    for (const [n, { share }] of (run.head.phases[phase]?.stages ?? []).entries()) {
      const ms = took[phase]?.[n] ?? 0;
      whole += ms;
      done += ms * Math.min(1, Math.max(0, (score - before) / share));
      before += share;
    }
    return whole > 0 ? done / whole : score;
  };
}

/** The number of attempts that is enough for a median. */
const SAMPLE = 4_000;

/** The times of the stages that attempts had ended by then, by phase and stage. */
function stageTimes(run: Run, at: number): (readonly number[])[][] {
  const { head, attempts } = run;
  const took = head.phases.map(({ stages = [] }) => stages.map((): number[] => []));
  const step = Math.ceil(attempts.length / SAMPLE);
  for (let i = 0; i < attempts.length; i += step) {
    const phase = cell(attempts.phase[i]);
    let begun = cell(attempts.startedAt[i]);
    let score = 0;
    for (const [n, { share }] of (head.phases[phase]?.stages ?? []).entries()) {
      score += share;
      const ended = run.reachedAt(i, score);
      if (!(ended <= at)) break;
      took[phase]?.[n]?.push(ended - begun);
      begun = ended;
    }
  }
  return took;
}
