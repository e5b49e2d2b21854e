import { log } from "../../base/math.ts";
import { cell } from "../../base/rows.ts";
import type { Limits } from "../limits.ts";
import { type Plan, ROLE } from "../schedule/planned.ts";
import { type GarbageCost, garbageCosts, withGarbageCosts } from "./gc.ts";
import { type NodeEffect, nodeEffects, type Residual } from "./node-effect.ts";
import { expectedNetMs, type FitInput, fitPhase, type PhaseFit } from "./phase-fit.ts";
import { orZero, type Signals, signalsOf } from "./signals.ts";
import { slowedBy } from "./slow-part.ts";

/** The time that every attempt of a job should have taken. */
export interface Expectation {
  /** By phase; undefined where there are no peers to compare with. */
  readonly fits: readonly (PhaseFit | undefined)[];
  readonly nodes: readonly NodeEffect[];
  /** By node index: above 1 only for nodes that are called slow. */
  readonly factor: Float64Array;
  /** By attempt: how many times longer it took than on a node of usual speed. */
  readonly slowed: Float64Array;
}

/** What the log says of a plan's attempts, and what it makes one expect of them. */
export interface Fit {
  readonly signals: Signals;
  /** The garbage collection that `signals` count by what it cost. */
  readonly garbage: readonly GarbageCost[];
  readonly expectation: Expectation;
}

/** `ownMs`: the recorded timing's own durations. */
export function fitOf(plan: Plan, ownMs: Float64Array, options: ExpectOptions): Fit {
  const measured = signalsOf(plan, ownMs);
  const garbage = garbageCosts(plan, measured, options.limits);
  const signals = withGarbageCosts(plan, measured, garbage);
  return { signals, garbage, expectation: expectationOf(plan, signals, options) };
}

export interface ExpectOptions {
  readonly limits: Limits;
  readonly seed: number;
}

/** Rounds of lines and factors in turn. */
const ROUNDS = 3;

/** Lines and nodes' factors are fitted in turn, so that neither takes what the other explains. */
export function expectationOf(plan: Plan, signals: Signals, options: ExpectOptions): Expectation {
  const { limits, seed } = options;
  const factor = new Float64Array(Math.max(plan.job.nodes.length, 1)).fill(1);
  const rows = rowsByPhase(plan, signals);
  let slowed = new Float64Array(plan.count).fill(1);
  let fits: readonly (PhaseFit | undefined)[] = [];
  let nodes: readonly NodeEffect[] = [];
  let threshold: number | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    fits = fitsOf(rows, signals, { slowed, limits });
    const residuals = residualsOf(plan, signals, fits);
    const found = nodeEffects(residuals, limits, {
      seed,
      ...(threshold !== undefined && { threshold }),
    });
    nodes = found.effects;
    // The first threshold is kept: shuffles of later rounds would only add noise.
    threshold = found.threshold;
    factor.fill(1);
    for (const effect of nodes) if (effect.node >= 0) factor[effect.node] = effect.factor;
    slowed = slowedIn(plan, signals, { nodes, factor });
  }
  fits = fitsOf(rows, signals, { slowed, limits });
  return { fits, nodes, factor, slowed };
}

/** The same with other factors, and with attempts that count as often as `counts` says. */
export function drawnExpectation(
  plan: Plan,
  signals: Signals,
  { nodes, fits: kept }: Expectation,
  {
    factor,
    counts,
    limits,
  }: {
    readonly factor: Float64Array;
    readonly counts: Uint8Array;
    readonly limits: Limits;
  },
): Expectation {
  const rows = rowsByPhase(plan, signals, counts);
  const slowed = slowedIn(plan, signals, { nodes, factor });
  return { nodes, factor, slowed, fits: fitsOf(rows, signals, { slowed, limits, kept }) };
}

