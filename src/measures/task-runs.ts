import { cell } from "../base/rows.ts";
import { type AttemptColumns, endAt, kindAt, localityAt } from "../history/columns.ts";
import type { TraceJob, TracePhase } from "../history/model.ts";
import type { AttemptKind } from "../model/attempt.ts";

/** How a task came to its output. NaN where the log says nothing. */
export interface TaskRun {
  /** The row of its first success in the phase's columns. */
  readonly row: number;
  /**
   * From the start of the task's first attempt, or from when its input was complete if that was
   * later, to its first success, ms.
   */
  readonly ms: number;
  /** Bytes that the successful attempt read as input and from shuffles. */
  readonly bytes: number;
  /** The part of `bytes` that came from other racks. */
  readonly farBytes: number;
}

/** The tasks of a phase that succeeded, in their order, and where their successes are. */
export interface PhaseRuns {
  readonly runs: readonly TaskRun[];
  /** The row of each task's first success, by task; -1 without one. */
  readonly successes: Int32Array;
}

/** Of each phase of the job, in their order. COST: O(attempts), and O(tasks) an edge. */
export function runsOf(job: TraceJob): readonly PhaseRuns[] {
  const successes = job.phases.map(firstSuccesses);
  return job.phases.map((phase, index) => {
    const own = cell(successes[index]);
    const sources = phase.reads.map((read) => {
      const { attempts } = cell(job.phases[read.phase]);
      return { attempts, rows: rowsIn(cell(successes[read.phase])) };
    });
    return { runs: taskRuns(job, phase, { rows: rowsIn(own), sources }), successes: own };
  });
}

/** The rows of the attempts of this kind. */
export function* rowsAs(attempts: AttemptColumns, kind: AttemptKind): Generator<number, void> {
  for (let row = 0; row < attempts.length; row++) if (kindAt(attempts, row) === kind) yield row;
}

function taskRuns(
  job: TraceJob,
  phase: TracePhase,
  { rows, sources }: { readonly rows: readonly number[]; readonly sources: readonly Source[] },
): readonly TaskRun[] {
  const { attempts } = phase;
  const readyAt = inputCompleteAt(sources);
  const racks = racksOf(job, sources);
  const starts = firstStarts(phase);
  return rows.map((row) => {
    const endedAt = cell(attempts.endedAt[row]);
    const startedAt = cell(starts[cell(attempts.task[row])]);
    const from = readyAt <= endedAt ? Math.max(startedAt, readyAt) : startedAt;
    return { row, ms: endedAt - from, ...bytesOf(phase, row, racks) };
  });
}

const rowsIn = (successes: Int32Array): readonly number[] =>
  Array.from(successes.filter((row) => row >= 0));

/** A recompute makes an output again, and is no first success. */
function firstSuccesses({ attempts, tasks }: TracePhase): Int32Array {
  const rows = new Int32Array(tasks).fill(-1);
  for (let row = 0; row < attempts.length; row++) {
    if (endAt(attempts, row) !== "succeeded" || kindAt(attempts, row) === "recompute") continue;
    const task = cell(attempts.task[row]);
    const before = cell(rows[task]);
    const isFirst = before === -1 || cell(attempts.endedAt[row]) < cell(attempts.endedAt[before]);
    if (isFirst) rows[task] = row;
  }
  return rows;
}

/** When the first attempt of each task began, by task. */
function firstStarts({ attempts, tasks }: TracePhase): Float64Array {
  const starts = new Float64Array(tasks).fill(Number.POSITIVE_INFINITY);
  for (let row = 0; row < attempts.length; row++) {
    const task = cell(attempts.task[row]);
    starts[task] = Math.min(cell(starts[task]), cell(attempts.startedAt[row]));
  }
  return starts;
}

/** Outputs that a phase reads: the rows of the attempts that made them. */
interface Source {
  readonly attempts: AttemptColumns;
  readonly rows: readonly number[];
}

/** When the last of the outputs was made. */
function inputCompleteAt(sources: readonly Source[]): number {
  let at = Number.NEGATIVE_INFINITY;
  for (const { attempts, rows } of sources) {
    for (const row of rows) at = Math.max(at, cell(attempts.endedAt[row]));
  }
  return at;
}

/** Where the outputs lie that a phase reads, as far as the log says. */
interface Racks {
  /** The rack of each of the job's nodes; undefined if the log names none. */
  readonly ofNode: readonly string[] | undefined;
  readonly areMany: boolean;
  /** The share of each rack in the bytes of the outputs that the phase reads. */
  readonly shares: ReadonlyMap<string, number>;
}

function racksOf({ racks }: TraceJob, sources: readonly Source[]): Racks {
  const known = racks?.every((rack) => rack !== "") === true ? racks : undefined;
  const areMany = new Set(known).size > 1;
  const bytes = new Map<string, number>();
  for (const { attempts, rows } of known === undefined ? [] : sources) {
    const areWeighed = rows.every((row) => !Number.isNaN(cell(attempts.outputBytes[row])));
    for (const row of rows) {
      const rack = known?.[cell(attempts.node[row])];
      if (rack === undefined) continue;
      const weight = areWeighed ? cell(attempts.outputBytes[row]) : 1;
      bytes.set(rack, (bytes.get(rack) ?? 0) + weight);
    }
  }
  const total = [...bytes.values()].reduce((sum, each) => sum + each, 0);
  const shares = total > 0 ? [...bytes].map(([rack, each]) => [rack, each / total] as const) : [];
  return { ofNode: known, areMany, shares: new Map(shares) };
}

function bytesOf(
  { attempts, reads }: TracePhase,
  row: number,
  racks: Racks,
): Pick<TaskRun, "bytes" | "farBytes"> {
  const input = cell(attempts.inputBytes[row]);
  const shuffled = reads.length > 0 ? cell(attempts.shuffleBytes[row]) : 0;
  const areKnown = !Number.isNaN(input) || (reads.length > 0 && !Number.isNaN(shuffled));
  if (!areKnown) return { bytes: Number.NaN, farBytes: Number.NaN };
  const bytes = known(input) + known(shuffled);
  if (racks.ofNode === undefined) return { bytes, farBytes: Number.NaN };
  if (!racks.areMany) return { bytes, farBytes: 0 };
  const own = racks.ofNode[cell(attempts.node[row])];
  // A reader has a part of each output: the share of its own rack is near, whatever the partition.
  const near = own === undefined ? Number.NaN : (racks.shares.get(own) ?? 0);
  const farShuffled = known(shuffled) === 0 ? 0 : known(shuffled) * (1 - near);
  const locality = localityAt(attempts, row);
  const farInput =
    known(input) === 0 ? 0 : locality === undefined ? Number.NaN : locality === "any" ? input : 0;
  return { bytes, farBytes: farInput + farShuffled };
}

const known = (bytes: number): number => (Number.isNaN(bytes) ? 0 : bytes);
