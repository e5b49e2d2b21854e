import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Place } from "../../base/shape.ts";
import { parseCalibration, withConstants } from "../../reproduce/calibration.ts";
import type { Experiment } from "../../reproduce/experiment.ts";
import { makeExperiment } from "../../reproduce/kinds.ts";
import { parseFigures, parseOwnStudies } from "../../reproduce/parse-figures.ts";
import type { PublishedFigure } from "../../reproduce/published.ts";
import { readJson } from "../files.ts";
import { here } from "../here.ts";

/** The package's own data: published figures, constants, experiments. */
const FOLDER = fileURLToPath(new URL("../../../reproduction/", import.meta.url));

/** The papers' figures, followed by our own studies. */
export function readFigures(): readonly PublishedFigure[] {
  const figures = here(join(FOLDER, "figures.json"));
  const ours = here(join(FOLDER, "ours.json"));
  return [
    ...parseFigures(readJson(figures, "bad-experiment"), figures),
    ...parseOwnStudies(readJson(ours, "bad-experiment"), ours),
  ];
}

/** The names of all experiments, sorted. */
export const experimentNames = (): readonly string[] =>
  readdirSync(join(FOLDER, "experiments"))
    .filter((name) => name.endsWith(".json"))
    .map((name) => basename(name, ".json"))
    .sort();

/** An experiment, and the data besides the program on which its outcomes depend. */
export interface ReadExperiment {
  readonly experiment: Experiment;
  readonly digest: string;
}

export function readExperiment(name: string): ReadExperiment {
  const constants = here(join(FOLDER, "calibration.json"));
  const calibration = parseCalibration(readJson(constants, "bad-experiment"), constants);
  const file = here(join(FOLDER, "experiments", `${name}.json`));
  const json = readJson(file, "bad-experiment");
  const experiment = makeExperiment({ name, file, json, calibration });
  // Constants that the experiment names, and those of its paper, which its kind may look up itself.
  const named = withConstants(json, calibration, new Place("bad-experiment", file));
  const own = Object.entries(calibration.constants).filter(([constant]) =>
    constant.startsWith(`${experiment.paper}.`),
  );
  return { experiment, digest: digestOf(JSON.stringify([json, named, own])) };
}

export const digestOf = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 16);
