import { Place } from "../base/shape.ts";
import { type Calibration, withConstants } from "./calibration.ts";
import { KINDS as ELEPHANT } from "./elephant/kinds.ts";
import { KINDS as ESPLASH } from "./esplash/kinds.ts";
import type { Experiment, ExperimentKind } from "./experiment.ts";
import { kindOf } from "./heading.ts";
import { KINDS as LATE } from "./late/kinds.ts";
import { KINDS as MANTRI } from "./mantri/kinds.ts";
import { scenarios } from "./scenarios/kind.ts";

const KINDS: readonly ExperimentKind[] = [scenarios, ...LATE, ...MANTRI, ...ESPLASH, ...ELEPHANT];

/** Makes an experiment of its data file; throws an InputError for what is wrong in it. */
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
