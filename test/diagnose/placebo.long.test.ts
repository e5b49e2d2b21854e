import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { InputError } from "../../src/base/input-error.ts";
import { expectationOf } from "../../src/diagnose/expect/expect.ts";
import { signalsOf } from "../../src/diagnose/expect/signals.ts";
import { DEFAULT_LIMITS } from "../../src/diagnose/limits.ts";
import { planOf } from "../../src/diagnose/schedule/plan.ts";
import type { Plan } from "../../src/diagnose/schedule/planned.ts";
import { recordedTiming } from "../../src/diagnose/schedule/schedule.ts";
import type { TraceJob } from "../../src/history/model.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import { Dice } from "./support/dice.ts";

const SHARED = "../shared/data";
const IS_THERE = existsSync(SHARED);
if (!IS_THERE) console.log(`skipped: the placebo on the jobs of others, since ${SHARED} is absent`);
const SHUFFLES = 40;

function filesIn(directory: string): readonly string[] {
  return readdirSync(directory)
    .map((name) => join(directory, name))
    .flatMap((path) => (statSync(path).isDirectory() ? filesIn(path) : [path]));
}

/** Real jobs with enough attempts to judge nodes, each once. */
async function realJobs(): Promise<readonly TraceJob[]> {
  const jobs = new Map<string, TraceJob>();
  for (const path of [...filesIn(`${SHARED}/spark`), ...filesIn(`${SHARED}/hadoop`)]) {
    if (/expectation|README|appstatus|\.xml$/.test(path)) continue;
    const trace = await openTrace(path).catch((error: unknown) => {
      if (error instanceof InputError) return undefined;
      throw error;
    });
    for (const job of trace?.jobs ?? []) {
      const attempts = job.phases.reduce((sum, phase) => sum + phase.attempts.length, 0);
      if (attempts >= 20 && job.nodes.length >= 3) jobs.set(job.id, job);
    }
  }
  return [...jobs.values()];
}

function slowIn(plan: Plan, node: Int32Array, seed: number): { slow: number; lasting: number } {
  const { own } = recordedTiming(plan);
  const signals = { ...signalsOf(plan, own), node };
  const { nodes } = expectationOf(plan, signals, { limits: DEFAULT_LIMITS, seed });
  return {
    slow: nodes.filter(({ verdict }) => verdict === "slow" || verdict === "lasting").length,
    lasting: nodes.filter(({ verdict }) => verdict === "lasting").length,
  };
}

describe.skipIf(!IS_THERE)("placebo", () => {
  test("with the nodes shuffled within each phase, hardly any node is slow", async () => {
    const jobs = await realJobs();
    expect(jobs.length).toBeGreaterThan(20);
    const dice = new Dice(7);
    let slow = 0;
    let lasting = 0;
    for (const job of jobs) {
      const plan = planOf(job);
      const { node } = signalsOf(plan, recordedTiming(plan).own);
      for (let n = 0; n < SHUFFLES; n++) {
        const found = slowIn(plan, shuffled(plan, node, dice), n + 1);
        slow += found.slow;
        lasting += found.lasting;
      }
    }
    const runs = jobs.length * SHUFFLES;
    console.log(`placebo: ${slow} slow and ${lasting} lasting nodes in ${runs} shuffled jobs`);
    expect(slow / runs).toBeLessThanOrEqual(0.007);
    expect(lasting).toBe(0);
  });
});

function shuffled(plan: Plan, node: Int32Array, dice: Dice): Int32Array {
  const made = node.slice();
  for (let phase = 0; phase < plan.job.phases.length; phase++) {
    const rows = [...plan.phase.keys()].filter((i) => plan.phase[i] === phase);
    for (let i = rows.length - 1; i > 0; i--) {
      const [a, b] = [rows[i] ?? 0, rows[dice.whole(0, i)] ?? 0];
      [made[a], made[b]] = [made[b] ?? 0, made[a] ?? 0];
    }
  }
  return made;
}