/** Attempts on nodes that the log does not name are as on a usual one. */
function slowedIn(
  { count, end, resultMs }: Plan,
  { node, ownMs }: Signals,
  { nodes, factor }: Pick<Expectation, "nodes" | "factor">,
): Float64Array<ArrayBuffer> {
  const parts = new Map(nodes.map((one) => [one.node, one.part]));
  const slowed = new Float64Array(count).fill(1);
  for (let i = 0; i < count; i++) {
    const on = cell(node[i]);
    if (on < 0 || factor[on] === 1) continue;
    const part = parts.get(on);
    const endedAt = cell(end[i]) - cell(resultMs[i]);
    const span = { startedAt: endedAt - cell(ownMs[i]), endedAt };
    slowed[i] = part === undefined ? cell(factor[on]) : slowedBy(cell(factor[on]), part, span);
  }
  return slowed;
}

/** Attempts of a phase with too few peers are not compared. */
const fitsOf = (
  rows: readonly (readonly number[])[],
  signals: Signals,
  { slowed, limits, kept }: FitsOptions,
): readonly (PhaseFit | undefined)[] =>
  rows.map((own, phase) =>
    own.length < limits.peersMin
      ? undefined
      : fitPhase(inputOf(own, signals, slowed), limits, kept?.[phase]),
  );

interface FitsOptions {
  readonly slowed: Float64Array;
  readonly limits: Limits;
  /** The fits of all attempts, where these are a draw. */
  readonly kept?: Expectation["fits"];
}

/** The attempts of each phase that are compared, each as often as it counts. */
function rowsByPhase(plan: Plan, signals: Signals, counts?: Uint8Array): readonly number[][] {
  const rows = plan.job.phases.map((): number[] => []);
  for (let i = 0; i < plan.count; i++) {
    if (signals.isWhole[i] !== 1) continue;
    const times = counts === undefined ? 1 : cell(counts[i]);
    for (let n = 0; n < times; n++) rows[cell(plan.phase[i])]?.push(i);
  }
  return rows;
}

function inputOf(rows: readonly number[], signals: Signals, slowed: Float64Array): FitInput {
  const column = (values: ArrayLike<number>): Float64Array => gather(rows, (i) => cell(values[i]));
  const even = (values: Float64Array): Float64Array =>
    gather(rows, (i) => cell(values[i]) / cell(slowed[i]));
  return {
    netMs: gather(rows, (i) => netOf(signals, i) / cell(slowed[i])),
    bytes: column(signals.bytes),
    isFar: column(signals.isFar),
    isFirst: column(signals.isFirst),
    gcMs: even(signals.gcMs),
    fetchMs: even(signals.fetchMs),
    deserializeMs: even(signals.deserializeMs),
  };
}

/** A loop: `Float64Array.from` takes ten times as long. */
function gather(rows: readonly number[], of: (i: number) => number): Float64Array {
  const made = new Float64Array(rows.length);
  for (let n = 0; n < made.length; n++) made[n] = of(cell(rows[n]));
  return made;
}

/** The duration without what the log measured; at least a twentieth of it is work. */
export function netOf({ ownMs, gcMs, fetchMs, deserializeMs }: Signals, i: number): number {
  const own = cell(ownMs[i]);
  const measured =
    orZero(cell(gcMs[i])) + orZero(cell(fetchMs[i])) + orZero(cell(deserializeMs[i]));
  return Math.max(own - measured, 0.05 * own, 1);
}

/**
 * Attempts that succeeded, and those that were killed only after they were late: where copies won,
 * the killed originals reveal a slow node.
 */
function residualsOf(
  plan: Plan,
  signals: Signals,
  fits: readonly (PhaseFit | undefined)[],
): readonly Residual[] {
  const residuals: Residual[] = [];
  for (let i = 0; i < plan.count; i++) {
    const phase = cell(plan.phase[i]);
    const fit = fits[phase];
    const node = cell(signals.node[i]);
    if (fit === undefined || node < 0 || plan.role[i] !== ROLE.finishes) continue;
    const expected = expectedNetMs(fit, signals, i);
    if (!(expected > 0)) continue;
    const r = log(netOf(signals, i) / expected);
    if (signals.isWhole[i] !== 1 && !(signals.isCut[i] === 1 && r > 0)) continue;
    residuals.push({ node, phase, r, startedAt: cell(plan.start[i]), endedAt: cell(plan.end[i]) });
  }
  return residuals;
}
