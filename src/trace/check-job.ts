import { InputError } from "../base/input-error.ts";
import { Place } from "../base/shape.ts";
import {
  type AttemptColumns,
  CURVE_POINTS,
  LOCALITIES,
  MEASURES,
  type Measure,
  TRACE_ENDS,
  UNKNOWN,
} from "../history/columns.ts";
import { TRACE_PHASE_KINDS, type TraceJob, type TracePhase } from "../history/model.ts";
import { ATTEMPT_KINDS } from "../model/attempt.ts";

/**
 * Checks a job where it comes in, so that nothing behind the door has to guess: each index points
 * at something, each code is known, and each time is a number. InputError with the phase, column,
 * row and value that are wrong. COST: O(attempts).
 */
export function checkJob(job: TraceJob): void {
  const place = new Place("bad-input", `job ${job.id}`);
  time(job.submittedAt, place.key("submittedAt"));
  time(job.endedAt, place.key("endedAt"));
  if (job.racks !== undefined) {
    sameLength(job.racks.length, job.nodes.length, place.key("racks"), "node");
  }
  for (const [i, slot] of job.slots.entries()) {
    const at = place.key("slots").index(i);
    oneOf(slot.kind, TRACE_PHASE_KINDS, at.key("kind"));
    index(slot.node, { from: 0, count: job.nodes.length }, at.key("node"));
    index(slot.executor, { from: -1, count: job.executors.length }, at.key("executor"));
    time(slot.from, at.key("from"));
    if (slot.until !== undefined) time(slot.until, at.key("until"));
  }
  const queries = job.queries ?? [];
  for (const [i, { query, submittedAt, endedAt }] of job.spans.entries()) {
    const at = place.key("spans").index(i);
    if (query !== undefined) index(query, { from: 0, count: queries.length }, at.key("query"));
    time(submittedAt, at.key("submittedAt"));
    time(endedAt, at.key("endedAt"));
  }
  for (const [i, { within, submittedAt, endedAt }] of queries.entries()) {
    const at = place.key("queries").index(i);
    if (within !== undefined) index(within, { from: 0, count: queries.length }, at.key("within"));
    time(submittedAt, at.key("submittedAt"));
    time(endedAt, at.key("endedAt"));
  }
  for (const [i, phase] of job.phases.entries()) {
    checkPhase(job, phase, i, place.key("phases").index(i));
  }
  const disorder = disorderIn(job);
  if (disorder !== undefined) {
    throw new InputError("bad-input", `job ${job.id}`, `expected one clock, but ${disorder}`);
  }
}

/** The clocks of one cluster differ by less. */
const CLOCKS_MS = 60_000;

/** What ran before it was submitted, or after it had ended; undefined if nothing did. */
export function disorderIn({ submittedAt, endedAt, phases }: TraceJob): string | undefined {
  if (endedAt < submittedAt) {
    return `the job ended ${seconds(submittedAt - endedAt)} before it was submitted${WHY}`;
  }
  for (const { name, attempts } of phases) {
    for (const at of attempts.startedAt) {
      const [early, late] = [submittedAt - at, at - endedAt];
      if (early <= CLOCKS_MS && late <= CLOCKS_MS) continue;
      const isEarly = early > late;
      const when = isEarly ? "before the job was submitted" : "after the job had ended";
      const by = seconds(isEarly ? early : late);
      return `an attempt of ${name} began ${by} ${when}${WHY}`;
    }
  }
  return undefined;
}

const WHY = ": a clock was set, or runs are mixed";

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;

function checkPhase(job: TraceJob, phase: TracePhase, self: number, place: Place): void {
  oneOf(phase.kind, TRACE_PHASE_KINDS, place.key("kind"));
  index(phase.span, { from: -1, count: job.spans.length }, place.key("span"));
  for (const [i, { submittedAt, span }] of (phase.laterTries ?? []).entries()) {
    const at = place.key("laterTries").index(i);
    time(submittedAt, at.key("submittedAt"));
    index(span, { from: -1, count: job.spans.length }, at.key("span"));
  }
  for (const [i, { phase: source }] of phase.reads.entries()) {
    // Topological order: a phase reads earlier ones.
    index(source, { from: 0, count: self }, place.key("reads").index(i).key("phase"));
  }
  checkAttempts(job, phase, place.key("attempts"));
}

/** Of the integer columns: the least value, and the number of values from 0 on. */
interface Range {
  readonly from: number;
  readonly count: number;
}

const ANY_COUNT = 0x8000_0000;

function checkAttempts(job: TraceJob, { attempts, tasks }: TracePhase, place: Place): void {
  const ranges: readonly (readonly [Codes, Range])[] = [
    ["task", { from: 0, count: tasks }],
    ["ordinal", { from: 0, count: ANY_COUNT }],
    ["node", { from: -1, count: job.nodes.length }],
    ["executor", { from: -1, count: job.executors.length }],
    ["kinds", { from: 0, count: ATTEMPT_KINDS.length }],
    ["ends", { from: 0, count: TRACE_ENDS.length }],
    ["localities", { from: 0, count: LOCALITIES.length }],
    ["reason", { from: -1, count: job.evidence?.reasons?.length ?? 0 }],
  ];
  for (const [name, range] of ranges) {
    const column = attempts[name];
    sameLength(column.length, attempts.length, place.key(name), "attempt");
    const unknown = name === "localities" ? UNKNOWN : range.from;
    // COST: an iterator would take five times as long over the cells of a large job.
    for (let row = 0; row < column.length; row++) {
      const value = column[row]!;
      if ((value < range.from || value >= range.count) && value !== unknown) {
        index(value, range, place.key(name).index(row));
      }
    }
  }
  for (const name of MEASURES) checkMeasure(name, attempts, place.key(name));
  const { curves } = attempts;
  if (curves === undefined) return;
  sameLength(curves.length, CURVE_POINTS * attempts.length, place.key("curves"), "point");
}

type Codes = "task" | "ordinal" | "node" | "executor" | "kinds" | "ends" | "localities" | "reason";

/** Without these no attempt can be drawn or explained; other measures are NaN if unknown. */
const TIMES: ReadonlySet<Measure> = new Set<Measure>(["startedAt", "endedAt", "heardAt"]);

function checkMeasure(name: Measure, attempts: AttemptColumns, place: Place): void {
  const column = attempts[name];
  sameLength(column.length, attempts.length, place, "attempt");
  const isTime = TIMES.has(name);
  for (let row = 0; row < column.length; row++) {
    const value = column[row]!;
    if (Number.isFinite(value) || (Number.isNaN(value) && !isTime)) continue;
    time(value, place.index(row));
  }
}

function time(value: number, place: Place): void {
  if (!Number.isFinite(value)) place.refuse("a number", value);
}

function index(value: number, { from, count }: Range, place: Place): void {
  if (Number.isInteger(value) && value >= from && value < count) return;
  const known = count === 0 ? `${from}, since there is none` : `${from} to ${count - 1}`;
  place.refuse(count === 0 && from === 0 ? "nothing to point at" : known, value);
}

function oneOf(value: string, known: readonly string[], place: Place): void {
  if (!known.includes(value)) place.refuse(`one of ${known.join(", ")}`, value);
}

function sameLength(found: number, expected: number, place: Place, of: string): void {
  if (found !== expected) place.refuse(`a value for each ${of}, ${expected}`, found);
}
