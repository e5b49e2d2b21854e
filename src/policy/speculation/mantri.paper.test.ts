import { describe, expect, test } from "vitest";
import { type Run, steadily } from "../../../test/support/curves.ts";
import { type Launch, World } from "../../../test/support/world.ts";
import type { Distribution } from "../../base/distribution.ts";
import { pow } from "../../base/math.ts";
import { pareto, randomState } from "../../base/random.ts";
import type { Capability } from "../../model/cluster.ts";
import { attemptId } from "../../model/ids.ts";
import { defaultsOf } from "../policy.ts";
import { reportPeriodMs } from "../shared/report-period.ts";
import { helpFor, isRestartSooner, savesWork, slowerCopies } from "./mantri/pseudocode-1.ts";
import { mantri } from "./mantri.ts";

const SECOND = 1000;

describe("§5.1, Figure 10: two slots, seven tasks, one of 5t that elsewhere takes t", () => {
  const t = 100 * SECOND;
  const NORMAL = [2 * t, t, t, t, t, 2 * t, t];

  /** The phase's end, and the total time of the outlier's attempts, in units of t. */
  function run(
    discipline: string,
    ...sets: readonly string[]
  ): { readonly endsAt: number; readonly outlier: number } {
    const world = new World({
      discipline,
      sets,
      nodes: 2,
      slots: [1],
      slotKinds: ["map"],
      runs: ({ task, as }): Run =>
        steadily(task.index === 3 && as === "original" ? 5 * t : (NORMAL[task.index] ?? t)),
    });
    world.submit({ maps: NORMAL.length });
    const task = world.task("map", 3);
    const endsAt = world.finish();
    const of = new Set<number>();
    let outlier = 0;
    for (const { at, action } of world.actions) {
      if (action.kind !== "launch" || action.task !== task) continue;
      of.add(action.attempt);
      outlier -= at;
    }
    for (const event of world.events) {
      if (event.kind !== "attempt-succeeded" && event.kind !== "attempt-killed") continue;
      if (of.has(event.attempt)) outlier += event.at;
    }
    return { endsAt: endsAt / t, outlier: outlier / t };
  }

  test("a baseline that ignores outliers finishes at 7t", () => {
    expect(run("none,sharing=fifo-plain")).toEqual({ endsAt: 7, outlier: 5 });
  });

  test("so does a baseline that addresses outliers at the end of the phase", () => {
    expect(run("late,sharing=fifo-plain", "speculation.slowNodeThreshold=0").endsAt).toBe(7);
  });

  test("a duplicate at the next available slot costs 3t and finishes sooner", () => {
    expect(run("mantri-restart", "speculation.gamma=0")).toEqual({ endsAt: 6, outlier: 3 });
  });

  test("a restart is strictly better, in place or on the slot at hand", () => {
    const restarted = { endsAt: 5, outlier: 2 };
    expect(run("mantri-restart")).toEqual(restarted);
    expect(run("mantri-restart", "speculation.restartTakesSlot=false")).toEqual(restarted);
  });
});

test("§5: tasks report every 10 s or ten times in their life, whichever is smaller", () => {
  const defaults = defaultsOf(mantri);
  expect(reportPeriodMs(defaults, 1000 * SECOND)).toBe(10 * SECOND);
  expect(reportPeriodMs(defaults, 100 * SECOND)).toBe(10 * SECOND);
  expect(reportPeriodMs(defaults, 20 * SECOND)).toBe(2 * SECOND);
});

/** The action of Pseudocode 1 on a task. */
function help(
  slot: "contended" | "idle",
  of: {
    readonly timeLeftMs: number;
    readonly newCopy: Distribution;
    readonly newCopyMs: number;
    readonly periodMs?: number;
    readonly copies?: number;
    readonly restarts?: number;
  },
  capabilities: readonly Capability[] = ["kill-restart"],
): string | undefined {
  const ctx = { params: defaultsOf(mantri), has: (one: Capability) => capabilities.includes(one) };
  return helpFor(ctx, { periodMs: 10, copies: 1, restarts: 0, ...of }, slot);
}

const at = (ms: number): { newCopy: Distribution; newCopyMs: number } => ({
  newCopy: { kind: "point", at: ms },
  newCopyMs: ms,
});

