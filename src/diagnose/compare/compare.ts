import { log } from "../../base/math.ts";
import { nextFloat, randomState } from "../../base/random.ts";
import { cell } from "../../base/rows.ts";
import { type AttemptColumns, kindAt } from "../../history/columns.ts";
import type { TraceJob } from "../../history/model.ts";
import { CAUSES, type Cause } from "../cause.ts";
import type { Why } from "../document.ts";
import type { EvidenceRow } from "../evidence/evidence.ts";
import { medianOf } from "../expect/robust.ts";
import { PARTS, type Part } from "../response/part.ts";
import { keyOf, type MatchedTask, matchTasks } from "./match.ts";

/** Two runs of a job beside each other. Times in ms; changes are B minus A. */
export interface Compare {
  readonly a: RunFacts;
  readonly b: RunFacts;
  readonly changeMs: number;
  /** Causes and parts of the usual time: they sum to the change. */
  readonly causes: readonly ({ readonly cause: Cause | Part } & Change)[];
  /** Lost time phase by phase; with `another schedule` and `usual` they sum to the change, too. */
  readonly phases: readonly ({ readonly phase: string } & Change)[];
  /** Settings that differ. */
  readonly settings: readonly {
    readonly name: string;
    readonly a: string | undefined;
    readonly b: string | undefined;
  }[];
  readonly tasks: TaskChanges;
}

interface Change {
  readonly aMs: number;
  readonly bMs: number;
  readonly changeMs: number;
}

export interface RunFacts {
  readonly id: string;
  readonly responseMs: number;
  /** The number of speculative attempts. */
  readonly copies: number;
  /** What its log is, where there is something to say. */
  readonly evidence?: EvidenceRow;
}

export interface TaskChanges {
  readonly matched: number;
  readonly unmatched: number;
  /** The median of B's time / A's time, less 1. */
  readonly medianChange: number;
  /** The share of sign flips that change as much: a p-value. 1 if no task matches. */
  readonly chance: number;
  /**
   * The part of bad luck that comes back: what tasks beyond 1.4 times their expected time in A lost
   * again in B, over what they lost in A. undefined if no task was that late.
   */
  readonly rho?: number;
  /** The tasks that changed most. */
  readonly most: readonly ({ readonly task: string } & Change)[];
}

export interface Run {
  readonly job: TraceJob;
  readonly why: Why;
}

/** Rows of a list. */
const MOST = 10;

/** COST: O(tasks log tasks) and 1,000 sign flips. */
export function compare(a: Run, b: Run): Compare {
  const causes = [...CAUSES, ...PARTS].map((cause) => ({
    cause,
    ...change(tookBy(a.why, cause), tookBy(b.why, cause)),
  }));
  const shown = causes.filter(({ aMs, bMs }) => aMs !== 0 || bMs !== 0);
  return {
    a: factsOf(a),
    b: factsOf(b),
    changeMs: b.why.responseMs - a.why.responseMs,
    causes: shown.sort(byChange),
    phases: phaseChanges(a, b),
    settings: settingsThatDiffer(a.job, b.job),
    tasks: taskChanges(matchTasks(a.job, b.job)),
  };
}

const change = (aMs: number, bMs: number): Change => ({ aMs, bMs, changeMs: bMs - aMs });

/** What changed most first. */
const byChange = (x: Change, y: Change): number =>
  Math.sign(Math.abs(y.changeMs) - Math.abs(x.changeMs));

/** What a diagnosis, or its digest, says of the response. */
interface Took {
  readonly causes: readonly { readonly cause: Cause; readonly ms: number }[];
  readonly parts: readonly { readonly part: Part; readonly ms: number }[];
}

/** The seconds of a cause, or of a part of the usual time. */
export const tookBy = ({ causes, parts }: Took, of: Cause | Part): number =>
  causes.find(({ cause }) => cause === of)?.ms ?? parts.find(({ part }) => part === of)?.ms ?? 0;

function settingsThatDiffer(a: TraceJob, b: TraceJob): Compare["settings"] {
  const [ofA, ofB] = [valuesOf(a), valuesOf(b)];
  const names = [...new Set([...ofA.keys(), ...ofB.keys()])].sort();
  return names
    .map((name) => ({ name, a: ofA.get(name), b: ofB.get(name) }))
    .filter((each) => each.a !== each.b);
}

