import { assert, defined } from "../../base/assert.ts";
import type { JobOutcome } from "../../model/action.ts";
import type { Job, TaskList } from "../../model/job.ts";
import { rule, type Why } from "../../model/why.ts";
import { FreshTasks } from "../state/fresh-tasks.ts";
import { JobRecord, PhaseRecord, TaskRecord } from "../state/records.ts";
import { countRemaining, remainingIn } from "../state/remaining.ts";
import { launchedOf } from "../state/running.ts";
import { Share } from "../state/share.ts";
import { SoleRows } from "../state/sole-rows.ts";
import type { State } from "../state/state.ts";
import { keepTask, keptTasksOf, rangeOf } from "../state/task-record.ts";
import { rateAt } from "../statistics/progress.ts";
import { perform } from "./asks.ts";
import { kill } from "./attempts.ts";
import type { Core } from "./core.ts";
import { edgesAllow, gapIsOver, takeAfterGap } from "./readiness.ts";
import { withdraw } from "./requests.ts";
import {
  askForRequests,
  beginToWait,
  beginToWaitFresh,
  orderAnew,
  stopWaitingAll,
} from "./tasks.ts";

const ALL_DONE = rule("all-tasks-done");
const JOB_ENDED = rule("job-ended");

export function submit(core: Core, job: Job): void {
  const { state } = core;
  assert(!state.jobs.has(job.id), "a job is submitted once");
  const pool = shareOf(state.pools, job.pool, state);
  const user = shareOf(state.users, job.user, state);
  const own = new Share(state.kinds.length);
  const record = new JobRecord(job, { own, pool, user }, state.joined);
  pool.jobs++;
  user.jobs++;
  state.jobs.set(job.id, record);
  state.outside.add(record);
  state.live++;
  const inputNodes = new Set<number>();
  for (const phase of job.phases) {
    const phaseRecord = new PhaseRecord(phase, record, state.touched);
    record.phases.push(phaseRecord);
    state.phases.set(phase.id, phaseRecord);
    state.attempts.addPhase(phaseRecord);
    listTasks(core, phaseRecord);
    if (phase.tasks.areUnplaced !== true) {
      for (const { replicas } of phase.tasks) for (const node of replicas) inputNodes.add(node);
    }
    connect(state, phaseRecord);
  }
  record.inputNodes = inputNodes.size;
  if (core.wants["job-submitted"]) core.record({ at: core.now, kind: "job-submitted", job });
}

/** Asks sharing which of the jobs that wait for admission may come in. */
export function admitJobs(core: Core): void {
  const { policy, ctx } = core.seats.sharing;
  for (const record of core.state.outside) {
    if (policy.admit?.(ctx, record.job.id) === false) {
      core.pass("not-admitted", () => ({ job: record.job.name }));
      continue;
    }
    core.state.outside.delete(record);
    record.admittedAt = core.now;
    for (const phase of record.phases) countRemaining(core.state, phase, remainingIn(phase));
    if (core.wants["job-begun"])
      core.record({ at: core.now, kind: "job-begun", job: record.job.id });
    readyPhases(core, record);
    if (record.phases.length === 0) endJob(core, record, "succeeded", ALL_DONE);
  }
}

/** A task of the phase has finished for the first time. */
export function taskFinished(core: Core, phase: PhaseRecord): void {
  phase.done++;
  countRemaining(core.state, phase, -1);
  if (phase.readers.length > 0) readyPhases(core, phase.job);
  if (phase.finished) phaseFinished(core, phase);
}

/**
 * When all that a phase reads is there, at first and whenever lost outputs have been made again,
 * the sizes of its tasks are known: those that wait are ordered by them, and speculation is asked.
 */
export function tellInputWritten(core: Core, source: PhaseRecord): void {
  const { policy, ctx } = core.seats.speculation;
  if (!isWritten(source)) return;
  for (const reader of source.readers) {
    if (!source.job.live || !reader.begun || !reader.unfinished) continue;
    if (!reader.upstream.every(isWritten)) continue;
    orderAnew(core, reader);
    const asks = policy.onInputWritten?.(ctx, reader.phase.id);
    if (asks !== undefined) perform(core, core.seats.speculation, asks);
  }
}

