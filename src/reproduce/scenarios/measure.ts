import { never } from "../../base/assert.ts";
import { sum } from "../../base/stats.ts";
import type { SimulationResult } from "../../hosts/sim/index.ts";
import { ATTEMPT_KINDS, type AttemptKind } from "../../model/attempt.ts";
import type { Locality } from "../../model/job.ts";
import type { AttemptLog, LoggedAttempt } from "./attempt-log.ts";

/** A number of one run. Times are in seconds. */
export type Measure =
  /** Mean over the jobs whose names match; over all jobs if left out. */
  | { readonly kind: "response"; readonly job?: string }
  /** From the start to the end of the last job. */
  | { readonly kind: "makespan" }
  /** Time in attempts that were killed, over the whole cluster. */
  | { readonly kind: "wasted" }
  | { readonly kind: "wasted-per-node" }
  | { readonly kind: "tasks" }
  /** Copies that had to wait for a slot, and requests that were withdrawn. */
  | { readonly kind: "requested" | "withdrawn" }
  /** The number of attempts, their total time, or their mean time; 0 without attempts. */
  | ({ readonly kind: "attempts" | "attempt-time" | "mean-attempt-time" } & Selection)
  /** From the start of the first of these attempts to the end of the last; 0 without attempts. */
  | ({ readonly kind: "span" } & Selection)
  /** The start of the first of these attempts; the makespan without attempts. */
  | ({ readonly kind: "first-start" } & Selection);

/** Attempts that satisfy all conditions. Names may contain `*` for any text. */
export interface Selection {
  readonly as?: readonly AttemptKind[];
  readonly ended?: LoggedAttempt["ended"];
  readonly job?: string;
  readonly phase?: string;
  /** The attempt ran on one of these nodes. */
  readonly nodes?: readonly string[];
  /** The attempt's task had been tried before on one of these nodes. */
  readonly triedOn?: readonly string[];
  readonly locality?: Locality;
}

export interface MeasuredRun {
  readonly result: SimulationResult;
  readonly log: AttemptLog;
}

export function measured(measure: Measure, { result, log }: MeasuredRun): number {
  const { attempts } = log;
  switch (measure.kind) {
    case "response": {
      const matches = matcher(measure.job);
      const times = result.jobs.filter(({ name }) => matches(name)).map((job) => job.responseMs);
      return meanOrZero(times) / 1000;
    }
    case "makespan":
      return result.makespanMs / 1000;
    case "wasted":
      return result.wastedMs / 1000;
    case "wasted-per-node":
      return result.wastedMs / 1000 / result.wastedMsByNode.size;
    case "tasks":
      return result.tasks;
    case "requested":
      return log.requested;
    case "withdrawn":
      return log.withdrawn;
    case "attempts":
      return selected(attempts, measure).length;
    case "attempt-time":
      return sum(selected(attempts, measure).map(({ slotMs }) => slotMs)) / 1000;
    case "mean-attempt-time":
      return meanOrZero(selected(attempts, measure).map(({ slotMs }) => slotMs)) / 1000;
    case "span": {
      const chosen = selected(attempts, measure);
      const from = chosen.reduce((min, { launchedAt }) => Math.min(min, launchedAt), Infinity);
      const to = chosen.reduce((max, { endedAt }) => Math.max(max, endedAt), 0);
      return chosen.length === 0 ? 0 : (to - from) / 1000;
    }
    case "first-start": {
      const starts = selected(attempts, measure).map(({ launchedAt }) => launchedAt);
      return Math.min(result.makespanMs, ...starts) / 1000;
    }
    default:
      return never(measure);
  }
}

const meanOrZero = (values: readonly number[]): number =>
  values.length === 0 ? 0 : sum(values) / values.length;

export function selected(
  attempts: readonly LoggedAttempt[],
  { as = ATTEMPT_KINDS, ended, job, phase, nodes, triedOn, locality }: Selection,
): readonly LoggedAttempt[] {
  const isJob = matcher(job);
  const isPhase = matcher(phase);
  const isNode = anyMatcher(nodes);
  const wasNode = anyMatcher(triedOn);
  return attempts.filter(
    (attempt) =>
      as.includes(attempt.as) &&
      (ended === undefined || attempt.ended === ended) &&
      (locality === undefined || attempt.locality === locality) &&
      isJob(attempt.job) &&
      isPhase(attempt.phase) &&
      isNode(attempt.node) &&
      (triedOn === undefined || attempt.triedOn.some(wasNode)),
  );
}

type Matches = (name: string) => boolean;

function anyMatcher(patterns: readonly string[] | undefined): Matches {
  if (patterns === undefined) return () => true;
  const matchers = patterns.map((pattern) => matcher(pattern));
  return (name) => matchers.some((matches) => matches(name));
}

/** `*` stands for any text. */
export function matcher(pattern: string | undefined): Matches {
  if (pattern === undefined) return () => true;
  const parts = pattern.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  const expression = new RegExp(`^${parts.join(".*")}$`);
  return (name) => expression.test(name);
}
