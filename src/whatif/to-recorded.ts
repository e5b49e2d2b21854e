import { nextFloat, randomState, split } from "../base/random.ts";
import type { Expectation } from "../diagnose/expect/expect.ts";
import type { Signals } from "../diagnose/expect/signals.ts";
import { type Plan, ROLE } from "../diagnose/schedule/planned.ts";
import type { Timing } from "../diagnose/schedule/schedule.ts";
import type {
  FurtherAttempt,
  RecordedAttempt,
  RecordedJob,
  RecordedNode,
  RecordedPhase,
  RecordedSlots,
  RecordedTask,
} from "../hosts/sim/index.ts";
import type { TracePhaseKind } from "../trace/model.ts";
import { drawLuck, type Luck } from "./luck.ts";

/** A diagnosed job, from which runs are made. */
export interface Fitted {
  readonly plan: Plan;
  readonly timing: Timing;
  readonly signals: Signals;
  readonly expectation: Expectation;
  readonly luck: Luck;
}

export interface Question {
  /**
   * `that-run`: first attempts keep their recorded duration; `again`: all luck is drawn anew.
   */
  readonly luck: "that-run" | "again";
  /** The part of bad luck that is the task's own, and comes back in every copy: 0 to 1. */
  readonly rho: number;
  readonly seed: number;
}

/** The job as data for the simulator. */
export function toRecorded(fitted: Fitted, question: Question): RecordedJob {
  const { plan } = fitted;
  const { job } = plan;
  const last = plan.end.reduce((most, end, i) => (plan.lost[i] === 1 ? most : Math.max(most, end)));
  return {
    name: job.id,
    slotKinds: kindsOf(fitted),
    nodes: nodesOf(fitted),
    phases: job.phases.map((_, index) => phaseOf(fitted, question, index)),
    tailMs: Math.max(0, job.endedAt - last),
  };
}

const kindsOf = ({ plan }: Fitted): readonly TracePhaseKind[] => [
  ...new Set(plan.job.phases.map(({ kind }) => kind)),
];

function nodesOf(fitted: Fitted): readonly RecordedNode[] {
  const { plan, expectation } = fitted;
  return plan.job.nodes.map((name, node) => ({
    name,
    factor: expectation.factor[node] ?? 1,
    slots: slotsOf(fitted, node),
  }));
}

/** As the log names them; else the most attempts that ran on the node at once. */
function slotsOf({ plan }: Fitted, node: number): readonly RecordedSlots[] {
  const { job } = plan;
  if (job.slots.length > 0) {
    return job.slots
      .filter((slot) => slot.node === node)
      .map(({ kind, from, until }) => ({
        kind,
        count: 1,
        fromMs: Math.max(0, from - job.submittedAt),
        ...(until !== undefined && { untilMs: Math.max(0, until - job.submittedAt) }),
      }));
  }
  const kinds = new Set(job.phases.map(({ kind }) => kind));
  return [...kinds].map((kind) => ({ kind, count: mostAtOnce(plan, node, kind) }));
}

function mostAtOnce(plan: Plan, node: number, kind: TracePhaseKind): number {
  const own = [...plan.start.keys()].filter((i) => {
    const phase = plan.job.phases[plan.phase[i] ?? 0];
    return phase?.kind === kind && phase.attempts.node[plan.row[i] ?? 0] === node;
  });
  let most = 0;
  for (const i of own) {
    const at = plan.start[i] ?? 0;
    const running = own.filter((j) => (plan.start[j] ?? 0) <= at && (plan.end[j] ?? 0) > at);
    most = Math.max(most, running.length);
  }
  return most;
}

function phaseOf(fitted: Fitted, question: Question, index: number): RecordedPhase {
  const { plan, luck } = fitted;
  const phase = plan.job.phases[index];
  const gate = plan.gates[plan.readyGate[index] ?? -1];
  if (phase === undefined || gate === undefined) throw new RangeError("no such phase");
  const needs = gate.needs.filter((need) => need.phase < index);
  const byTask = attemptsByTask(plan, index);
  const pool = luck.pools[index] ?? new Float64Array(0);
  const tasks = byTask.map((rows, task) => taskOf(fitted, question, { index, task, rows, pool }));
  return {
    name: phase.name,
    slots: [phase.kind],
    reads: needs.map((need) => {
      const of = need.count / Math.max(1, countOf(plan, need.phase));
      const start = of >= 1 ? ({ when: "done" } as const) : ({ when: "fraction", of } as const);
      return { phase: need.phase, start };
    }),
    gapMs: Math.max(0, needs.length === 0 ? gate.at - plan.job.submittedAt : gate.gapMs),
    tasks,
    further: (attempt) => furtherOf(fitted, question, { index, pool, byTask }, attempt),
  };
}

