import { defined } from "../../base/assert.ts";
import type { RunFigures, Study, StudyUnit } from "../../hosts/sim/index.ts";
import { workThrough } from "../crew/crew.ts";
import type { ThreadStudy } from "./worker.ts";

export interface RunUnitsOptions {
  /** What a thread needs to run units of the study. */
  readonly thread: ThreadStudy;
  readonly workers: number;
  /** Called once the study turns out to be long: until then Ctrl-C ends the process at once. */
  readonly listenForCtrlC: () => AbortSignal;
  readonly onRun: (unit: StudyUnit, figures: RunFigures) => void;
}

/** Threads take this long to start, and a short study is over before. */
const ALONE_MS = 300;

/** The tests run the sources, which have no script for a thread. */
const CAN_START_THREADS = !import.meta.url.endsWith(".ts");

/**
 * The figures of all runs, in the order of the study's units whatever the order in which the runs
 * ended; undefined if Ctrl-C stopped them. The first runs are done here, the rest of a long study
 * on all workers.
 */
export async function runUnits(
  study: Study,
  { thread, workers, listenForCtrlC, onRun }: RunUnitsOptions,
): Promise<readonly RunFigures[] | undefined> {
  const found = new Map<StudyUnit, RunFigures>();
  const keep = (unit: StudyUnit, figures: RunFigures): void => {
    found.set(unit, figures);
    onRun(unit, figures);
  };
  const begun = performance.now();
  const isAlone = workers === 1 || !CAN_START_THREADS;
  for (const unit of study.units) {
    if (!isAlone && performance.now() - begun > ALONE_MS) break;
    keep(unit, study.figuresOf(study.run(unit)));
  }
  const left = study.units.slice(found.size);
  if (left.length > 0) {
    const signal = listenForCtrlC();
    await workThrough<StudyUnit, RunFigures>(left, {
      script: new URL("./worker.js", import.meta.url),
      data: thread,
      ...{ workers, signal },
      nameOf: (unit) => `${study.settingOf(unit).label}, seed ${unit.seed}`,
      onOutcome: keep,
    });
    if (signal.aborted) return undefined;
  }
  return study.units.map((unit) => defined(found.get(unit), "a run of the study"));
}
