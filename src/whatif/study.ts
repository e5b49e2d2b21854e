import { mean } from "../base/stats.ts";
import type { Registry } from "../policy/registry.ts";
import { type Answer, type Change, changeOf } from "./change.ts";
import type { Fitted } from "./fitted.ts";
import { GOOD } from "./gate.ts";
import type { Rho } from "./rho.ts";
import type { Question } from "./to-recorded.ts";
import {
  differInCopiesAlone,
  disciplineOf,
  type Outcome,
  outcomeOf,
  type Trial,
  withoutCopies,
} from "./trial.ts";

export interface StudyOptions {
  readonly rho: Rho;
  readonly seeds: number;
  readonly baseline: Trial;
  readonly registry: Registry | undefined;
  readonly onRun: ((done: number, all: number) => void) | undefined;
}

type Luck = Question["luck"];

/** Runs of a job under several policies, each paired with the baseline's run of the same seed. */
export class Study {
  readonly fitted: Fitted;
  readonly baseline: Trial;
  readonly seeds: number;
  /** Whether the runs that keep the recorded durations also keep the recorded nodes. */
  readonly isPinned: boolean;
  readonly #rho: Rho;
  readonly #registry: Registry | undefined;
  readonly #onRun: StudyOptions["onRun"];
  /** The runs on the recorded cluster, by trial and question. */
  readonly #known = new Map<string, Outcome>();
  #done = 0;
  #all = 0;

  constructor(fitted: Fitted, { rho, seeds, baseline, registry, onRun }: StudyOptions) {
    this.fitted = fitted;
    this.baseline = baseline;
    this.seeds = seeds;
    this.#rho = rho;
    this.#registry = registry;
    this.#onRun = onRun;
    this.isPinned = this.#reproducesPinned();
  }

  /**
   * The values of rho at which questions are answered: the ends of its range, then its best
   * estimate.
   */
  get rhos(): readonly number[] {
    const { from, low, high, value } = this.#rho;
    return from === "flag" ? [low] : [low, high, ...(value === undefined ? [] : [value])];
  }

  /** Reports the number of runs to come. */
  expect(
    trials: readonly Trial[],
    { isThatRun, placeboSeeds }: { readonly isThatRun: boolean; readonly placeboSeeds: number },
  ): void {
    const questions = this.rhos.length * (isThatRun ? 2 : 1);
    const placebos = trials.filter((trial) => !this.#differsInCopiesAlone(trial)).length;
    this.#all += questions * (trials.length + 1) * this.seeds + placebos * placeboSeeds;
  }

  more(runs: number): void {
    this.#all += runs;
  }

  /** `on`: the job on another cluster. */
  answerOf(trial: Trial, luck: Luck, on: Fitted = this.fitted): Answer {
    const [byAttempt, byTask, atRho] = this.rhos.map((rho) =>
      this.changeOf(trial, luck, rho, { first: 1, last: this.seeds, on }),
    );
    if (byAttempt === undefined) throw new RangeError("at least one rho");
    return {
      byAttempt,
      ...(byTask !== undefined && { byTask }),
      ...(atRho !== undefined && { atRho }),
    };
  }

  /** Over the seeds from the first to the last. */
  changeOf(
    trial: Trial,
    luck: Luck,
    rho: number,
    of: { readonly first: number; readonly last: number; readonly on?: Fitted },
  ): Change {
    const { first, last, on = this.fitted } = of;
    const seeds = Array.from({ length: last - first + 1 }, (_, n) => first + n);
    const isThatRun = luck === "that-run";
    const pinned = isThatRun && this.isPinned;
    const drawsLosers = isThatRun && this.fitted.plan.lostRace.includes(1);
    const ask = (seed: number): Question => ({ luck, rho, seed, pinned, drawsLosers });
    const from = seeds.map((seed) => this.#kept(this.baseline, ask(seed)));
    const to = seeds.map((seed) =>
      on === this.fitted ? this.#kept(trial, ask(seed)) : this.#run(on, trial, ask(seed)),
    );
    return changeOf(rho, from, to, drawsLosers ? "guesses" : luck);
  }

  /** A policy's change without its copies, as a share of the response. */
  placeboOf(trial: Trial, seeds: number): number {
    if (this.#differsInCopiesAlone(trial)) return 0;
    const [policy, baseline] = [trial, this.baseline].map((one) =>
      withoutCopies(one, this.#registry),
    );
    if (policy === undefined || baseline === undefined) return 0;
    const runs = (of: Trial): number =>
      mean(
        Array.from({ length: seeds }, (_, n) => {
          const question = { luck: "again", rho: 0, seed: n + 1 } as const;
          return this.#kept(of, question).responseMs;
        }),
      );
    return runs(policy) / runs(baseline) - 1;
  }

  #differsInCopiesAlone(trial: Trial): boolean {
    return differInCopiesAlone(trial, this.baseline, this.#registry);
  }

  #kept(trial: Trial, question: Question): Outcome {
    const { luck, rho, seed, pinned = false } = question;
    // In the recorded run, only further attempts depend on rho.
    const anyRho = [trial.policy, ...trial.sets, luck, seed, pinned].join(" ");
    const known = this.#known.get(anyRho) ?? this.#known.get(`${anyRho} ${rho}`);
    if (known !== undefined) return known;
    const made = this.#run(this.fitted, trial, question);
    const isOfRho = luck === "again" || made.hasFurther;
    this.#known.set(isOfRho ? `${anyRho} ${rho}` : anyRho, made);
    return made;
  }

  #run(on: Fitted, trial: Trial, question: Question): Outcome {
    const outcome = outcomeOf(on, disciplineOf(trial, this.#registry), question);
    this.#done += 1;
    this.#onRun?.(this.#done, Math.max(this.#done, this.#all));
    return outcome;
  }

  /** Pinned attempts wait for their node; if that alone changes the run, they are not pinned. */
  #reproducesPinned(): boolean {
    const { plan, signals } = this.fitted;
    if (signals.node.some((node) => node < 0)) return false;
    const { endedAt, submittedAt } = plan.job;
    const ask = { luck: "that-run", rho: 0, seed: 1 } as const;
    const errorOf = (pinned: boolean): number => {
      const discipline = disciplineOf(this.baseline, this.#registry);
      const { responseMs } = outcomeOf(this.fitted, discipline, { ...ask, pinned });
      return Math.abs(responseMs / (endedAt - submittedAt) - 1);
    };
    const pinned = errorOf(true);
    return pinned <= GOOD || pinned <= errorOf(false);
  }
}
