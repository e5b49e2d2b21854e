import { cell } from "../base/rows.ts";
import { type AttemptColumns, localityAt } from "../history/columns.ts";
import type { Trace, TraceFormat, TraceJob } from "../history/model.ts";
import { jobMeasures } from "../measures/job-measures.ts";
import { phaseMeasures } from "../measures/phase-measures.ts";
import { type PhaseRuns, runsOf } from "../measures/task-runs.ts";
import { type Audit, auditOf } from "./audit/audit.ts";
import { type Cause, DECLARATIONS, OWN_CAUSES } from "./cause.ts";
import { type AttemptCauses, attemptCauses } from "./causes/attempt-causes.ts";
import { type CauseInterval, intervalsOf } from "./causes/intervals.ts";
import {
  doneWithout,
  lastMs,
  recordedDoneAt,
  type Shares,
  sharesOf,
  usualTiming,
} from "./causes/shares.ts";
import { intervalWithin, withGain, withinResponse } from "./causes/within-response.ts";
import type { CauseRow, CopiesRow, HintRow, PhaseFacts, Why } from "./document.ts";
import { type EvidenceRow, evidenceOf as evidenceIn, uncertain } from "./evidence/evidence.ts";
import { type Expectation, fitOf } from "./expect/expect.ts";
import type { Signals } from "./expect/signals.ts";
import type { SlowPart } from "./expect/slow-part.ts";
import { wholeExpectedMs } from "./expect/tail.ts";
import type { AttemptRow, Evidence, JobFacts, NodeRow, PhaseRow } from "./findings.ts";
import { hintsOf } from "./hints/hints.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { notesOf } from "./notes.ts";
import { phaseUse } from "./phase-use.ts";
import { blockedIn, sizedRows } from "./response/bounds.ts";
import { idleOf } from "./response/idle.ts";
import { asRanWithAll, partsOf } from "./response/parts.ts";
import { idleRow, partRows } from "./response/rows.ts";
import { slotsRow } from "./response/slots.ts";
import { spellsOf } from "./response/spells.ts";
import { type Contradiction, contradictionIn } from "./schedule/contradiction.ts";
import { planOf } from "./schedule/plan.ts";
import {
  attemptName,
  attemptsOf,
  endOf,
  kindOf,
  type Plan,
  slotTimeOf,
} from "./schedule/planned.ts";
import { recordedTiming, schedule, type Timing } from "./schedule/schedule.ts";
import { bytesOfTasks, skewOf } from "./skew.ts";
import { verdictOf } from "./verdict.ts";

export interface DiagnoseOptions {
  readonly limits?: Partial<Limits>;
  /** Fixes the shuffles and draws. */
  readonly seed?: number;
  /** Whether intervals are computed: forty fits more. Default: true. */
  readonly intervals?: boolean;
  /** Whether the copies are audited: up to 200 schedules more. Default: true. */
  readonly audit?: boolean;
  /** The number of attempts and of pieces of evidence in lists. Default: 10. */
  readonly top?: number;
}

export type Diagnosis =
  | {
      readonly kind: "why";
      readonly why: Why;
      /** Of each phase of the job, in their order. */
      readonly phases: readonly PhaseFacts[];
    }
  | { readonly kind: "contradiction"; readonly contradiction: Contradiction }
  /** The job has no attempts that ran. */
  | { readonly kind: "empty" };

