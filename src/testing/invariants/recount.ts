import { assert } from "../../base/assert.ts";
import type { Setup } from "../../core/state/setup.ts";
import { type PhaseId, slotKind } from "../../model/ids.ts";
import type { Phase } from "../../model/job.ts";
import type { View } from "../../model/view.ts";
import { claim } from "./claim.ts";
import {
  holdsSlot,
  isRunning,
  type Mirror,
  type MirrorJob,
  type MirrorTask,
  slotsOf,
} from "./mirror.ts";
import { Tallies } from "./tallies.ts";

/**
 * Tasks, the counts of phases and the sums over the cluster, by a simple recount of everything that
 * the latest step touched, or of the whole world. A change of the view elsewhere shows in the sums
 * at once, or in the next whole recount.
 */
export class Recount {
  readonly #mirror: Mirror;
  readonly #setup: Setup;
  readonly #view: View;
  readonly #tallies: Tallies;
  /** By live job, the phases that were ready at the last recount of the job. */
  readonly #ready = new Map<MirrorJob, ReadonlySet<PhaseId>>();
  /** By phase, the tasks that waited at the last recount of the phase. */
  readonly #waiting = new Map<Phase, number>();

  constructor(mirror: Mirror, setup: Setup, view: View) {
    this.#mirror = mirror;
    this.#setup = setup;
    this.#view = view;
    this.#tallies = new Tallies(mirror, view);
  }

  whole(): void {
    this.#ready.clear();
    this.#waiting.clear();
    for (const job of this.#mirror.jobs.values()) {
      if (job.live) this.#checkTasks(job.tasks, this.#lookAt(job));
      if (job.live) for (const phase of job.job.phases) this.#checkPhase(phase);
    }
    this.#checkNodes();
    this.#checkRunning();
    assert(this.#areWaitingCounted(), "the view counts the tasks that wait for the kind");
    this.#checkLeft();
    this.#tallies.check();
  }

  touched(): void {
    const { touched, areNodesTouched } = this.#mirror;
    const jobs = new Set<MirrorJob>();
    for (const { job } of touched) jobs.add(job);
    for (const job of jobs) this.#checkJob(job);
    if (areNodesTouched) this.#checkNodes();
    this.#checkRunning();
    // The end of a job may admit another one, whose tasks wait from now on.
    if (!this.#areWaitingCounted()) this.whole();
  }

  #checkJob(job: MirrorJob): void {
    if (!job.live) return;
    const before = this.#ready.get(job);
    const ready = this.#lookAt(job);
    const tasks = new Set<MirrorTask>();
    const isTurned = (id: PhaseId): boolean => ready.has(id) !== before?.has(id);
    for (const task of job.tasks) {
      if (this.#mirror.touched.has(task) || isTurned(task.phase.id)) tasks.add(task);
    }
    this.#checkTasks(tasks, ready);
    const phases = new Set<Phase>();
    for (const { phase } of tasks) phases.add(phase);
    for (const phase of phases) this.#checkPhase(phase);
  }

  #lookAt(job: MirrorJob): ReadonlySet<PhaseId> {
    const ready = new Set(this.#view.phases(job.job.id).map(({ id }) => id));
    this.#ready.set(job, ready);
    return ready;
  }

  #checkTasks(tasks: Iterable<MirrorTask>, ready: ReadonlySet<PhaseId>): void {
    for (const task of tasks) this.#checkTask(task, ready.has(task.phase.id));
  }

  #checkTask(task: MirrorTask, isReady: boolean): void {
    const view = this.#view;
    const { id } = task.task;
    const isHeld = task.attempts.some(holdsSlot);
    claim(view.isDone(id) === task.done, task, "is done exactly when an attempt has succeeded");
    const attempts = view.attemptsOf(id);
    // The core may forget the success of a task whose output has no readers.
    const isForgotten = task.done && !task.isRead && attempts.length === 0 && !isHeld;
    const isSame =
      attempts.length === task.attempts.length &&
      task.attempts.every(({ state }, index) => attempts[index]?.state === state);
    claim(isForgotten || isSame, task, "has the attempts, in the states, that its host told of");
    if (task.isRead) {
      const nodes = view.outputNodes(id);
      const isThere = nodes.length === task.outputs.size && nodes.every((n) => task.outputs.has(n));
      claim(isThere, task, "has its output where it was written and is not lost");
    }
    const wants = (!task.done || task.recomputing) && !isHeld;
    claim(view.isWaiting(id) === (wants && isReady), task, "waits exactly when it must");
    this.#checkLoss(task);
  }

