import { cell } from "../base/rows.ts";
import { medianOf } from "../diagnose/expect/robust.ts";
import { mostAtOnce } from "../diagnose/response/most-at-once.ts";
import type { Plan } from "../diagnose/schedule/planned.ts";
import type { RecordedRun } from "../hosts/sim/index.ts";
import type { JobShape, PhaseShape, TaskShape } from "./shape.ts";
import { type Scaled, TimeScale } from "./time-scale.ts";

/** The largest job that is simulated whole. */
export const ATTEMPTS_MAX = 10_000;

/**
 * The last waves of a phase are simulated whole: there idle slots are, and copies run. They are as
 * many as its longest task takes of the median, and one more, so that none from before ends last.
 */
const TAIL_WAVES = { min: 3, max: 12 };
/** Policies judge tasks by shares of those that are done: as many waves stay before the last. */
const HEAD_WAVES = 6;

/**
 * A large job with fewer tasks. Of the head of a long phase, its tasks before the last waves, one
 * of `factor` is kept, and the time in which heads are launched counts as many times. The last
 * waves, short phases and the slots stay, so that a phase ends as the whole one would.
 */
export interface Sample {
  /** By phase; 1: the phase is whole. */
  readonly factors: readonly number[];
  /** The tasks of each head, in the order of their starts, with the nodes of first attempts. */
  readonly heads: readonly ReadonlyMap<TaskShape, HeadPlace>[];
  /** The tasks that are simulated. */
  readonly tasks: number;
  /** How much of the job is simulated, in a sentence. */
  readonly said: string;
  /** From a recorded time, since the submission, to that of the sample. */
  scaled(ms: number): number;
  /** The job's shape with the kept tasks: other ones for each seed. */
  shapeOf(shape: JobShape, seed: number): JobShape;
  /** The figures of the whole job, from those of a run of this shape. */
  wholeOf(shape: JobShape, run: Pick<RecordedRun, "responseMs" | "attempts">): SampledOutcome;
}

/** Samples a job that is large enough. */
export type Sampler = (plan: Plan, shape: JobShape) => Sample | undefined;

/** Of the whole job; `addedMs` of the response stand for the tasks that were not simulated. */
interface SampledOutcome extends Pick<RecordedRun, "responseMs" | "slotMs" | "copies" | "wins"> {
  readonly addedMs: number;
}

/** The place of a task among those of its head that ran on its node. */
interface HeadPlace {
  readonly nth: number;
}

/** A `Sampler`: undefined if the job is small enough, or if no phase is long. */
export function sampleOf(plan: Plan, { phases }: JobShape, max = ATTEMPTS_MAX): Sample | undefined {
  if (plan.count <= max) return undefined;
  const starts = phases.map(({ tasks }) => byStart(plan, tasks));
  const slots = starts.map((tasks) => slotsOf(plan, tasks));
  const heads = starts.map((tasks, phase) =>
    tasks.slice(0, Math.max(0, tasks.length - tailWaves(plan, tasks) * cell(slots[phase]))),
  );
  const mosts = heads.map(({ length }, phase) =>
    Math.max(1, Math.floor(length / (HEAD_WAVES * cell(slots[phase])))),
  );
  const factors = (most: number): readonly number[] => mosts.map((own) => Math.min(own, most));
  const tasksAt = (most: number): number =>
    factors(most).reduce(
      (sum, factor, phase) =>
        sum + cell(starts[phase]).length - cell(heads[phase]).length * (1 - 1 / factor),
      0,
    );
  const most = mosts.reduce((a, b) => Math.max(a, b), 1);
  if (most === 1) return undefined;
  let factor = 2;
  while (factor < most && tasksAt(factor) > max) factor += 1;
  const chosen = factors(factor);
  const { submittedAt } = plan.job;
  const spans = heads.flatMap((head, phase) => {
    const times = cell(chosen[phase]);
    const [first] = head;
    const tail = starts[phase]?.[head.length];
    if (times === 1 || first === undefined || tail === undefined) return [];
    const [from, until] = [startOf(plan, first), startOf(plan, tail)];
    return [{ from: from - submittedAt, until: until - submittedAt, times: 1 / times }];
  });
  const scale = new TimeScale(spans);
  const kept = {
    factors: chosen,
    heads: heads.map((head, phase) => (chosen[phase] === 1 ? new Map() : placesOf(head))),
    tasks: Math.round(tasksAt(factor)),
  };
  return {
    ...kept,
    said: sampleText(plan, kept),
    scaled: (ms) => scale.at(ms),
    shapeOf: (shape, seed) => sampledShape(shape, { ...kept, scale }, seed),
    wholeOf: (shape, run) => wholeOf(kept, shape, run),
  };
}

type Kept = Pick<Sample, "factors" | "heads" | "tasks">;

