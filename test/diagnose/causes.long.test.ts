import { describe, expect, test } from "vitest";
import { CAUSES, type Cause } from "../../src/diagnose/cause.ts";
import { attemptCauses } from "../../src/diagnose/causes/attempt-causes.ts";
import { intervalsOf } from "../../src/diagnose/causes/intervals.ts";
import { type Shares, sharesOf } from "../../src/diagnose/causes/shares.ts";
import { expectationOf } from "../../src/diagnose/expect/expect.ts";
import { garbageCosts } from "../../src/diagnose/expect/gc.ts";
import { signalsOf } from "../../src/diagnose/expect/signals.ts";
import { DEFAULT_LIMITS } from "../../src/diagnose/limits.ts";
import { idleOf } from "../../src/diagnose/response/idle.ts";
import { asRanWithAll } from "../../src/diagnose/response/parts.ts";
import { planOf } from "../../src/diagnose/schedule/plan.ts";
import { recordedTiming } from "../../src/diagnose/schedule/schedule.ts";
import type { Injected } from "./support/dispatch.ts";
import { trueCauses } from "./support/true-causes.ts";
import { makeWorld, type World } from "./support/world.ts";

/** What is injected into generated worlds is found, and nothing else. */
const WORLDS = Number(process.env.DIAGNOSE_WORLDS ?? 200);
/** Intervals cost forty fits per world. */
const INTERVAL_WORLDS = Math.min(WORLDS, 60);

const INJECTED_AS: ReadonlyMap<Cause, Injected> = new Map<Cause, Injected>([
  ["retries", "retries"],
  ["node", "node"],
  ["gc", "gc"],
  ["fetch-wait", "fetch"],
  ["cold-start", "cold"],
  ["remote-read", "remote"],
  ["bytes", "bytes"],
]);

interface Judged {
  readonly world: World;
  readonly truth: Shares;
  readonly found: Shares;
  /** For the first worlds: the causes whose intervals cover the truth. */
  readonly held: readonly boolean[];
  readonly nodes: ReadonlyMap<string, string>;
  /** The number of outputs that were lost and made again. */
  readonly recomputes: number;
  /** The number of phases whose garbage collection counts by less than was measured. */
  readonly concurrent: number;
}

function judge(seed: number): Judged {
  const world = makeWorld(seed);
  const plan = planOf(world.job);
  const timing = recordedTiming(plan);
  const response = world.job.endedAt;
  const truth = sharesOf(plan, timing.wait, trueCauses(world, plan, timing), response);
  const signals = signalsOf(plan, timing.own);
  const options = { limits: DEFAULT_LIMITS, seed: 1 };
  const expectation = expectationOf(plan, signals, options);
  const causes = attemptCauses(plan, timing, signals, expectation);
  const found = sharesOf(plan, timing.wait, causes, response);
  const nodes = new Map(
    expectation.nodes.map(({ node, verdict }) => [world.job.nodes[node] ?? "?", verdict]),
  );
  const recomputes = causes.isRetryWait.reduce((sum, flag) => sum + flag, 0);
  const concurrent = garbageCosts(plan, signals, DEFAULT_LIMITS).length;
  const seen = { world, truth, found, nodes, recomputes, concurrent };
  if (seed > INTERVAL_WORLDS) return { ...seen, held: [] };
  const [idle, asRan] = [idleOf(plan), asRanWithAll(plan, timing)];
  const { weights } = found;
  const fitted = { expectation, causes, weights, responseMs: response, idle, asRan };
  const { causes: intervals } = intervalsOf(plan, timing, signals, fitted, options);
  const slack = 0.005 * response;
  const held = [...INJECTED_AS]
    .filter(([, injected]) => world.causes.has(injected))
    .map(([cause]) => {
      const { lowMs, couldBeMs } = intervals[cause];
      return lowMs - slack <= truth.ms[cause] && truth.ms[cause] <= couldBeMs + slack;
    });
  return { ...seen, held };
}

const judged = Array.from({ length: WORLDS }, (_, i) => judge(i + 1));

/** The q-th quantile of values in % of the world's response. */
function quantile(values: readonly number[], q: number): number {
  const rising = values.toSorted((a, b) => a - b);
  return rising[Math.min(rising.length - 1, Math.floor(q * rising.length))] ?? 0;
}

