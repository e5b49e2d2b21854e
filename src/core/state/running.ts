import { defined } from "../../base/assert.ts";
import { ascending } from "../../base/order.ts";
import type { AttemptId, NodeId, SlotKind } from "../../model/ids.ts";
import type { Task } from "../../model/job.ts";
import type { ScoreTest } from "../../model/progress.ts";
import type { FirstRows } from "./attempt-table.ts";
import type { AttemptRecord, PhaseRecord, TaskRecord } from "./records.ts";
import { scoreOfRow } from "./scores.ts";
import type { Share } from "./share.ts";
import { NO_ROW } from "./sole-rows.ts";
import type { State } from "./state.ts";

/** Launched, not ended, and not killed. */
export const isLive = (attempt: AttemptRecord): boolean =>
  attempt.state === "assumed" || attempt.state === "running";

/** The attempts of the phase that hold a slot, in launch order. */
export function* launchedOf(state: State, phase: PhaseRecord): Generator<AttemptRecord> {
  for (const row of launchedRowsOf(state, phase)) yield state.attempts.at(row);
}

/** Their rows. */
const launchedRowsOf = (state: State, phase: PhaseRecord): Iterable<number> =>
  state.keepsRunning ? listedOf(state, phase) : foundOf(state, phase);

function* listedOf(state: State, phase: PhaseRecord): Generator<number> {
  const { table } = state.attempts;
  for (const id of launchedIdsOf(state, phase)) {
    const row = table.find(id);
    if (row >= 0 && table.holdsSlot(row)) yield row;
  }
}

/**
 * A small number, because each look at a phase passes these attempts, and small phases are looked
 * at often.
 */
const ENDED_MAX = 16;

/** Attempts of the phase in launch order, those that hold a slot among them. */
function launchedIdsOf({ attempts: { table } }: State, phase: PhaseRecord): readonly AttemptId[] {
  if (phase.launched.length >= 2 * phase.running + ENDED_MAX) {
    phase.launched = phase.launched.filter((id) => {
      const row = table.find(id);
      return row >= 0 && table.holdsSlot(row);
    });
  }
  return phase.launched;
}

/** The same without a list. COST: O(tasks of the phase), and a sort. */
function foundOf({ attempts: { table }, tasks }: State, phase: PhaseRecord): readonly number[] {
  const found = phase.sole.list().filter((row) => table.holdsSlot(row));
  const end = phase.kept === 0 ? phase.first : phase.first + phase.size;
  for (let id = phase.first; id < end; id += 1) {
    for (const { row } of tasks.find(id)?.attempts ?? []) {
      if (table.holdsSlot(row)) found.push(row);
    }
  }
  return found.sort(ascending((row) => table.id(row)));
}

/**
 * The row of the oldest live attempt of each task that has one, in the order of their launches; -1
 * at the end. Thousands may run, so a task's record is read only where the task may have several
 * attempts. COST: a call a row, since nested generators would take longer than the rest.
 */
function nextFirstRow(state: State, phase: PhaseRecord): () => number {
  const { table } = state.attempts;
  const ids = state.keepsRunning ? launchedIdsOf(state, phase) : undefined;
  const rows = ids === undefined ? foundOf(state, phase) : [];
  const count = ids?.length ?? rows.length;
  let next = 0;
  return () => {
    while (next < count) {
      const row = ids === undefined ? rows[next]! : table.find(ids[next]!);
      next += 1;
      if (row >= 0 && isFirst(state, row)) return row;
    }
    return NO_ROW;
  };
}

function isFirst({ attempts }: State, row: number): boolean {
  const { table } = attempts;
  if (!table.isLive(row)) return false;
  return !table.isShared(row) || attempts.at(row).record.attempts.find(isLive)?.row === row;
}

/** Whether the attempt holds a slot, and is the only one of its task that does. */
export function isAlone({ attempts }: State, id: AttemptId): boolean {
  const { table } = attempts;
  const row = table.find(id);
  if (row < 0 || !table.holdsSlot(row)) return false;
  return !table.isShared(row) || attempts.at(row).record.unended === 1;
}

