import type { ClusterEvent } from "../../model/event.ts";
import { type Edge, type Job, type Phase, PRIORITIES } from "../../model/job.ts";
import type { State } from "../state/state.ts";
import type { Checks } from "./checks.ts";

/**
 * Checks that ids and names are new, that phases read only earlier phases, and that tasks are in
 * order.
 */
export function checkJob(
  checks: Checks,
  state: State,
  { job }: ClusterEvent & { kind: "job-submitted" },
): void {
  checks.object("job", job);
  checks.id("job.id", job.id);
  checks.check(!state.jobs.has(job.id), "job.id", "an id that no live job has", job.id);
  checks.text("job.name", job.name);
  for (const { job: other } of state.jobs.values()) {
    checks.check(other.name !== job.name, "job.name", "a name that no live job has", job.name);
  }
  checks.text("job.user", job.user);
  checks.text("job.pool", job.pool);
  checks.oneOf("job.priority", job.priority, PRIORITIES);
  checks.past("job.submittedAt", job.submittedAt);
  checks.list("job.phases", job.phases);
  let next = nextTaskOf(state);
  for (const [index, phase] of job.phases.entries()) {
    checkPhase(checks, state, job, index);
    checkTasks(checks, phase, `job.phases[${index}]`, next);
    const first = phase.tasks.at(0);
    if (first !== undefined) next = first.id + phase.tasks.length;
  }
}

/** The smallest id that a new task may have: the ids of live jobs are taken. */
function nextTaskOf({ ranges }: State): number {
  const last = ranges[ranges.length - 1];
  return last === undefined ? 0 : last.first + last.size;
}

function checkPhase(checks: Checks, state: State, job: Job, index: number): void {
  const field = `job.phases[${index}]`;
  const phase = job.phases[index]!;
  checks.object(field, phase);
  checks.id(`${field}.id`, phase.id);
  const earlier = job.phases.slice(0, index);
  const isNew =
    state.phases.find(phase.id) === undefined && !earlier.some(({ id }) => id === phase.id);
  checks.check(isNew, `${field}.id`, "an id that no phase of a live job has", phase.id);
  checks.check(phase.job === job.id, `${field}.job`, `the job's id, ${job.id}`, phase.job);
  checks.text(`${field}.name`, phase.name);
  const isNamed = !earlier.some(({ name }) => name === phase.name);
  checks.check(isNamed, `${field}.name`, "a name that no other phase of the job has", phase.name);
  checks.list(`${field}.slots`, phase.slots);
  checks.check(phase.slots.length > 0, `${field}.slots`, "a kind of slot", phase.slots);
  for (const kind of phase.slots) {
    checks.index(`${field}.slots`, kind, state.setup.slotKinds);
  }
  if (phase.gapMs !== undefined) checks.amount(`${field}.gapMs`, phase.gapMs);
  checks.list(`${field}.after`, phase.after);
  for (const [at, edge] of phase.after.entries()) {
    checkEdge(checks, earlier, edge, `${field}.after[${at}]`);
  }
}

function checkEdge(checks: Checks, earlier: readonly Phase[], edge: Edge, field: string): void {
  checks.object(field, edge);
  const { phase, start } = edge;
  checks.object(`${field}.start`, start);
  const isThere = earlier.some(({ id }) => id === phase);
  checks.check(isThere, `${field}.phase`, "an earlier phase of the job", phase);
  checks.oneOf(`${field}.start.when`, start.when, ["done", "pipelined", "fraction"]);
  if (start.when !== "fraction") return;
  const isShare = start.of >= 0 && start.of <= 1;
  checks.check(isShare, `${field}.start.of`, "a number from 0 to 1", start.of);
}

/** COST: O(tasks). */
function checkTasks(checks: Checks, { id, tasks }: Phase, of: string, next: number): void {
  checks.listLike(`${of}.tasks`, tasks);
  const [first] = tasks;
  if (tasks.length === 0) return;
  checks.check(first !== undefined, `${of}.tasks[0]`, "a task", first);
  checks.object(`${of}.tasks[0]`, first);
  checks.id(`${of}.tasks[0].id`, first.id);
  const isNew = first.id >= next;
  checks.check(isNew, `${of}.tasks[0].id`, `an id from ${next}, above all others`, first.id);
  let index = 0;
  // A list may make its tasks one by one: they are not gathered.
  for (const task of tasks) {
    const field = `${of}.tasks[${index}]`;
    checks.object(field, task);
    const wanted = first.id + index;
    checks.check(task.id === wanted, `${field}.id`, `${wanted}, the next`, task.id);
    checks.check(task.index === index, `${field}.index`, String(index), task.index);
    checks.check(task.phase === id, `${field}.phase`, `the phase's id, ${id}`, task.phase);
    if (task.inputBytes !== undefined) checks.amount(`${field}.inputBytes`, task.inputBytes);
    checks.list(`${field}.replicas`, task.replicas);
    for (const node of task.replicas) checks.id(`${field}.replicas`, node);
    if (task.firstOn !== undefined) checks.id(`${field}.firstOn`, task.firstOn);
    checks.list(`${field}.stages`, task.stages);
    checks.check(task.stages.length > 0, `${field}.stages`, "a stage", task.stages);
    for (const stage of task.stages) {
      checks.object(`${field}.stages`, stage);
      const { share } = stage;
      checks.check(share >= 0 && share <= 1, `${field}.stages`, "shares from 0 to 1", share);
    }
    index += 1;
  }
}
