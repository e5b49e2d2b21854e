import { readdirSync, readFileSync } from "node:fs";
import { isObject } from "../../../src/base/shape.ts";
import { type Calibration, parseCalibration } from "../../../src/reproduce/calibration.ts";
import { makeExperiment } from "../../../src/reproduce/kinds.ts";
import { parseFigures, parseOwnStudies } from "../../../src/reproduce/parse-figures.ts";

export const ROOT = new URL("../../../", import.meta.url);
export const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");
export const json = (path: string): unknown => JSON.parse(read(path));

/** The papers' printed figures. */
export const FIGURES = parseFigures(json("reproduction/figures.json"), "figures.json");
/** Our own studies. */
export const OURS = parseOwnStudies(json("reproduction/ours.json"), "ours.json");
export const CALIBRATION = parseCalibration(
  json("reproduction/calibration.json"),
  "calibration.json",
);

/** Names of the constants that the experiments have used. */
export const ASKED_FOR = new Set<string>();

const watched: Calibration = {
  constants: new Proxy(CALIBRATION.constants, {
    get: (constants, name) => {
      ASKED_FOR.add(String(name));
      return Reflect.get(constants, name);
    },
  }),
};

/** All experiments, made in the same way as by the command. */
export const EXPERIMENTS = readdirSync(new URL("reproduction/experiments", ROOT))
  .filter((name) => name.endsWith(".json"))
  .map((name) => {
    const file = `reproduction/experiments/${name}`;
    const content = json(file);
    const made = { name: name.slice(0, -5), file, json: content, calibration: watched };
    return { content, experiment: makeExperiment(made) };
  });

export const isOfScenarios = (content: unknown): boolean =>
  isObject(content) && Reflect.get(content, "kind") === "scenarios";

/** Whether the rows of an experiment are in its data, not in code. */
export const hasRows = (content: unknown): boolean => isObject(content) && "rows" in content;
