import { grouped } from "../../base/grouped.ts";
import { cell } from "../../base/rows.ts";
import type { PhaseFacts } from "../../diagnose/document.ts";
import { DEFAULT_LIMITS, type Limits } from "../../diagnose/limits.ts";
import { mostAtOnce } from "../../diagnose/response/most-at-once.ts";
import { type Diagnosis, diagnose } from "../../diagnose/why.ts";
import type { Signal, Trace, TraceJob } from "../../history/model.ts";
import { measureFacts, OUTLIER_TITLES, outlierRows } from "../measures-text.ts";
import {
  type AttemptTable,
  COLUMNS,
  type ColumnName,
  type PageDocument,
  type PageHead,
  type PageHost,
  type PageNode,
  type PagePhase,
} from "./document.ts";
import { fitOf } from "./fit.ts";
import { idleBesideMs } from "./idle.ts";
import { keptCurves } from "./kept-curves.ts";
import { inOrder, keyOf, laneAttempts, type Placed } from "./lanes.ts";
import type { Told } from "./told.ts";

export interface PageOptions {
  /** The jobs that are shown, of one cluster. Default: all. */
  readonly jobs?: readonly TraceJob[];
  readonly host: PageHost;
  readonly source: string;
  /** The contents of a journal besides its attempts. */
  readonly told?: Told;
  /** Whether the diagnosis has intervals. Default: true. */
  readonly intervals?: boolean;
  /** The job still runs: it is not diagnosed. */
  readonly isLive?: boolean;
  /** Further parts of the head, for the job whose verdict the page gives. */
  readonly ofWorst?: (job: TraceJob) => Pick<PageHead, "whatif" | "compare" | "shows" | "other">;
}

const STILL_RUNS: Diagnosis = { kind: "empty" };

/** The page of a trace. COST: one diagnosis per job; with intervals some seconds. */
export function pageOf(trace: Trace, options: PageOptions): PageDocument {
  const { jobs = trace.jobs, told, host, source } = options;
  const from = Math.min(...jobs.map(({ submittedAt }) => submittedAt));
  const cluster = nodesOf(jobs);
  const placed = placedAttempts(jobs, cluster.index);
  const { slots, isKnown } = slotsOf(jobs, cluster.index);
  const lanes = laneAttempts(placed, inOrder(cluster.nodes), slots);
  const isOne = jobs.length === 1;
  const { intervals = true, isLive = false } = options;
  const found = jobs.map((job) =>
    isLive
      ? STILL_RUNS
      : diagnose(trace, job, isOne ? { intervals } : { intervals: false, audit: false }),
  );
  const worst = worstOf(found);
  const order = Array.from(placed.keys()).sort(
    (a, b) =>
      cell(lanes.row[a]) - cell(lanes.row[b]) ||
      Math.sign((placed[a]?.startedAt ?? 0) - (placed[b]?.startedAt ?? 0)),
  );
  const beside = { found, jobs, from, isLive };
  const { attempts, ...ofTable } = tableOf(order, placed, lanes.row, beside);
  const ends = attempts.endedAt.reduce((last, end) => Math.max(last, end), 0);
  const endsAt = Math.max(...jobs.map(({ endedAt }) => endedAt), ends + from);
  const job = jobs[worst];
  const verdict = whyOf(found[worst], () =>
    isOne || job === undefined ? found[worst] : diagnose(trace, job, { intervals }),
  );
  const { discipline } = jobs[0]?.settings ?? {};
  const head: PageHead = {
    schema: "broomwagon/page@2",
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
      ...lostOf(found[n]),
    })),
    phases: phasesOf(jobs, found),
    rows: lanes.rows,
    slotsKnown: isKnown,
    ...(isKnown && {
      offeredMs: offeredBy(jobs, endsAt, from),
      ...(!isLive && { idleBesideMs: idleBesideMs(jobs, from, endsAt) }),
    }),
    decisions: told?.decisions(attempts, from) ?? [],
    firstLaunches: told?.firstLaunches ?? 0,
    refusals: told?.refusals(from) ?? [],
    ...(told?.lacksRefusals === true && { lacksRefusals: true }),
    spans: told?.spans(cluster.index, from, endsAt) ?? [],
    ...(isLive ? { isLive } : verdict),
    ...(verdict.why !== undefined && { whyJob: worst }),
    ...(job !== undefined && options.ofWorst?.(job)),
    lacks: lacksOf(jobs),
    notes: trace.notes,
    ...ofTable,
  };
  return { head, attempts };
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

