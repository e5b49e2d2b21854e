import { assert, defined, never } from "../../base/assert.ts";
import type { Json } from "../../base/json.ts";
import { isObject, type Place } from "../../base/shape.ts";
import { parseScenario, type Scenario, simulateOnce } from "../../hosts/sim/index.ts";
import type { Drawing } from "../../report/chart/drawing.ts";
import type {
  Done,
  Experiment,
  ExperimentFile,
  ExperimentKind,
  ExperimentReport,
  Extent,
  Measured,
  Unit,
} from "../experiment.ts";
import { AttemptLog } from "./attempt-log.ts";
import { estimate } from "./estimate.ts";
import { measured } from "./measure.ts";
import { mergePatch } from "./merge-patch.ts";
import { measuresOf, type Quantity, type Samples } from "./quantity.ts";
import {
  type CurvesInput,
  type DrawingInput,
  disciplineFrom,
  type ScenariosFile,
  scenariosFile,
} from "./shape.ts";

/** Experiments that are entirely described by their data: see `ScenariosFile`. */
export const scenarios: ExperimentKind = {
  kind: "scenarios",
  make: (file) => new Scenarios(file),
};

const FIRST_SEED = 1;

/** One scenario under one discipline. */
interface Setting {
  readonly name: string;
  readonly scenario: Scenario;
  readonly discipline: ReturnType<typeof disciplineFrom>;
}

class Scenarios implements Experiment {
  readonly name: string;
  readonly #file: ScenariosFile;
  readonly #settings: ReadonlyMap<string, Setting>;

  constructor({ name, json, place }: ExperimentFile) {
    this.name = name;
    this.#file = scenariosFile.read(json, place);
    this.#settings = settingsOf(this.#file, place);
    this.#checkQuantities(place);
  }

  get title() {
    return this.#file.title;
  }

  get paper() {
    return this.#file.paper;
  }

  get figures() {
    return this.#file.figures;
  }

