import { compact } from "../../base/compact.ts";
import { numbersOf } from "../../base/numbers-of.ts";
import { RecentIds } from "../../base/recent-ids.ts";
import { ATTEMPT_KINDS, type AttemptKind, type AttemptState } from "../../model/attempt.ts";
import {
  type AttemptId,
  attemptId,
  type Instant,
  instant,
  type NodeId,
  nodeId,
  type SlotKind,
  slotKind,
  type TaskId,
  taskId,
} from "../../model/ids.ts";
import type { ProgressLine, ProgressSource } from "../../model/progress.ts";
import { lineScore } from "../statistics/progress.ts";

// A row has 64 bytes: five numbers of 8 bytes, then six of 4.
const LAUNCHED_AT = 0;
const STARTED_AT = 1;
const ENDED_AT = 2;
const SCORE_PER_MS = 3;
const BYTES_READ_PER_MS = 4;
const DOUBLES = 8;
const ID = 10;
const PHASE = 11;
const TASK = 12;
const NODE = 13;
const BITS = 14;
const REPORT_EVERY = 15;
const INTS = 16;

// In BITS: the state, then why the attempt was launched, then flags, then the kind of slot.
const STATES: readonly AttemptState[] = [
  "assumed",
  "running",
  "dying",
  "succeeded",
  "failed",
  "killed",
];
/** The number of each state in its row. */
const STATE_NUMBERS = numbersOf(STATES);
const AS_NUMBERS = numbersOf(ATTEMPT_KINDS);
const STATE_MASK = 0b111;
const LAST_LIVE = STATE_NUMBERS.running;
const LAST_ON_SLOT = STATE_NUMBERS.dying;
const ASSUMED = STATE_NUMBERS.assumed;
const RUNNING = STATE_NUMBERS.running;
const AS_SHIFT = 3;
const AS_MASK = 0b111;
const CONFIRMED = 1 << 6;
const PRESENT = 1 << 7;
const COLD = 1 << 8;
const SHARED = 1 << 9;
const SLOT_SHIFT = 10;

const ROOM_MIN = 256;
const UNKNOWN = Number.NaN;
const NOWHERE = -1;
const NO_LINE: ProgressLine = {
  kind: "line",
  startedAt: instant(0),
  scorePerMs: 0,
  bytesReadPerMs: 0,
  reportEvery: 0,
};

export interface LaunchedAttempt {
  readonly attempt: AttemptId;
  readonly task: TaskId;
  readonly node: NodeId;
  readonly slot: SlotKind;
  readonly as: AttemptKind;
}

/** The rows of the oldest live attempts of a phase's running tasks, in launch order. */
export interface FirstRows {
  readonly rows: readonly number[];
  /** Whether they are in the order of work, too. */
  readonly areInWorkOrder: boolean;
  /** The rows are these while the table's version is this one. */
  readonly version: number;
}

/**
 * The attempts in memory, a row of one cache line each; the row of a forgotten attempt serves
 * another one. Fields that few attempts have are in an object of type R beside the row. Only this
 * file knows where a field lies, and no row leaves the core.
 */
export class AttemptTable<R extends { progress: ProgressSource | undefined }> {
  #doubles = new Float64Array(0);
  #ints = new Int32Array(0);
  readonly #coldFields: (R | undefined)[] = [];
  readonly #rows = new RecentIds();
  readonly #spare: number[] = [];
  #used = 0;
  /** Changes with the attempts in memory, their states, and whether they share their tasks. */
  #version = 0;
  /** The last line that was read: an attempt's progress is read several times in a row. */
  #lastLine: ProgressLine = NO_LINE;

  /** While this number stays the same, so do the attempts, their states, and who shares a task. */
  get version(): number {
    return this.#version;
  }

  /** The attempt's row, or -1. */
  find(id: number): number {
    return this.#rows.find(id);
  }

