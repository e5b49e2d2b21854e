import type { Table } from "../../base/table.ts";
import type { AttemptKind, Output } from "../../model/attempt.ts";
import type { AttemptId, Instant, SlotKind } from "../../model/ids.ts";
import type { NodeWork } from "../statistics/node-scores.ts";
import { AttemptTable } from "./attempt-table.ts";
import type { ColdFields } from "./cold-fields.ts";
import type { NodeRecord } from "./node-record.ts";
import {
  AttemptRecord,
  type BehindAttempts,
  type PhaseRecord,
  type TaskRecord,
} from "./records.ts";
import { NO_ROW } from "./sole-rows.ts";

/** The attempts in memory, and the records that their rows refer to. */
export class KnownAttempts implements BehindAttempts {
  readonly table = new AttemptTable<ColdFields>();
  /** By node id. */
  readonly nodes: readonly (NodeRecord | undefined)[];
  /** The live phases, by their place in the rows of their attempts. */
  readonly phases: (PhaseRecord | undefined)[] = [];
  /** The attempt that has succeeded in this step without a record of its task. */
  readonly over: { row: number; output: Output | undefined } = { row: NO_ROW, output: undefined };
  readonly #sparePlaces: number[] = [];
  readonly #tasks: Table<TaskRecord>;
  /** The records that serve for this step only, by the rows of their tasks' attempts. */
  readonly #present: (TaskRecord | undefined)[] = [];

  constructor(state: {
    readonly nodes: readonly (NodeRecord | undefined)[];
    readonly tasks: Table<TaskRecord>;
  }) {
    this.nodes = state.nodes;
    this.#tasks = state.tasks;
  }

  addPhase(phase: PhaseRecord): void {
    phase.place = this.#sparePlaces.pop() ?? this.phases.length;
    this.phases[phase.place] = phase;
  }

  deletePhase({ place }: PhaseRecord): void {
    this.phases[place] = undefined;
    this.#sparePlaces.push(place);
  }

  /** The phase of the row's attempt. */
  phaseOf(row: number): PhaseRecord {
    return this.phases[this.table.phase(row)]!;
  }

  add(launch: {
    readonly id: AttemptId;
    readonly task: TaskRecord;
    readonly host: NodeRecord;
    readonly kind: SlotKind;
    readonly as: AttemptKind;
    readonly at: Instant;
  }): AttemptRecord {
    const { id, task, host, kind, as, at } = launch;
    const of = { attempt: id, task: task.id, node: host.id, slot: kind, as };
    return this.at(this.table.add(of, task.phase.place, at));
  }

  find(id: AttemptId): AttemptRecord | undefined {
    const row = this.table.find(id);
    return row < 0 ? undefined : this.at(row);
  }

  at(row: number): AttemptRecord {
    return new AttemptRecord(this, row);
  }

  /** The attempts that hold a slot of the node. */
  on({ running }: NodeRecord): readonly AttemptRecord[] {
    return running.map((row) => this.at(row));
  }

  workOn(node: NodeRecord): NodeWork {
    return { joined: node.joined, succeeded: node.succeeded, attempts: this.on(node) };
  }

  delete(row: number): void {
    if (this.table.isPresent(row)) this.letGo(row);
    this.table.delete(row);
  }

  /** The attempt has succeeded without a record of its task. */
  endAlone(row: number, output: Output): void {
    this.over.row = row;
    this.over.output = output;
  }

  /** The record of an attempt's task. */
  taskOf(attempt: AttemptRecord): TaskRecord {
    const { phase, row, task: id } = attempt;
    if (phase.kept > 0) {
      const kept = this.#tasks.find(id);
      if (kept !== undefined) return kept;
    }
    const present = this.table.isPresent(row) ? this.#present[row] : undefined;
    if (present !== undefined) return present;
    const task = phase.recordOf(attempt);
    if (row === this.over.row) {
      task.unended = 0;
      task.done = true;
      task.output = this.over.output;
    }
    this.setPresent(attempt, task);
    return task;
  }

  /** The record serves until the step is over. */
  setPresent({ row }: AttemptRecord, task: TaskRecord): void {
    while (this.#present.length < row) this.#present.push(undefined);
    this.#present[row] = task;
    this.table.setPresent(row, true);
  }

  letGo(row: number): void {
    this.#present[row] = undefined;
    this.table.setPresent(row, false);
  }
}