const isWritten = ({ done, recomputing, size }: PhaseRecord): boolean =>
  done - recomputing === size;

export function endJob(core: Core, record: JobRecord, outcome: JobOutcome, why: Why): void {
  if (!record.live) return;
  const { state } = core;
  for (const phase of record.phases) countRemaining(state, phase, -remainingIn(phase));
  record.live = false;
  state.live--;
  state.outside.delete(record);
  for (const request of [...record.requests]) withdraw(core, request, JOB_ENDED);
  for (const phase of record.phases) endPhase(core, phase);
  core.emit({ kind: "end-job", job: record.job.id, outcome, why });
  if (core.wants["job-ended"])
    core.record({ at: core.now, kind: "job-ended", job: record.job.id, outcome, why });
  core.endings.push({ at: core.now, kind: "job-ended", job: record.job.id, outcome });
  if (record.unended === 0) state.ended.add(record);
}

/** Policies get the event first, then the notice of the job that it ended. */
export function notifyEndings(core: Core): boolean {
  if (core.endings.length === 0) return false;
  for (const notice of core.endings) core.notify(notice);
  core.endings = [];
  return true;
}

/** Ended jobs go from memory once their last attempt has left its slot. */
export function forgetEnded(core: Core): void {
  const { state } = core;
  for (const record of state.ended) {
    const { job } = record;
    state.jobs.delete(job.id);
    for (const phase of record.phases) {
      state.phases.delete(phase.phase.id);
      if (phase.size > 0) state.ranges.splice(rangeOf(state, phase.first), 1);
      if (state.found === phase) state.found = undefined;
      state.attempts.deletePhase(phase);
      for (const task of keptTasksOf(core.state, phase)) forgetTask(state, task);
    }
    if (--record.pool.jobs === 0) state.pools.delete(job.pool);
    if (--record.user.jobs === 0) state.users.delete(job.user);
  }
  state.ended.clear();
}

/**
 * Decides what to keep of the tasks that the last step touched. Once a finished task's last attempt
 * has ended, its progress is dropped; if no phase reads the task's output, all is dropped but the
 * mark that the task is done. Memory is thus in proportion to the tasks that run and wait.
 */
export function shedTouched(core: Core): void {
  const { state } = core;
  for (let attempt = state.undone.pop(); attempt !== undefined; attempt = state.undone.pop()) {
    state.attempts.delete(attempt.row);
  }
  for (let task = state.touched.pop(); task !== undefined; task = state.touched.pop()) {
    task.isTouched = false;
    if (task.unended === 0) {
      for (const attempt of task.attempts) attempt.progress = undefined;
    }
    if (task.unended === 0 && task.done && task.phase.readers.length === 0) {
      shedRates(core, task);
      forgetTask(state, task);
    } else if (task.isSole && !task.isKept) state.attempts.letGo(task.attempts[0]!.row);
    else keepTask(state, task);
  }
}

/** Keeps the attempt's rate for LATE's percentiles, if any policy may ask for them. */
function shedRates(core: Core, { attempts, phase }: TaskRecord): void {
  for (const attempt of attempts) {
    if (phase.rates !== undefined) phase.rates.shed(attempt);
    else if (core.seats.anyoneJudges && attempt.state === "succeeded") {
      phase.shedRates.push(rateAt(attempt, core.now));
    }
  }
}

/** Drops the records of the task and of its attempts. The phase still counts the task as done. */
export function forgetTask(state: State, task: TaskRecord): void {
  const { phase, index } = task;
  if (task.isKept) {
    state.tasks.delete(task.id);
    phase.kept -= 1;
  } else phase.sole.remove(index);
  phase.fresh?.forget(index);
  for (const attempt of task.attempts) state.attempts.delete(attempt.row);
}

function listTasks({ seats, state }: Core, record: PhaseRecord): void {
  const { first, size, phase } = record;
  if (size === 0) return;
  assert(first >= (state.ranges.at(-1)?.first ?? 0), "ids rise");
  state.ranges.push(record);
  if (seats.order.policy.freshByIndex === true && areUnplaced(phase.tasks)) {
    record.fresh = freshTasks(state, record);
    record.sole = new SoleRows(size);
    return;
  }
  for (const { id, index } of phase.tasks) {
    assert(id === first + index, "a phase's tasks have consecutive ids");
    keepTask(state, new TaskRecord(record, index));
  }
}

