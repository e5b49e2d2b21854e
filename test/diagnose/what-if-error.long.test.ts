import { describe, expect, test } from "vitest";
import type { TraceJob } from "../../src/history/model.ts";
import type { WhatIf } from "../../src/whatif/document.ts";
import { tryPolicies } from "../../src/whatif/try-policies.ts";
import { TrueJob } from "./support/true-job.ts";

/**
 * Predictions from the log of one run beside the truth, over jobs that can run any number of times.
 * WORLDS=40 TRUE_RUNS=20 takes some minutes.
 */
const WORLDS = Number(process.env.WORLDS ?? 1);
/** The first world. The method was made on worlds 1 to 48, and measured once on 73 to 120. */
const FIRST = Number(process.env.FIRST ?? 1);
const TRIALS = [
  { policy: "spark-3.5", sets: [] },
  { policy: "yarn", sets: [] },
  // Tasks of these jobs are too short for a minute.
  { policy: "late", sets: ["speculation.runtimeMsMin=10000"] },
];
const TRUE_RUNS = Number(process.env.TRUE_RUNS ?? 12);

const mean = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + each, 0) / values.length;

function percentile(values: readonly number[], share: number): number {
  const rising = values.toSorted((a, b) => a - b);
  return rising[Math.min(rising.length - 1, Math.floor(share * rising.length))] ?? 0;
}

type Luck = "that-run" | "again";

/** The true change by policy, as a share of the response. */
function truth(job: TrueJob, luck: Luck): readonly number[] {
  const record = job.run("none", 1);
  const seeds = Array.from({ length: TRUE_RUNS }, (_, n) => 1_000 + n);
  const responses = (policy: string, sets: readonly string[]): number[] =>
    seeds.map((seed) => {
      const run =
        luck === "again" ? job.run(policy, seed, sets) : job.rerun(record, policy, seed, sets);
      return run.responseMs;
    });
  const usual = mean(responses("none", []));
  return TRIALS.map(({ policy, sets }) => mean(responses(policy, sets)) / usual - 1);
}

const ask = (job: TraceJob, more: Partial<Parameters<typeof tryPolicies>[1]> = {}): WhatIf =>
  tryPolicies(job, { policies: TRIALS, source: { format: "spark" }, ...more });

/** The predictions by policy, as shares of the response. */
function predicted({ rows, responseMs }: WhatIf, luck: Luck) {
  return rows.map((row) => {
    const answer = luck === "again" ? row : row.thatRun;
    if (answer === undefined) throw new Error("no answer for that very run");
    const { byAttempt, byTask = byAttempt, atRho = byAttempt } = answer;
    return {
      byAttempt: byAttempt.ms / responseMs,
      atRho: atRho.ms / responseMs,
      middle: (byAttempt.ms + byTask.ms) / 2 / responseMs,
      low: Math.min(byAttempt.lowMs, byTask.lowMs) / responseMs,
      high: Math.max(byAttempt.highMs, byTask.highMs) / responseMs,
    };
  });
}

type Summary = Tally["summary"];

/** The results for one question. */
class Tally {
  readonly #errors: number[] = [];
  #inBracket = 0;
  #best = 0;
  #jobs = 0;

  add(
    true_: readonly number[],
    point: readonly number[],
    bracket: readonly { low: number; high: number; middle: number }[],
  ): void {
    for (const [n, value] of true_.entries()) {
      this.#errors.push((point[n] ?? 0) - value);
      const { low, high } = bracket[n] ?? { low: 0, high: 0 };
      if (value >= low - CLOSE && value <= high + CLOSE) this.#inBracket += 1;
    }
    const middles = bracket.map(({ middle }) => middle);
    const named = middles.indexOf(Math.min(...middles));
    if ((true_[named] ?? 0) <= Math.min(...true_) + NEARLY) this.#best += 1;
    this.#jobs += 1;
  }