/** Tasks that ran. */
const countOf = (plan: Plan, phase: number): number =>
  attemptsByTask(plan, phase).filter((rows) => rows.length > 0).length;

function attemptsByTask(plan: Plan, phase: number): readonly number[][] {
  const first = plan.firstTask[phase] ?? 0;
  const rows = Array.from({ length: (plan.firstTask[phase + 1] ?? 0) - first }, (): number[] => []);
  for (let i = 0; i < plan.count; i++) {
    if (plan.phase[i] === phase) rows[(plan.task[i] ?? 0) - first]?.push(i);
  }
  return rows.filter((each) => each.length > 0);
}

function taskOf(
  fitted: Fitted,
  question: Question,
  {
    index,
    task,
    rows,
    pool,
  }: {
    readonly index: number;
    readonly task: number;
    readonly rows: readonly number[];
    readonly pool: Float64Array;
  },
): RecordedTask {
  const { plan, timing, signals, luck } = fitted;
  const own = rows.filter((i) => (plan.beside[i] ?? -1) < 0);
  const bytes = signals.bytes[rows[0] ?? -1] ?? Number.NaN;
  const chance = split(split(randomState(question.seed, "luck"), index), task);
  // An attempt that was lost or that failed, and ran again, is a wait of the next one: the rules
  // for failures on a node are the recorded system's, and not those of the discipline.
  const ended = own.findLastIndex((i) => plan.role[i] === ROLE.finishes);
  const kept = ended < 0 ? own : own.filter((i) => plan.role[i] === ROLE.finishes);
  const before = (i: number): number =>
    ended < 0
      ? 0
      : own
          .filter((j) => plan.role[j] === ROLE.fails && (plan.end[j] ?? 0) <= (plan.start[i] ?? 0))
          .reduce((sum, j) => sum + (plan.end[j] ?? 0) - (plan.start[j] ?? 0), 0);
  const attempts = kept.map((i, nth): RecordedAttempt => {
    const isAgain = question.luck === "again" && plan.role[i] === ROLE.finishes;
    const lasted = (luck.expectedMs[i] ?? 0) * (luck.ratio[i] ?? 1) * factorOf(fitted, i);
    const recorded = plan.lost[i] === 1 ? lasted : (timing.own[i] ?? 0);
    const work = isAgain ? (luck.expectedMs[i] ?? 0) * drawLuck(pool, chance) : recorded;
    const isFailed = plan.role[i] === ROLE.fails;
    return {
      workMs: Math.max(1, work),
      waitMs: Math.max(0, timing.wait[i] ?? 0) + (nth === 0 ? before(i) : 0),
      slowedByNode: isAgain,
      heldByReads: (plan.barrier[i] ?? -1) >= 0,
      ...(isFailed && { failsAfterMs: Math.max(1, recorded) }),
      records: recordsOf(plan, i),
    };
  });
  // Without replicas: where the data was is in the recorded durations already.
  return { ...(!Number.isNaN(bytes) && { inputBytes: bytes }), attempts };
}

const factorOf = ({ signals, expectation }: Fitted, i: number): number =>
  expectation.factor[signals.node[i] ?? 0] ?? 1;

function recordsOf({ job, phase, row }: Plan, i: number): number {
  const attempts = job.phases[phase[i] ?? 0]?.attempts;
  const records = attempts?.inputRecords[row[i] ?? 0] ?? Number.NaN;
  return Number.isNaN(records) ? 0 : records;
}

/** A copy or a retry that the record does not have: it draws its own luck, or has its task's. */
function furtherOf(
  { luck }: Fitted,
  question: Question,
  {
    index,
    pool,
    byTask,
  }: {
    readonly index: number;
    readonly pool: Float64Array;
    readonly byTask: readonly (readonly number[])[];
  },
  { task, chance }: FurtherAttempt,
): RecordedAttempt {
  const first = byTask[task]?.[0] ?? -1;
  const isOwn = nextFloat(chance) < question.rho;
  const drawn = drawLuck(pool, chance);
  const anew = split(split(randomState(question.seed, "luck"), index), task);
  const taskLuck = question.luck === "again" ? drawLuck(pool, anew) : (luck.ratio[first] ?? 1);
  return {
    workMs: Math.max(1, (luck.expectedMs[first] ?? 0) * (isOwn ? taskLuck : drawn)),
    slowedByNode: true,
  };
}
