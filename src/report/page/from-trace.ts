import { grouped } from "../../base/grouped.ts";
import { cell, columnsBy, namesOf } from "../../base/rows.ts";
import type { PhaseFacts } from "../../diagnose/document.ts";
import { DEFAULT_LIMITS, type Limits } from "../../diagnose/limits.ts";
import { mostAtOnce } from "../../diagnose/response/most-at-once.ts";
import { type Diagnosis, diagnose } from "../../diagnose/why.ts";
import { ATTEMPT, MOMENTS } from "../../history/columns.ts";
import type { Signal, Trace, TraceJob, TracePhase } from "../../history/model.ts";
import { measureFacts, OUTLIER_TITLES, outlierRows } from "../measures-text.ts";
import {
  type AttemptTable,
  PAGE_ATTEMPT,
  type PageDocument,
  type PageHead,
  type PageHost,
  type PageNode,
  type PagePhase,
  SIMULATED_MAX,
} from "./document.ts";
import { fitOf } from "./fit.ts";
import { idleBesideMs } from "./idle.ts";
import { keptCurves } from "./kept-curves.ts";
import { inOrder, keyOf, laneAttempts } from "./lanes.ts";
import type { RunLog } from "./run-log.ts";
import { pageUnits } from "./unit-table.ts";

export interface PageOptions {
  /** The jobs that are shown, of one cluster. Default: all. */
  readonly jobs?: readonly TraceJob[];
  readonly host: PageHost;
  readonly source: string;
  /** The contents of a journal besides its attempts. */
  readonly log?: RunLog;
  /** Whether the diagnosis has intervals. Default: true. */
  readonly intervals?: boolean;
  /** The job still runs: it is not diagnosed. */
  readonly isLive?: boolean;
  /** Further parts of the page, for the job whose verdict it gives. */
  readonly ofWorst?: (job: TraceJob) => BesideJob;
}

type BesideJob = Pick<PageHead, "whatif" | "compare" | "shows"> & Pick<PageDocument, "other">;

const STILL_RUNS: Diagnosis = { kind: "empty" };

/** The page of a trace. COST: one diagnosis per job; with intervals some seconds. */
export function pageOf(trace: Trace, options: PageOptions): PageDocument {
  const { jobs = trace.jobs, log, host, source } = options;
  // A whole ms, so that no bit is lost when it is taken from a moment, or added again.
  const from = Math.floor(Math.min(...jobs.map(({ submittedAt }) => submittedAt)));
  const cluster = nodesOf(jobs);
  const { slots, isKnown } = slotsOf(jobs, cluster.index);
  const [isOne, { intervals = true, isLive = false }] = [jobs.length === 1, options];
  const found = jobs.map((job) =>
    isLive
      ? STILL_RUNS
      : diagnose(trace, job, isOne ? { intervals } : { intervals: false, audit: false }),
  );
  const worst = worstOf(found);
  const phases = jobs.flatMap((job, n) => phasesIn(job, found[n], n === worst && !isLive));
  const table = tableOf(phases, cluster.index, from);
  const lanes = { ...table, kinds: phases.map(({ kind }) => kind) };
  const { rows, row } = laneAttempts(lanes, inOrder(cluster.nodes), slots);
  table.row.set(row);
  const { attempts, ...ofCurves } = withCurves(table, phases, { found, isLive });
  const ends = table.endedAt.reduce((last, end) => Math.max(last, end), 0);
  const endsAt = Math.max(...jobs.map(({ endedAt }) => endedAt), ends + from);
  const job = jobs[worst];
  const verdict = whyOf(found[worst], () =>
    isOne || job === undefined ? found[worst] : diagnose(trace, job, { intervals }),
  );
  const { other, ...ofHead } = (job && options.ofWorst?.(job)) ?? {};
  const { discipline } = jobs[0]?.settings ?? {};
  const head: PageHead = {
    schema: "broomwagon/page@3",
    title: jobs.map(({ name }) => name).join(", "),
    host,
    format: trace.source.format,
    source,
    originMs: trace.originMs === 0 ? 0 : trace.originMs + from,
    endsAt: endsAt - from,
    ...(discipline !== undefined && { discipline }),
    nodes: cluster.nodes,
    jobs: jobs.map((job, n) => ({
      name: job.name,
      ...(job.user !== undefined && { user: job.user }),
      submittedAt: job.submittedAt - from,
      endedAt: job.endedAt - from,
      outcome: job.outcome,
      ...(job.executors.length > 0 && { executors: job.executors }),
      ...(job.evidence?.reasons !== undefined && { reasons: job.evidence.reasons }),
      ...lostOf(found[n]),
    })),
    phases: phasesOf(jobs, found),
    rows,
    slotsKnown: isKnown,
    ...(isKnown && {
      offeredMs: offeredBy(jobs, endsAt, from),
      ...(!isLive && { idleBesideMs: idleBesideMs(jobs, from, endsAt) }),
    }),
    decisions: log?.decisions(attempts, from) ?? [],
    firstLaunches: log?.firstLaunches ?? 0,
    refusals: log?.refusals(from) ?? [],
    ...(log?.lacksRefusals === true && { lacksRefusals: true }),
    spans: log?.spans(cluster.index, from, endsAt) ?? [],
    ...(isLive ? { isLive } : verdict),
    ...(verdict.why !== undefined && { whyJob: worst }),
    ...(verdict.why && job && pageUnits(job, verdict.why, job.submittedAt - from)),
    ...ofHead,
    lacks: lacksOf(jobs),
    notes: trace.notes,
    ...ofCurves,
  };
  return { head, attempts, ...(other !== undefined && { other }) };
}

