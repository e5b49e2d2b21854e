import { parentPort } from "node:worker_threads";
import type { Json } from "../../base/json.ts";
import type { Experiment, Unit } from "../../reproduce/experiment.ts";
import { readExperiment } from "./data.ts";

/** A unit for a worker. */
export interface UnitOrder {
  readonly experiment: string;
  readonly unit: Unit;
}

/** The worker's answer. */
export type UnitAnswer =
  | { readonly outcome: Json; readonly ms: number }
  | { readonly error: string };

const experiments = new Map<string, Experiment>();

function experimentNamed(name: string): Experiment {
  const known = experiments.get(name) ?? readExperiment(name).experiment;
  experiments.set(name, known);
  return known;
}

const answer = (message: UnitAnswer): void => parentPort?.postMessage(message);

parentPort?.on("message", ({ experiment, unit }: UnitOrder) => {
  const begun = performance.now();
  try {
    const outcome = experimentNamed(experiment).run(unit);
    answer({ outcome, ms: performance.now() - begun });
  } catch (error) {
    answer({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