  /**
   * An output that readers will need exists or is being recomputed, unless a data policy decides.
   */
  #checkLoss(task: MirrorTask): void {
    if (!task.isRead || !task.done || task.outputs.size > 0) return;
    if (this.#setup.discipline.data.some(({ policy }) => policy.onOutputLost !== undefined)) return;
    const readers = this.#view.readers(task.task.id);
    const isNeeded = readers.some(({ tasks }) =>
      [...tasks].some(({ id }) => !this.#mirror.task(id).done),
    );
    claim(!isNeeded || task.recomputing, task, "does not lose silently an output that is needed");
  }

  #checkPhase(phase: Phase): void {
    const ours = { waiting: 0, running: 0, done: 0, recomputing: 0, speculated: 0, requested: 0 };
    const active = { tasks: 0, speculated: 0 };
    for (const { id } of phase.tasks) {
      const { attempts, done, recomputing } = this.#mirror.task(id);
      if (this.#view.isWaiting(id)) ours.waiting += 1;
      if (done && !recomputing) ours.done += 1;
      if (recomputing) ours.recomputing += 1;
      const holding = attempts.filter(holdsSlot);
      ours.running += holding.length;
      if (holding.some((one) => one.as === "speculative" && isRunning(one))) ours.speculated += 1;
      if (!holding.some(isRunning)) continue;
      active.tasks += 1;
      if (holding.length > 1) active.speculated += 1;
    }
    for (const task of this.#mirror.requests.values()) {
      if (task.phase === phase) ours.requested += 1;
    }
    this.#waiting.set(phase, ours.waiting);
    const counts = this.#view.counts(phase.id);
    assert(counts.tasks === phase.tasks.length, "the view counts the tasks of a phase");
    assert(counts.waiting === ours.waiting, "the view counts those that wait");
    assert(counts.running === ours.running, "the view counts the attempts that hold a slot");
    assert(counts.done === ours.done, "the view counts the tasks that are done");
    assert(counts.recomputing === ours.recomputing, "the view counts the tasks that are redone");
    assert(counts.speculated === ours.speculated, "the view counts the tasks that have a copy");
    assert(counts.requested === ours.requested, "the view counts the requests of a phase");
    const viewed = this.#view.active(phase.id);
    assert(viewed.tasks === active.tasks, "the view counts the tasks that are active");
    assert(viewed.speculated === active.speculated, "the view counts those with several attempts");
  }

  #checkNodes(): void {
    const joined = [...this.#mirror.nodes.values()].filter((node) => node.joined);
    const listed = [...this.#view.nodes()].map(({ id }) => id).join();
    const ids = joined.map(({ node }) => node.id).sort((a, b) => (a < b ? -1 : 1));
    assert(listed === ids.join(), "the view lists the nodes that are there");
    this.#setup.slotKinds.forEach((_, index) => {
      const kind = slotKind(index);
      const slots = joined.reduce((sum, { node }) => sum + slotsOf(node.slots, kind), 0);
      assert(this.#view.slots(kind) === slots, "the view counts the slots of the nodes there");
    });
  }

  #checkRunning(): void {
    const running = this.#view.kinds.reduce((sum, kind) => sum + this.#view.running(kind), 0);
    const { size } = this.#mirror.holding;
    assert(running === size, "the view counts the attempts that hold a slot");
  }

  #checkLeft(): void {
    const left = this.#view.kinds.map(() => 0);
    for (const { id } of this.#view.jobs()) {
      for (const phase of this.#view.phases(id)) {
        const tasks = [...phase.tasks].map((task) => this.#mirror.task(task.id));
        const open = tasks.filter(({ done, recomputing }) => !done || recomputing).length;
        for (const kind of phase.slots) left[kind] = (left[kind] ?? 0) + open;
      }
    }
    const viewed = this.#view.kinds.map((kind) => this.#view.left(kind));
    assert(String(viewed) === String(left), "the view counts the tasks that are left");
  }

  #areWaitingCounted(): boolean {
    return this.#view.kinds.every((kind) => {
      let waits = 0;
      for (const { job, live } of this.#mirror.jobs.values()) {
        for (const phase of live ? job.phases : []) {
          if (phase.slots.includes(kind)) waits += this.#waiting.get(phase) ?? 0;
        }
      }
      return this.#view.waiting(kind) === waits;
    });
  }
}
