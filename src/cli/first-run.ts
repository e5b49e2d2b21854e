import { journalWriter, Seal } from "../core/journal/index.ts";
import {
  type DisciplineSpec,
  nodeNames,
  type Resolve,
  rowScenario,
  type Scenario,
  type SimulationOptions,
  type SimulationResult,
  simulateOnce,
} from "../hosts/sim/index.ts";
import { FaultLines } from "../model/fault-line.ts";
import { drawSwimlanes } from "../report/swimlanes/draw.ts";
import type { Panel } from "../report/swimlanes/layout.ts";
import { marksOf } from "../report/swimlanes/marks.ts";
import { StoryTeller, subtitleOf } from "../report/swimlanes/story.ts";
import { progressDisplay } from "./display/progress-display.ts";
import { LineFile } from "./files.ts";
import { checkPlace, writePicture } from "./picture-file.ts";
import type { Sink } from "./shell.ts";
import { QUIET_MS } from "./simulate/display.ts";

export interface Recording {
  readonly journal?: string;
  readonly svg?: string;
  /** Whether refusals are among the journal's actions. */
  readonly explain: boolean;
  /** Shows the progress of each run. */
  readonly err: Sink;
}

type Listeners = Pick<SimulationOptions, "explain" | "onStart" | "onStep" | "onFact">;

/**
 * Records the journal of the last row's first run, and a picture of each discipline's first run.
 * Returns the result of the run that has a journal.
 */
export function recordFirstRuns(
  scenario: Scenario,
  resolve: Resolve,
  what: Recording,
): SimulationResult | undefined {
  const { journal, svg, explain, err } = what;
  const last = scenario.study.disciplines.at(-1);
  if (last === undefined) return undefined;
  if (svg !== undefined) checkPlace("--svg", svg);
  const recorded =
    journal === undefined
      ? undefined
      : writeJournal(journal, explain, rowOf(scenario, atLastValue(last), { resolve, err }));
  if (svg !== undefined) {
    const drawn = drawnRows(scenario).map((row) => rowOf(scenario, row, { resolve, err }));
    writePicture(svg, () => pictureOf(scenario, drawn));
  }
  return recorded;
}

/** One row of the scenario's table, with its first seed. */
interface Row {
  readonly scenario: Scenario;
  readonly label: string;
  run(listeners: Listeners): SimulationResult;
}

function rowOf(
  whole: Scenario,
  row: DisciplineSpec,
  { resolve, err }: { readonly resolve: Resolve; readonly err: Sink },
): Row {
  const { firstSeed: seed } = whole.study;
  const discipline = resolve(row.discipline, settingsOf(row));
  const scenario = rowScenario(whole, row);
  const run = (listeners: Listeners): SimulationResult => {
    const now = () => performance.now();
    const display = progressDisplay(err, { now, unit: "recorded run", quietMs: QUIET_MS });
    const one = { costBefore: 0, costAll: 1, unitsDone: 0, unitsAll: 1, latest: row.label };
    const onShare = (costDone: number) => display.show({ ...one, costDone });
    const result = simulateOnce(scenario, {
      seed,
      discipline,
      onShare,
      measures: true,
      ...listeners,
    });
    display.end();
    return result;
  };
  return { scenario, label: row.label, run };
}

/**
 * The rows of a picture: the chosen ones below a row without speculation, if there is only one and
 * it speculates.
 */
function drawnRows({ study }: Scenario): readonly DisciplineSpec[] {
  const rows = study.disciplines.slice(0, PANELS_MAX);
  const [only, second] = rows;
  if (only === undefined || second !== undefined || !speculates(only)) return rows;
  return [{ discipline: "none", label: "none", set: {} }, only];
}

const speculates = ({ discipline }: DisciplineSpec): boolean => !/^none\b/.test(discipline);

/** More runs than this do not fit a page. */
const PANELS_MAX = 6;

/** The last row of the discipline's sweep, which is the last row of the table. */
function atLastValue({ sweep, ...row }: DisciplineSpec): DisciplineSpec {
  const value = sweep?.values.at(-1);
  if (sweep === undefined || value === undefined) return row;
  return { ...row, set: { ...row.set, [sweep.parameter]: value } };
}

/** The settings, with the first value of a sweep. */
function settingsOf({ set, sweep }: DisciplineSpec): DisciplineSpec["set"] {
  return sweep === undefined ? set : { ...set, [sweep.parameter]: sweep.values[0] ?? 0 };
}

function writeJournal(path: string, explain: boolean, { scenario, run }: Row): SimulationResult {
  checkPlace("--journal", path);
  const file = new LineFile(path);
  const seal = new Seal();
  const write = (text: string) => {
    for (const one of seal.write(text)) file.add(one);
  };
  const faults = faultLinesOf(scenario);
  let writer: ReturnType<typeof journalWriter> | undefined;
  let result: SimulationResult;
  try {
    result = run({
      explain,
      onStart: ({ setup }) => {
        writer = journalWriter(setup, { explain, sealed: true });
        write(writer.header());
      },
      onStep: (event, actions) => {
        if (writer === undefined) return;
        for (const fault of faults.until(event.at)) write(writer.host({ ...fault }));
        write(writer.step(event, actions));
      },
    });
  } catch (error) {
    file.discard();
    throw error;
  }
  if (seal.isOpen) file.add(seal.close());
  file.close();
  return result;
}

function faultLinesOf({ cluster, faults, study }: Scenario): FaultLines {
  return new FaultLines(faults, {
    nodes: nodeNames(cluster.nodes),
    racks: cluster.racks,
    seed: study.firstSeed,
  });
}

function pictureOf({ name, study }: Scenario, rows: readonly Row[]): string {
  const panels = rows.map(({ scenario, label, run }): Panel => {
    const teller = new StoryTeller();
    run({ onFact: (fact) => teller.apply(fact) });
    const story = teller.tell();
    const marks = marksOf(faultLinesOf(scenario).until(story.endsAt), story.endsAt);
    const { slotKinds } = scenario.cluster;
    return { story, marks, slotKinds, title: `${label} · ${subtitleOf(story)}` };
  });
  const subtitle = `simulated, seed ${study.firstSeed}`;
  return drawSwimlanes({ title: name, subtitle, panels });
}
