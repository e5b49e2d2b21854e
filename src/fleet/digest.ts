import { grouped } from "../base/grouped.ts";
import { exp, log } from "../base/math.ts";
import { cell } from "../base/rows.ts";
import type { Cause } from "../diagnose/cause.ts";
import type { PhaseFacts, Why } from "../diagnose/document.ts";
import { medianOf, robustSigma } from "../diagnose/expect/robust.ts";
import type { Part } from "../diagnose/response/part.ts";
import { type AttemptColumns, endAt } from "../history/columns.ts";
import type { TraceJob, Workflow } from "../history/model.ts";

/** What a fleet keeps of a diagnosed job: plain data, some hundred bytes a node. Times in ms. */
export interface JobDigest {
  readonly id: string;
  readonly name: string;
  /** Of an application that was started again: its attempt, and how many there are. */
  readonly attempt?: number;
  readonly attemptsOfApplication?: number;
  /** The workflow of which it is a step. */
  readonly workflow?: Workflow;
  readonly outcome: TraceJob["outcome"];
  /** Since 1970 UTC if it is dated, else since the start of its trace. */
  readonly submittedAt: number;
  readonly isDated: boolean;
  readonly responseMs: number;
  readonly delayMs: number;
  readonly usualMs: number;
  readonly slotMs: number;
  readonly attempts: number;
  /** Response time lost to each cause; causes of 0 are left out. */
  readonly causes: readonly { readonly cause: Cause; readonly ms: number }[];
  /** What its usual time consists of; parts of 0 are left out. */
  readonly parts: readonly { readonly part: Part; readonly ms: number }[];
  /** Attempts without a result, by the reason that the log gives. */
  readonly failures: readonly { readonly reason: string; readonly count: number }[];
  readonly nodes: readonly NodeInJob[];
  /** The robust sigma of the lateness of all attempts. */
  readonly sigma: number;
}

/** How a node's attempts did among their peers of one job. */
export interface NodeInJob {
  readonly node: string;
  readonly attempts: number;
  /**
   * The logarithms of its attempts' time over their expected time, ascending; of many attempts,
   * quantiles.
   */
  readonly lateness: readonly number[];
  /** The median of time over expected time. */
  readonly factor: number;
  /** Response time that its attempts cost. */
  readonly delayMs: number;
  /** Whether the diagnosis of the job alone calls the node slow. */
  readonly isSlow: boolean;
}

export interface Diagnosed {
  /** Of the trace, ms since 1970 UTC; 0 if it has no date. */
  readonly originMs: number;
  readonly job: TraceJob;
  readonly why: Why;
  readonly phases: readonly PhaseFacts[];
}

export function digestOf({ originMs, job, why, phases }: Diagnosed): JobDigest {
  const { attempt, attempts: all } = why.evidence ?? {};
  const slow = why.nodes.filter(({ verdict }) => verdict === "slow" || verdict === "lasting");
  return {
    id: job.id,
    name: job.name,
    ...(attempt !== undefined && { attempt }),
    ...(all !== undefined && { attemptsOfApplication: all }),
    ...(job.workflow !== undefined && { workflow: job.workflow }),
    outcome: job.outcome,
    submittedAt: originMs + job.submittedAt,
    isDated: originMs > 0,
    responseMs: why.responseMs,
    // Attempts that were faster than their peers make up for nothing.
    delayMs: Math.max(0, why.delayMs),
    usualMs: why.usualMs,
    slotMs: why.slotMs,
    attempts: why.job.attempts,
    failures: failuresIn(why),
    parts: why.parts.filter(({ ms }) => ms !== 0).map(({ part, ms }) => ({ part, ms })),
    causes: why.causes.filter(({ ms }) => ms !== 0).map(({ cause, ms }) => ({ cause, ms })),
    ...comparedIn(job, phases, new Set(slow.map(({ node }) => node))),
  };
}

/** Those of all phases; what has no reason is called by its end. */
function failuresIn({ evidence }: Why): JobDigest["failures"] {
  const named = (evidence?.failures ?? []).map(({ reason, ended, count }) => ({
    reason: reason === "" ? `${ended} without a reason in the log` : reason,
    count,
  }));
  return Array.from(
    grouped(named, ({ reason }) => reason),
    ([reason, own]) => ({ reason, count: own.reduce((sum, { count }) => sum + count, 0) }),
  );
}

/** Fewer attempts of a phase have no peers worth the name. */
const PEERS_MIN = 3;
/** Values that are kept of a node's attempts. */
const KEPT = 24;
/** Attempts of a job that are alike to the millisecond are no yardstick. */
const SIGMA_MIN = 0.01;

function comparedIn(
  { phases, nodes }: TraceJob,
  facts: readonly PhaseFacts[],
  slow: ReadonlySet<string>,
): Pick<JobDigest, "nodes" | "sigma"> {
  const timed = phases.flatMap(({ attempts }, n) => timedIn(attempts, cell(facts[n])));
  const byNode = grouped(timed, ({ node }) => node);
  const found = Array.from(byNode, ([index, own]): NodeInJob => {
    const node = cell(nodes[index]);
    const sorted = Float64Array.from(own, ({ r }) => r).sort();
    return {
      node,
      attempts: own.length,
      lateness: quantiles(sorted),
      factor: exp(medianOf(sorted)),
      delayMs: own.reduce((sum, each) => sum + each.delayMs, 0),
      isSlow: slow.has(node),
    };
  });
  const sigma = timed.length === 0 ? 0 : robustSigma(Float64Array.from(timed, ({ r }) => r));
  return { nodes: found, sigma: Math.max(sigma, SIGMA_MIN) };
}

/** An attempt beside its peers. */
interface Timed {
  readonly node: number;
  /** ln of its time over its expected time. */
  readonly r: number;
  readonly delayMs: number;
}

/** Attempts that succeeded, and those that were killed when they were late already. */
function timedIn(attempts: AttemptColumns, facts: PhaseFacts): readonly Timed[] {
  const found: Timed[] = [];
  for (let row = 0; row < attempts.length; row++) {
    const node = cell(attempts.node[row]);
    const held = cell(facts.heldMs[row]);
    const tookMs = cell(attempts.endedAt[row]) - cell(attempts.startedAt[row]);
    const ratio = (tookMs - (Number.isNaN(held) ? 0 : held)) / cell(facts.expectedMs[row]);
    const end = endAt(attempts, row);
    const counts = end === "succeeded" || (end === "killed" && ratio > 1);
    if (node < 0 || !counts || !(ratio > 0) || ratio === Number.POSITIVE_INFINITY) continue;
    found.push({ node, r: log(ratio), delayMs: cell(facts.delayMs[row]) });
  }
  return found.length < PEERS_MIN ? [] : found;
}

/** All values of a few, else the middles of equal parts. */
function quantiles(sorted: Float64Array): readonly number[] {
  if (sorted.length <= KEPT) return [...sorted];
  const at = (n: number): number => Math.floor(((n + 0.5) * sorted.length) / KEPT);
  return Array.from({ length: KEPT }, (_, n) => cell(sorted[at(n)]));
}
