import { mean, percentile, sum } from "../figures.ts";
import type { AttemptBook, JobBook, NodeBook, Reading, TaskBook } from "./books.ts";

/** Delta: a task reports every 10 s, or ten times in its life if that is more often (5). */
const PERIOD_MS = 10_000;
const deltaMs = (lifeMs: number): number => Math.min(PERIOD_MS, lifeMs / 10);

/** "A moving average": over this many Delta. */
const WINDOW = 5;
/** "Persistently": as many of the machine's last attempts, and no factor before a few. */
const LAST = 20;
const FEWEST = 5;
/** An attempt that needs this many times its age has shown no rate. */
const HOPELESS = 1_000;

/** What a phase has shown. */
class Shown {
  /** Milliseconds per byte of the finished tasks. */
  readonly rates: number[] = [];
  /** The durations of the finished tasks that read nothing. */
  readonly durations: number[] = [];
  /** The rates of finished and running tasks, when it was last looked at. */
  ratesSeen: number[] = [];
  durationsSeen: number[] = [];
  readonly wrapUpsMs: number[] = [];
  readonly startUpsMs: number[] = [];
  /** The start-ups of finished and running tasks, when it was last looked at. */
  startUpsSeen: number[] | undefined;
  lookAt = 0;
}

/** The parts of an estimate, for the count of what was compared. */
export interface Estimate {
  readonly ms: number;
  readonly part: string;
}

/**
 * Section 5.5, from reports alone:
 *
 * (2) t_rem = t_elapsed * (d - d_read) / d_read + t_wrapup
 * (3) t_new = processRate * locationFactor * d + schedLag
 */
export class Equations {
  readonly #shown = new Map<JobBook, Shown>();
  readonly #lagsMs: number[] = [];
  readonly #machines = new Map<number, number[]>();
  readonly #paths = new Map<string, number[]>();

  submit(job: JobBook): void {
    this.#shown.set(job, new Shown());
  }

  end(job: JobBook): void {
    this.#shown.delete(job);
  }

  /** schedLag: "the average delay between a task being scheduled and when it gets to run". */
  start({ launchedAt, startsAt }: AttemptBook): void {
    this.#lagsMs.push(startsAt - launchedAt);
  }

  /** The phase is looked at once in a period of its tasks. */
  look(now: number): void {
    for (const [job, shown] of this.#shown) {
      if (shown.lookAt > now) continue;
      const holds = ({ state }: AttemptBook) => state !== "ended";
      if (!job.tasks.some(({ attempts }) => attempts.some(holds))) continue;
      const seen = job.tasks
        .flatMap(({ attempts }) => attempts.filter(isRunning).slice(0, 1))
        .filter(({ readings }) => readings.length > 0);
      const startUps = seen.map(startUpMs).filter((ms) => ms !== undefined);
      const all = [...shown.startUpsMs, ...startUps];
      if (all.length > 0) shown.startUpsSeen = all;
      const [rates, durations, lives]: [number[], number[], number[]] = [[], [], []];
      for (const one of seen) {
        const ranMs = now - one.startsAt;
        const { ms: leftMs } = this.#left(shown, one, { now, expectedMs: undefined });
        if (leftMs > HOPELESS * ranMs) continue;
        const readMs = ranMs - (startUpMs(one) ?? 0) + leftMs;
        lives.push(readMs);
        if (one.task.bytes > 0) rates.push(readMs / one.task.bytes);
        else durations.push(readMs);
      }
      shown.ratesSeen = [...shown.rates, ...rates];
      shown.durationsSeen = [...shown.durations, ...durations];
      shown.lookAt = now + (lives.length === 0 ? 0 : deltaMs(mean(lives)));
    }
  }

  succeed(attempt: AttemptBook): void {
    const shown = this.#shown.get(attempt.task.job);
    if (shown === undefined) return;
    const { bytes } = attempt.task;
    const began = startUpMs(attempt);
    if (began !== undefined) {
      shown.startUpsMs.push(began);
      shown.startUpsSeen ??= [...shown.startUpsMs];
    }
    const readMs = attempt.endedAt - attempt.startsAt - (began ?? 0);
    const others = bytes > 0 ? shown.rates : shown.durations;
    this.#place(attempt, bytes > 0 ? readMs / bytes : readMs, others);
    others.push(bytes > 0 ? readMs / bytes : readMs);
    const read = allRead(attempt);
    if (read !== undefined) shown.wrapUpsMs.push(attempt.endedAt - read.at);
  }

