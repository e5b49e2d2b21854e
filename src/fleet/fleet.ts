import { grouped } from "../base/grouped.ts";
import type { Cause } from "../diagnose/cause.ts";
import { DEFAULT_LIMITS } from "../diagnose/limits.ts";
import type { Part } from "../diagnose/response/part.ts";
import type { JobDigest } from "./digest.ts";
import { type Grown, grownJobs } from "./grown.ts";
import { type FleetNode, hurtNodes } from "./hurt-nodes.ts";
import { type Workflow, workflowsOf } from "./workflows.ts";

/** What many jobs of a cluster say together. Times in ms. */
export interface Fleet {
  readonly total: Span;
  /** By day of submission, UTC; empty if histories have no dates. */
  readonly days: readonly (Span & { readonly day: string })[];
  /** Slow nodes first. */
  readonly nodes: readonly FleetNode[];
  readonly grown: readonly Grown[];
  /** Those of several jobs; the longest first. */
  readonly workflows: readonly Workflow[];
  /** Attempts without a result, by reason: the most frequent first. */
  readonly failures: readonly FleetFailure[];
}

export interface FleetFailure {
  readonly reason: string;
  readonly attempts: number;
  /** The jobs that had them. */
  readonly jobs: number;
}

/** Jobs of a time, and what their responses were lost to. */
export interface Span {
  readonly jobs: number;
  readonly succeeded: number;
  readonly responseMs: number;
  readonly delayMs: number;
  readonly slotMs: number;
  /** What was lost most to comes first. */
  readonly causes: readonly FleetCause[];
  /** What the usual time consists of: the largest first. */
  readonly parts: readonly { readonly part: Part; readonly ms: number }[];
}

export interface FleetCause {
  readonly cause: Cause;
  readonly ms: number;
  /** Jobs that lost at least 1 % of their response to it. */
  readonly jobs: number;
}

/** Of a job's response. */
const NOTABLE = 0.01;

export function fleetOf(jobs: readonly JobDigest[]): Fleet {
  const dated = jobs.filter(({ isDated }) => isDated);
  const days = [...grouped(dated, ({ submittedAt }) => dayOf(submittedAt))];
  return {
    total: spanOf(jobs),
    days: days
      .map(([day, own]) => ({ day, ...spanOf(own) }))
      .sort((a, b) => (a.day < b.day ? -1 : 1)),
    nodes: hurtNodes(jobs, { factorMin: DEFAULT_LIMITS.slowNodeMin }),
    grown: grownJobs(jobs),
    workflows: workflowsOf(jobs),
    failures: failuresOf(jobs),
  };
}

const DAY_MS = 86_400_000;
/** Days from 1 March of the year 0, from which leap days end a year, to 1970. */
const DAYS_TO_1970 = 719_468;
/** Of 400 years. */
const DAYS = 146_097;

/** The day of an instant, UTC, in the Gregorian calendar: `2026-11-28`. */
export function dayOf(at: number): string {
  const day = Math.floor(at / DAY_MS) + DAYS_TO_1970;
  const cycle = Math.floor(day / DAYS);
  const inCycle = day - cycle * DAYS;
  const leaps = Math.floor(inCycle / 1_460) - Math.floor(inCycle / 36_524);
  const year = Math.floor((inCycle - leaps + Math.floor(inCycle / (DAYS - 1))) / 365);
  const inYear = inCycle - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const fromMarch = Math.floor((5 * inYear + 2) / 153);
  const date = inYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const written = (value: number, digits: number): string => String(value).padStart(digits, "0");
  return [
    written(400 * cycle + year + (month < 3 ? 1 : 0), 4),
    ...[written(month, 2), written(date, 2)],
  ].join("-");
}

function failuresOf(jobs: readonly JobDigest[]): readonly FleetFailure[] {
  const all = [
    ...grouped(
      jobs.flatMap(({ failures }) => failures),
      ({ reason }) => reason,
    ),
  ];
  return all
    .map(([reason, own]) => ({
      ...{ reason, jobs: own.length },
      attempts: own.reduce((sum, { count }) => sum + count, 0),
    }))
    .sort((a, b) => Math.sign(b.attempts - a.attempts) || (a.reason < b.reason ? -1 : 1));
}

function spanOf(jobs: readonly JobDigest[]): Span {
  const sum = (of: (job: JobDigest) => number): number =>
    jobs.reduce((all, job) => all + of(job), 0);
  const rows = jobs.flatMap(({ causes, responseMs }) =>
    causes.map((row) => ({ ...row, isNotable: row.ms >= NOTABLE * responseMs })),
  );
  return {
    jobs: jobs.length,
    succeeded: jobs.filter(({ outcome }) => outcome === "succeeded").length,
    responseMs: sum(({ responseMs }) => responseMs),
    delayMs: sum(({ delayMs }) => delayMs),
    slotMs: sum(({ slotMs }) => slotMs),
    parts: [
      ...grouped(
        jobs.flatMap(({ parts }) => parts),
        ({ part }) => part,
      ),
    ]
      .map(([part, own]) => ({ part, ms: own.reduce((all, { ms }) => all + ms, 0) }))
      .sort((a, b) => Math.sign(b.ms - a.ms)),
    causes: [...grouped(rows, ({ cause }) => cause)]
      .map(([cause, own]) => ({
        cause,
        ms: own.reduce((all, { ms }) => all + ms, 0),
        jobs: own.filter(({ isNotable }) => isNotable).length,
      }))
      .sort((a, b) => Math.sign(b.ms - a.ms)),
  };
}
