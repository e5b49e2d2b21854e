import {
  type Books,
  type JobBook,
  type Kind,
  MAP,
  type NodeBook,
  type TaskBook,
  waits,
} from "./books.ts";
import { hadoop } from "./hadoop.ts";
import type { Launch, Params, Slot } from "./letter.ts";
import { distance, isClosed, mayRun, tried } from "./turn.ts";

/** How far from their data new maps may run; `far`: only far maps and copies. */
export type Level = "node" | "rack" | "any" | "far";

/** Hadoop 1.2.1, JobInProgress: the task that a job offers for a slot. */
export class HadoopJobs {
  private readonly copies: ReturnType<typeof hadoop.rules>;

  constructor(params: Params) {
    this.copies = hadoop.rules(params);
  }

  /** obtainNewNodeLocalMapTask, -NodeOrRackLocalMapTask, -MapTask, -NonLocalMapTask. */
  obtainMap(books: Books, job: JobBook, node: NodeBook, level: Level): Launch | undefined {
    const slot: Slot = { node, kind: MAP };
    // findNewMapTask: 0) a failed task without considering locality ...
    const near = (task: TaskBook): number => {
      if (tried(task)) return -1;
      // ... 1) from the node up to its rack, then anywhere. A task without a location is not far.
      return task.replicas.length === 0 && level === "rack" ? 1 : distance(books, task, slot);
    };
    const furthest = { node: 0, rack: 1, any: 2, far: 2 }[level];
    const first = this.firstOf(books, job, slot, (task) =>
      near(task) > furthest ? undefined : near(task),
    );
    if (first !== undefined) return { do: "start", task: first };
    // ... 2) speculative tasks, unless only a local task is asked for
    return furthest < 2 ? undefined : this.copy(books, job, slot);
  }

  /** obtainNewReduceTask. */
  obtainReduce(books: Books, job: JobBook, slot: Slot): Launch | undefined {
    const first = this.firstOf(books, job, slot, () => 0);
    return first === undefined ? this.copy(books, job, slot) : { do: "start", task: first };
  }

  /** findTaskFromList: by location, then by failures, most first, then by number. */
  private firstOf(
    books: Books,
    job: JobBook,
    slot: Slot,
    place: (task: TaskBook) => number | undefined,
  ): TaskBook | undefined {
    if (isClosed(books, job, slot.node.id)) return undefined;
    const found: { readonly task: TaskBook; readonly at: number }[] = [];
    for (const task of tasksOf(job, slot.kind)) {
      const at = waits(task) ? place(task) : undefined;
      if (at !== undefined) found.push({ task, at });
    }
    found.sort((a, b) => a.at - b.at || b.task.failures - a.task.failures || a.task.id - b.task.id);
    return found.find(({ task }) => mayRun(books, {}, task, slot))?.task;
  }

  private copy(books: Books, job: JobBook, slot: Slot): Launch | undefined {
    if (isClosed(books, job, slot.node.id)) return undefined;
    const [answer] = [this.copies.idle?.(books, job, slot)].flat();
    return answer?.do === "copy" ? { do: "copy", task: answer.task } : undefined;
  }
}

/** A job has maps, and may have reduces. */
export const tasksOf = (job: JobBook, kind: Kind): readonly TaskBook[] =>
  job.phases.find((phase) => phase.kind === kind)?.tasks ?? [];

/** runningMaps, runningReduces: until a tracker says that it has ended, an attempt runs. */
export function runningOf({ onSlots }: Books, job: JobBook, kind: Kind): number {
  let running = 0;
  for (const { task } of onSlots) {
    if (task.phase.job === job && task.phase.kind === kind) running++;
  }
  return running;
}

/** By the place of the task's data. */
export const STARTS = ["urgent", "node-local", "rack-local", "off-rack", "any-node"].map(
  (rule) => `start ${rule}`,
);

/** scheduleReduces; maps are always ready. */
export const isReady = (job: JobBook, kind: Kind): boolean =>
  job.phases.some((phase) => phase.kind === kind && phase.ready);