const lacksOf = (jobs: readonly TraceJob[]): readonly Signal[] => [
  ...new Set(jobs.flatMap(({ lacks }) => [...lacks])),
];

/** Nodes of all jobs, each once; jobs of one journal share them. */
function nodesOf(jobs: readonly TraceJob[]) {
  const index = new Map<string, number>();
  const nodes: PageNode[] = [];
  for (const { nodes: names, racks } of jobs) {
    for (const [n, name] of names.entries()) {
      if (index.has(name)) continue;
      index.set(name, nodes.length);
      const rack = racks?.[n] ?? "";
      nodes.push({ name, ...(rack !== "" && { rack }) });
    }
  }
  return { nodes, index };
}

/** A phase's attempts with what the table says of them besides. */
interface TablePhase extends Pick<TracePhase, "kind" | "attempts"> {
  readonly job: TraceJob;
  readonly facts: PhaseFacts | undefined;
  /** The page's worker simulates the whole job. */
  readonly isExact: boolean;
}

function phasesIn(
  job: TraceJob,
  found: Diagnosis | undefined,
  isShown: boolean,
): readonly TablePhase[] {
  const count = job.phases.reduce((sum, { attempts }) => sum + attempts.length, 0);
  const isExact = isShown && count <= SIMULATED_MAX;
  return job.phases.map(({ kind, attempts }, p) => {
    const facts = found?.kind === "why" ? found.phases[p] : undefined;
    return { kind, attempts, job, facts, isExact };
  });
}

function slotsOf(jobs: readonly TraceJob[], index: ReadonlyMap<string, number>) {
  const [job] = jobs;
  const byNode = grouped(job?.slots ?? [], ({ node, kind }) =>
    keyOf(index.get(job?.nodes[node] ?? "") ?? -1, kind),
  );
  const slots = new Map(
    // A node that comes back has the same slots again.
    [...byNode].map(([key, own]) => [key, mostAtOnce(own, Number.POSITIVE_INFINITY)]),
  );
  return { slots, isKnown: slots.size > 0 };
}

function offeredBy([job]: readonly TraceJob[], endsAt: number, from: number): number {
  return (job?.slots ?? []).reduce(
    (sum, { from: since, until = endsAt }) =>
      sum + Math.max(0, Math.min(until, endsAt) - Math.max(since, from)),
    0,
  );
}

function lostOf(found: Diagnosis | undefined): { readonly delayMs?: number } {
  return found?.kind === "why" ? { delayMs: found.why.delayMs } : {};
}

const limitsOf = (found: readonly Diagnosis[]): Limits =>
  found.find((one) => one.kind === "why")?.why.limits ?? DEFAULT_LIMITS;