/** COST: 64 schedules of all attempts, and with intervals 40 fits. */
export function diagnose(
  trace: Pick<Trace, "notes"> & Partial<Pick<Trace, "source">>,
  job: TraceJob,
  options: DiagnoseOptions = {},
): Diagnosis {
  const { limits: changed, seed = 1, intervals = true, audit: audits = true, top = 10 } = options;
  const limits = { ...DEFAULT_LIMITS, ...changed };
  const plan = planOf(job);
  if (plan.count === 0) return { kind: "empty" };
  const timing = recordedTiming(plan);
  const responseMs = job.endedAt - job.submittedAt;
  const contradiction = contradictionIn(plan, timing, responseMs);
  if (contradiction !== undefined) return { kind: "contradiction", contradiction };
  const fitting = { limits, seed };
  const { signals, garbage, expectation } = fitOf(plan, timing.own, fitting);
  const causes = attemptCauses(plan, timing, signals, expectation);
  const found = sharesOf(plan, timing.wait, causes, responseMs);
  const { shares, ms } = withinResponse(found, causes, responseMs);
  const idle = idleOf(plan);
  const spells = spellsOf(plan, idle);
  const asRan = asRanWithAll(plan, timing);
  const usual = usualTiming(plan, timing.wait, causes);
  const scheduled = schedule(plan, usual);
  const { usualMs } = shares;
  const parts = partsOf(plan, { timing: usual, scheduled, usualMs, idle, asRan });
  const fitted = { expectation, causes, weights: found.weights, responseMs, idle, asRan };
  const bounds = intervals ? intervalsOf(plan, timing, signals, fitted, fitting) : undefined;
  const audit = audits ? auditOf(plan, timing, signals, expectation, seed) : undefined;
  const evidence = evidenceIn(plan);
  const measured = { plan, evidence, timing, signals, expectation, causes, shares, ms };
  const facts: Found = { ...measured, bounds: bounds?.causes, top, runs: runsOf(job) };
  const format = trace.source?.format;
  const rows = causeRows(facts);
  const content = {
    job: jobFacts(job, plan),
    ...(format !== undefined && { format }),
    responseMs,
    delayMs: shares.delayMs,
    usualMs: shares.usualMs,
    parts: partRows(plan, parts, spells, { top, bounds: bounds?.parts }),
    idle: idleRow(idle, spells, top),
    blocked: blockedIn(plan, timing),
    sizes: sizedRows(plan, timing),
    slots: slotsRow(plan, parts, recordedDoneAt(plan, timing.wait, causes)),
    slotMs: slotTimeOf(plan),
    causes: rows,
    hints: hintRows(facts, limits, format),
    scheduleChangedMs: shares.scheduleChangedMs,
    phases: phaseRows(facts),
    nodes: nodeRows(facts),
    attempts: attemptRows(facts),
    copies: audit === undefined ? undefined : copiesRow(plan, audit),
    measures: jobMeasures([{ job, phases: facts.runs }]),
    lacks: [...job.lacks],
    ...(evidence !== undefined && { evidence }),
    notes: notesOf(trace, job, { garbage, format, evidence, causes: rows, responseMs }),
    limits,
  };
  const why = { ...content, verdict: verdictOf(content) };
  return { kind: "why", why, phases: phaseFacts(facts) };
}

interface Found {
  readonly plan: Plan;
  readonly evidence: EvidenceRow | undefined;
  readonly timing: Timing;
  readonly signals: Signals;
  readonly expectation: Expectation;
  readonly causes: AttemptCauses;
  readonly shares: Shares;
  /** The seconds of attempts that the shares are sums of. */
  readonly ms: AttemptCauses["ms"];
  readonly bounds: Readonly<Record<Cause, CauseInterval>> | undefined;
  readonly top: number;
  readonly runs: readonly PhaseRuns[];
}

function jobFacts(job: TraceJob, plan: Plan): JobFacts {
  return {
    id: job.id,
    name: job.name,
    ...(job.part !== undefined && { part: job.part }),
    ...(job.user !== undefined && { user: job.user }),
    outcome: job.outcome,
    attempts: plan.count,
    nodes: job.nodes.length,
    settings: job.settings,
  };
}

const nodeName = ({ plan, signals }: Pick<Found, "plan" | "signals">, i: number): string =>
  plan.job.nodes[cell(signals.node[i])] ?? "unknown";

/** The cause's part of what the attempt cost the response. */
function costOf({ causes, shares, ms }: Found, cause: Cause, i: number): number {
  const waited = causes.isRetryWait[i] === 1 ? "retries" : "waited-to-start";
  const wait = cause === waited ? cell(shares.weights.wait[i]) * cell(causes.waitMs[i]) : 0;
  if (cause === "waited-to-start") return wait;
  return wait + cell(shares.weights.own[i]) * cell(ms[cause][i]);
}

