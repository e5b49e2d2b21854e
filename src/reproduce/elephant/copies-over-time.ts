import { defined } from "../../base/assert.ts";
import type { Json } from "../../base/json.ts";
import {
  dictionary,
  type Infer,
  isObject,
  list,
  number,
  optional,
  type Place,
  positive,
  record,
  required,
  type Shape,
  standard,
  text,
} from "../../base/shape.ts";
import { parseScenario, type Scenario, simulateOnce } from "../../hosts/sim/index.ts";
import type { Fact } from "../../model/fact.ts";
import { parseDiscipline } from "../../policy/discipline.ts";
import type { Curves } from "../../report/chart/drawing.ts";
import type {
  Done,
  Experiment,
  ExperimentFile,
  ExperimentKind,
  ExperimentReport,
} from "../experiment.ts";
import { HEADING } from "../heading.ts";
import { AttemptLog, type LoggedAttempt } from "../scenarios/attempt-log.ts";
import { mergePatch } from "../scenarios/merge-patch.ts";

const anything: Shape<unknown> = { expected: "a value", read: (json) => json };

const setting: Shape<number | string | boolean> = {
  expected: "a number, a text, true or false",
  read(json, place) {
    if (typeof json === "number" || typeof json === "string" || typeof json === "boolean")
      return json;
    return place.refuse(this.expected, json);
  },
};

type Panel = Infer<typeof panelShape>;
const panelShape = record("a panel", {
  figure: required(text),
  title: required(text),
  /** A change to the scenario, as a JSON merge patch. */
  change: optional(anything),
});

const disciplineInput = record("a discipline", {
  discipline: required(text),
  set: standard(dictionary(setting), {}),
});

/**
 * Figures 3, 4 and 7 of the Elephant paper: how many speculative attempts run at a time, and how
 * many of these will win. As in the paper, each figure shows one run.
 */
type CopiesFile = Infer<typeof file>;
const file = record("copies over time", {
  ...HEADING,
  /** As in the kind `scenarios`. */
  scenario: required(anything),
  panels: required(list(panelShape, { min: 1 })),
  disciplines: required(dictionary(disciplineInput)),
  /** Seconds between two samples. */
  everyS: required(positive),
  seed: standard(number(), 1),
});

export const copiesOverTime: ExperimentKind = {
  kind: "copies-over-time",
  make({ name, json, place }: ExperimentFile): Experiment {
    const read = file.read(json, place);
    const runs = runsOf(read, place);
    return {
      name,
      title: read.title,
      paper: read.paper,
      figures: read.figures,
      units: () =>
        [...runs.keys()].map((key) => ({ key, cost: 1, work: { key, seed: read.seed } })),
      run: (unit) => run(read, defined(runs.get(unit.key), "a run of this experiment")),
      report: (done) => report(read, runs, done),
    };
  },
};

interface Run {
  readonly panel: Panel;
  readonly label: string;
  readonly scenario: Scenario;
  readonly discipline: ReturnType<typeof parseDiscipline>;
}

function runsOf(read: CopiesFile, place: Place): ReadonlyMap<string, Run> {
  const runs = new Map<string, Run>();
  for (const [i, panel] of read.panels.entries()) {
    if (!read.figures.includes(panel.figure)) {
      const at = place.key("panels").index(i).key("figure");
      at.refuse("one of the file's figures", panel.figure);
    }
    const changed = mergePatch(read.scenario, panel.change ?? {});
    const study = { disciplines: [{ discipline: "none" }] };
    const whole = isObject(changed) ? { name: read.title, study, ...changed } : changed;
    const scenario = parseScenario(whole, `${place.file}: scenario, ${panel.title}`);
    for (const [label, { discipline, set }] of Object.entries(read.disciplines)) {
      const sets = Object.entries(set).map(([key, value]) => `${key}=${value}`);
      const parsed = parseDiscipline(discipline, sets);
      runs.set(`${panel.title}, ${label}`, { panel, label, scenario, discipline: parsed });
    }
  }
  return runs;
}

/** For each sample: how many copies run, and how many of these are going to win. */
function run({ everyS, seed }: CopiesFile, { scenario, discipline }: Run): Json {
  const log = new AttemptLog();
  const onFact = (fact: Fact): void => log.apply(fact);
  const { makespanMs } = simulateOnce(scenario, { seed, discipline, onFact });
  log.close();
  const looks = Math.ceil(makespanMs / 1000 / everyS);
  const times = Array.from({ length: looks }, (_, i) => i * everyS * 1000);
  const copies = log.attempts.filter(({ as }) => as === "speculative");
  const useful = copies.filter(({ ended }) => ended === "succeeded");
  return times.map((at) => [runningAt(copies, at), runningAt(useful, at)]);
}

/** The attempts that have started and not yet ended. */
export const runningAt = (
  attempts: readonly Pick<LoggedAttempt, "launchedAtMs" | "endedAtMs">[],
  at: number,
): number =>
  attempts.filter(({ launchedAtMs, endedAtMs }) => launchedAtMs <= at && at < endedAtMs).length;

function report(
  { everyS, seed, about }: CopiesFile,
  runs: ReadonlyMap<string, Run>,
  done: readonly Done[],
): ExperimentReport {
  const drawings = done.map(({ unit, outcome }): Curves => {
    const { panel, label } = defined(runs.get(unit.key), "a run of this experiment");
    const looks = Array.isArray(outcome) ? outcome : [];
    const curve = (name: string, place: number) => ({
      label: name,
      points: looks.map((counts: Json, i) => {
        return { x: i * everyS, y: Array.isArray(counts) ? Number(counts[place]) : 0 };
      }),
    });
    return {
      kind: "curves",
      figure: panel.figure,
      title: `${panel.title}: ${label}`,
      x: { title: "time, s", from: 0 },
      y: { title: "speculative tasks", from: 0 },
      steps: true,
      curves: [curve("running", 0), curve("useful", 1)],
    };
  });
  const notes = [`One run each, of seed ${seed}, as in the paper.`];
  return { measured: [], drawings, notes: about === undefined ? notes : [about, ...notes] };
}