/** The job that lost most. */
function worstOf(found: readonly Diagnosis[]): number {
  const lost = found.map((one) => lostOf(one).delayMs ?? Number.NEGATIVE_INFINITY);
  return lost.indexOf(Math.max(...lost));
}

/** `whole`: the diagnosis with its audit and intervals. */
function whyOf(
  found: Diagnosis | undefined,
  whole: () => Diagnosis | undefined,
): Partial<Pick<PageHead, "why" | "measured" | "notDiagnosed">> {
  if (found?.kind !== "why") {
    const isEmpty = found === undefined || found.kind === "empty";
    return {
      notDiagnosed: isEmpty ? "no attempt ran" : "the recorded times contradict each other",
    };
  }
  const diagnosed = whole();
  if (diagnosed?.kind !== "why") return {};
  const { why } = diagnosed;
  const rows = outlierRows(why.phases);
  const facts = measureFacts(why.measures);
  const isKnown = facts !== "" || rows.length > 0;
  return { why, ...(isKnown && { measured: { heads: HEADS, rows, facts } }) };
}

const [PHASE, ...NUMBERS] = OUTLIER_TITLES;
const HEADS = [PHASE, ...NUMBERS.map((title) => `n:${title}`)];

function phasesOf(jobs: readonly TraceJob[], found: readonly Diagnosis[]): readonly PagePhase[] {
  const firsts = jobs.map((_, n) =>
    jobs.slice(0, n).reduce((sum, { phases }) => sum + phases.length, 0),
  );
  return jobs.flatMap((job, n) =>
    job.phases.map((phase, p): PagePhase => {
      const one = found[n];
      const fit = one?.kind === "why" ? fitOf(one.why.phases[p]) : undefined;
      return {
        job: n,
        name: phase.name,
        ...(phase.title !== undefined && { title: phase.title }),
        tasks: phase.tasks,
        reads: phase.reads.map((edge) => cell(firsts[n]) + edge.phase),
        ...(phase.stages !== undefined && { stages: phase.stages }),
        ...(fit !== undefined && { fit }),
      };
    }),
  );
}

/** The attempts of the phases, one after the other; on which rows they stand is not yet known. */
function tableOf(
  phases: readonly TablePhase[],
  index: ReadonlyMap<string, number>,
  from: number,
): AttemptTable {
  const length = phases.reduce((sum, { attempts }) => sum + attempts.length, 0);
  const table = columnsBy(PAGE_ATTEMPT, (_, { make, unknown }) => make(length).fill(unknown));
  let first = 0;
  for (const [phase, { job, attempts, facts }] of phases.entries()) {
    for (const name of namesOf(ATTEMPT)) table[name].set(attempts[name], first);
    const nodes = job.nodes.map((name) => index.get(name) ?? -1);
    for (let at = 0; at < attempts.length; at++) {
      const row = first + at;
      table.phase[row] = phase;
      table.node[row] = nodes[attempts.node[at]!] ?? -1;
      if (facts === undefined) continue;
      table.expectedMs[row] = wholeMs(facts.expectedMs[at]!);
      table.delayMs[row] = wholeMs(facts.delayMs[at]!);
      table.heldMs[row] = wholeMs(facts.heldMs[at]!);
    }
    first += attempts.length;
  }
  for (const name of MOMENTS) {
    const column = table[name];
    for (let row = 0; row < length; row++) column[row]! -= from;
  }
  return { length, ...table };
}

/** Without -0, which no other whole number of bytes could hold. */
const wholeMs = (ms: number): number => Math.round(ms) + 0;

function withCurves(
  table: AttemptTable,
  phases: readonly TablePhase[],
  { found, isLive }: { readonly found: readonly Diagnosis[]; readonly isLive: boolean },
): Pick<PageHead, "curvesKept"> & { readonly attempts: AttemptTable } {
  if (phases.every(({ attempts }) => attempts.curves === undefined)) return { attempts: table };
  const { lateAbove } = limitsOf(found);
  const { curves, ...kept } = keptCurves({ table, phases, lateAbove, isLive });
  return { attempts: { ...table, curves }, ...kept };
}