const startOf = (plan: Plan, { attempts }: TaskShape): number =>
  cell(plan.start[cell(attempts[0])]);

const byStart = (plan: Plan, tasks: readonly TaskShape[]): readonly TaskShape[] =>
  tasks.toSorted((a, b) => Math.sign(startOf(plan, a) - startOf(plan, b)));

/** The most tasks of the phase that ran at once; at least 1. */
function slotsOf(plan: Plan, tasks: readonly TaskShape[]): number {
  const spans = tasks.flatMap(({ attempts }) =>
    attempts.map((i) => ({ from: cell(plan.start[i]), until: cell(plan.end[i]) })),
  );
  return Math.max(1, mostAtOnce(spans, Number.POSITIVE_INFINITY));
}

function tailWaves(plan: Plan, tasks: readonly TaskShape[]): number {
  if (tasks.length === 0) return TAIL_WAVES.min;
  const lasted = tasks.map(({ attempts }) => {
    const [first, last] = [cell(attempts[0]), cell(attempts.at(-1))];
    return cell(plan.end[last]) - cell(plan.start[first]);
  });
  const longest = lasted.reduce((a, b) => Math.max(a, b)) / Math.max(1, medianOf(lasted));
  return Math.min(TAIL_WAVES.max, Math.max(TAIL_WAVES.min, Math.ceil(longest) + 1));
}

/** Pinned tasks keep the shares of their nodes. */
function placesOf(head: readonly TaskShape[]): ReadonlyMap<TaskShape, HeadPlace> {
  const counts = new Map<number, number>();
  return new Map(
    head.map((task) => {
      const nth = counts.get(task.firstNode) ?? 0;
      counts.set(task.firstNode, nth + 1);
      return [task, { nth: nth + task.firstNode }];
    }),
  );
}

function sampledShape(
  shape: JobShape,
  { factors, heads, scale }: Kept & { readonly scale: TimeScale },
  seed: number,
): JobShape {
  return {
    ...shape,
    nodes: shape.nodes.map((node) => ({
      ...node,
      slots: node.slots.map(({ fromMs, untilMs, ...slot }) => ({
        ...slot,
        ...(fromMs !== undefined && { fromMs: scale.at(fromMs) }),
        ...(untilMs !== undefined && { untilMs: scale.at(untilMs) }),
      })),
    })),
    phases: shape.phases.map((phase, index): PhaseShape => {
      const factor = cell(factors[index]);
      const head = cell(heads[index]);
      const gapMs = phase.reads.length === 0 ? scale.at(phase.gapMs) : phase.gapMs;
      if (factor === 1) return { ...phase, gapMs };
      const tasks = phase.tasks.filter((task) => {
        const place = head.get(task);
        return place === undefined || (place.nth + seed) % factor === 0;
      });
      return { ...phase, gapMs, tasks };
    }),
  };
}

function wholeOf(
  { factors, heads }: Kept,
  { phases }: JobShape,
  run: Pick<RecordedRun, "responseMs" | "attempts">,
): SampledOutcome {
  const launches = phases.map((): Launch[] => []);
  let [slotMs, copies, wins] = [0, 0, 0];
  for (const { as, ended, endedAtMs, launchedAtMs, phase, task } of run.attempts) {
    const isHead = cell(heads[phase]).has(cell(cell(phases[phase]).tasks[task]));
    const times = isHead ? cell(factors[phase]) : 1;
    slotMs += times * (endedAtMs - launchedAtMs);
    if (as === "original") launches[phase]?.push({ at: launchedAtMs, times });
    if (as !== "speculative") continue;
    copies += times;
    if (ended === "succeeded") wins += times;
  }
  const scale = new TimeScale(launches.flatMap(spanOf));
  const responseMs = scale.at(run.responseMs);
  return { responseMs, addedMs: responseMs - run.responseMs, slotMs, copies, wins };
}

interface Launch {
  readonly at: number;
  readonly times: number;
}

/** From the first launch to the last; the time after a launch counts as the task does. */
function spanOf(launches: readonly Launch[]): readonly Scaled[] {
  const rising = launches.toSorted((a, b) => Math.sign(a.at - b.at));
  const [first, last] = [rising[0], rising.at(-1)];
  if (first === undefined || last === undefined || first.at === last.at) return [];
  let counted = 0;
  for (const [n, { at, times }] of rising.entries()) {
    counted += times * ((rising[n + 1]?.at ?? at) - at);
  }
  return [{ from: first.at, until: last.at, times: counted / (last.at - first.at) }];
}

function sampleText(plan: Plan, { factors, tasks }: Kept): string {
  const factor = factors.reduce((a, b) => Math.max(a, b));
  return (
    `A sample is simulated, ${tasks} of ${plan.tasks} tasks: of the tasks before the last waves ` +
    `of a long phase one of ${factor}, other ones in each run; the intervals are wider for it.`
  );
}
