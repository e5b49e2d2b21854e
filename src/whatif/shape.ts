import { defined } from "../base/assert.ts";
import { cell } from "../base/rows.ts";
import type { Expectation } from "../diagnose/expect/expect.ts";
import { attemptsOf, type Plan, phaseOf, ROLE } from "../diagnose/schedule/planned.ts";
import { isCopy } from "../diagnose/schedule/relate.ts";
import type { TraceJob, TracePhaseKind } from "../history/model.ts";
import type { RecordedNode, RecordedPhase, RecordedSlots } from "../hosts/sim/index.ts";

/** What all runs of a job share: its cluster, its edges, and which attempts belong together. */
export interface JobShape {
  readonly slotKinds: readonly TracePhaseKind[];
  readonly nodes: readonly RecordedNode[];
  readonly phases: readonly PhaseShape[];
  /** From the end of the last task to the end of the job. */
  readonly tailMs: number;
}

export interface PhaseShape {
  readonly name: string;
  readonly kind: TracePhaseKind;
  readonly reads: RecordedPhase["reads"];
  readonly gapMs: number;
  readonly speculate: boolean;
  /** The tasks that ran, in the order of their indexes. */
  readonly tasks: readonly TaskShape[];
}

export interface TaskShape {
  /** The attempts in their order, as numbers in the plan; copies are not among them. */
  readonly attempts: readonly number[];
  /** Recorded copies that had, or would have had, a result. */
  readonly copies: readonly number[];
  /** Where the task's first attempt ran, with a result or without; -1 if unknown. */
  readonly firstNode: number;
}

export function shapeOf(plan: Plan, expectation: Expectation): JobShape {
  const { job } = plan;
  const last = plan.end.reduce((most, end, i) =>
    plan.lostRace[i] === 1 ? most : Math.max(most, end),
  );
  const tasks = job.phases.map((_, phase) => tasksOf(plan, phase));
  return {
    slotKinds: kindsOf(job),
    nodes: nodesOf(plan, expectation),
    phases: job.phases.map(({ name, kind, forbidsCopies = false }, index) => {
      const gate = defined(plan.gates[cell(plan.readyGate[index])], "the gate of a phase");
      const needs = gate.needs.filter((need) => need.phase < index);
      return {
        name,
        kind,
        reads: needs.map((need) => {
          const of = need.count / Math.max(1, cell(tasks[need.phase]).length);
          const start = of >= 1 ? ({ when: "done" } as const) : ({ when: "fraction", of } as const);
          return { phase: need.phase, start };
        }),
        gapMs: Math.max(0, needs.length === 0 ? gate.at - job.submittedAt : gate.gapMs),
        speculate: !forbidsCopies,
        tasks: cell(tasks[index]),
      };
    }),
    tailMs: Math.max(0, job.endedAt - last),
  };
}

const kindsOf = ({ phases }: TraceJob): readonly TracePhaseKind[] => [
  ...new Set(phases.map(({ kind }) => kind)),
];

function tasksOf(plan: Plan, phase: number): readonly TaskShape[] {
  const first = cell(plan.firstTask[phase]);
  const rows = Array.from({ length: cell(plan.firstTask[phase + 1]) - first }, (): number[] => []);
  for (let i = 0; i < plan.count; i++) {
    if (plan.phase[i] === phase) rows[cell(plan.task[i]) - first]?.push(i);
  }
  return rows
    .map((all) => ({
      own: all.filter((i) => !isCopy(plan, i)),
      copies: all.filter((i) => isCopy(plan, i)),
    }))
    .filter(({ own }) => own.length > 0)
    .map(({ own, copies }) => ({
      attempts: own,
      copies: copies.filter((i) => plan.role[i] === ROLE.finishes),
      firstNode: nodeOf(plan, cell(own[0])),
    }));
}

function nodesOf(plan: Plan, expectation: Expectation): readonly RecordedNode[] {
  const slots = plan.job.slots.length > 0 ? namedSlots(plan) : slotsInUse(plan);
  return plan.job.nodes.map((name, node) => ({
    name,
    factor: cell(expectation.factor[node]),
    slots: cell(slots[node]),
  }));
}

/** The slots of the kinds that the job uses: a job of maps alone may run beside reduce slots. */
function namedSlots({ job }: Plan): readonly (readonly RecordedSlots[])[] {
  const byNode = job.nodes.map((): RecordedSlots[] => []);
  const kinds = new Set(kindsOf(job));
  for (const { node, kind, from, until } of job.slots) {
    if (!kinds.has(kind)) continue;
    byNode[node]?.push({
      kind,
      count: 1,
      fromMs: Math.max(0, from - job.submittedAt),
      ...(until !== undefined && { untilMs: Math.max(0, until - job.submittedAt) }),
    });
  }
  return byNode;
}

/** The most attempts that ran at once on each node, by kind. */
function slotsInUse(plan: Plan): readonly (readonly RecordedSlots[])[] {
  const { phases, nodes } = plan.job;
  const moments = nodes.map(() => new Map<TracePhaseKind, [at: number, change: number][]>());
  for (const { kind } of phases) for (const each of moments) each.set(kind, []);
  for (let i = 0; i < plan.count; i++) {
    const own = moments[nodeOf(plan, i)]?.get(phaseOf(plan, i).kind);
    own?.push([cell(plan.start[i]), 1], [cell(plan.end[i]), -1]);
  }
  return moments.map((byKind) =>
    [...byKind].map(([kind, changes]) => ({ kind, count: mostAtOnce(changes) })),
  );
}

/** -1 if the log does not name the attempt's node. */
const nodeOf = (plan: Plan, i: number): number => cell(attemptsOf(plan, i).node[cell(plan.row[i])]);

/** An attempt of no length counts as running for a moment. */
function mostAtOnce(changes: readonly (readonly [at: number, change: number])[]): number {
  const inTime = changes.toSorted((a, b) => Math.sign(a[0] - b[0]) || a[1] - b[1]);
  let running = 0;
  let most = Math.min(1, changes.length);
  for (const [, change] of inTime) {
    running += change;
    most = Math.max(most, running);
  }
  return most;
}
