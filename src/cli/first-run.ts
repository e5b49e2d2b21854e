import { closeSync, openSync, writeSync } from "node:fs";
import { journalWriter, Seal } from "../core/journal/index.ts";
import {
  type DisciplineSpec,
  type Resolve,
  type Scenario,
  type SimulateOptions,
  simulate,
  withOracle,
} from "../hosts/sim/index.ts";
import { drawSwimlanes } from "../report/swimlanes/draw.ts";
import { marksOf } from "../report/swimlanes/marks.ts";
import { StoryTeller, subtitleOf } from "../report/swimlanes/story.ts";
import { writing } from "./files.ts";
import { checkPlace, writePicture } from "./picture-file.ts";

export interface Recording {
  readonly journal?: string;
  readonly svg?: string;
  /** Whether refusals are among the journal's actions. */
  readonly explain: boolean;
}

type Listeners = Pick<SimulateOptions, "explain" | "onStart" | "onStep" | "onFact">;

/** Records the first run of a scenario's first row: its journal, and a picture of the run. */
export function recordFirstRun(scenario: Scenario, resolve: Resolve, what: Recording): void {
  const { disciplines, firstSeed: seed } = scenario.study;
  const [first] = disciplines;
  const { journal, svg, explain } = what;
  if (first === undefined) return;
  if (svg !== undefined) checkPlace("--svg", svg);
  const discipline = resolve(first.discipline, settingsOf(first));
  const world = withOracle(scenario, first.oracle);
  const run = (listeners: Listeners) => simulate(world, { seed, discipline, ...listeners });
  if (journal !== undefined) writeJournal(journal, explain, run);
  if (svg !== undefined) writePicture(svg, () => pictureOf(world, first, run));
}

/** The settings, with the first value of a sweep. */
function settingsOf({ set, sweep }: DisciplineSpec): DisciplineSpec["set"] {
  return sweep === undefined ? set : { ...set, [sweep.parameter]: sweep.values[0] ?? 0 };
}

function writeJournal(path: string, explain: boolean, run: (listeners: Listeners) => void): void {
  checkPlace("--journal", path);
  const file = writing(path, () => openSync(path, "w"));
  const seal = new Seal();
  const write = (text: string) => {
    for (const one of seal.write(text)) writeSync(file, `${one}\n`);
  };
  let writer: ReturnType<typeof journalWriter> | undefined;
  run({
    explain,
    onStart: ({ setup }) => {
      writer = journalWriter(setup, { explain, sealed: true });
      write(writer.header());
    },
    onStep: (event, actions) => {
      if (writer !== undefined) write(writer.step(event, actions));
    },
  });
  if (seal.isOpen) writeSync(file, `${seal.close()}\n`);
  closeSync(file);
}

function pictureOf(
  { name, cluster, faults, study }: Scenario,
  row: DisciplineSpec,
  run: (listeners: Listeners) => void,
): string {
  const teller = new StoryTeller();
  run({ onFact: (fact) => teller.apply(fact) });
  const story = teller.tell();
  const nodes = story.nodes.map((node) => node.name);
  const { firstSeed: seed } = study;
  return drawSwimlanes({
    story,
    marks: marksOf(faults, { nodes, racks: cluster.racks, seed, endsAt: story.endsAt }),
    slotKinds: cluster.slotKinds,
    title: `${name} under ${row.label}`,
    subtitle: `${subtitleOf(story)} · seed ${seed}`,
  });
}