describe("Pseudocode 1", () => {
  test("line 3: of the copies that have run for Δ, all but the fastest α are killed", () => {
    const copy = (attempt: number, timeLeftMs: number, ranMs = 10 * SECOND) => ({
      ...{ attempt: attemptId(attempt), timeLeftMs, ranMs },
    });
    const copies = [copy(0, 50_000), copy(1, 30_000), copy(2, 40_000), copy(3, 90_000, 9_999)];
    const sorted = (alpha: number) => {
      const { kept, killed } = slowerCopies(copies, { alpha, periodMs: 10 * SECOND });
      return [kept.map((one) => one.attempt), killed.map((one) => one.attempt)];
    };
    expect(sorted(2)).toEqual([[1, 2], [0]]);
    expect(sorted(1)).toEqual([[1], [2, 0]]);
  });

  test("line 6: kill and restart if t_rem > E(t_new) + Δ", () => {
    expect(help("contended", { ...at(100), timeLeftMs: 110 })).toBeUndefined();
    expect(help("contended", { ...at(100), timeLeftMs: 110.1 })).toBe("restart-is-sooner");
    expect(help("contended", { ...at(100), timeLeftMs: 110.1, periodMs: 11 })).toBeUndefined();
    expect(help("contended", { ...at(100), timeLeftMs: Number.POSITIVE_INFINITY })).toBe(
      "restart-is-sooner",
    );
  });

  test("line 6: stop at γ = 3 restarts; from then on only line 7 applies", () => {
    const outlier = { ...at(100), timeLeftMs: 300 };
    expect(help("contended", { ...outlier, restarts: 2 })).toBe("restart-is-sooner");
    expect(help("contended", { ...outlier, restarts: 3 })).toBe("copy-saves-work");
    expect(help("contended", { ...outlier, timeLeftMs: 190, restarts: 3 })).toBeUndefined();
    expect(help("contended", outlier, [])).toBe("copy-saves-work");
  });

  test("line 7: one running copy is duplicated only if t_new is less than half of t_rem", () => {
    const lazy = { periodMs: 1e9 };
    expect(help("contended", { ...at(100), ...lazy, timeLeftMs: 200 })).toBeUndefined();
    expect(help("contended", { ...at(100), ...lazy, timeLeftMs: 201 })).toBe("copy-saves-work");
  });

  test("line 7: two running copies are duplicated only below two thirds; three, never", () => {
    const two = { ...at(100), copies: 2 };
    expect(help("contended", { ...two, timeLeftMs: 150 })).toBeUndefined();
    expect(help("contended", { ...two, timeLeftMs: 151 })).toBe("copy-saves-work");
    expect(help("contended", { ...two, copies: 3, timeLeftMs: 1e9 })).toBeUndefined();
    expect(help("idle", { ...two, copies: 3, timeLeftMs: 1e9 })).toBeUndefined();
  });

  test("line 7: δ = 0.25 is a probability, to be exceeded", () => {
    // One in four copies is fast; a second in five makes two in five.
    const quarter: Distribution = { kind: "samples", rising: [10, 200, 200, 200] };
    const more: Distribution = { kind: "samples", rising: [10, 10, 200, 200, 200] };
    const outlier = { timeLeftMs: 100, periodMs: 10 };
    expect(savesWork({ ...outlier, copies: 1, newCopy: quarter })).toBe(0.25);
    expect(help("contended", { ...outlier, newCopy: quarter, newCopyMs: 152.5 })).toBeUndefined();
    expect(help("contended", { ...outlier, newCopy: more, newCopyMs: 124 })).toBe(
      "copy-saves-work",
    );
  });

  test("line 7: printed P(t_rem > t_new (c+1)/c) is the prose's P(t_new < t_rem c/(c+1))", () => {
    const rising = [10, 40, 70, 100, 130];
    for (const copies of [1, 2]) {
      for (const timeLeftMs of [30, 61, 100, 106, 151, 201]) {
        const printed = rising.filter((x) => timeLeftMs > (x * (copies + 1)) / copies).length / 5;
        expect(savesWork({ timeLeftMs, copies, newCopy: { kind: "samples", rising } })).toBe(
          printed,
        );
      }
    }
  });

  test("line 10: an idle slot takes a copy iff E(t_rem - t_new) > ρΔ, and kills nothing", () => {
    expect(help("idle", { ...at(100), timeLeftMs: 130 })).toBeUndefined();
    expect(help("idle", { ...at(100), timeLeftMs: 130.1 })).toBe("copy-saves-time");
    // As printed, E(t_new - t_rem), the rule would copy tasks that are about to end.
    expect(help("idle", { ...at(200), timeLeftMs: 10 })).toBeUndefined();
  });
});

