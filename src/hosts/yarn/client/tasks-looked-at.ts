import type { TaskRow } from "./yarn-rest.ts";

/** Of so many running tasks the attempts are looked at each time: each is a request. */
const RUNNING_MAX = 64;
/** As many other tasks are looked at while a failed attempt is not found yet. */
const SEARCHED_MAX = 64;

/** Which tasks of a job are worth a look. */
export class TasksLookedAt {
  /** In this round. */
  readonly #searched = new Set<string>();
  /** How many attempts had failed when the round began. */
  #failedBefore = 0;

  /**
   * Running tasks, those first with which the policies have done something; and as long as `failed`
   * attempts of the job are more than are `known`, others in turn, until all were looked at once.
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
