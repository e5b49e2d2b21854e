import { Place } from "../base/shape.ts";
import { type Calibration, withConstants } from "./calibration.ts";
import { copiesOverTime } from "./elephant/copies-over-time.ts";
import { clustering } from "./esplash/clustering.ts";
import { types } from "./esplash/types.ts";
import type { Experiment, ExperimentKind } from "./experiment.ts";
import { kindOf } from "./heading.ts";
import { estimates } from "./late/estimates.ts";
import { appendix } from "./mantri/appendix/experiment.ts";
import { logs } from "./mantri/logs/experiment.ts";
import { phases } from "./mantri/phases/experiment.ts";
import { placement } from "./mantri/placement/experiment.ts";
import { production } from "./mantri/production/experiment.ts";
import { recompute } from "./mantri/recompute/experiment.ts";
import { worked } from "./mantri/worked/experiment.ts";
import { scenarios } from "./scenarios/kind.ts";

/** `scenarios` serves all papers, each other kind a single one. */
const KINDS: readonly ExperimentKind[] = [
  scenarios,
  estimates,
  ...[appendix, logs, phases, placement, production, recompute, worked],
  ...[clustering, types],
  copiesOverTime,
];

/** Makes an experiment from its data file; throws an InputError for mistakes in the file. */
export function makeExperiment(from: {
  readonly name: string;
  readonly file: string;
  readonly json: unknown;
  readonly calibration: Calibration;
}): Experiment {
  const { name, file, calibration } = from;
  const place = new Place("bad-experiment", file);
  const wanted = kindOf(
    from.json,
    place,
    KINDS.map(({ kind }) => kind),
  );
  const json = withConstants(from.json, calibration, place);
  const found = KINDS.find(({ kind }) => kind === wanted);
  return found === undefined
    ? place.key("kind").refuse("a kind of experiment", wanted)
    : found.make({ name, json, place, calibration });
}