/**
 * The same rows at once: for a look at all of them, a list is quicker than a generator. A policy
 * looks several times at what has not changed.
 */
export function firstRowsOf(state: State, phase: PhaseRecord): FirstRows {
  const { version } = state.attempts.table;
  if (phase.firstRows?.version !== version) phase.firstRows = listFirstRows(state, phase);
  return phase.firstRows;
}

function listFirstRows(state: State, phase: PhaseRecord): FirstRows {
  const rows: number[] = [];
  const next = nextFirstRow(state, phase);
  let areInWorkOrder = true;
  let latest = 0;
  for (let row = next(); row !== NO_ROW; row = next()) {
    const since = workSince(state, row);
    if (since < latest) areInWorkOrder = false;
    latest = since;
    rows.push(row);
  }
  return { rows, areInWorkOrder, version: state.attempts.table.version };
}

/** The tasks of these attempts. */
export function* runningTasksOf(state: State, phase: PhaseRecord): Generator<Task> {
  const { table } = state.attempts;
  const next = nextFirstRow(state, phase);
  for (let row = next(); row !== NO_ROW; row = next()) {
    yield defined(phase.phase.tasks.at(table.task(row) - phase.first), "a task of the phase");
  }
}

/** These attempts, in launch order or in the order of work. */
export function* oldestOf(
  state: State,
  phase: PhaseRecord,
  of: { readonly order: "launch" | "work"; readonly scoreIs?: ScoreTest | undefined },
): Generator<AttemptRecord> {
  const { order, scoreIs } = of;
  if (order === "work") {
    for (const row of rowsByWork(state, phase)) {
      if (scoreIs === undefined || scoreIs(scoreOfRow(state, row))) yield state.attempts.at(row);
    }
    return;
  }
  const next = nextFirstRow(state, phase);
  for (let row = next(); row !== NO_ROW; row = next()) {
    if (scoreIs === undefined || scoreIs(scoreOfRow(state, row))) yield state.attempts.at(row);
  }
}

/**
 * The same rows, in the order in which each task came to have an attempt: launch order, unless a
 * task's first attempt ended before its second. COST: in the latter case, a sort of these rows.
 */
function rowsByWork(state: State, phase: PhaseRecord): readonly number[] {
  const { areInWorkOrder, rows } = firstRowsOf(state, phase);
  return areInWorkOrder ? rows : [...rows].sort(ascending((row) => workSince(state, row)));
}

/** The first attempt of its task's present time of work. */
const workSince = ({ attempts }: State, row: number): AttemptId =>
  (attempts.table.isShared(row) ? attempts.at(row).record.workSince : undefined) ??
  attempts.table.id(row);

/**
 * Adjusts the phase's count of active tasks: call it with -1 before the task's attempts change, and
 * with 1 after.
 */
export function countActive({ mishaps, phase, unended }: TaskRecord, change: 1 | -1): void {
  if (unended === mishaps.dying) return;
  phase.active += change;
  if (unended > 1) phase.manifold += change;
}

/** Whether the task has had an attempt on the node since it last had none that held a slot. */
export function hasWorkedOn({ attempts, unended, workSince }: TaskRecord, node: NodeId): boolean {
  if (unended === 0 || workSince === undefined) return false;
  return attempts.some((attempt) => attempt.node === node && attempt.id >= workSince);
}

/**
 * The attempts of the pool's jobs that hold a slot of the kind, newest first. COST: a sort of these
 * attempts; for pre-emption, which is rare.
 */
export function newestFirstOf(
  state: State,
  pool: Share | undefined,
  kind: SlotKind,
): readonly AttemptRecord[] {
  const found: AttemptRecord[] = [];
  for (const job of state.jobs.values()) {
    if (job.pool !== pool) continue;
    for (const phase of job.phases) {
      if (phase.running === 0) continue;
      for (const attempt of launchedOf(state, phase)) {
        if (attempt.kind === kind) found.push(attempt);
      }
    }
  }
  return found.sort((a, b) => b.id - a.id);
}
