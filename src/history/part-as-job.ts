import { grouped } from "../base/grouped.ts";
import { cell, columnsBy } from "../base/rows.ts";
import { ATTEMPT, type AttemptColumns, CURVE_POINTS } from "./columns.ts";
import type { LogEvidence } from "./evidence.ts";
import type { JobPart } from "./job-parts.ts";
import type { SlotSpan, TraceJob, TracePhase } from "./model.ts";

/**
 * A part of a job as a job of its own: with its phases and its time, and the slots that attempts of
 * other parts left to it.
 */
export function partAsJob(job: TraceJob, part: JobPart): TraceJob {
  const { name, title, outcome, submittedAt, endedAt } = part;
  const rows = job.phases.map((_, phase) => rowsOf(job, part, phase));
  const kept = [...job.phases.keys()].filter((phase) => cell(rows[phase]).length > 0);
  const spans = [...job.spans.keys()].filter((n) => part.spans.has(n));
  const phaseOf = new Map(kept.map((phase, n) => [phase, n]));
  const spanOf = new Map(spans.map((span, n) => [span, n]));
  const phases = kept.map((index): TracePhase => {
    const phase = cell(job.phases[index]);
    const laterTries = phase.laterTries
      ?.filter((one) => one.submittedAt < endedAt)
      .map((one) => ({ ...one, span: spanOf.get(one.span) ?? -1 }));
    return {
      ...phase,
      span: spanOf.get(phase.span) ?? -1,
      reads: phase.reads.flatMap((read) => {
        const source = phaseOf.get(read.phase);
        return source === undefined ? [] : [{ ...read, phase: source }];
      }),
      ...(laterTries !== undefined && { laterTries }),
      attempts: clipped(taken(phase.attempts, cell(rows[index])), endedAt),
    };
  });
  const beside = besideOf(job, part, rows);
  const { queries: _queries, evidence, launchedAt: _at, masterStarts: _starts, ...rest } = job;
  const own =
    evidence === undefined
      ? undefined
      : evidenceOf(evidence, part, phases, (name) =>
          spans.some((n) => job.spans[n]?.name === name),
        );
  return {
    ...rest,
    part: {
      name,
      ...(title !== undefined && { title }),
      besideMs: beside.reduce((sum, { from, until }) => sum + until - from, 0),
    },
    ...{ submittedAt, endedAt, outcome, phases },
    spans: spans.map((n) => {
      const { query: _query, ...span } = cell(job.spans[n]);
      return span;
    }),
    slots: slotsLeft(job.slots, part, beside),
    ...(own !== undefined && { evidence: own }),
  };
}

/** The attempts that ran for the part: a later try of a phase may have run for another one. */
function rowsOf({ phases }: TraceJob, part: JobPart, index: number): readonly number[] {
  const { attempts, span, laterTries = [] } = cell(phases[index]);
  const all = Array.from({ length: attempts.length }, (_, row) => row);
  if (part.phase !== undefined) return part.phase === index ? all : [];
  return all.filter((row) => {
    const at = cell(attempts.startedAt[row]);
    const own = laterTries.findLast(({ submittedAt }) => submittedAt <= at)?.span ?? span;
    return part.spans.has(own) && at < part.endedAt;
  });
}

function taken(attempts: AttemptColumns, rows: readonly number[]): AttemptColumns {
  if (rows.length === attempts.length) return attempts;
  const columns = columnsBy(ATTEMPT, (name, { make }) => {
    const into = make(rows.length);
    for (const [to, row] of rows.entries()) into[to] = cell(attempts[name][row]);
    return into;
  });
  const { curves } = attempts;
  const points = rows.flatMap((row) => [
    ...(curves?.subarray(CURVE_POINTS * row, CURVE_POINTS * (row + 1)) ?? []),
  ]);
  const own = curves === undefined ? {} : { curves: Float32Array.from(points) };
  return { ...columns, length: rows.length, ...own };
}

