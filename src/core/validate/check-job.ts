import type { ClusterEvent } from "../../model/event.ts";
import { type Edge, type Job, type Phase, PRIORITIES } from "../../model/job.ts";
import type { State } from "../state/state.ts";
import type { Claims } from "./claims.ts";

/**
 * Checks that ids and names are new, that phases read only earlier phases, and that tasks are in
 * order.
 */
export function checkJob(
  claims: Claims,
  state: State,
  { job }: ClusterEvent & { kind: "job-submitted" },
): void {
  claims.thing("job", job);
  claims.id("job.id", job.id);
  claims.claim(!state.jobs.has(job.id), "job.id", "an id that no live job has", job.id);
  claims.text("job.name", job.name);
  for (const { job: other } of state.jobs.values()) {
    claims.claim(other.name !== job.name, "job.name", "a name that no live job has", job.name);
  }
  claims.text("job.user", job.user);
  claims.text("job.pool", job.pool);
  claims.oneOf("job.priority", job.priority, PRIORITIES);
  claims.past("job.submittedAt", job.submittedAt);
  claims.list("job.phases", job.phases);
  let next = nextTaskOf(state);
  for (const [index, phase] of job.phases.entries()) {
    checkPhase(claims, state, job, index);
    checkTasks(claims, phase, `job.phases[${index}]`, next);
    const first = phase.tasks.at(0);
    if (first !== undefined) next = first.id + phase.tasks.length;
  }
}

/** The smallest id that a new task may have: the ids of live jobs are taken. */
function nextTaskOf({ ranges }: State): number {
  const last = ranges[ranges.length - 1];
  return last === undefined ? 0 : last.first + last.size;
}

function checkPhase(claims: Claims, state: State, job: Job, index: number): void {
  const field = `job.phases[${index}]`;
  const phase = job.phases[index]!;
  claims.thing(field, phase);
  claims.id(`${field}.id`, phase.id);
  const earlier = job.phases.slice(0, index);
  const isNew =
    state.phases.find(phase.id) === undefined && !earlier.some(({ id }) => id === phase.id);
  claims.claim(isNew, `${field}.id`, "an id that no phase of a live job has", phase.id);
  claims.claim(phase.job === job.id, `${field}.job`, `the job's id, ${job.id}`, phase.job);
  claims.text(`${field}.name`, phase.name);
  const isNamed = !earlier.some(({ name }) => name === phase.name);
  claims.claim(isNamed, `${field}.name`, "a name that no other phase of the job has", phase.name);
  claims.list(`${field}.slots`, phase.slots);
  claims.claim(phase.slots.length > 0, `${field}.slots`, "a kind of slot", phase.slots);
  for (const kind of phase.slots) {
    claims.index(`${field}.slots`, kind, state.setup.slotKinds);
  }
  if (phase.gapMs !== undefined) claims.amount(`${field}.gapMs`, phase.gapMs);
  claims.list(`${field}.after`, phase.after);
  for (const [at, edge] of phase.after.entries()) {
    checkEdge(claims, earlier, edge, `${field}.after[${at}]`);
  }
}

function checkEdge(claims: Claims, earlier: readonly Phase[], edge: Edge, field: string): void {
  claims.thing(field, edge);
  const { phase, start } = edge;
  claims.thing(`${field}.start`, start);
  const isThere = earlier.some(({ id }) => id === phase);
  claims.claim(isThere, `${field}.phase`, "an earlier phase of the job", phase);
  claims.oneOf(`${field}.start.when`, start.when, ["done", "pipelined", "fraction"]);
  if (start.when !== "fraction") return;
  const isShare = start.of >= 0 && start.of <= 1;
  claims.claim(isShare, `${field}.start.of`, "a number from 0 to 1", start.of);
}

/** COST: O(tasks). */
function checkTasks(claims: Claims, { id, tasks }: Phase, of: string, next: number): void {
  claims.listLike(`${of}.tasks`, tasks);
  const [first] = tasks;
  if (tasks.length === 0) return;
  claims.claim(first !== undefined, `${of}.tasks[0]`, "a task", first);
  claims.thing(`${of}.tasks[0]`, first);
  claims.id(`${of}.tasks[0].id`, first.id);
  const isNew = first.id >= next;
  claims.claim(isNew, `${of}.tasks[0].id`, `an id from ${next}, above all others`, first.id);
  let index = 0;
  // A list may make its tasks one by one: they are not gathered.
  for (const task of tasks) {
    const field = `${of}.tasks[${index}]`;
    claims.thing(field, task);
    const wanted = first.id + index;
    claims.claim(task.id === wanted, `${field}.id`, `${wanted}, the next`, task.id);
    claims.claim(task.index === index, `${field}.index`, String(index), task.index);
    claims.claim(task.phase === id, `${field}.phase`, `the phase's id, ${id}`, task.phase);
    if (task.inputBytes !== undefined) claims.amount(`${field}.inputBytes`, task.inputBytes);
    claims.list(`${field}.replicas`, task.replicas);
    for (const node of task.replicas) claims.id(`${field}.replicas`, node);
    if (task.firstOn !== undefined) claims.id(`${field}.firstOn`, task.firstOn);
    claims.list(`${field}.stages`, task.stages);
    claims.claim(task.stages.length > 0, `${field}.stages`, "a stage", task.stages);
    for (const stage of task.stages) {
      claims.thing(`${field}.stages`, stage);
      const { share } = stage;
      claims.claim(share >= 0 && share <= 1, `${field}.stages`, "shares from 0 to 1", share);
    }
    index += 1;
  }
}
