import { defined } from "../base/assert.ts";
import { cell } from "../base/rows.ts";
import { percentile } from "../base/stats.ts";
import { endAt } from "../history/columns.ts";
import type { Refusal } from "../report/page/document.ts";
import { type Going, type Moment, rank } from "./moment.ts";
import type { Run } from "./run.ts";

/** A running task: its oldest running attempt, and the others. */
export interface TaskAtWork {
  readonly phase: number;
  readonly first: Going;
  readonly copies: readonly Going[];
  /** The time left of the attempt that would end first; infinite if unknown. */
  readonly leftMs: number;
}

/** What a phase's succeeded attempts took. */
export interface Peers {
  readonly tookMs: number;
  /** The 25th percentile of their rates, in tasks per ms. */
  readonly ratePerMs: number;
}

/** The progress of an unfinished phase. */
export interface Standing {
  readonly phase: number;
  /** The mean progress of its tasks, from 0 to 1. */
  readonly score: number;
  /** NaN if unknown. */
  readonly toGoMs: number;
  /** Tasks that have no slot yet. */
  readonly waiting: number;
  /** Running tasks that need over half of the time to go; none if waiting tasks need more. */
  readonly holding: number;
}

/** Tasks that would end last come first; a task with a healthy copy is left out. */
export function tasksAtWork(run: Run, { running }: Moment): readonly TaskAtWork[] {
  const tasks = new Map<string, Going[]>();
  for (const going of running) {
    const key = `${run.attempts.phase[going.i]} ${run.attempts.task[going.i]}`;
    const own = tasks.get(key);
    if (own === undefined) tasks.set(key, [going]);
    else own.push(going);
  }
  return [...tasks.values()]
    .map((attempts): TaskAtWork => {
      const [oldest, ...copies] = attempts.toSorted((a, b) => startOf(run, a) - startOf(run, b));
      const first = defined(oldest, "an attempt");
      const leftMs = Math.min(...attempts.map((one) => one.leftMs));
      return { phase: run.phaseOf(first.i), first, copies, leftMs };
    })
    .sort((a, b) => rankOf(b) - rankOf(a));
}

const rankOf = ({ first, leftMs }: TaskAtWork): number =>
  rank({ leftMs, waitsFor: first.waitsFor });

const startOf = ({ attempts }: Run, { i }: Going): number => cell(attempts.startedAt[i]);

/** The number of attempts that is enough for a median. */
const SAMPLE = 20_000;

export function peersByPhase({ head, attempts }: Run): readonly Peers[] {
  const took: number[][] = head.phases.map(() => []);
  const step = Math.ceil(attempts.length / SAMPLE);
  for (let i = 0; i < attempts.length; i += step) {
    if (endAt(attempts, i) !== "succeeded") continue;
    took[cell(attempts.phase[i])]?.push(cell(attempts.endedAt[i]) - cell(attempts.startedAt[i]));
  }
  return took.map((own) => {
    if (own.length === 0) return { tookMs: Number.NaN, ratePerMs: Number.NaN };
    const rising = own.sort((a, b) => a - b);
    return { tookMs: percentile(rising, 50), ratePerMs: 1 / percentile(rising, 75) };
  });
}

/** The first unfinished phase of each job. */
export function standingsOf(
  run: Run,
  { done }: Moment,
  tasks: readonly TaskAtWork[],
  peers: readonly Peers[],
): readonly Standing[] {
  const first = new Map<number, number>();
  for (const [n, phase] of run.head.phases.entries()) {
    if (cell(done[n]) < phase.tasks && !first.has(phase.job)) first.set(phase.job, n);
  }
  return [...first.values()].map((phase) => {
    const all = run.head.phases[phase]?.tasks ?? 0;
    const finished = cell(done[phase]);
    const own = tasks.filter((task) => task.phase === phase);
    const scores = own.map(({ first, copies }) => bestScore([first, ...copies]));
    const score = (finished + scores.reduce((sum, one) => sum + one, 0)) / all;
    const waiting = Math.max(0, all - finished - own.length);
    const lefts = own.map(({ leftMs }) => leftMs).filter(Number.isFinite);
    const longest = lefts.length === 0 ? Number.NaN : Math.max(...lefts);
    // Waiting tasks come in waves, each as long as the peers took.
    const waves = Math.ceil(waiting / Math.max(1, own.length));
    const behind = waves === 0 ? 0 : waves * (peers[phase]?.tookMs ?? Number.NaN);
    const toGoMs = waves === 0 ? longest : Math.max(longest, behind);
    const holding = behind > longest ? 0 : lefts.filter((left) => left > toGoMs / 2).length;
    return { phase, score, toGoMs, waiting, holding };
  });
}

/** Of the attempt that is furthest; an attempt whose progress is unknown has none. */
const bestScore = (attempts: readonly Going[]): number =>
  Math.max(...attempts.map(({ score }) => score || 0));

/** Why the policy made no copy of the task: the last refusal in force, its own before others'. */
export function refusalOf(
  run: Run,
  { refusals }: Moment,
  { first, phase }: TaskAtWork,
): Refusal | undefined {
  const { job = 0, name = "" } = run.head.phases[phase] ?? {};
  const task = `${run.head.jobs[job]?.name}/${name}/${run.attempts.task[first.i]}`;
  const last = refusals.toSorted((a, b) => b.to - a.to);
  const own = last.find(({ who }) => who === task);
  return own ?? last.find(({ who, numbers }) => who === "" && !("slot" in numbers));
}
