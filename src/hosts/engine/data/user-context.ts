import { InputError } from "../../../base/input-error.ts";
import type { Job, Key, MapContext, Params } from "../../../job/index.ts";

export interface UserContextQuery {
  readonly job: Job;
  readonly params: Params;
  readonly task: number;
  readonly attempt: number;
  /** The input file; empty in a reduce, whose context does not show it. */
  readonly file: string;
  emit(key: Key, value: unknown): void;
}

/**
 * What user code is given beside its records, in a map and in a reduce. `emit` and `count` work
 * taken out of it too: `map(line, { emit })`.
 */
export class UserContext implements MapContext<string, Params> {
  readonly params: Params;
  readonly task: number;
  readonly attempt: number;
  readonly file: string;
  readonly #counters: Map<string, number>;
  readonly emit: (key: Key, value: unknown) => void;

  constructor({ job, params, task, attempt, file, emit }: UserContextQuery) {
    this.params = params;
    this.task = task;
    this.attempt = attempt;
    this.file = file;
    this.#counters = new Map(job.counters.map((name) => [name, 0]));
    this.emit = emit;
  }

  readonly count = (counter: string, by = 1): void => {
    const so = this.#counters.get(counter);
    if (so === undefined) {
      const declared = [...this.#counters.keys()].join(", ") || "none";
      throw new InputError("bad-job", `counter ${counter}`, `expected a declared one: ${declared}`);
    }
    this.#counters.set(counter, so + by);
  };

  /** In the order in which the job declares them. */
  counters(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counters);
  }
}
