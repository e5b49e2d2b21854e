import { answerOrders } from "../../library/crew/answer-orders.ts";
import type { Experiment, Unit } from "../../reproduce/experiment.ts";
import { readExperiment } from "./data.ts";

/** A unit for a worker. */
export interface UnitOrder {
  readonly experiment: string;
  readonly unit: Unit;
}

const experiments = new Map<string, Experiment>();

function experimentNamed(name: string): Experiment {
  const known = experiments.get(name) ?? readExperiment(name).experiment;
  experiments.set(name, known);
  return known;
}

answerOrders(({ experiment, unit }: UnitOrder) => experimentNamed(experiment).run(unit));