export const factsOf = ({ job, why }: Run): RunFacts => ({
  id: job.id,
  responseMs: why.responseMs,
  copies: job.phases.reduce((sum, { attempts }) => sum + copiesIn(attempts), 0),
  ...(why.evidence !== undefined && { evidence: why.evidence }),
});

function copiesIn(attempts: AttemptColumns): number {
  let copies = 0;
  for (let row = 0; row < attempts.length; row++) {
    if (kindAt(attempts, row) === "speculative") copies += 1;
  }
  return copies;
}

export function valuesOf({ settings }: TraceJob): ReadonlyMap<string, string> {
  const { discipline, values } = settings;
  const own: readonly (readonly [string, string])[] =
    discipline === undefined ? [] : [["discipline", discipline]];
  return new Map([...own, ...Object.entries(values)]);
}

function taskChanges({
  matched,
  unmatched,
}: {
  readonly matched: readonly MatchedTask[];
  readonly unmatched: number;
}): TaskChanges {
  const ratios = matched.map(({ aMs, bMs }) => log(Math.max(bMs, 1) / Math.max(aMs, 1)));
  const rho = rhoOfTasks(matched);
  const most = matched
    .map(({ task, aMs, bMs }) => ({ task, ...change(aMs, bMs) }))
    .sort(byChange)
    .slice(0, MOST);
  const changes = matched.map(({ aMs, bMs }) => bMs / Math.max(aMs, 1) - 1);
  return {
    matched: matched.length,
    unmatched,
    medianChange: changes.length === 0 ? 0 : medianOf(changes),
    chance: signFlips(ratios),
    ...(rho !== undefined && { rho }),
    most,
  };
}

const FLIPS = 1_000;

/** How often random signs give a mean at least as far from 0: no distribution is assumed. */
function signFlips(values: readonly number[]): number {
  if (values.length === 0) return 1;
  const random = randomState(1, "sign-flips");
  const size = (of: () => number): number =>
    Math.abs(values.reduce((sum, value) => sum + of() * value, 0));
  const own = size(() => 1);
  let asLarge = 1;
  for (let n = 0; n < FLIPS; n++) {
    if (size(() => (nextFloat(random) < 0.5 ? -1 : 1)) >= own) asLarge += 1;
  }
  return asLarge / (FLIPS + 1);
}

const LATE = 1.4;

/** undefined if no task was late in the first run. */
function rhoOfTasks(matched: readonly MatchedTask[]): number | undefined {
  let lost = 0;
  let again = 0;
  for (const { aMs, bMs, aExpectedMs, bExpectedMs } of matched) {
    if (!(aMs > LATE * aExpectedMs)) continue;
    lost += aMs - aExpectedMs;
    again += bMs - bExpectedMs;
  }
  return lost === 0 ? undefined : Math.min(1, Math.max(0, again / lost));
}

/** The time that is lost in no single phase: attempts that ran in another order. */
const BETWEEN = "another schedule";

/**
 * Lost time phase by phase, what changed most first, and the phases that changed least together;
 * with the time lost to another schedule and the usual time they sum to the response.
 */
function phaseChanges(a: Run, b: Run): Compare["phases"] {
  const [ofA, ofB] = [lostByPhase(a), lostByPhase(b)];
  const rows = [...new Set([...ofA.keys(), ...ofB.keys()])]
    .map((phase) => ({ phase, ...change(ofA.get(phase) ?? 0, ofB.get(phase) ?? 0) }))
    .sort(byChange);
  if (rows.length <= MOST) return rows;
  const others = rows.splice(MOST - 1);
  const sum = (of: "aMs" | "bMs"): number => others.reduce((total, row) => total + row[of], 0);
  return [...rows, { phase: `${others.length} others`, ...change(sum("aMs"), sum("bMs")) }];
}

/** Phases with the same title get numbers, in their order. */
function lostByPhase({ job, why }: Run): ReadonlyMap<string, number> {
  const lost = new Map<string, number>();
  for (const [index, phase] of job.phases.entries()) {
    const key = keyOf(phase);
    let name = key;
    for (let nth = 2; lost.has(name); nth++) name = `${key} (${nth})`;
    lost.set(name, cell(why.phases[index]).delayMs);
  }
  return lost.set(BETWEEN, why.scheduleChangedMs).set("usual", why.usualMs);
}
