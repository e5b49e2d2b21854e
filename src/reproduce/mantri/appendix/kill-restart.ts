import { assert } from "../../../base/assert.ts";
import { log, pow } from "../../../base/math.ts";
import { nextFloat, pareto, type RandomState } from "../../../base/random.ts";

/**
 * Mantri, appendix A: tasks of a heavy tail, P(R > r) = r^-beta for r >= 1, where tasks that take
 * longer than t_k = t_s + delta are killed and restarted.
 */
export interface HeavyTail {
  readonly beta: number;
  /** t_s. */
  readonly restart: number;
  /** Delta: time between looks at a task. */
  readonly delta: number;
}

/** The paper's setting: t_s = E R, delta = 1. */
export function usualTail(beta: number): HeavyTail {
  return { beta, restart: meanTime(beta), delta: 1 };
}

/** E R, for a tail with beta above 1. */
export function meanTime(beta: number): number {
  assert(beta > 1, "a tail with beta of 1 or less has no mean");
  return beta / (beta - 1);
}

/**
 * E max R of `tasks` tasks: G(n+1) G(1-1/beta) / G(n+1-1/beta) with the gamma function G, which is
 * the product of i / (i - 1/beta) for i from 1 to n.
 */
export function meanLongest(beta: number, tasks: number): number {
  assert(beta > 1, "a tail with beta of 1 or less has no mean");
  let product = 1;
  for (let i = 1; i <= tasks; i += 1) product *= i / (i - 1 / beta);
  return product;
}

/** t_k. */
export const killTime = ({ restart, delta }: HeavyTail): number => restart + delta;

/** P(R > r). */
export const tailOf = ({ beta }: HeavyTail, r: number): number => (r <= 1 ? 1 : pow(r, -beta));

/** Proposition 1, equation 5: the upper bound of P(R' > r). */
export function tailBound(tail: HeavyTail, r: number): number {
  const killed = killTime(tail);
  if (r < killed) return tailOf(tail, r);
  const steps = (r - tail.restart) / tail.delta - 1;
  return pow(pow(tail.restart, steps) * killed, -tail.beta);
}

/**
 * When a task that would take longer than t_k is detected. early: after delta, from its progress,
 * as Pseudocode 1 does and the proof assumes; late: only when t_k has passed.
 */
export type Detection = "early" | "late";

/** P(R' > r), exactly. */
export function restartedTail(tail: HeavyTail, r: number, detection: Detection): number {
  const killed = killTime(tail);
  const cost = lostTime(tail, detection);
  const again = tailOf(tail, killed);
  const within = Math.max(0, tailOf(tail, r) - again);
  return r <= 1 ? 1 : within + again * restartedTail(tail, r - cost, detection);
}

const lostTime = (tail: HeavyTail, detection: Detection): number =>
  detection === "early" ? tail.delta : killTime(tail);

/** Draws R. */
export const drawTime = (chance: RandomState, { beta }: HeavyTail): number =>
  pareto(chance, { minimum: 1, shape: beta });

/** Draws R': the time of a task that is killed and restarted as often as needed. */
export function drawRestarted(chance: RandomState, tail: HeavyTail, detection: Detection): number {
  let before = 0;
  let time = drawTime(chance, tail);
  while (time > killTime(tail)) {
    before += lostTime(tail, detection);
    time = drawTime(chance, tail);
  }
  return before + time;
}

/** Draws a time whose tail is the bound of Proposition 1 itself: the inverse of `tailBound`. */
export function drawBound(chance: RandomState, tail: HeavyTail): number {
  const time = pow(1 - nextFloat(chance), -1 / tail.beta);
  const killed = killTime(tail);
  if (time < killed) return time;
  return killed + (tail.delta * log(time / killed)) / log(tail.restart);
}