const share = (one: Judged, ms: number): number => (100 * ms) / one.world.job.endedAt;

const errors = (cause: Cause, isIn: boolean): readonly number[] =>
  judged
    .filter(({ world }) => world.causes.has(INJECTED_AS.get(cause) ?? "copies") === isIn)
    .map((one) => share(one, Math.abs(one.found.ms[cause] - one.truth.ms[cause])));

describe("causes of generated worlds", () => {
  test("the shares and the changed schedule add up to the loss", () => {
    for (const { found, truth } of judged) {
      for (const shares of [found, truth]) {
        const sum = CAUSES.reduce((total, cause) => total + shares.ms[cause], 0);
        expect(sum + shares.scheduleChangedMs).toBeCloseTo(shares.delayMs, 3);
      }
    }
    const changed = judged.map((one) => share(one, Math.abs(one.found.scheduleChangedMs)));
    expect(quantile(changed, 0.97)).toBeLessThanOrEqual(0.5);
    expect(Math.max(...changed)).toBeLessThanOrEqual(6);
  });

  test.each([...INJECTED_AS.keys()])("%s is found where it was injected", (cause) => {
    const values = errors(cause, true);
    expect(values.length).toBeGreaterThan(WORLDS / 5);
    expect(quantile(values, 0.5)).toBeLessThanOrEqual(1.5);
    expect(quantile(values, 0.9)).toBeLessThanOrEqual(6);
  });

  test("outputs that were lost and made again are retries", () => {
    const redone = judged.filter(({ recomputes }) => recomputes > 0);
    expect(redone.length).toBeGreaterThan(WORLDS / 20);
    const values = redone.map((one) =>
      share(one, Math.abs(one.found.ms.retries - one.truth.ms.retries)),
    );
    expect(quantile(values, 0.9)).toBeLessThanOrEqual(6);
    const costs = redone.map((one) => share(one, one.found.ms.retries));
    expect(quantile(costs, 0.75)).toBeGreaterThan(1);
  });

  test("garbage collection that stops attempts counts in full", () => {
    const wrong = judged.reduce((sum, { concurrent }) => sum + concurrent, 0);
    const phases = judged.reduce((sum, { world }) => sum + world.job.phases.length, 0);
    console.log(`concurrent by mistake: ${wrong} of ${phases} phases`);
    expect(wrong).toBeLessThanOrEqual(0.005 * phases);
  });

  test.each([...INJECTED_AS.keys()])("%s is not claimed beyond the truth", (cause) => {
    const over = judged.map((one) =>
      share(one, Math.max(0, one.found.ms[cause] - Math.max(0, one.truth.ms[cause]))),
    );
    expect(quantile(over, 0.95)).toBeLessThanOrEqual(1.2);
    expect(Math.max(...over)).toBeLessThanOrEqual(15);
  });

  test("a cause that was not injected is not claimed", () => {
    const values = [...INJECTED_AS.keys()].flatMap((cause) => errors(cause, false));
    expect(quantile(values, 0.9)).toBeLessThanOrEqual(0.3);
  });

  test("the total loss is estimated", () => {
    const values = judged.map((one) => share(one, Math.abs(one.found.delayMs - one.truth.delayMs)));
    expect(quantile(values, 0.5)).toBeLessThanOrEqual(0.7);
    expect(quantile(values, 0.9)).toBeLessThanOrEqual(2.5);
  });

  test("the intervals cover the truth", () => {
    const held = judged.flatMap((one) => one.held);
    expect(held.length).toBeGreaterThan(INTERVAL_WORLDS);
    expect(held.filter(Boolean).length / held.length).toBeGreaterThanOrEqual(0.8);
  });

  test("no node of a clean world is slow for long, and slow ones are", () => {
    const clean = judged.filter(({ world }) => world.slowNodes.size === 0);
    const wrong = clean.filter(({ nodes }) => [...nodes.values()].includes("lasting"));
    expect(wrong.length / clean.length).toBeLessThanOrEqual(0.01);
    const slow = judged.flatMap(({ world, nodes }) =>
      [...world.slowNodes.keys()].map((name) => nodes.get(name)),
    );
    const lasting = slow.filter((verdict) => verdict === "lasting");
    expect(lasting.length / slow.length).toBeGreaterThanOrEqual(0.75);
  });
});
