import { defined } from "../base/assert.ts";
import { cell } from "../base/rows.ts";
import { type AttemptColumns, endAt, kindAt, localityAt } from "../history/columns.ts";
import type { TraceJob, TracePhase } from "../history/model.ts";

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

/** The tasks of a phase that succeeded, each by its first success. */
export function taskRuns(job: TraceJob, phase: TracePhase): readonly TaskRun[] {
  const { attempts } = phase;
  const readyAt = inputCompleteAt(job, phase);
  const racks = racksOf(job, phase);
  const starts = firstStarts(attempts);
  return [...firstSuccesses(attempts)].map(([task, row]) => {
    const endedAt = cell(attempts.endedAt[row]);
    const startedAt = defined(starts.get(task), "the start of a task that succeeded");
    const from = readyAt <= endedAt ? Math.max(startedAt, readyAt) : startedAt;
    return { row, ms: endedAt - from, ...bytesOf(phase, row, racks) };
  });
}

/** The row of each task's first success, by task. */
export function firstSuccesses(attempts: AttemptColumns): ReadonlyMap<number, number> {
  const rows = new Map<number, number>();
  for (let row = 0; row < attempts.length; row++) {
    if (endAt(attempts, row) !== "succeeded" || kindAt(attempts, row) === "recompute") continue;
    const task = cell(attempts.task[row]);
    const before = rows.get(task);
    const isFirst =
      before === undefined || cell(attempts.endedAt[row]) < cell(attempts.endedAt[before]);
    if (isFirst) rows.set(task, row);
  }
  return rows;
}

/** When the first attempt of each task began, by task. */
function firstStarts({ length, task, startedAt }: AttemptColumns): ReadonlyMap<number, number> {
  const starts = new Map<number, number>();
  for (let row = 0; row < length; row++) {
    const own = cell(task[row]);
    const at = cell(startedAt[row]);
    if (!(at >= (starts.get(own) ?? Number.POSITIVE_INFINITY))) starts.set(own, at);
  }
  return starts;
}

/** When the last task of the phases that this one reads had ended. */
function inputCompleteAt({ phases }: TraceJob, { reads }: TracePhase): number {
  let at = Number.NEGATIVE_INFINITY;
  for (const { phase } of reads) {
    const attempts = phases[phase]?.attempts;
    if (attempts === undefined) continue;
    for (const row of firstSuccesses(attempts).values()) {
      at = Math.max(at, cell(attempts.endedAt[row]));
    }
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

function racksOf({ racks, phases }: TraceJob, { reads }: TracePhase): Racks {
  const known = racks?.every((rack) => rack !== "") === true ? racks : undefined;
  const areMany = new Set(known).size > 1;
  const bytes = new Map<string, number>();
  for (const { phase } of reads) {
    const attempts = phases[phase]?.attempts;
    if (attempts === undefined || known === undefined) continue;
    const rows = [...firstSuccesses(attempts).values()];
    const areWeighed = rows.every((row) => !Number.isNaN(cell(attempts.outputBytes[row])));
    for (const row of rows) {
      const rack = known[cell(attempts.node[row])];
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