function causeRows(found: Found): readonly CauseRow[] {
  const { plan, timing, causes, shares, bounds } = found;
  const responseMs = plan.job.endedAt - plan.job.submittedAt;
  const recordedMs = recordedDoneAt(plan, timing.wait, causes);
  const cost = { plan, waits: timing.wait, weights: shares.weights.wait };
  const rows = DECLARATIONS.map(({ name: cause, details }): CauseRow => {
    const changed = cause === "unexplained" ? shares.scheduleChangedMs : 0;
    const ms = shares.ms[cause] + changed;
    const alone = recordedMs - doneWithout(plan, timing.wait, causes, [cause]);
    const last = (): number => lastMs(plan, timing.wait, causes, cause);
    const drawn = bounds && withGain(bounds[cause], { ms, aloneMs: alone, lastMs: last });
    const bound = drawn && intervalWithin(cause, drawn, { ms, changed, responseMs });
    return {
      cause,
      ms,
      ...(found.evidence?.isWhole === false
        ? uncertain(bound ?? { lowMs: ms, highMs: ms })
        : bound),
      // What cost nothing cannot be mended.
      aloneMs: ms === 0 ? 0 : alone,
      ...details?.({ ...cost, costOf: (i) => costOf(found, cause, i) }),
      evidence: evidenceOf(found, cause),
    };
  });
  return rows.sort((a, b) => Math.sign(Math.abs(b.ms) - Math.abs(a.ms)));
}

function hintRows(
  { plan, signals, causes, top, evidence }: Found,
  limits: Limits,
  format: TraceFormat | undefined,
): readonly HintRow[] {
  if (evidence?.isWhole === false) return [];
  return hintsOf({ plan, signals, causes, limits, format }).map(({ kind, text, attempts }) => ({
    kind,
    text,
    attempts: attempts.slice(0, top).map((i) => attemptName(plan, i)),
  }));
}

function evidenceOf(found: Found, cause: Cause): readonly Evidence[] {
  const totals = new Map<string, number>();
  for (let i = 0; i < found.plan.count; i++) {
    const ms = costOf(found, cause, i);
    if (ms === 0) continue;
    const what = cause === "node" ? nodeName(found, i) : attemptName(found.plan, i);
    totals.set(what, (totals.get(what) ?? 0) + ms);
  }
  const total = [...totals.values()].reduce((sum, ms) => sum + ms, 0);
  return [...totals]
    .map(([what, ms]) => ({ what, ms }))
    .filter(({ ms }) => ms * total > 0)
    .sort((a, b) => Math.sign(Math.abs(b.ms) - Math.abs(a.ms)))
    .slice(0, found.top);
}

/** The response time that the attempt cost, over all causes. */
function lostBy(found: Found, i: number): number {
  return OWN_CAUSES.reduce(
    (total, cause) => total + costOf(found, cause, i),
    costOf(found, "waited-to-start", i),
  );
}

function phaseRows(found: Found): readonly PhaseRow[] {
  const { plan, runs, signals, expectation } = found;
  const lost = new Float64Array(plan.job.phases.length);
  const bytes = bytesOfTasks(plan, signals);
  for (let i = 0; i < plan.count; i++) {
    const phase = cell(plan.phase[i]);
    lost[phase] = cell(lost[phase]) + lostBy(found, i);
  }
  return plan.job.phases.map((phase, index) => {
    const fit = expectation.fits[index];
    const [first, next] = [cell(plan.firstTask[index]), cell(plan.firstTask[index + 1])];
    const skew = skewOf(bytes.subarray(first, next));
    const measures = phaseMeasures(cell(runs[index]).runs);
    return {
      phase: phase.name,
      ...(phase.title !== undefined && { title: phase.title }),
      ...(phase.operators !== undefined && { operators: phase.operators }),
      tasks: phase.tasks,
      attempts: phase.attempts.length,
      delayMs: cell(lost[index]),
      use: phaseUse(phase.attempts),
      isPlaced: isPlaced(phase.attempts),
      ...(skew !== undefined && { skew }),
      ...(measures !== undefined && { measures }),
      ...(fit !== undefined && {
        fit: {
          typicalMs: fit.alphaMs + (fit.msPerByte > 0 ? fit.msPerByte * fit.meanBytes : 0),
          msPerByte: fit.msPerByte,
          meanBytes: fit.meanBytes,
          farMs: fit.farMs,
          firstMs: fit.firstMs,
          gcMs: fit.gcMs,
          fetchMs: fit.fetchMs,
        },
      }),
    };
  });
}