  /** `phase`: the phase's place among the live phases. Returns the row. */
  add(of: LaunchedAttempt, phase: number, at: Instant): number {
    this.#version += 1;
    const row = this.#spare.pop() ?? this.#newRow();
    const doubles = this.#doubles;
    const ints = this.#ints;
    const double = row * DOUBLES;
    doubles[double + LAUNCHED_AT] = at;
    doubles[double + STARTED_AT] = UNKNOWN;
    doubles[double + ENDED_AT] = UNKNOWN;
    doubles[double + SCORE_PER_MS] = UNKNOWN;
    const int = row * INTS;
    ints[int + ID] = of.attempt;
    ints[int + PHASE] = phase;
    ints[int + TASK] = of.task;
    ints[int + NODE] = of.node;
    ints[int + BITS] = (AS_NUMBERS[of.as] << AS_SHIFT) | (of.slot << SLOT_SHIFT);
    this.#rows.add(of.attempt, row);
    return row;
  }

  /** The row serves another attempt from now on. */
  delete(row: number): void {
    this.#version += 1;
    if (this.#has(row, COLD)) this.#coldFields[row] = undefined;
    this.#rows.delete(this.id(row));
    this.#ints[row * INTS + ID] = NOWHERE;
    this.#spare.push(row);
  }

  id(row: number): AttemptId {
    return attemptId(this.#ints[row * INTS + ID]!);
  }

  phase(row: number): number {
    return this.#ints[row * INTS + PHASE]!;
  }

  task(row: number): TaskId {
    return taskId(this.#ints[row * INTS + TASK]!);
  }

  node(row: number): NodeId {
    return nodeId(this.#ints[row * INTS + NODE]!);
  }

  kind(row: number): SlotKind {
    return slotKind(this.#ints[row * INTS + BITS]! >> SLOT_SHIFT);
  }

  as(row: number): AttemptKind {
    return ATTEMPT_KINDS[(this.#ints[row * INTS + BITS]! >> AS_SHIFT) & AS_MASK]!;
  }

  state(row: number): AttemptState {
    return STATES[this.#ints[row * INTS + BITS]! & STATE_MASK]!;
  }

  setState(row: number, state: AttemptState): void {
    this.#version += 1;
    const at = row * INTS + BITS;
    this.#ints[at] = (this.#ints[at]! & ~STATE_MASK) | STATE_NUMBERS[state];
  }

  /** The host has reported the start: the attempt runs, unless it is being killed. */
  start(row: number, at: Instant): void {
    this.#version += 1;
    this.#doubles[row * DOUBLES + STARTED_AT] = at;
    const int = row * INTS + BITS;
    const bits = this.#ints[int]! | CONFIRMED;
    this.#ints[int] = (bits & STATE_MASK) === ASSUMED ? (bits & ~STATE_MASK) | RUNNING : bits;
  }

  end(row: number, as: AttemptState, at: Instant): void {
    this.#doubles[row * DOUBLES + ENDED_AT] = at;
    this.setState(row, as);
  }

  /** Whether the attempt is launched, not ended, and not killed. */
  isLive(row: number): boolean {
    return (this.#ints[row * INTS + BITS]! & STATE_MASK) <= LAST_LIVE;
  }

  isRunning(row: number): boolean {
    return (this.#ints[row * INTS + BITS]! & STATE_MASK) === RUNNING;
  }

  holdsSlot(row: number): boolean {
    return (this.#ints[row * INTS + BITS]! & STATE_MASK) <= LAST_ON_SLOT;
  }

  /** Whether the host has reported the start. */
  isConfirmed(row: number): boolean {
    return this.#has(row, CONFIRMED);
  }

  /** Whether the record of the attempt's task was made in this step. */
  isPresent(row: number): boolean {
    return this.#has(row, PRESENT);
  }

  setPresent(row: number, present: boolean): void {
    this.#mark(row, PRESENT, present);
  }

  /**
   * Whether the attempt's task may have had another attempt since the launch, or did not need this
   * one; false: only this attempt counts for the task until it ends.
   */
  isShared(row: number): boolean {
    return this.#has(row, SHARED);
  }

  setShared(row: number): void {
    this.#version += 1;
    this.#mark(row, SHARED, true);
  }

  launchedAt(row: number): Instant {
    return instant(compact(this.#doubles[row * DOUBLES + LAUNCHED_AT]!));
  }

  startedAt(row: number): Instant | undefined {
    return known(this.#doubles[row * DOUBLES + STARTED_AT]!);
  }

  setStartedAt(row: number, at: Instant): void {
    this.#doubles[row * DOUBLES + STARTED_AT] = at;
  }

  endedAt(row: number): Instant | undefined {
    return known(this.#doubles[row * DOUBLES + ENDED_AT]!);
  }

  progress(row: number): ProgressSource | undefined {
    const scorePerMs = this.#doubles[row * DOUBLES + SCORE_PER_MS]!;
    if (Number.isNaN(scorePerMs)) return this.coldFields(row)?.progress;
    const startedAt = instant(this.#doubles[row * DOUBLES + STARTED_AT]!);
    const bytesReadPerMs = this.#doubles[row * DOUBLES + BYTES_READ_PER_MS]!;
    const reportEvery = this.#ints[row * INTS + REPORT_EVERY]!;
    const last = this.#lastLine;
    if (
      last.scorePerMs === scorePerMs &&
      last.startedAt === startedAt &&
      last.bytesReadPerMs === bytesReadPerMs &&
      last.reportEvery === reportEvery
    ) {
      return last;
    }
    this.#lastLine = { kind: "line", startedAt, scorePerMs, bytesReadPerMs, reportEvery };
    return this.#lastLine;
  }

  /** The score that the progress of a running attempt gives, if it is a line; otherwise NaN. */
  score(row: number, until: Instant): number {
    const scorePerMs = this.#doubles[row * DOUBLES + SCORE_PER_MS]!;
    if (Number.isNaN(scorePerMs)) return UNKNOWN;
    const startedAt = instant(this.#doubles[row * DOUBLES + STARTED_AT]!);
    return lineScore(
      { startedAt, scorePerMs, reportEvery: this.#ints[row * INTS + REPORT_EVERY]! },
      until,
    );
  }

  /** `make`: makes the object of the fields that few attempts have. */
  setProgress(row: number, progress: ProgressSource | undefined, make: () => R): void {
    const line = progress?.kind === "line" && this.#holds(row, progress) ? progress : undefined;
    this.#doubles[row * DOUBLES + SCORE_PER_MS] = line?.scorePerMs ?? UNKNOWN;
    if (line !== undefined) {
      this.#doubles[row * DOUBLES + BYTES_READ_PER_MS] = line.bytesReadPerMs;
      this.#ints[row * INTS + REPORT_EVERY] = line.reportEvery;
    } else if (progress !== undefined || this.#has(row, COLD)) {
      this.ensureColdFields(row, make).progress = progress;
    }
  }

  /** Whether the row has room for the line. */
  #holds(row: number, { startedAt, reportEvery, scorePerMs }: ProgressLine): boolean {
    if (startedAt !== this.#doubles[row * DOUBLES + STARTED_AT]) return false;
    return reportEvery === (reportEvery | 0) && !Number.isNaN(scorePerMs);
  }

  coldFields(row: number): R | undefined {
    return this.#has(row, COLD) ? this.#coldFields[row] : undefined;
  }

  ensureColdFields(row: number, make: () => R): R {
    const known = this.coldFields(row);
    if (known !== undefined) return known;
    const made = make();
    while (this.#coldFields.length < row) this.#coldFields.push(undefined);
    this.#coldFields[row] = made;
    this.#mark(row, COLD, true);
    return made;
  }

  #has(row: number, flag: number): boolean {
    return (this.#ints[row * INTS + BITS]! & flag) !== 0;
  }

  #mark(row: number, flag: number, on: boolean): void {
    const at = row * INTS + BITS;
    this.#ints[at] = on ? this.#ints[at]! | flag : this.#ints[at]! & ~flag;
  }

  #newRow(): number {
    if (this.#used * INTS === this.#ints.length) this.#grow();
    return this.#used++;
  }

  #grow(): void {
    const doubles = new Float64Array(Math.max(ROOM_MIN, this.#used * 2) * DOUBLES);
    doubles.set(this.#doubles);
    this.#doubles = doubles;
    this.#ints = new Int32Array(doubles.buffer);
  }
}

const known = (at: number): Instant | undefined =>
  Number.isNaN(at) ? undefined : instant(compact(at));
