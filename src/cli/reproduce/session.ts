import { defined } from "../../base/assert.ts";
import type { Json } from "../../base/json.ts";
import { descending } from "../../base/order.ts";
import { workThrough } from "../../library/crew/crew.ts";
import type { Done, Experiment, ExperimentReport, Extent } from "../../reproduce/experiment.ts";
import type { Progress } from "../display/progress-display.ts";
import type { ReadExperiment } from "./data.ts";
import { programVersion } from "./program-version.ts";
import { type Kept, UnitStore } from "./store.ts";
import type { UnitOrder } from "./worker.ts";

export interface SessionOptions {
  readonly extent: Extent;
  /** The folder that keeps the outcomes. */
  readonly folder: string;
  readonly workers: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export interface Reported {
  readonly experiment: Experiment;
  readonly report: ExperimentReport;
  readonly units: number;
  /** The time of all units together, as on a single thread. */
  readonly workMs: number;
}

/** Runs the experiments; undefined if the signal stopped them. */
export async function runSession(
  experiments: readonly ReadExperiment[],
  options: SessionOptions,
): Promise<readonly Reported[] | undefined> {
  const session = new Session(experiments, options);
  try {
    await session.work();
    return options.signal.aborted ? undefined : session.reports();
  } finally {
    session.close();
  }
}

/** An experiment with its units and their known outcomes. */
interface Part {
  readonly read: ReadExperiment;
  readonly units: readonly UnitOrder["unit"][];
  readonly store: UnitStore;
  readonly outcomes: Map<string, Kept>;
}

class Session {
  readonly #options: SessionOptions;
  readonly #parts = new Map<string, Part>();

  constructor(experiments: readonly ReadExperiment[], options: SessionOptions) {
    this.#options = options;
    const program = programVersion();
    for (const read of experiments) {
      const { experiment, digest } = read;
      const store = new UnitStore(options.folder, experiment.name, `${program}${digest}`);
      const units = experiment.units(options.extent);
      const outcomes = new Map<string, Kept>();
      for (const unit of units) {
        const kept = store.find(unit);
        if (kept !== undefined) outcomes.set(unit.key, kept);
      }
      this.#parts.set(experiment.name, { read, units, store, outcomes });
    }
  }

  async work(): Promise<void> {
    const all = [...this.#parts.values()].flatMap(({ read, units, outcomes }) =>
      units.map((unit) => ({ unit, experiment: read.experiment.name, outcomes })),
    );
    const missing = all
      .filter(({ unit, outcomes }) => !outcomes.has(unit.key))
      .sort(descending(({ unit }) => unit.cost));
    const cost = (orders: readonly UnitOrder[]): number =>
      orders.reduce((sum, { unit }) => sum + unit.cost, 0);
    const costAll = cost(all);
    const costBefore = costAll - cost(missing);
    let costDone = 0;
    let unitsDone = all.length - missing.length;
    const reportProgress = (latest?: string): void => {
      const progress = { costBefore, costDone, costAll, unitsDone, unitsAll: all.length };
      this.#options.onProgress(latest === undefined ? progress : { ...progress, latest });
    };
    reportProgress();
    const orders = missing.map(({ unit, experiment }) => ({ unit, experiment }));
    await workThrough<UnitOrder, Json>(orders, {
      ...this.#options,
      script: new URL("./worker.js", import.meta.url),
      nameOf: ({ experiment, unit }) => `${experiment}, unit ${unit.key}`,
      onOutcome: ({ experiment, unit }, outcome, ms) => {
        const part = defined(this.#parts.get(experiment), "an experiment of this session");
        const kept = { outcome, ms: Math.round(ms) };
        part.store.keep(unit, kept);
        part.outcomes.set(unit.key, kept);
        costDone += unit.cost;
        unitsDone += 1;
        reportProgress(experiment);
      },
    });
  }

  reports(): readonly Reported[] {
    return [...this.#parts.values()].map(({ read, units, outcomes }) => {
      const { experiment } = read;
      let workMs = 0;
      const done = units.map((unit): Done => {
        const { outcome, ms } = defined(outcomes.get(unit.key), `the outcome of ${unit.key}`);
        workMs += ms;
        return { unit, outcome };
      });
      const report = experiment.report(done, this.#options.extent);
      return { experiment, report, units: units.length, workMs };
    });
  }

  close(): void {
    for (const { store } of this.#parts.values()) store.close();
  }
}
