import { type Attempt, PARTS, type Part } from "./attempt.ts";
import type { Plan } from "./plan.ts";

export type Share = Part | "retries" | "waited-to-start";

const OWN = [...PARTS, "retries"] as const;
const STEPS = 64;

/**
 * The seconds of response that each cause cost: along the critical path, while all causes shrink
 * together from what they were to nothing. The attempts are put on interchangeable cores in the
 * order of their launches; a stage begins when the one before it has ended.
 */
export function trueShares(plan: Plan, attempts: readonly Attempt[]): Record<Share, number> {
  // A stable sort: a retry that starts with its predecessor's end stays behind it.
  const order = Array.from(attempts.keys()).toSorted((a, b) =>
    Math.sign((attempts[a]?.launch ?? 0) - (attempts[b]?.launch ?? 0)),
  );
  const whole = attempts.map(({ launch, finish }) => finish - launch);
  const excess = attempts.map(({ usualMs }, i) => (whole[i] ?? 0) - usualMs);
  const waits = replay(plan, attempts, order, whole, undefined).waits;
  const shares: Record<Share, number> = {
    ...{ node: 0, gc: 0, "fetch-wait": 0, "cold-start": 0, bytes: 0 },
    ...{ unexplained: 0, retries: 0, "waited-to-start": 0 },
  };
  for (let step = 0; step < STEPS; step++) {
    const l = (step + 0.5) / STEPS;
    const durations = whole.map((ms, i) => Math.max(0, ms - l * (excess[i] ?? 0)));
    const left = waits.map((ms) => (1 - l) * ms);
    for (const i of replay(plan, attempts, order, durations, left).path) {
      for (const part of OWN) shares[part] += (attempts[i]?.parts[part] ?? 0) / STEPS;
      shares["waited-to-start"] += (waits[i] ?? 0) / STEPS;
    }
  }
  return shares;
}

interface Replayed {
  /** From the moment when it could have started. */
  readonly waits: readonly number[];
  /** The chain of attempts that ends last. */
  readonly path: readonly number[];
}

/** Without waits: each attempt starts when it was launched, which tells how long it waited. */
function replay(
  { executors, coresEach, gapMs }: Plan,
  attempts: readonly Attempt[],
  order: readonly number[],
  durations: readonly number[],
  waits: readonly number[] | undefined,
): Replayed {
  const cores = executors.flatMap(({ from }) =>
    Array.from({ length: coresEach }, () => ({ freeAt: from, by: -1 })),
  );
  const ends = new Float64Array(attempts.length);
  const waited = new Array<number>(attempts.length).fill(0);
  const via = new Int32Array(attempts.length).fill(-1);
  let last = -1;
  let stage = 0;
  let gate = { at: 0, by: -1 };
  for (const i of order) {
    const attempt = attempts[i];
    if (attempt === undefined) continue;
    if (attempt.stage > stage) {
      stage = attempt.stage;
      gate = { at: (ends[last] ?? 0) + gapMs, by: last };
    }
    const ready = attempt.after < 0 ? gate : { at: ends[attempt.after] ?? 0, by: attempt.after };
    const core = cores.reduce((a, b) => (b.freeAt < a.freeAt ? b : a));
    const from = core.freeAt > ready.at ? { at: core.freeAt, by: core.by } : ready;
    const wait = waits === undefined ? attempt.launch - from.at : (waits[i] ?? 0);
    waited[i] = wait;
    via[i] = from.by;
    ends[i] = from.at + wait + (durations[i] ?? 0);
    core.freeAt = ends[i] ?? 0;
    core.by = i;
    if (last < 0 || (ends[i] ?? 0) > (ends[last] ?? 0)) last = i;
  }
  const path: number[] = [];
  for (let i = last; i >= 0; i = via[i] ?? -1) path.push(i);
  return { waits: waited, path };
}
