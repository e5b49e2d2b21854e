import { defined } from "../../base/assert.ts";
import { InputError } from "../../base/input-error.ts";
import type { StepHost } from "../../job/apply-steps.ts";
import { tableOf } from "../../job/evaluate.ts";
import type { Key } from "../../job/index.ts";
import type { KeyMap } from "../../job/key-map.ts";
import { Counters, UserContext } from "../../job/user-context.ts";
import { datasetRecords } from "./dataset-file.ts";
import { heapBytesMax, isHeapNearlyFull } from "./heap.ts";
import type { PhaseTask } from "./phase-task.ts";
import { MORE_MEMORY } from "./task-resources.ts";

/** Gives an attempt's steps their context and tables; the contexts share its counters. */
export class TaskHost implements StepHost {
  readonly counters: Counters;
  readonly #task: PhaseTask;
  readonly #file: string;

  /** `file`: the input file, if the attempt reads one. */
  constructor(task: PhaseTask, file = "") {
    this.#task = task;
    this.#file = file;
    this.counters = new Counters(task.program.counters);
    // The table's memory may be needed for values on the heap.
    if (task.tables.length === 0) lastTable = undefined;
  }

  context(emit: (key: Key, value: unknown) => void): UserContext {
    const { params, task, attempt } = this.#task;
    return new UserContext(
      { params, task, attempt, file: this.#file, counters: this.counters },
      emit,
    );
  }

  table(dataset: number): KeyMap<readonly unknown[]> {
    const files = filesOf(this.#task, dataset);
    const name = files.join();
    if (lastTable?.name !== name) {
      // The previous table goes first: there may be no room for both.
      lastTable = undefined;
      lastTable = { name, table: tableOf(files.map((file) => whileThereIsRoom(file))) };
    }
    return lastTable.table;
  }
}

/**
 * The last table of this thread: later tasks mostly want the same. A part is never written again.
 */
let lastTable: { readonly name: string; readonly table: KeyMap<readonly unknown[]> } | undefined;

/** Throws an InputError before the heap is so full that V8 would end the thread. */
function* whileThereIsRoom(file: string): Generator<unknown, void, undefined> {
  let records = 0;
  for (const record of datasetRecords(file)) {
    if (records++ % LOOK_RECORDS === 0) refuseLargeTable();
    yield record;
  }
}

const LOOK_RECORDS = 1024;

function refuseLargeTable(): void {
  if (!isHeapNearlyFull()) return;
  const most = `the ${Math.floor(heapBytesMax() / 1e6)} MB of heap that --memory leaves a slot`;
  const expected = `expected one that fits ${most}: ${MORE_MEMORY}, or join by shuffle`;
  throw new InputError("bad-input", "table of a join by broadcast", expected);
}

/** The parts of a dataset that the task reads as a whole. */
export const filesOf = ({ tables }: PhaseTask, dataset: number): readonly string[] =>
  defined(
    tables.find((table) => table.dataset === dataset),
    `the files of dataset ${dataset}`,
  ).files;
