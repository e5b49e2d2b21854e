import { InputError } from "../base/input-error.ts";
import type { MapContext, Params } from "./context.ts";
import type { Key } from "./key.ts";

/** The fields that a task's contexts share. */
export interface TaskContext {
  readonly params: Params;
  readonly task: number;
  readonly attempt: number;
  /** The input file; empty where no file is read. */
  readonly file: string;
  readonly counters: Pick<Counters, "count">;
}

/**
 * The context of user code in a map and in a reduce. `emit` and `count` also work when
 * destructured: `map(line, { emit })`.
 */
export class UserContext implements MapContext<string, Params> {
  readonly params: Params;
  readonly task: number;
  readonly attempt: number;
  readonly file: string;
  readonly count: (counter: string, by?: number) => void;
  readonly emit: (key: Key, value: unknown) => void;

  constructor(
    { params, task, attempt, file, counters }: TaskContext,
    emit: (key: Key, value: unknown) => void,
  ) {
    this.params = params;
    this.task = task;
    this.attempt = attempt;
    this.file = file;
    this.count = counters.count;
    this.emit = emit;
  }
}

/** The declared counters of one task. */
export class Counters {
  readonly #counts: Map<string, number>;

  constructor(names: readonly string[]) {
    this.#counts = new Map(names.map((name) => [name, 0]));
  }

  readonly count = (counter: string, by = 1): void => {
    const so = this.#counts.get(counter);
    if (so === undefined) {
      const declared = [...this.#counts.keys()].join(", ");
      const expected =
        declared === "" ? "the job declares no counters" : `expected a declared one: ${declared}`;
      throw new InputError("bad-job", `counter ${counter}`, expected);
    }
    this.#counts.set(counter, so + by);
  };

  /** The counters in the order in which the job declares them. */
  values(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }
}
