import { workerData } from "node:worker_threads";
import { type RunFigures, type Scenario, Study, type StudyUnit } from "../../hosts/sim/index.ts";
import { registryWith } from "../../run/own-policies.ts";
import { answerOrders } from "../crew/answer-orders.ts";
import { resolver } from "./resolver.ts";

/** The study of which a thread runs some units. */
export interface ThreadStudy {
  readonly scenario: Scenario;
  readonly seeds: number;
  /** The scenario's file, if the rows are its own. */
  readonly path: string | undefined;
  /** The user's own policies: each thread loads them. */
  readonly policies: readonly string[];
}

const { scenario, seeds, path, policies }: ThreadStudy = workerData;

const study = registryWith(policies).then(
  (registry) => new Study(scenario, { resolve: resolver(path, registry), seeds }),
);

answerOrders(async (unit: StudyUnit, onShare): Promise<RunFigures> => {
  const known = await study;
  return known.figuresOf(known.run(unit, onShare));
});