  /** An attempt that we kill counts for its machine with the rate that it has shown. */
  kill(attempt: AttemptBook): void {
    const shown = this.#shown.get(attempt.task.job);
    const last = attempt.readings.at(-1);
    if (shown === undefined || last === undefined) return;
    if (last.bytes === 0 || last.bytes >= attempt.task.bytes) return;
    const began = startUpMs(attempt);
    if (began === undefined && longStartUpMs(shown) > 0) return;
    const perByte = (attempt.endedAt - attempt.startsAt - (began ?? 0)) / last.bytes;
    this.#place(attempt, perByte, shown.rates);
  }

  /** locationFactor: what the path explains is not the machine's, nor the reverse. */
  #place({ node, task }: AttemptBook, rate: number, others: readonly number[]): void {
    if (others.length === 0 || rate <= 0) return;
    const ratio = rate / percentile(others, 50);
    const machine = usual(this.#machines.get(node.id));
    const path = distance(task, node);
    const pathFactor = path === undefined ? 1 : usual(this.#paths.get(path));
    note(this.#machines, node.id, ratio / pathFactor);
    if (path !== undefined) note(this.#paths, path, ratio / machine);
  }

  /** Equation 3, as rising samples; undefined while nothing is known. */
  newCopy(task: TaskBook, node?: NodeBook): number[] | undefined {
    const shown = this.#shown.get(task.job);
    if (shown === undefined) return undefined;
    const [seen, finished] =
      task.bytes > 0 ? [shown.ratesSeen, shown.rates] : [shown.durationsSeen, shown.durations];
    const rates = seen.length > 0 ? seen : finished;
    if (rates.length === 0) return undefined;
    const path = node === undefined ? undefined : distance(task, node);
    const factor =
      (node === undefined ? 1 : usual(this.#machines.get(node.id))) *
      (path === undefined ? 1 : usual(this.#paths.get(path)));
    const lagMs = this.#lagsMs.length === 0 ? 0 : mean(this.#lagsMs);
    const startUp = shown.startUpsSeen === undefined ? 0 : mean(shown.startUpsSeen);
    const amount = task.bytes > 0 ? task.bytes : 1;
    return [...rates].sort((a, b) => a - b).map((rate) => rate * factor * amount + lagMs + startUp);
  }

  /** Equation 2. */
  timeLeft(attempt: AttemptBook, now: number): Estimate {
    const shown = this.#shown.get(attempt.task.job);
    if (shown === undefined) throw new Error("an estimate for a job that has ended");
    const copies = this.newCopy(attempt.task);
    const expectedMs = copies === undefined ? undefined : mean(copies);
    return this.#left(shown, attempt, { now, expectedMs });
  }

  #left(
    shown: Shown,
    attempt: AttemptBook,
    { now, expectedMs }: { readonly now: number; readonly expectedMs: number | undefined },
  ): Estimate {
    const { readings, startsAt } = attempt;
    const last = readings.at(-1);
    if (last === undefined) return { ms: Number.POSITIVE_INFINITY, part: "not started" };
    const elapsedMs = now - startsAt;
    const wrapUpMs = shown.wrapUpsMs.length === 0 ? undefined : mean(shown.wrapUpsMs);
    const read = allRead(attempt);
    if (read !== undefined) {
      return { ms: wrapUpLeft({ read, last, now, wrapUpMs }), part: "all read" };
    }
    const asNew = Math.max(0, (expectedMs ?? Number.POSITIVE_INFINITY) - elapsedMs);
    const startsUp = longStartUpMs(shown) > 0;
    if (shareOf(attempt, last) === 0) {
      return { ms: unread(elapsedMs), part: "before two readings" };
    }
    const isSilent = now > last.at + PERIOD_MS;
    const [first, second] = firstReadings(attempt);
    let from = { at: startsAt, share: 0 };
    if (startsUp && first !== undefined && second !== undefined) {
      from = { at: first.at, share: shareOf(attempt, first) };
    } else if (startsUp && !isSilent) {
      // One reading is no speed.
      return { ms: asNew, part: "before two readings" };
    }
    // The moving average begins with a report; before the first one only the start is known.
    const since = Math.max(startsAt, now - WINDOW * deltaMs(elapsedMs));
    const before = readings.findLast(({ at }) => at <= since);
    if (before !== undefined && shareOf(attempt, before) > 0 && before.at < last.at) {
      from = { at: before.at, share: shareOf(attempt, before) };
    }
    const grown = shareOf(attempt, last) - from.share;
    const left = 1 - shareOf(attempt, last);
    // Without a report for a while, nothing was read since the last one.
    const untilMs = isSilent ? now - from.at : last.at - from.at;
    const sinceMs = isSilent ? 0 : now - last.at;
    const leftMs =
      left <= 0
        ? 0
        : grown > 0
          ? Math.max(0, (untilMs * left) / grown - sinceMs)
          : Number.POSITIVE_INFINITY;
    const isOfStart = from.at === startsAt;
    const part = isSilent ? "silent" : isOfStart ? "since the start" : "moving average";
    return { ms: leftMs + (last.bytes > 0 ? (wrapUpMs ?? 0) : 0), part };

    /** Like a new copy at first; then without an end in sight, or starting up for as long again. */
    function unread(ranMs: number): number {
      if (!startsUp) return ranMs > PERIOD_MS ? Number.POSITIVE_INFINITY : asNew;
      if (ranMs <= 2 * longStartUpMs(shown) * (1 + 1e-9)) return asNew;
      return ranMs + (expectedMs ?? Number.POSITIVE_INFINITY);
    }
  }
}

const isRunning = ({ state }: AttemptBook): boolean => state === "running" || state === "launched";

/** d_read / d; without bytes, the score. */
function shareOf({ readings, task }: AttemptBook, { bytes, score }: Reading): number {
  const isCounted = task.bytes > 0 && (readings.at(-1)?.bytes ?? 0) > 0;
  return isCounted ? Math.min(1, bytes / task.bytes) : score;
}

/** The first report that all input is read. */
const allRead = ({ readings, task }: AttemptBook): Reading | undefined =>
  task.bytes === 0 ? undefined : readings.find(({ bytes }) => bytes >= task.bytes * (1 - 1e-9));

/** The first two readings above 0. */
function firstReadings(attempt: AttemptBook): readonly (Reading | undefined)[] {
  return attempt.readings.filter((one) => shareOf(attempt, one) > 0).slice(0, 2);
}

/** Where the line through the first two readings meets 0; undefined with fewer. */
function startUpMs(attempt: AttemptBook): number | undefined {
  const [first, second] = firstReadings(attempt);
  if (first === undefined || second === undefined) return undefined;
  const nothingAt = attempt.readings.findLast((one) => shareOf(attempt, one) === 0)?.at ?? 0;
  const [one, two] = [shareOf(attempt, first), shareOf(attempt, second)];
  const meets = two > one ? first.at - (one * (second.at - first.at)) / (two - one) : nothingAt;
  const ms = Math.min(first.at, Math.max(nothingAt, meets)) - attempt.startsAt;
  return ms < 1 ? 0 : ms;
}

/** The 90th percentile of the phase's start-ups; 0 in the paper, and while none is known. */
const longStartUpMs = ({ startUpsSeen }: Shown): number =>
  startUpsSeen === undefined || sum(startUpsSeen) === 0 ? 0 : percentile(startUpsSeen, 90);

/** t_wrapup, less the time since all was read; an attempt that needs longer, by its score since. */
function wrapUpLeft(of: {
  readonly read: Reading;
  readonly last: Reading;
  readonly now: number;
  readonly wrapUpMs: number | undefined;
}): number {
  const { read, last, wrapUpMs } = of;
  const passedMs = of.now - read.at;
  if (passedMs <= (wrapUpMs ?? 0) * (1 + 1e-9)) return Math.max(0, (wrapUpMs ?? 0) - passedMs);
  if (last.score >= 1) return passedMs;
  const grown = last.score - read.score;
  if (grown > 0) return (passedMs * (1 - last.score)) / grown;
  if (wrapUpMs === undefined || passedMs <= wrapUpMs + PERIOD_MS) return passedMs;
  return Number.POSITIVE_INFINITY;
}

/** How far the task's input is; undefined where nothing says where it is. */
function distance({ replicas }: TaskBook, node: NodeBook): string | undefined {
  if (replicas.length === 0) return undefined;
  if (replicas.includes(node.id)) return "node";
  return replicas.some((id) => id % 2 === node.rack) ? "rack" : "elsewhere";
}

function note<K>(places: Map<K, number[]>, place: K, ratio: number): void {
  const ratios = places.get(place) ?? [];
  places.set(place, [...ratios, ratio].slice(-LAST));
}

const usual = (ratios: readonly number[] = []): number =>
  ratios.length < FEWEST ? 1 : percentile(ratios, 50);
