import { Dice } from "../../diagnose/support/dice.ts";
import type { Work } from "./attempt.ts";

/** A cluster and a job, before anything has run. Times in ms. */
export interface Plan {
  readonly executors: readonly Executor[];
  readonly coresEach: number;
  /** A stage reads the one before it. */
  readonly stages: readonly (readonly Work[])[];
  /** The driver's time between two stages. */
  readonly gapMs: number;
  /** The causes that were put in. */
  readonly injected: ReadonlySet<Injected>;
}

export interface Executor {
  readonly id: string;
  readonly node: string;
  /** Above 1: a slow node. */
  readonly factor: number;
  /** What each attempt on it spends in garbage collection more, as a share of its usual time. */
  readonly gcShare?: number;
  readonly from: number;
}

export const INJECTED = [
  "node",
  "gc",
  "fetch-wait",
  "cold-start",
  "bytes",
  "unexplained",
  "retries",
  "waited-to-start",
] as const;
export type Injected = (typeof INJECTED)[number];

/** Each cause is in a world with this chance. */
const CHANCE = 0.4;

export function drawPlan(seed: number, chance: number = CHANCE): Plan {
  const dice = new Dice(seed);
  const injected = new Set(INJECTED.filter(() => dice.chance(chance)));
  const nodes = dice.whole(4, 12);
  const coresEach = dice.whole(1, 3);
  const slow = injected.has("node") ? dice.whole(1, nodes > 7 ? 2 : 1) : 0;
  const executors = Array.from({ length: nodes }, (_, n) => ({
    id: String(n),
    node: `n${n + 1}`,
    factor: n < slow ? dice.between(1.8, 4) : 1,
    from: 0,
  }));
  const stages = Array.from({ length: dice.whole(2, 4) }, (_, stage) => {
    const waves = dice.whole(4, 8);
    return drawStage(stage, nodes * coresEach * waves + dice.whole(0, nodes), injected, dice);
  });
  return { executors, coresEach, stages, gapMs: dice.whole(5, 60), injected };
}

/** A part of the attempts only has a cause, so that the others show what is usual. */
function drawStage(
  stage: number,
  tasks: number,
  injected: ReadonlySet<Injected>,
  dice: Dice,
): readonly Work[] {
  const baseMs = dice.between(2_000, 15_000);
  const has = (cause: Injected, share: number): boolean =>
    injected.has(cause) && dice.chance(share);
  const meanBytes = dice.between(16e6, 256e6);
  const isUneven = injected.has("bytes");
  /** The part of the time that goes with the bytes. */
  const perByte = isUneven ? (dice.between(0.4, 0.9) * baseMs) / meanBytes : 0;
  const spread = dice.between(0.03, 0.12);
  const bytes = Array.from({ length: tasks }, () =>
    Math.round(meanBytes * (isUneven ? Math.exp(0.5 * dice.normal()) : 1 + 0.02 * dice.normal())),
  );
  const mean = bytes.reduce((sum, each) => sum + each, 0) / tasks;
  const usualGcMs = 0.03 * baseMs;
  const usualFetchMs = stage > 0 ? 0.03 * baseMs : 0;
  const vary = (ms: number): number => ms * Math.exp(0.4 * dice.normal());
  return bytes.map((own): Work => {
    const gcMs = vary(usualGcMs) + (has("gc", 0.15) ? dice.between(0.3, 1.5) * baseMs : 0);
    const waits = stage > 0 && has("fetch-wait", 0.15);
    const fetchMs = vary(usualFetchMs) + (waits ? dice.between(0.3, 1.5) * baseMs : 0);
    const luck = has("unexplained", 0.03) ? dice.between(1, 5) : 0;
    return {
      usualMs: baseMs + usualGcMs + usualFetchMs,
      gcMs,
      fetchMs,
      deserializeMs: 20,
      bytes: own,
      coldMs: injected.has("cold-start") && stage === 0 ? 0.5 * baseMs : 0,
      extraMs: {
        node: 0,
        gc: Math.max(0, gcMs - usualGcMs),
        "fetch-wait": Math.max(0, fetchMs - usualFetchMs),
        "cold-start": 0,
        bytes: perByte * (own - mean),
        unexplained:
          (Math.exp(spread * dice.normal()) - 1 + luck) * baseMs +
          Math.min(0, gcMs - usualGcMs) +
          Math.min(0, fetchMs - usualFetchMs),
      },
      fails: has("retries", 0.03) ? [dice.between(0.3, 1)] : [],
      heldMs: has("waited-to-start", 0.04) ? dice.between(0.5, 2) * baseMs : 0,
    };
  });
}
