import { type NodeId, nodeId, type PhaseId, phaseId, taskId } from "../../src/model/ids.ts";
import type { Job, Phase } from "../../src/model/job.ts";
import type { Chances, Plan } from "../../src/testing/plan.ts";

/**
 * The possible cuts of a plan, in the numbering of the whole plan: `job:2`, `phase:0.1` (of job 0),
 * `tasks:0.1=3` (all but the first three), `node:3`, `chance:fail`, `seat:chaos`, `calm` (no
 * trouble at any time), `even` (no node is slow), `prompt` (no heartbeats), `current` (statistics
 * are never out of date).
 */
export function cutPlan(plan: Plan, cuts: readonly string[]): Plan {
  if (cuts.length === 0) return plan;
  const is = new Set(cuts);
  const kept = plan.nodes.map((_, index) => index).filter((index) => !is.has(`node:${index}`));
  const nodes = new Map(kept.map((index, now) => [nodeId(index), nodeId(now)]));
  return {
    ...plan,
    nodes: plan.nodes.flatMap((node) => {
      const id = nodes.get(node.id);
      return id === undefined ? [] : [{ ...node, id }];
    }),
    slowness: kept.map((index) => (is.has("even") ? 1 : (plan.slowness[index] ?? 1))),
    jobs: cutJobs(plan.jobs, is, nodes),
    seats: plan.seats.filter((seat) => !is.has(`seat:${seat}`)),
    chances: cutChances(plan.chances, is),
    calmFrom: is.has("calm") ? 0 : plan.calmFrom,
    heartbeatMs: is.has("prompt") ? 0 : plan.heartbeatMs,
    statisticsEvery: is.has("current") ? 0 : plan.statisticsEvery,
  };
}

const cutChances = (chances: Chances, is: ReadonlySet<string>): Chances => ({
  ...chances,
  ...Object.fromEntries(
    Object.keys(chances)
      .filter((name) => is.has(`chance:${name}`))
      .map((name) => [name, 0]),
  ),
});

/** Ids stay those of a journal, numbered as things are mentioned. */
function cutJobs(
  jobs: readonly Job[],
  is: ReadonlySet<string>,
  nodes: ReadonlyMap<NodeId, NodeId>,
): readonly Job[] {
  const phases = new Map<PhaseId, PhaseId>();
  const next = { phase: 0, task: 0 };
  const cutPhase = (phase: Phase, place: string): Phase => {
    const id = phaseId(next.phase++);
    phases.set(phase.id, id);
    const tasks = Array.from(phase.tasks).slice(0, tasksKept(is, place));
    return {
      ...phase,
      id,
      after: phase.after.flatMap((edge) => {
        const read = phases.get(edge.phase);
        return read === undefined ? [] : [{ ...edge, phase: read }];
      }),
      tasks: tasks.map((task) => ({
        ...task,
        id: taskId(next.task++),
        phase: id,
        replicas: task.replicas.flatMap((node) => nodes.get(node) ?? []),
      })),
    };
  };
  return jobs.flatMap((job, index) => {
    if (is.has(`job:${index}`)) return [];
    const kept = [...job.phases.entries()].filter(([at]) => !is.has(`phase:${index}.${at}`));
    return [{ ...job, phases: kept.map(([at, phase]) => cutPhase(phase, `${index}.${at}`)) }];
  });
}

function tasksKept(is: ReadonlySet<string>, place: string): number | undefined {
  const prefix = `tasks:${place}=`;
  const counts = [...is].filter((cut) => cut.startsWith(prefix));
  return counts.length === 0
    ? undefined
    : Math.min(...counts.map((cut) => Number(cut.slice(prefix.length))));
}

/** Large cuts come first, and later things before earlier ones, since less depends on them. */
export function* cutsOf({ jobs, nodes, seats, chances }: Plan): Generator<string> {
  for (let job = jobs.length - 1; job >= 0; job--) yield `job:${job}`;
  // The first node has slots of all kinds.
  for (let node = nodes.length - 1; node > 0; node--) yield `node:${node}`;
  for (const seat of seats) yield `seat:${seat}`;
  yield* ["calm", "even", "prompt", "current"];
  for (const chance of Object.keys(chances)) yield `chance:${chance}`;
  for (const [job, { phases }] of jobs.entries()) {
    for (let phase = phases.length - 1; phase >= 0; phase--) yield `phase:${job}.${phase}`;
  }
}

export function* phasesOf({ jobs }: Plan): Generator<readonly [place: string, tasks: number]> {
  for (const [job, { phases }] of jobs.entries()) {
    for (const [at, { tasks }] of phases.entries()) yield [`${job}.${at}`, tasks.length];
  }
}

/** The first cut that does not change the plan, because the plan lacks its subject. */
export function unknownCut(plan: Plan, cuts: readonly string[]): string | undefined {
  const known = new Set(cutsOf(plan));
  const places = new Set(Array.from(phasesOf(plan), ([place]) => place));
  return cuts.find((cut) => {
    const [, place] = /^tasks:(\d+\.\d+)=\d+$/.exec(cut) ?? [];
    return !known.has(cut) && !(place !== undefined && places.has(place));
  });
}