  get summary() {
    const sizes = this.#errors.map(Math.abs);
    const of = (value: number): number => Math.round(1_000 * value) / 10;
    return {
      p50: of(percentile(sizes, 0.5)),
      p90: of(percentile(sizes, 0.9)),
      bias: of(Math.abs(mean(this.#errors))),
      answers: this.#errors.length,
      outside: this.#errors.length - this.#inBracket,
      jobs: this.#jobs,
      wrongBest: this.#jobs - this.#best,
    };
  }
}

/** As shares of the response: bounds are this loose, and policies this close are equally good. */
const CLOSE = 0.005;
const NEARLY = 0.01;

const placebos: number[] = [];

function studyOf(rho: number) {
  const tallies = { "that-run": new Tally(), again: new Tally() };
  const least = new Tally();
  for (let world = FIRST; world < FIRST + WORLDS; world++) {
    const job = new TrueJob(world, rho);
    const log = job.logOf(job.run("none", 1));
    const unknown = ask(log);
    placebos.push(...unknown.rows.map(({ placebo }) => Math.abs(placebo)));
    if (rho === 0) {
      // An observer who knows everything about the job but its rate of bad luck, and counts that in
      // the log.
      const points = truth(new TrueJob(world, 0, job.seenTails(1)), "again");
      least.add(truth(job, "again"), points, predicted(unknown, "again"));
    }
    const best = rho === 0 ? unknown : ask(log, { again: job.logOf(job.run("none", 2)) });
    for (const luck of ["that-run", "again"] as const) {
      const points = predicted(best, luck).map((row) => (rho === 0 ? row.byAttempt : row.atRho));
      tallies[luck].add(truth(job, luck), points, predicted(unknown, luck));
    }
  }
  const { p50, p90, bias } = least.summary;
  const found = {
    run: tallies["that-run"].summary,
    again: tallies.again.summary,
    ...(rho === 0 && { least: { p50, p90, bias } }),
  };
  console.log(`what-if, rho ${rho}, ${WORLDS} worlds, %: ${JSON.stringify(found)}`);
  return found;
}

/** The gates for the run that was logged: its stragglers are known. */
function expectThatRun(found: Summary, most: { p50: number; p90: number; bias: number }): void {
  expect(found.p50).toBeLessThanOrEqual(most.p50);
  expect(found.p90).toBeLessThanOrEqual(most.p90);
  expect(found.bias).toBeLessThanOrEqual(most.bias);
  expectBounds(found);
}

/**
 * Nine bounds of ten hold, and nine of ten best policies are named. A log that happens to lack bad
 * luck misleads about every policy, so misses are counted by whole jobs.
 */
function expectBounds(found: Summary): void {
  const missed = missesMax(0.1, found.jobs);
  expect(found.outside).toBeLessThanOrEqual(TRIALS.length * missed);
  expect(found.wrongBest).toBeLessThanOrEqual(missed);
}

/**
 * Another run has other stragglers than the one that was logged: bounds and the best policy hold as
 * for that one, errors do not (2 and 8 % at rho 0). `least` is the measurement that moved them: the
 * errors of an observer who knows everything but the rate of bad luck (worlds 73 to 120: 1.9 and
 * 5.8 %, beside 4.0 and 9.8 % of ours). Percentiles over a few jobs mean nothing, and are not
 * judged.
 */
function expectAgain(found: Summary, least?: Pick<Summary, "p50" | "p90">): void {
  expectBounds(found);
  if (WORLDS < 20) return;
  expect(found.p50).toBeLessThanOrEqual(5);
  expect(found.p90).toBeLessThanOrEqual(14);
  expect(found.bias).toBeLessThanOrEqual(4);
  if (least === undefined) return;
  expect(found.p50).toBeLessThanOrEqual(2.5 * least.p50);
  expect(found.p90).toBeLessThanOrEqual(2 * least.p90);
}

/** A share of few is a whole number of misses. */
const missesMax = (share: number, of: number): number => Math.ceil(share * of);

describe("predictions from the log of one run beside the truth, in %", () => {
  const TIMEOUT_MS = 240_000 + 60_000 * WORLDS;

  test(
    "luck of the attempt: the error of the change, the bracket, the best policy",
    () => {
      const { run, again, least } = studyOf(0);
      expectThatRun(run, { p50: 2, p90: 8, bias: 2 });
      expectAgain(again, least);
    },
    TIMEOUT_MS,
  );

  test(
    "half of it the task's own, estimated from a second run",
    () => {
      const { run, again } = studyOf(0.5);
      expectThatRun(run, { p50: 5, p90: 14, bias: 4 });
      expectAgain(again);
    },
    TIMEOUT_MS,
  );

  test("a policy without its copies changes nothing", () => {
    expect(placebos.length).toBe(2 * WORLDS * TRIALS.length);
    expect(Math.max(...placebos)).toBeLessThanOrEqual(0.005);
  });
});
