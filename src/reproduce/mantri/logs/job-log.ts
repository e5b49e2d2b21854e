import { defined } from "../../../base/assert.ts";
import { log } from "../../../base/math.ts";
import { ascending } from "../../../base/order.ts";
import { integer, nextFloat, type RandomState, randomState, split } from "../../../base/random.ts";
import { lognormal } from "./draws.ts";
import type { DateTotals, JobModel, LogModel, Roles, TrafficModel } from "./model.ts";
import { drawPhase, type LoggedDate, type PhaseLog, type Role, timeAt } from "./phase-log.ts";

/** A job of the generated logs. */
export interface JobLog {
  readonly name: string;
  /** In topological order. */
  readonly phases: readonly PhaseLog[];
  readonly edges: readonly EdgeLog[];
  /** The source from which the job's other runs are drawn. */
  readonly drawn: LoggedDate & { readonly chance: RandomState };
}

/** An edge between phases, by index into the job's phases. */
export interface EdgeLog {
  readonly from: number;
  readonly to: number;
  /** Whether no task of `to` begins before all tasks of `from` have ended. */
  readonly barrier: boolean;
}

const YEAR_MS = 365.25 * 24 * 3_600_000;
const PB = 1e15;

/** Draws one job of a date's log. Jobs are independent, so any part of a log can be drawn alone. */
export function drawJob(
  model: LogModel,
  of: { readonly date: number; readonly job: number; readonly seed: number },
): JobLog {
  const totals = defined(model.dates[of.date], "a date of the logs");
  const chance = split(randomState(of.seed, `mantri/${totals.dates}`), of.job);
  const drawn = { date: of.date, seed: of.seed, chance: split(chance, RUNS) };
  const count = Math.max(1, Math.round(lognormal(chance, phasesPerJob(model.jobs, totals))));
  const edges = drawEdges(model.jobs, count, chance);
  const medianMs = (totals.computeYears * YEAR_MS) / totals.phases / model.phases.computePerTaskMs;
  const medianBytes = medianBytesOf(model.traffic, totals);
  const timeline = new Timeline(startOf(model, split(drawn.chance, 0)), edges);
  const phases: PhaseLog[] = [];
  for (let index = 0; index < count; index += 1) {
    const role = roleOf(model.jobs, edges, index, chance);
    const phase = drawPhase(model, {
      name: `${role}-${index}`,
      role,
      medianMs,
      medianBytes: medianBytes[role],
      time: timeAt(model, drawn, timeline.beginMs),
      chance: split(chance, index),
    });
    phases.push(phase);
    timeline.add(phase);
  }
  return { name: `${totals.dates} job ${of.job}`, phases, edges, drawn };
}

/** A random stream that no phase uses. */
const RUNS = -2;

/** The start of a run, in ms from the beginning of its date. */
export const startOf = ({ times }: LogModel, chance: RandomState): number =>
  nextFloat(chance) * times.dateMs;

/** The median bytes by role: extracts read the date's data, the other phases its traffic. */
function medianBytesOf(traffic: TrafficModel, { phases, dataPB, networkPB }: DateTotals): Roles {
  const reduce = (networkPB * PB) / phases / traffic.farBytesPerTask;
  return {
    extract: (dataPB * PB) / phases / traffic.bytesPerTask,
    join: reduce * traffic.joinBytes,
    reduce,
  };
}

/** The median is the same on every date; the spread brings the mean to the date's. */
function phasesPerJob(
  { phasesMedian: median }: JobModel,
  { phases, jobs }: DateTotals,
): { readonly median: number; readonly sigma: number } {
  return { median, sigma: Math.sqrt(2 * log(Math.max(1, phases / jobs / median))) };
}

/** Every phase but the first reads the one before it, and sometimes one or two earlier ones. */
function drawEdges(jobs: JobModel, phases: number, chance: RandomState): EdgeLog[] {
  const edges: EdgeLog[] = [];
  for (let to = 1; to < phases; to += 1) {
    const which = nextFloat(chance);
    const several =
      which < jobs.threeParents ? 3 : which < jobs.threeParents + jobs.twoParents ? 2 : 1;
    const parents = new Set([to - 1]);
    while (parents.size < Math.min(to, several)) parents.add(integer(chance, to));
    for (const from of [...parents].sort(ascending((parent) => parent))) {
      edges.push({ from, to, barrier: nextFloat(chance) < jobs.barriers });
    }
  }
  return edges;
}

/** §3.2: barriers are mainly due to reduces; phases that read several others are mainly joins. */
function roleOf(
  jobs: JobModel,
  edges: readonly EdgeLog[],
  index: number,
  chance: RandomState,
): Role {
  const inputs = edges.filter(({ to }) => to === index);
  const isJoin = nextFloat(chance) < jobs.joins;
  if (inputs.length > 1 && isJoin) return "join";
  return inputs.some(({ barrier }) => barrier) ? "reduce" : "extract";
}

/** The start of each phase of a job if all of its tasks are usual ones. */
export class Timeline {
  readonly #startMs: number;
  readonly #edges: readonly EdgeLog[];
  readonly #phases: { readonly firstEndMs: number; readonly endMs: number }[] = [];

  constructor(startMs: number, edges: readonly EdgeLog[]) {
    this.#startMs = startMs;
    this.#edges = edges;
  }

  /** The start of the phase that is added next. */
  get beginMs(): number {
    const next = this.#phases.length;
    let begin = this.#startMs;
    for (const { from, to, barrier } of this.#edges) {
      const read = to === next ? this.#phases[from] : undefined;
      if (read !== undefined) begin = Math.max(begin, barrier ? read.endMs : read.firstEndMs);
    }
    return begin;
  }

  add({ bytes, slots, usualMs }: Pick<PhaseLog, "bytes" | "slots" | "usualMs">): void {
    const begin = this.beginMs;
    const waves = Math.ceil(bytes.length / slots);
    this.#phases.push({ firstEndMs: begin + usualMs, endMs: begin + waves * usualMs });
  }
}