/** What a cancelled job still runs is not waited for. */
function clipped(attempts: AttemptColumns, end: number): AttemptColumns {
  if (attempts.endedAt.every((at) => at <= end)) return attempts;
  const by = (column: Float64Array): Float64Array => column.map((at) => Math.min(at, end));
  const { endedAt, heardAt, resultAt } = attempts;
  return { ...attempts, endedAt: by(endedAt), heardAt: by(heardAt), resultAt: by(resultAt) };
}

/** The time in which an attempt of another part held a slot, within the time of this one. */
interface Held {
  readonly kind: TracePhase["kind"];
  readonly executor: number;
  readonly node: number;
  readonly profile: number;
  readonly from: number;
  readonly until: number;
}

function besideOf(
  { phases }: TraceJob,
  { submittedAt, endedAt }: JobPart,
  rows: readonly (readonly number[])[],
): readonly Held[] {
  const found = phases.flatMap(({ attempts, kind, profile = 0 }, phase): readonly Held[] => {
    const own = new Set(rows[phase]);
    const held: Held[] = [];
    for (let row = 0; row < attempts.length; row++) {
      const from = Math.max(submittedAt, cell(attempts.startedAt[row]));
      const until = Math.min(endedAt, cell(attempts.endedAt[row]));
      if (own.has(row) || until <= from) continue;
      const [executor, node] = [cell(attempts.executor[row]), cell(attempts.node[row])];
      held.push({ kind, executor, node, profile, from, until });
    }
    return held;
  });
  return found.sort((a, b) => Math.sign(a.from - b.from));
}

/** The slots of the part's time, without the times in which others held them. */
function slotsLeft(
  slots: readonly SlotSpan[],
  { submittedAt, endedAt }: JobPart,
  beside: readonly Held[],
): readonly SlotSpan[] {
  const isInTime = ({ from, until = Number.POSITIVE_INFINITY }: SlotSpan): boolean =>
    from < endedAt && until > submittedAt;
  const inTime = slots.filter(isInTime);
  if (beside.length === 0) return inTime;
  const key = ({ executor, node }: Pick<Held, "executor" | "node">): string =>
    executor < 0 ? `node ${node}` : `${executor}`;
  const heldOf = grouped(beside, key);
  return [...grouped(inTime, key)]
    .flatMap(([place, own]) => without(own, heldOf.get(place) ?? []))
    .filter(isInTime);
}

/** Each attempt holds the first slot of its executor that is free. */
function without(slots: readonly SlotSpan[], held: readonly Held[]): readonly SlotSpan[] {
  const free: SlotSpan[] = [...slots];
  for (const one of held) {
    const nth = free.findIndex(
      ({ kind, profile = 0, from, until = Number.POSITIVE_INFINITY }) =>
        kind === one.kind && profile === one.profile && from <= one.from && until >= one.until,
    );
    const slot = free[nth];
    if (slot === undefined) continue;
    const { until = Number.POSITIVE_INFINITY } = slot;
    free.splice(
      nth,
      1,
      ...(one.from > slot.from ? [{ ...slot, until: one.from }] : []),
      ...(one.until < until ? [{ ...slot, from: one.until }] : []),
    );
  }
  return free;
}

/** What the log is as far as the part is concerned. */
function evidenceOf(
  { missing = [], lostExecutors = [], failedJobs = [], reasons, contradicting }: LogEvidence,
  { submittedAt, endedAt }: JobPart,
  phases: readonly TracePhase[],
  isOwnJob: (name: string) => boolean,
): LogEvidence | undefined {
  const has = (name: string): boolean => phases.some((phase) => phase.name === name);
  const own = missing.filter((one) => !("phase" in one) || has(one.phase));
  const lost = lostExecutors.filter(({ at }) => at >= submittedAt && at <= endedAt);
  const failed = failedJobs.filter(({ name }) => isOwnJob(name));
  const found: LogEvidence = {
    ...(own.length > 0 && { missing: own }),
    ...(contradicting !== undefined && { contradicting }),
    ...(lost.length > 0 && { lostExecutors: lost }),
    ...(failed.length > 0 && { failedJobs: failed }),
    ...(reasons !== undefined && { reasons }),
  };
  return Object.keys(found).length === 0 ? undefined : found;
}