  #checkQuantities(place: Place): void {
    const { rows, drawings, figures, measures } = this.#file;
    for (const name of Object.keys(measures)) {
      if (name.includes(" of ")) place.key("measures").refuse('names without " of "', name);
    }
    for (const [i, { figure, value }] of rows.entries()) {
      const at = place.key("rows").index(i);
      if (!figures.includes(figure)) at.key("figure").refuse("one of the file's figures", figure);
      this.#checkQuantity(value, at.key("value"));
    }
    for (const [i, drawing] of drawings.entries()) {
      const at = place.key("drawings").index(i);
      const { figure } = drawing;
      if (!figures.includes(figure)) at.key("figure").refuse("one of the file's figures", figure);
      const values =
        drawing.kind === "bars"
          ? drawing.groups.flatMap(({ bars }) => bars)
          : drawing.curves.flatMap(({ points }) => points);
      for (const { value } of values) this.#checkQuantity(value, at);
    }
  }

  #checkQuantity(quantity: Quantity, place: Place): void {
    for (const { measure, setting } of measuresOf(quantity)) {
      if (!Object.hasOwn(this.#file.measures, measure)) {
        place.refuse(`one of the measures ${Object.keys(this.#file.measures).join(", ")}`, measure);
      }
      if (!this.#settings.has(setting)) {
        place.refuse(`one of the settings ${[...this.#settings.keys()].join(", ")}`, setting);
      }
    }
  }

  units(extent: Extent): readonly Unit[] {
    const seeds = Array.from({ length: this.#runs(extent) }, (_, i) => FIRST_SEED + i);
    return [...this.#settings.keys()].flatMap((setting) =>
      seeds.map((seed) => ({
        key: `${setting} ${seed}`,
        cost: this.#file.cost,
        work: { setting, seed },
      })),
    );
  }

  #runs({ runs, scale }: Extent): number {
    return Math.min(runs, this.#file.runsMax?.[scale] ?? runs);
  }

  /** A number for each measure, in their order. */
  run({ work }: Unit): Json {
    assert(isObject(work) && "setting" in work && "seed" in work, "a unit of this experiment");
    const { setting: name, seed } = work;
    const setting = defined(this.#settings.get(String(name)), "a setting of this experiment");
    const log = new AttemptLog();
    const result = simulateOnce(setting.scenario, {
      seed: Number(seed),
      discipline: setting.discipline,
      onFact: (fact) => log.apply(fact),
    });
    log.close();
    assert(result.unfinished.length === 0, `${name}, seed ${seed}: a job never ends`);
    return Object.values(this.#file.measures).map((measure) => measured(measure, { result, log }));
  }

  report(done: readonly Done[], extent: Extent): ExperimentReport {
    const runs = this.#runs(extent);
    const samples = this.#samples(done);
    const rows = this.#file.rows.map(({ figure, setting, metric, value, statistic }): Measured => {
      return { figure, setting, metric, runs, ...estimate(value, statistic, { samples, runs }) };
    });
    const drawings = this.#file.drawings.map((drawing) => drawn(drawing, { samples, runs }));
    return { measured: rows, drawings, notes: this.#notes(extent, runs) };
  }

  #samples(done: readonly Done[]): Samples {
    const measures = Object.keys(this.#file.measures);
    const values = new Map<string, number[]>();
    for (const { unit, outcome } of done) {
      assert(isObject(unit.work) && "setting" in unit.work, "a unit of this experiment");
      assert(Array.isArray(outcome), "an outcome of this experiment");
      for (const [i, measure] of measures.entries()) {
        const key = `${measure} of ${unit.work.setting}`;
        const list = values.get(key) ?? [];
        list.push(Number(outcome[i]));
        values.set(key, list);
      }
    }
    return (measure, setting) => defined(values.get(`${measure} of ${setting}`), "samples");
  }

  #notes({ runs: asked }: Extent, runs: number): readonly string[] {
    const { about } = this.#file;
    const what = runs === 1 ? "One run" : `${runs} runs`;
    const fewer = runs < asked ? [`${what} of each setting, not ${asked}.`] : [];
    return [...(about === undefined ? [] : [about]), ...fewer];
  }
}

function settingsOf(file: ScenariosFile, place: Place): ReadonlyMap<string, Setting> {
  const variants = new Map(
    Object.entries(file.variants ?? { "": {} }).map(([name, patch]) => [
      name,
      scenarioOf(file, name, patch, place),
    ]),
  );
  const settings = new Map<string, Setting>();
  for (const [label, input] of Object.entries(file.disciplines)) {
    const discipline = disciplineFrom(input);
    for (const variant of input.variants ?? variants.keys()) {
      const at = place.key("disciplines").key(label).key("variants");
      const scenario = variants.get(variant) ?? at.refuse("a variant of the file", variant);
      const name = file.variants === undefined ? label : `${variant}/${label}`;
      settings.set(name, { name, scenario, discipline });
    }
  }
  return settings;
}

/** A variant of an experiment's scenario, by its change to it. */
export function scenarioOf(
  { title, scenario }: Pick<ScenariosFile, "title" | "scenario">,
  variant: string,
  patch: unknown,
  { file }: Place,
): Scenario {
  const changed = mergePatch(scenario, patch);
  const study = { disciplines: [{ discipline: "none" }] };
  const where = variant === "" ? `${file}: scenario` : `${file}: scenario, variant ${variant}`;
  return parseScenario(isObject(changed) ? { name: title, study, ...changed } : changed, where);
}

type ValueInput = Omit<CurvesInput["curves"][number]["points"][number], "x">;

interface Values {
  readonly samples: Samples;
  readonly runs: number;
}

/** The drawing with its numbers filled in. */
function drawn(input: DrawingInput, values: Values): Drawing {
  const numbers = ({ value, statistic }: ValueInput) => estimate(value, statistic, values);
  switch (input.kind) {
    case "bars":
      return {
        ...input,
        groups: input.groups.map(({ label, bars }) => ({
          label,
          bars: bars.map((bar) => ({
            series: bar.series,
            ...numbers(bar),
            ...(bar.published === undefined ? {} : { published: bar.published }),
          })),
        })),
      };
    case "curves":
      return {
        ...input,
        curves: input.curves.map(({ points, ...curve }) => ({
          ...curve,
          points: points.map((point) => {
            const { value, low, high } = numbers(point);
            return { x: point.x, y: value, low, high };
          }),
        })),
      };
    default:
      return never(input);
  }
}
