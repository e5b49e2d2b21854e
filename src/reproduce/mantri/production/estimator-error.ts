import type { Chance } from "../../../base/chance.ts";
import { mean } from "../../../base/stats.ts";
import type { Fact } from "../../../model/fact.ts";
import type { Fault } from "../../../model/fault.ts";
import type { AttemptId } from "../../../model/ids.ts";
import type { Discipline, Estimator } from "../../../policy/policy.ts";
import { runJob } from "../jobs/job-run.ts";
import type { RunnableJob } from "../jobs/job-workload.ts";

/** How the speed of machines changes while attempts run on them. */
export interface SpeedSetup {
  /** How many times slower than usual a machine is. */
  readonly factor: Chance;
  readonly everyMs: Chance;
}

/**
 * §6.2: the difference between an attempt's actual end and the end that t_rem predicted, as a share
 * of the attempt's time; the mean over all estimates of attempts that ran to their end.
 */
export function estimatorError(
  job: RunnableJob,
  of: { readonly discipline: Discipline; readonly speed: SpeedSetup; readonly seed: number },
): number {
  const { speed, seed } = of;
  const listener = new Listener();
  const { policy } = of.discipline.estimator;
  const heard: Estimator = {
    ...policy,
    timeLeft: (ctx, id) => {
      const leftMs = policy.timeLeft(ctx, id);
      listener.asked(id, ctx.view.now, leftMs);
      return leftMs;
    },
  };
  const discipline = {
    ...of.discipline,
    estimator: { ...of.discipline.estimator, policy: heard },
  };
  const slow: Fault = { kind: "slow", node: "*", at: 0, ...speed };
  const phases = job.phases.map((phase) => ({ ...phase, slowedByNode: true }));
  runJob(
    { ...job, phases },
    {
      discipline,
      seed,
      faults: [slow],
      onFact: (fact) => listener.apply(fact),
    },
  );
  return mean(listener.errors);
}

/** Keeps each estimate until the attempt's end shows its error. */
class Listener {
  readonly errors: number[] = [];
  readonly #endsForeseen = new Map<AttemptId, number[]>();

  asked(id: AttemptId, now: number, leftMs: number): void {
    // Before an attempt has read anything, an infinite time left is no estimate.
    if (!Number.isFinite(leftMs)) return;
    const foreseen = this.#endsForeseen.get(id) ?? [];
    foreseen.push(now + leftMs);
    this.#endsForeseen.set(id, foreseen);
  }

  apply(fact: Fact): void {
    if (fact.kind !== "attempt-ended" || fact.end.how !== "succeeded") return;
    const { at, attempt, launchedAt } = fact;
    for (const end of this.#endsForeseen.get(attempt) ?? []) {
      this.errors.push(Math.abs(end - at) / (at - launchedAt));
    }
  }
}