function placedAttempts(jobs: readonly TraceJob[], index: ReadonlyMap<string, number>): Placed[] {
  const placed: Placed[] = [];
  let phase = 0;
  for (const job of jobs) {
    for (const { attempts: columns, kind } of job.phases) {
      for (let at = 0; at < columns.length; at++) {
        placed.push({
          phase,
          at,
          columns,
          node: index.get(job.nodes[columns.node[at] ?? -1] ?? "") ?? -1,
          kind,
          startedAt: cell(columns.startedAt[at]),
          endedAt: cell(columns.endedAt[at]),
        });
      }
      phase += 1;
    }
  }
  return placed;
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

const MEASURED: readonly ColumnName[] = ["gcMs", "fetchWaitMs", "score", "heldMs"];

interface Beside {
  readonly found: readonly Diagnosis[];
  readonly jobs: readonly TraceJob[];
  readonly from: number;
  readonly isLive: boolean;
}

/** The table, and what the head says about it. */
interface PageTable extends Pick<PageHead, "columns" | "curvesKept"> {
  readonly attempts: AttemptTable;
}

function tableOf(
  order: readonly number[],
  placed: readonly Placed[],
  row: Int32Array,
  { found, jobs, from, isLive }: Beside,
): PageTable {
  const facts = jobs.flatMap((job, n): readonly (PhaseFacts | undefined)[] => {
    const one = found[n];
    return one?.kind === "why" ? one.phases : job.phases.map(() => undefined);
  });
  // A loop: `Float64Array.from` takes ten times as long.
  const column = (of: (one: Placed, i: number) => number | undefined): Float64Array => {
    const values = new Float64Array(order.length).fill(Number.NaN);
    for (let n = 0; n < order.length; n++) {
      const i = cell(order[n]);
      const one = placed[i];
      if (one !== undefined) values[n] = of(one, i) ?? Number.NaN;
    }
    return values;
  };
  const bytes = ({ columns, at }: Placed): number => {
    const input = columns.inputBytes[at] ?? -1;
    const shuffled = columns.shuffleBytes[at] ?? -1;
    if (input >= 0) return shuffled >= 0 ? input + shuffled : input;
    return shuffled >= 0 ? shuffled : Number.NaN;
  };
  const table: Record<ColumnName, Float64Array> = {
    row: column((_, i) => row[i]),
    startedAt: column(({ startedAt }) => startedAt - from),
    endedAt: column(({ endedAt }) => endedAt - from),
    heardAt: column(({ columns, at }) => columns.heardAt[at]! - from),
    phase: column(({ phase }) => phase),
    task: column(({ columns, at }) => columns.task[at]),
    ordinal: column(({ columns, at }) => columns.ordinal[at]),
    node: column(({ node }) => node),
    as: column(({ columns, at }) => columns.kinds[at]),
    end: column(({ columns, at }) => columns.ends[at]),
    expectedMs: column(({ phase, at }) => facts[phase]?.expectedMs[at]),
    delayMs: column(({ phase, at }) => facts[phase]?.delayMs[at]),
    heldMs: column(({ phase, at }) => facts[phase]?.heldMs[at]),
    inputBytes: column(bytes),
    gcMs: column(({ columns, at }) => columns.gcMs[at]),
    fetchWaitMs: column(({ columns, at }) => columns.fetchWaitMs[at]),
    // Thousandths, since columns hold whole numbers.
    score: column(({ columns, at }) => 1_000 * cell(columns.score[at])),
  };
  const hasSilence = table.heardAt.some((at, i) => at !== table.endedAt[i]);
  const columns = COLUMNS.filter((name) =>
    name === "heardAt"
      ? hasSilence
      : !MEASURED.some((measure) => measure === name) ||
        table[name].some((value) => !Number.isNaN(value)),
  );
  const attempts = { length: order.length, ...table };
  const hasCurves = jobs.some(({ phases }) => phases.some((one) => one.attempts.curves));
  if (!hasCurves) return { attempts, columns };
  const { lateAbove } = limitsOf(found);
  const { curves, curvesKept } = keptCurves({ placed, order, table, lateAbove, isLive });
  const whole = { attempts: { ...attempts, curves }, columns };
  return curvesKept === undefined ? whole : { ...whole, curvesKept };
}
