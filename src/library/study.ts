import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { InputError } from "../base/input-error.ts";
import { parseJson } from "../base/json.ts";
import { given, isObject, list, object, optional, Place, whole } from "../base/shape.ts";
import {
  parseScenario,
  type Resolve,
  type RunFigures,
  type Scenario,
  SEEDS_MAX,
  Study,
} from "../hosts/sim/index.ts";
import type { Fault } from "../model/fault.ts";
import { fault } from "../model/fault-shape.ts";
import type { Discipline } from "../policy/policy.ts";
import { asOption, setsOf } from "../run/named-discipline.ts";
import { discipline, signal, texts, values } from "../run/options-shape.ts";
import { registryWith } from "../run/own-policies.ts";
import { atUserPath } from "../run/user-path.ts";
import type { Documented } from "./documents.ts";
import { resolver } from "./simulate/resolver.ts";
import { runUnits } from "./simulate/run-units.ts";
import {
  chosenStudy,
  type StudyContent,
  studyDocument,
  withRows,
} from "./simulate/study-document.ts";
import { chooseRows } from "./study-rows.ts";

/** Where a scenario comes from: its file, the content of one, or a scenario that was parsed. */
export type ScenarioSource = string | URL | Scenario | Readonly<Record<string, unknown>>;

/** The options of `simulate`; those of `broomwagon simulate`. */
export interface SimulateOptions {
  /**
   * Runs the scenario's rows of this discipline, or a discipline that it lacks; or what
   * `parseDiscipline` returned. Default: all rows of the scenario.
   */
  readonly discipline?: string | Discipline;
  /** Parameters of the policies: `{ "speculation.speculativeCap": 0.3 }`. */
  readonly set?: Readonly<Record<string, string | number | boolean>>;
  /** Files of your own policies, which names of disciplines may mean. */
  readonly policies?: string | readonly string[];
  /** Faults in place of the scenario's; times in ms from the start of the simulation. */
  readonly faults?: readonly Fault[];
  /** Runs for each row. Default: the scenario's number. */
  readonly seeds?: number;
  /** Threads, for a study that takes long. Default: one for each processor. */
  readonly workers?: number;
  /** Stops the study: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called after each run, with the runs so far and the number of all. */
  readonly onRun?: (done: number, all: number) => void;
}

/** What `simulate -o json` prints, too. Times in ms. */
export type SimulateDocument = Documented<"simulate", StudyContent>;

const simulateOptions = object<SimulateOptions>("the object of options", {
  discipline: optional(discipline),
  set: optional(values),
  policies: optional(texts),
  faults: optional(list(fault)),
  seeds: optional(whole({ min: 1, max: SEEDS_MAX })),
  workers: optional(whole({ min: 1, max: 256 })),
  signal: optional(signal),
  onRun: optional(
    given("a function", (value): value is NonNullable<SimulateOptions["onRun"]> => {
      return typeof value === "function";
    }),
  ),
});

/** The work of `simulate`, which see. */
export async function study(
  source: ScenarioSource,
  options: SimulateOptions,
): Promise<SimulateDocument> {
  const asked = simulateOptions.read(options, new Place("bad-flag", "simulate"));
  asked.signal?.throwIfAborted();
  const { scenario, place } = scenarioOf(source);
  return typeof asked.discipline === "object"
    ? underMade(asked.discipline, scenario, asked)
    : underNamed(asked.discipline, { scenario, place }, asked);
}

/** Threads find the disciplines by their names. */
async function underNamed(
  name: string | undefined,
  { scenario, place }: { readonly scenario: Scenario; readonly place: string },
  asked: SimulateOptions,
): Promise<SimulateDocument> {
  const { workers = availableParallelism(), signal, onRun, faults } = asked;
  const policies = [asked.policies ?? []].flat();
  const registry = await registryWith(policies);
  const sets = setsOf(asked.set);
  const { rows, areOwn } = chooseRows(scenario, name);
  const path = areOwn ? place : undefined;
  const resolve = resolver(path, registry);
  const chosen = asOption(() => chosenStudy(scenario, rows, { sets, faults, registry, resolve }));
  const { seeds = chosen.study.seeds } = asked;
  const whole = asOption(() => new Study(chosen, { resolve, seeds }));
  let done = 0;
  const figures = await runUnits(whole, {
    thread: { scenario: chosen, seeds, path, policies },
    workers,
    listenForCtrlC: () => signal ?? new AbortController().signal,
    onShare: () => {},
    onRun: () => onRun?.(++done, whole.units.length),
    known: new Map(),
  });
  if (figures === undefined) return stopped(signal);
  return studyDocument(chosen, whole.rows(figures), { seeds, resolve });
}

/** A discipline with policies of the program cannot be sent to threads. */
async function underMade(
  discipline: Discipline,
  scenario: Scenario,
  { set, faults, signal, onRun, ...asked }: SimulateOptions,
): Promise<SimulateDocument> {
  if (set !== undefined) {
    const expected = "expected none beside a discipline that parseDiscipline has made";
    throw new InputError("bad-flag", "simulate: set", expected);
  }
  const { name } = discipline;
  const row = { discipline: name, label: name, set: {} };
  const chosen = withRows(scenario, [row], faults);
  const { seeds = chosen.study.seeds } = asked;
  const resolve: Resolve = () => discipline;
  const whole = new Study(chosen, { resolve, seeds });
  const figures: RunFigures[] = [];
  for (const unit of whole.units) {
    figures.push(whole.figuresOf(whole.run(unit)));
    onRun?.(figures.length, whole.units.length);
    // Others may have something to do, such as to abort.
    await setImmediate();
    if (signal?.aborted) return stopped(signal);
  }
  return studyDocument(chosen, whole.rows(figures), { seeds, resolve });
}

function stopped(signal: AbortSignal | undefined): never {
  throw signal?.reason;
}

function scenarioOf(source: ScenarioSource): {
  readonly scenario: Scenario;
  readonly place: string;
} {
  const path =
    source instanceof URL && source.protocol === "file:" ? fileURLToPath(source) : source;
  if (typeof path === "string" && path !== "") {
    const found = parseJson(atUserPath(path, "a scenario", () => readFileSync(path, "utf8")));
    if (!found.ok) throw new InputError("bad-scenario", path, found.problem);
    return { scenario: parseScenario(found.value, path), place: path };
  }
  if (isObject(path) && !(path instanceof URL)) {
    return { scenario: parseScenario(path, "the scenario"), place: "the scenario" };
  }
  const expected = "the path of a scenario file, or a scenario";
  return new Place("bad-scenario", "simulate").refuse(expected, source);
}
