import type { Action } from "../../model/action.ts";
import type { Output } from "../../model/attempt.ts";
import type { ClusterEvent } from "../../model/event.ts";
import type { Fact } from "../../model/fact.ts";
import { type JobId, type NodeId, nodeId, type TaskId, taskId } from "../../model/ids.ts";
import { forgetTask } from "../loop/jobs.ts";
import { NO_MISHAPS } from "../state/mishaps.ts";
import { type PhaseRecord, TaskRecord } from "../state/records.ts";
import type { State } from "../state/state.ts";
import { rangeOf } from "../state/task-record.ts";

const NO_NODE = -1;

/** Only policies use an output's weight. */
const SOME_OUTPUT: Output = { bytes: 0, records: 0 };

/**
 * The finished tasks of a recorded run whose outputs may be read. The core keeps a record of each,
 * 600 bytes, since the output may be lost; where no policy is asked, the record says nothing but
 * which node holds the output. That node's number stands here instead, 4 bytes, until a step may
 * change something about the task: then the core gets a record again.
 */
export class PutAway {
  readonly #state: State;
  /** By phase, the node that holds the output of each task that is put away. */
  readonly #holders = new Map<PhaseRecord, Int32Array>();
  /** Tasks with an attempt that ended in the last step. */
  #due: TaskId[] = [];

  constructor(state: State) {
    this.#state = state;
  }

  /** Call this before a step changes anything, and after the core has shed its records. */
  beginStep(event: ClusterEvent, actions: readonly Action[]): void {
    if (this.#due.length > 0) {
      for (const id of this.#due) this.#put(id);
      this.#due = [];
    }
    if (this.#holders.size === 0) return;
    if ("task" in event) this.#restore(event.task);
    else if (event.kind === "fetch-failed") this.#restore(event.output);
    else if (event.kind === "node-left") this.#restoreOn(event.node);
    else if (event.kind === "node-joined") this.#restoreOn(event.node.id);
    for (const action of actions) {
      if (action.kind === "declare-lost") this.#restoreOn(action.node);
      else if ("task" in action && action.task !== undefined) this.#restore(action.task);
    }
  }

  /** Call this with the facts of the step. */
  endStep(facts: readonly Fact[]): void {
    for (const fact of facts) {
      if (fact.kind === "attempt-ended") this.#due.push(fact.task);
      else if (fact.kind === "job-ended") this.#forget(fact.job);
    }
  }

  #put(id: TaskId): void {
    const task = this.#state.tasks.find(id);
    if (task === undefined || !isPlain(task)) return;
    const { phase, index, outputNodes } = task;
    const [holder] = outputNodes;
    if (holder === undefined) return;
    let holders = this.#holders.get(phase);
    if (holders === undefined) {
      holders = new Int32Array(phase.size).fill(NO_NODE);
      this.#holders.set(phase, holders);
    }
    holders[index] = holder.id;
    forgetTask(this.#state, task);
  }

  #restoreOn(id: NodeId): void {
    for (const task of this.#state.nodes[id]?.outputs ?? []) this.#restore(task);
  }

  #restore(id: TaskId): void {
    const { ranges, nodes, tasks } = this.#state;
    const phase = ranges[rangeOf(this.#state, id)];
    const holders = phase && this.#holders.get(phase);
    if (phase === undefined || holders === undefined) return;
    const index = id - phase.first;
    const holder = nodes[nodeId(holders[index] ?? NO_NODE)];
    if (holder === undefined) return;
    holders[index] = NO_NODE;
    const task = new TaskRecord(phase, index);
    task.done = true;
    task.output = SOME_OUTPUT;
    task.outputNodes = [holder];
    task.isKept = true;
    phase.kept += 1;
    tasks.set(id, task);
  }

  /** The outputs of a job that has ended have no readers. */
  #forget(job: JobId): void {
    for (const [phase, holders] of this.#holders) {
      if (phase.job.job.id !== job) continue;
      for (const [index, holder] of holders.entries()) {
        if (holder === NO_NODE) continue;
        this.#state.nodes[holder]?.outputs.delete(taskId(phase.first + index));
      }
      this.#holders.delete(phase);
    }
  }
}

/** Whether the record only says that the task is done and which node holds its output. */
const isPlain = (task: TaskRecord): boolean =>
  task.isKept &&
  task.unended === 0 &&
  task.done &&
  task.phase.job.live &&
  task.phase.readers.length > 0 &&
  task.outputNodes.length === 1 &&
  task.output?.byPartition === undefined &&
  task.mishaps === NO_MISHAPS &&
  task.requests === 0 &&
  task.preference === undefined;