/** Whether slots of all nodes are the same to the tasks. */
function areUnplaced(tasks: TaskList): boolean {
  if (tasks.areUnplaced === true) return true;
  for (const { replicas, firstOn } of tasks) {
    if (replicas.length > 0 || firstOn !== undefined) return false;
  }
  return true;
}

const freshTasks = ({ tasks }: State, phase: PhaseRecord): FreshTasks<TaskRecord> =>
  new FreshTasks({
    size: phase.size,
    find: (index) => (phase.kept === 0 ? undefined : tasks.find(phase.first + index)),
    make: (index) => new TaskRecord(phase, index),
  });

function connect(state: State, record: PhaseRecord): void {
  for (const edge of record.phase.after) {
    const source = defined(state.phases.find(edge.phase), "a phase that is read");
    assert(source.job === record.job, "a phase reads phases of its own job");
    record.upstream.push(source);
    source.readers.push(record);
    for (const far of [source, ...source.ancestors]) record.ancestors.add(far);
  }
  state.crossings.add(record);
  for (const far of record.ancestors) {
    if (!far.phase.slots.some((kind) => record.phase.slots.includes(kind))) continue;
    record.sources.push(far);
    far.holders.push(record);
    state.contested.add(far);
  }
}

/** Starts or resumes the phases whose edges allow it: their tasks wait for slots. */
export function readyPhases(core: Core, record: JobRecord): void {
  for (const phase of record.phases) {
    if (phase.ready || !record.live || !edgesAllow(core, phase)) continue;
    if (!gapIsOver(core, phase)) continue;
    const isFirst = !phase.begun;
    phase.begun = true;
    phase.ready = true;
    countRemaining(core.state, phase, remainingIn(phase));
    notifyReady(core, phase, isFirst);
    for (const task of keptTasksOf(core.state, phase)) {
      // A task that the host has started by itself waits only after that attempt ends.
      if (task.unended === 0 && task.needed) beginToWait(core, task, task.next);
    }
    beginToWaitFresh(core, phase);
    askForRequests(core, phase);
    if (isFirst && phase.finished) phaseFinished(core, phase);
  }
}

/** Begins the phases whose gap ends now. */
export function beginAfterGaps(core: Core): void {
  for (const { job } of takeAfterGap(core)) readyPhases(core, job);
}

/**
 * The policies are asked once where data should be and, each time tasks begin to wait, whether to
 * copy.
 */
function notifyReady(core: Core, { phase }: PhaseRecord, isFirst: boolean): void {
  const { data, speculation } = core.seats;
  for (const seat of isFirst ? [...data, speculation] : [speculation]) {
    const asks = seat.policy.onPhaseReady?.(seat.ctx, phase.id);
    if (asks !== undefined) perform(core, seat, asks);
  }
}

function phaseFinished(core: Core, phase: PhaseRecord): void {
  const { job } = phase;
  job.phasesUnfinished--;
  readyPhases(core, job);
  if (job.phasesUnfinished === 0) endJob(core, job, "succeeded", ALL_DONE);
}

function endPhase(core: Core, phase: PhaseRecord): void {
  core.state.contested.delete(phase);
  core.state.crossings.delete(phase);
  core.state.inGap.delete(phase);
  stopWaitingAll(core, phase);
  if (phase.running > 0) {
    for (const attempt of launchedOf(core.state, phase)) {
      kill(core, attempt, "nothing", JOB_ENDED);
    }
  }
  if (phase.readers.length === 0) return;
  for (const task of keptTasksOf(core.state, phase)) {
    for (const node of task.outputNodes) node.outputs.delete(task.id);
  }
}

function shareOf(shares: Map<string, Share>, name: string, state: State): Share {
  let share = shares.get(name);
  if (share === undefined) {
    share = new Share(state.kinds.length);
    shares.set(name, share);
  }
  return share;
}
