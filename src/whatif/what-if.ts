import { InputError } from "../base/input-error.ts";
import { mean, paired95 } from "../base/stats.ts";
import { expectationOf } from "../diagnose/expect/expect.ts";
import { signalsOf } from "../diagnose/expect/signals.ts";
import { DEFAULT_LIMITS } from "../diagnose/limits.ts";
import { planOf } from "../diagnose/schedule/plan.ts";
import { recordedTiming } from "../diagnose/schedule/schedule.ts";
import { type RecordedRun, runRecorded } from "../hosts/sim/index.ts";
import { parseDiscipline } from "../policy/discipline.ts";
import type { Registry } from "../policy/registry.ts";
import type { TraceJob } from "../trace/model.ts";
import { luckOf } from "./luck.ts";
import { type Fitted, type Question, toRecorded } from "./to-recorded.ts";

export interface WhatIfOptions {
  /** Disciplines to try, as for `--discipline`. */
  readonly policies: readonly string[];
  /** Paired runs. Default: 20. */
  readonly seeds?: number;
  /** Fixes the part of bad luck that comes back in copies; by default 0 and 1 are both tried. */
  readonly rho?: number;
  readonly registry?: Registry;
  /** Called after each run. */
  readonly onRun?: (done: number, all: number) => void;
}

/** What other policies would have made of a job. Times in ms. */
export interface WhatIf {
  readonly job: string;
  readonly responseMs: number;
  readonly gate: Gate;
  /** The discipline to which all rows are compared. */
  readonly baseline: string;
  readonly seeds: number;
  readonly rows: readonly WhatIfRow[];
}

/** The recorded job simulated under its own policy: how far the simulator can be trusted. */
export interface Gate {
  readonly discipline: string;
  readonly simulatedMs: number;
  /** Simulated / recorded - 1. */
  readonly error: number;
  readonly verdict: "good" | "rough" | "bad";
}

export interface WhatIfRow {
  readonly policy: string;
  /** The luck of each attempt is its own: copies help most. */
  readonly byAttempt?: Change;
  /** Bad luck comes back in every copy: copies help least. */
  readonly byTask?: Change;
}

/** Against the baseline, with the same seeds; negative is faster. */
export interface Change {
  readonly rho: number;
  readonly ms: number;
  readonly lowMs: number;
  readonly highMs: number;
  /** Of slot time. */
  readonly slotShare: number;
  readonly copies: number;
  readonly wins: number;
}

const GOOD = 0.05;
const ROUGH = 0.15;
const SEEDS = 20;

/** COST: (policies + 1) x seeds x 2 simulations of the job. */
export function whatIf(job: TraceJob, options: WhatIfOptions): WhatIf {
  const { policies, seeds = SEEDS, rho, registry } = options;
  const plan = planOf(job);
  if (plan.count === 0) throw new InputError("bad-input", job.id, "expected attempts that ran");
  const timing = recordedTiming(plan);
  const signals = signalsOf(plan, timing.own);
  const expectation = expectationOf(plan, signals, { limits: DEFAULT_LIMITS, seed: 1 });
  const luck = luckOf(plan, signals, expectation);
  const fitted: Fitted = { plan, timing, signals, expectation, luck };
  const responseMs = job.endedAt - job.submittedAt;
  const recorded = job.settings.discipline ?? "none";
  const run = (policy: string, question: Question): RecordedRun =>
    runRecorded(toRecorded(fitted, question), {
      seed: question.seed,
      discipline: parseDiscipline(alone(policy), [], registry),
      nodeOrder: "drawn",
    });
  const simulated = run(recorded, { luck: "that-run", rho: 0, seed: 1 });
  const error = simulated.responseMs / responseMs - 1;
  const size = Math.abs(error);
  const rhos = rho === undefined ? [0, 1] : [rho];
  const all = rhos.length * (policies.length + 1) * seeds;
  let done = 0;
  const study = (policy: string, of: number): readonly RecordedRun[] =>
    Array.from({ length: seeds }, (_, n) => {
      const result = run(policy, { luck: "again", rho: of, seed: n + 1 });
      options.onRun?.(++done, all);
      return result;
    });
  const changes = rhos.map((of) => {
    const from = study(recorded, of);
    return { of, rows: policies.map((policy) => changeOf(of, from, study(policy, of))) };
  });
  const rows = policies.map((policy, n): WhatIfRow => {
    const [first, second] = changes.map((change) => change.rows[n]);
    return {
      policy,
      ...(first !== undefined && { byAttempt: first }),
      ...(second !== undefined && { byTask: second }),
    };
  });
  return {
    job: job.id,
    responseMs,
    gate: {
      discipline: recorded,
      simulatedMs: simulated.responseMs,
      error,
      verdict: size <= GOOD ? "good" : size <= ROUGH ? "rough" : "bad",
    },
    baseline: recorded,
    seeds,
    rows,
  };
}

/** One job has the cluster alone: Hadoop 1's FIFO would hold slots back for others. */
const alone = (policy: string): string =>
  policy.includes("sharing=") ? policy : `${policy},sharing=fifo-plain`;

function changeOf(rho: number, from: readonly RecordedRun[], to: readonly RecordedRun[]): Change {
  const response = (runs: readonly RecordedRun[]) => runs.map((one) => one.responseMs);
  const { mean: ms, halfWidth } = paired95({ from: response(from), to: response(to) });
  const slots = (runs: readonly RecordedRun[]) => mean(runs.map((one) => one.slotMs));
  return {
    rho,
    ms,
    lowMs: ms - halfWidth,
    highMs: ms + halfWidth,
    slotShare: slots(to) / slots(from) - 1,
    copies: mean(to.map((one) => one.copies)),
    wins: mean(to.map((one) => one.wins)),
  };
}