test("§5.1: a task is restarted three times, then copied; kills by the host do not count", () => {
  const slow = 4000 * SECOND;
  const world = new World({
    discipline: "mantri-restart",
    nodes: 30,
    slots: [1],
    slotKinds: ["map"],
    runs: ({ task }) => steadily(task.index === 0 ? slow : 100 * SECOND),
  });
  // Some task always waits.
  world.submit({ maps: 400 });
  world.advance(30 * SECOND);
  // Not a restart of ours.
  world.kill(world.attempt("map", 0));
  world.advance(800 * SECOND);
  expect(world.view.restarts(world.task("map", 0))).toBe(3);
  const again = world.launches().filter((text) => text.startsWith("map/0 "));
  const kinds = again.map((text) => text.split(" ")[1]);
  expect(kinds.filter((kind) => kind === "restart")).toHaveLength(3);
  expect(kinds.indexOf("speculative")).toBeGreaterThan(kinds.lastIndexOf("restart"));
});

test("§5.1: never more than three copies run, and the slowest of three is killed", () => {
  // The n-th attempt of the outlier is faster than those before it, and still slow.
  const copyTakes = [3000, 2500, 2600, 2200, 2000].map((seconds) => seconds * SECOND);
  let attempts = 0;
  const world = new World({
    discipline: "mantri-restart",
    nodes: 12,
    slots: [1],
    slotKinds: ["map"],
    runs: ({ task }: Launch) =>
      steadily(task.index === 0 ? (copyTakes[attempts++] ?? 1900 * SECOND) : 100 * SECOND),
  });
  world.submit({ maps: 8 });
  const outlier = world.task("map", 0);
  let most = 0;
  for (let now = SECOND; now <= 400 * SECOND; now += SECOND) {
    world.advance(now);
    most = Math.max(most, world.view.runningOf(outlier).length);
  }
  expect(most).toBe(3);
  const killed = world.actions.flatMap(({ action }) =>
    action.kind === "kill" && action.why.rule === "slower-copy" ? [action] : [],
  );
  expect(killed.length).toBeGreaterThan(1);
  // First the original goes, the slowest of 3000, 2500 and 2600 s.
  const [first] = killed;
  expect(first?.attempt).toBe(world.view.attemptsOf(outlier)[0]?.id);
  for (const { why } of killed) {
    expect(Number(why.numbers.timeLeftMs)).toBeGreaterThan(Number(why.numbers.keptMs));
  }
});

describe("appendix A: chopping the heavy tail, with t_k = E R + Δ", () => {
  const beta = 2;
  const mean = beta / (beta - 1);
  const period = 1;
  const kill = mean + period;

  test("a task that has its whole time before it is killed exactly above t_k", () => {
    const standing = { newCopyMs: mean, periodMs: period };
    expect(isRestartSooner({ ...standing, timeLeftMs: kill })).toBe(false);
    expect(isRestartSooner({ ...standing, timeLeftMs: kill + 1e-6 })).toBe(true);
  });

  test("Proposition 1: below t_k the tail is that of R or lighter, above it exponential", () => {
    const random = randomState(7);
    const draws = 40_000;
    const chopped = Array.from({ length: draws }, () => {
      let restarted = 0;
      for (;;) {
        const left = pareto(random, { minimum: 1, shape: beta });
        if (!isRestartSooner({ timeLeftMs: left, newCopyMs: mean, periodMs: period })) {
          return restarted + left;
        }
        restarted += period;
      }
    });
    const beyond = (r: number): number => chopped.filter((one) => one > r).length / draws;
    const slack = 3 / Math.sqrt(draws);
    for (const r of [1.5, 2, 2.5, 2.9]) expect(beyond(r)).toBeLessThan(pow(r, -beta) + slack);
    for (const r of [3, 4, 5, 6]) {
      const bound = pow(pow(mean, (r - mean) / period - 1) * kill, -beta);
      expect(beyond(r)).toBeLessThan(bound + slack);
    }
    // R itself is far beyond: 1 in 36 takes more than 6.
    expect(beyond(6)).toBeLessThan(pow(6, -beta) / 5);
  });
});