function isPlaced(attempts: AttemptColumns): boolean {
  const known = Array.from({ length: attempts.length }, (_, row) => localityAt(attempts, row));
  return known.includes("node") && (known.includes("rack") || known.includes("any"));
}

function phaseFacts(found: Found): readonly PhaseFacts[] {
  const { plan } = found;
  const facts = plan.job.phases.map(({ attempts }) => ({
    expectedMs: new Float64Array(attempts.length).fill(Number.NaN),
    delayMs: new Float64Array(attempts.length),
    heldMs: new Float64Array(attempts.length).fill(Number.NaN),
  }));
  for (let i = 0; i < plan.count; i++) {
    const row = cell(plan.row[i]);
    const own = cell(facts[cell(plan.phase[i])]);
    own.expectedMs[row] = expectedMs(found, i);
    own.delayMs[row] = lostBy(found, i);
    own.heldMs[row] = heldMs(plan, i);
  }
  return facts;
}

/** The time that `expectedMs` does not cover. */
function heldMs({ barrier, gates, start, end }: Plan, i: number): number {
  const gate = gates[cell(barrier[i])];
  const [from, to] = [cell(start[i]), cell(end[i])];
  return gate !== undefined && gate.at > from ? Math.min(gate.at, to) - from : Number.NaN;
}

/** On a node of usual speed: a slow node is a reason to be late, not an excuse. */
function expectedMs({ plan, signals, expectation }: Found, i: number): number {
  const whole = wholeExpectedMs(plan, signals, expectation, i) ?? Number.NaN;
  return whole / cell(expectation.slowed[i]);
}

function nodeRows(found: Found): readonly NodeRow[] {
  const { plan, expectation, signals } = found;
  const unexplained = new Map<number, number>();
  for (let i = 0; i < plan.count; i++) {
    const node = cell(signals.node[i]);
    unexplained.set(node, (unexplained.get(node) ?? 0) + costOf(found, "unexplained", i));
  }
  return expectation.nodes
    .map(({ node, rawFactor, estimate, ...effect }) => ({
      node: plan.job.nodes[node] ?? "unknown",
      attempts: effect.attempts,
      times: effect.times,
      // The factor of a node with few attempts is what was observed, not an estimate.
      factor: effect.verdict === "too-few" ? rawFactor : estimate,
      lowFactor: effect.lowFactor,
      highFactor: effect.highFactor,
      unexplainedMs: unexplained.get(node) ?? 0,
      verdict: effect.verdict,
      ...(effect.part !== undefined && whenSlow(effect.part, plan.job)),
    }))
    .sort((a, b) => Math.sign(b.factor - a.factor));
}

const whenSlow = ({ from, until }: SlowPart, { submittedAt }: TraceJob): Partial<NodeRow> =>
  from > submittedAt ? { slowFromMs: from - submittedAt } : { slowUntilMs: until - submittedAt };

function attemptRows(found: Found): readonly AttemptRow[] {
  const { plan, signals } = found;
  const costs = Float64Array.from({ length: plan.count }, (_, i) => lostBy(found, i));
  const order = Array.from(costs.keys()).sort((a, b) => Math.sign(cell(costs[b]) - cell(costs[a])));
  return order.slice(0, found.top).map((i) => {
    const bytes = cell(signals.bytes[i]);
    return {
      attempt: attemptName(plan, i),
      node: nodeName(found, i),
      as: kindOf(plan, i),
      end: endOf(plan, i),
      startedAt: cell(plan.start[i]),
      endedAt: cell(plan.end[i]),
      expectedMs: expectedMs(found, i),
      delayMs: cell(costs[i]),
      ...(!Number.isNaN(bytes) && { inputBytes: bytes }),
    };
  });
}

function copiesRow(plan: Plan, { copies, ...audit }: Audit): CopiesRow {
  const nodeOf = (i: number): string =>
    plan.job.nodes[cell(attemptsOf(plan, i).node[cell(plan.row[i])])] ?? "unknown";
  return {
    ...audit,
    made: copies.length,
    each: copies.map(({ copy, original, ...rest }) => ({
      copy: attemptName(plan, copy),
      node: nodeOf(copy),
      originalNode: nodeOf(original),
      ...rest,
    })),
  };
}
