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
  /** Called now and then with how much of a run is done, from 0 to 1. */
  readonly onShare: (unit: StudyUnit, done: number) => void;
  readonly onRun: (unit: StudyUnit, figures: RunFigures) => void;
  /** The figures of a run that has been recorded. */
  readonly known: ReadonlyMap<StudyUnit, RunFigures>;
}

/** Threads take about this long to start; a shorter study does not need them. */
const ALONE_MS = 300;

/** The tests run the sources, which have no script for a thread. */
const CAN_START_THREADS = !import.meta.url.endsWith(".ts");

/** A run that takes longer than a thread's start begins again on a thread. */
const TOO_LONG = new Error("the run takes long");

/**
 * The figures of all runs, in the order of the study's units, not of completion; undefined if
 * Ctrl-C stopped them. Short runs happen here, the rest of the study on all workers, so that this
 * thread can show progress and react to Ctrl-C.
 */
export async function runUnits(
  study: Study,
  { thread, workers, listenForCtrlC, onShare, onRun, known }: RunUnitsOptions,
): Promise<readonly RunFigures[] | undefined> {
  const found = new Map<StudyUnit, RunFigures>();
  const keep = (unit: StudyUnit, figures: RunFigures): void => {
    found.set(unit, figures);
    onRun(unit, figures);
  };
  const begun = performance.now();
  const isLate = (): boolean => CAN_START_THREADS && performance.now() - begun > ALONE_MS;
  for (const [unit, figures] of known) keep(unit, figures);
  const unknown = study.units.filter((unit) => !known.has(unit));
  let ran = 0;
  for (const unit of unknown) {
    const figures = isLate() ? undefined : runHere(study, unit, { onShare, isLate });
    if (figures === undefined) break;
    keep(unit, figures);
    ran += 1;
  }
  const left = unknown.slice(ran);
  if (left.length > 0) {
    const signal = listenForCtrlC();
    await workThrough<StudyUnit, RunFigures>(left, {
      script: new URL("./worker.js", import.meta.url),
      data: thread,
      ...{ workers, signal, onShare },
      nameOf: (unit) => `${study.settingOf(unit).label}, seed ${unit.seed}`,
      onOutcome: keep,
    });
    if (signal.aborted) return undefined;
  }
  return study.units.map((unit) => defined(found.get(unit), "a run of the study"));
}

/** Undefined if the run turns out to be long. */
function runHere(
  study: Study,
  unit: StudyUnit,
  { onShare, isLate }: Pick<RunUnitsOptions, "onShare"> & { readonly isLate: () => boolean },
): RunFigures | undefined {
  const look = (done: number): void => {
    if (isLate()) throw TOO_LONG;
    onShare(unit, done);
  };
  try {
    return study.figuresOf(study.run(unit, look));
  } catch (error) {
    if (error === TOO_LONG) return undefined;
    throw error;
  }
}
