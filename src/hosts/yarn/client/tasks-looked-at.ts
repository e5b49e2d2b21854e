import type { TaskRow } from "./yarn-rest.ts";

/** The most running tasks per round whose attempts are requested: each task is a request. */
const RUNNING_MAX = 64;
/** The most other tasks per round while a failed attempt is not yet found. */
const SEARCHED_MAX = 64;

/** Chooses the tasks of a job whose attempts are worth a request. */
export class TasksLookedAt {
  /** The tasks searched in this round. */
  readonly #searched = new Set<string>();
  /** The number of failed attempts when the round began. */
  #failedBefore = 0;

  /**
   * Running tasks, first those that the policies acted on. While more attempts of the job have
   * failed (`failed`) than are `known`, also other tasks in turn, until each was looked at once.
   */
  next(query: {
    readonly tasks: readonly TaskRow[];
    readonly decided: ReadonlySet<string>;
    readonly failed: number;
    readonly known: number;
  }): readonly string[] {
    const { tasks, decided, failed, known } = query;
    const running = tasks.flatMap(({ task, state }) => (state === "RUNNING" ? [task] : []));
    const [first, rest] = parted(running, (task) => decided.has(task));
    const usual = [...first, ...rest].slice(0, RUNNING_MAX);
    return failed <= known ? usual : [...usual, ...this.#search(tasks, new Set(usual), failed)];
  }

  #search(
    tasks: readonly TaskRow[],
    usual: ReadonlySet<string>,
    failed: number,
  ): readonly string[] {
    const begun = tasks.filter(({ task, state }) => !WAITING.has(state) && !usual.has(task));
    let left = begun.filter(({ task }) => !this.#searched.has(task));
    if (left.length === 0 && failed !== this.#failedBefore) {
      this.#searched.clear();
      left = begun;
    }
    if (this.#searched.size === 0) this.#failedBefore = failed;
    const [ended, others] = parted(left, ({ state }) => state === "FAILED");
    const found = [...ended, ...others].slice(0, SEARCHED_MAX).map(({ task }) => task);
    for (const task of found) this.#searched.add(task);
    return found;
  }
}

const WAITING: ReadonlySet<string> = new Set(["NEW", "SCHEDULED"]);

const parted = <T>(all: readonly T[], is: (one: T) => boolean): readonly [T[], T[]] => [
  all.filter(is),
  all.filter((one) => !is(one)),
];
