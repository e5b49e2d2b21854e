import { assert, defined } from "../base/assert.ts";
import type { Setup } from "../core/setup.ts";
import type { Action } from "../model/action.ts";
import type { ClusterEvent } from "../model/event.ts";
import { type NodeId, type PhaseId, type SlotKind, slotKind } from "../model/ids.ts";
import type { Phase } from "../model/job.ts";
import type { PhaseCounts, View } from "../model/view.ts";
import {
  holdsSlot,
  isRunning,
  Mirror,
  type MirrorNode,
  type MirrorTask,
} from "./invariants/mirror.ts";

/** What the discipline at hand promises beside what holds under every one. */
export interface Promises {
  /** Refusals are among the actions. */
  readonly explains: boolean;
  /**
   * No slot is held back, beyond the time until it is asked again, while a task waits that may take
   * it.
   */
  readonly workConserving?: boolean;
  /** Most attempts of one task that run beside each other, copies among them. */
  readonly besideMax?: number;
  /** No copy on a node where another attempt of its task holds a slot. */
  readonly copiesElsewhere?: boolean;
  /** Most copies that hold slots of a kind when one more has been launched. */
  readonly speculativeMax?: (kind: SlotKind) => number;
}

/**
 * Hadoop 1.2.1: failures of a job that close a node to it, unless this share of the nodes is flaky.
 */
const NODE_FAILURES_MAX = 4;
const FLAKY_SHARE_MAX = 0.25;

/**
 * What must hold after every step, checked from outside: a bookkeeping of its own is made of events
 * and actions and held against the view. COST: O(world) per step; for tests.
 */
export class Invariants {
  readonly #mirror = new Mirror();
  readonly #setup: Setup;
  readonly #view: View;
  readonly #promises: Promises;

  constructor(setup: Setup, view: View, promises: Promises) {
    this.#setup = setup;
    this.#view = view;
    this.#promises = promises;
  }

  /** After `event` was stepped and brought these actions. */
  check(event: ClusterEvent, actions: readonly Action[]): void {
    const mirror = this.#mirror;
    mirror.event(event);
    for (const action of actions) {
      this.#checkBefore(action);
      mirror.action(action);
      if (action.kind === "launch") this.#checkSlots(mirror.node(action.node), action.slot);
    }
    this.#checkWakes(actions);
    this.#checkTasks();
    this.#checkPhases();
    this.#checkSums();
    this.#checkHeldSlots(event, actions);
  }

  #checkBefore(action: Action): void {
    const mirror = this.#mirror;
    if (action.kind === "launch") this.#checkLaunch(action);
    if (action.kind === "end-job") {
      const job = defined(mirror.jobs.get(action.job), "the job that ends");
      assert(job.live, "a job ends once");
      const tasks = [...mirror.tasks.values()].filter((task) => task.job === job);
      if (action.outcome !== "succeeded") return;
      assert(
        tasks.every(({ done }) => done),
        "a job has succeeded when all its tasks have",
      );
    }
    if (action.kind === "recompute") {
      const task = mirror.task(action.task);
      assert(
        task.done && !task.recomputing,
        "only a finished task is made again, and once at a time",
      );
    }
    if (action.kind === "kill") {
      const attempt = defined(mirror.attempts.get(action.attempt), "the attempt that is killed");
      assert(isRunning(attempt), "an attempt is killed once, while it runs");
    }
  }

  #checkLaunch(launch: Extract<Action, { kind: "launch" }>): void {
    const mirror = this.#mirror;
    const task = mirror.task(launch.task);
    const others = task.attempts.filter(holdsSlot);
    assert(task.phase.slots.includes(launch.slot), "a task takes a slot of its kinds");
    assert(task.job.live, "nothing is launched for a job that has ended");
    assert(mirror.isUsable(launch.node), "nothing is launched on a node that is lost or silent");
    assert(
      !this.#isClosed(task, launch.node),
      "nothing is launched where the job's blacklist forbids it",
    );
    assert(!task.done || task.recomputing, "a finished task is not launched again");
    const isCopy = launch.as === "speculative";
    assert(isCopy ? others.length > 0 : true, "a copy runs beside another attempt");
    const ends = task.attempts.map(({ state }) => state);
    if (launch.as === "original") assert(!ends.includes("failed"), "an original comes first");
    if (launch.as === "retry") assert(ends.includes("failed"), "a retry follows a failure");
    if (launch.as === "rerun" || launch.as === "restart") {
      assert(ends.includes("killed") || ends.includes("dying"), "a rerun follows a kill");
    }
    if (launch.as === "recompute") assert(task.recomputing, "what is not lost is not recomputed");
    assert(
      launch.request !== undefined || this.#hasSources(task.phase),
      "nothing is launched of a phase while too little of what it reads is there",
    );
    if (task.job.job.speculate === false) {
      assert(others.length === 0, "a task whose job forbids copies runs once at a time");
    }
    if (!isCopy) return;
    // The core chooses the node for a request.
    const isChosen = this.#promises.copiesElsewhere === true && launch.request === undefined;
    const isElsewhere = others.every(({ node }) => node !== launch.node);
    assert(!isChosen || isElsewhere, "a copy runs on another node");
    const copies = [...mirror.attempts.values()].filter(
      (one) => one.as === "speculative" && one.slot === launch.slot && holdsSlot(one),
    );
    const copiesMax = this.#promises.speculativeMax?.(launch.slot) ?? Number.POSITIVE_INFINITY;
    assert(copies.length < copiesMax, "the cap on copies holds");
    const beside = 1 + others.filter(isRunning).length;
    assert(beside <= (this.#promises.besideMax ?? beside), "not too many copies of one task");
  }

  /** Hadoop 1.2.1, JobInProgress.scheduleReduces: what was lost and is made again is missing. */
  #hasSources({ after }: Phase): boolean {
    if (this.#setup.discipline.order.policy.readersStayReady) return true;
    return after.every(({ phase, start }) => {
      const share = start.when === "fraction" ? start.of : start.when === "done" ? 1 : 0;
      const sources = [...this.#mirror.tasks.values()].filter((task) => task.phase.id === phase);
      const there = sources.filter((task) => {
        return task.done && !(task.recomputing && task.outputs.size === 0);
      });
      return there.length >= share * sources.length;
    });
  }

  /** Launches fit into what was offered. */
  #checkSlots({ offered, taken }: MirrorNode, kind: SlotKind): void {
    const launches = taken.filter((other) => other === kind).length;
    assert(launches <= countOf(offered, kind), "no slot is taken twice");
  }

  #checkWakes(actions: readonly Action[]): void {
    const mirror = this.#mirror;
    const isQuiet =
      [...mirror.jobs.values()].every(({ live }) => !live) &&
      [...mirror.nodes.values()].every(({ silent }) => !silent);
    const asked = actions.filter((action) => action.kind === "wake");
    assert(asked.length <= 1, "one wake a step is enough");
    assert(!isQuiet || asked.length === 0, "nobody is woken when no job is live");
    for (const { at } of asked) {
      assert(at > mirror.now && Number.isFinite(at), "a wake lies in the future");
      assert(mirror.wakes.indexOf(at) === mirror.wakes.lastIndexOf(at), "a time is woken at once");
    }
  }

  #checkTasks(): void {
    const ready = new Set<PhaseId>();
    for (const { job, live } of this.#mirror.jobs.values()) {
      if (live) for (const { id } of this.#view.phases(job.id)) ready.add(id);
    }
    for (const task of this.#mirror.tasks.values()) {
      if (task.job.live) this.#checkTask(task, ready.has(task.phase.id));
    }
  }

  #checkTask(task: MirrorTask, isReady: boolean): void {
    const view = this.#view;
    const { id } = task.task;
    const isHeld = task.attempts.some(holdsSlot);
    claim(view.isDone(id) === task.done, task, "is done exactly when an attempt has succeeded");
    const attempts = view.attemptsOf(id);
    // The core may forget how a task was done whose output has no readers.
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
   * An output that readers will need exists or is being made again, unless a data policy decides.
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

  /** The counts of a phase are those of a dumb recount. */
  #checkPhases(): void {
    for (const phase of this.#mirror.phases.values()) {
      if (!this.#mirror.jobs.get(phase.job)?.live) continue;
      const counts = this.#view.counts(phase.id);
      const ours = this.#recount(phase);
      assert(counts.tasks === ours.tasks, "the view counts the tasks of a phase");
      assert(counts.waiting === ours.waiting, "the view counts those that wait");
      assert(counts.running === ours.running, "the view counts the attempts that hold a slot");
      assert(counts.done === ours.done, "the view counts the tasks that are done");
      assert(counts.recomputing === ours.recomputing, "the view counts the tasks that are redone");
      assert(counts.speculated === ours.speculated, "the view counts the tasks that have a copy");
      assert(counts.requested === ours.requested, "the view counts the requests of a phase");
      this.#checkActive(phase);
    }
  }

  #checkActive({ id, tasks }: Phase): void {
    const all = Array.from(tasks, (task) => this.#mirror.task(task.id).attempts.filter(holdsSlot));
    const active = all.filter((attempts) => attempts.some(isRunning));
    const several = active.filter((attempts) => attempts.length > 1);
    const counts = this.#view.active(id);
    assert(counts.tasks === active.length, "the view counts the tasks that are active");
    assert(counts.speculated === several.length, "the view counts those with several attempts");
  }

  #recount(phase: Phase): PhaseCounts {
    const ours = { waiting: 0, running: 0, done: 0, recomputing: 0, speculated: 0, requested: 0 };
    for (const { id } of phase.tasks) {
      const { attempts, done, recomputing } = this.#mirror.task(id);
      if (this.#view.isWaiting(id)) ours.waiting += 1;
      if (done && !recomputing) ours.done += 1;
      if (recomputing) ours.recomputing += 1;
      ours.running += attempts.filter(holdsSlot).length;
      if (attempts.some((one) => one.as === "speculative" && isRunning(one))) ours.speculated += 1;
    }
    for (const task of this.#mirror.requests.values()) {
      if (this.#mirror.task(task).phase === phase) ours.requested += 1;
    }
    return { tasks: phase.tasks.length, ...ours };
  }

  /** Sums over the cluster. */
  #checkSums(): void {
    const view = this.#view;
    const mirror = this.#mirror;
    const joined = [...mirror.nodes.values()].filter((node) => node.joined);
    const listed = [...view.nodes()].map(({ id }) => id).join();
    const ids = joined.map(({ node }) => node.id).sort((a, b) => (a < b ? -1 : 1));
    assert(listed === ids.join(), "the view lists the nodes that are there");
    const holding = [...mirror.attempts.values()].filter(holdsSlot);
    const waiting = [...mirror.tasks.values()].filter(
      ({ task, job }) => job.live && view.isWaiting(task.id),
    );
    this.#setup.slotKinds.forEach((_, index) => {
      const kind = slotKind(index);
      const slots = joined.reduce((sum, { node }) => sum + countOf(node.slots, kind), 0);
      assert(view.slots(kind) === slots, "the view counts the slots of the nodes that are there");
      const waits = waiting.filter(({ phase }) => phase.slots.includes(kind)).length;
      assert(view.waiting(kind) === waits, "the view counts the tasks that wait for the kind");
    });
    const running = this.#view.kinds.reduce((sum, kind) => sum + view.running(kind), 0);
    assert(running === holding.length, "the view counts the attempts that hold a slot");
  }

  /** Where a slot is held while a task waits that may take it, somebody has said why. */
  #checkHeldSlots(event: ClusterEvent, actions: readonly Action[]): void {
    const { explains, workConserving = false } = this.#promises;
    const isTold = !explains || actions.some(({ kind }) => kind === "pass");
    for (const host of this.#mirror.nodes.values()) {
      const { id } = host.node;
      const isAsked = event.kind === "slots-offered" && event.node === id;
      if (!workConserving && (!isAsked || isTold)) continue;
      const task = this.#mirror.isUsable(id) ? this.#waitingBesideFreeSlot(host) : undefined;
      host.heldSince = task === undefined ? undefined : (host.heldSince ?? event.at);
      if (task === undefined || host.heldSince === undefined) continue;
      const heldMs = event.at - host.heldSince;
      const isFair = workConserving ? heldMs <= this.#setup.askAgainMs : isTold;
      claim(isFair, task, `has waited for ${heldMs} ms while ${host.node.name} holds a slot`);
    }
  }

  #waitingBesideFreeSlot({ node, offered, taken }: MirrorNode): MirrorTask | undefined {
    for (const { kind, count } of offered) {
      if (taken.filter((other) => other === kind).length >= count) continue;
      const task = this.#waitingFor(node.id, kind);
      if (task !== undefined) return task;
    }
    return undefined;
  }

  /** A waiting task that may take a slot of the kind on the node. */
  #waitingFor(node: NodeId, kind: SlotKind): MirrorTask | undefined {
    const admitted = new Set([...this.#view.jobs()].map(({ id }) => id));
    for (const task of this.#mirror.tasks.values()) {
      if (!task.phase.slots.includes(kind) || !admitted.has(task.job.job.id)) continue;
      if (!this.#view.isWaiting(task.task.id) || this.#isClosed(task, node)) continue;
      if (this.#isUpstreamWaiting(task) || this.#hasFailedOn(task, node)) continue;
      return task;
    }
    return undefined;
  }

  /** A reader leaves a slot to what it reads, if that waits for the same kind. */
  #isUpstreamWaiting({ phase, job }: MirrorTask): boolean {
    const ancestors = new Set(phase.after.map((edge) => edge.phase));
    for (const other of [...job.job.phases].reverse()) {
      if (!ancestors.has(other.id)) continue;
      for (const edge of other.after) ancestors.add(edge.phase);
      const shares = other.slots.some((kind) => phase.slots.includes(kind));
      if (shares && [...other.tasks].some(({ id }) => this.#view.isWaiting(id))) return true;
    }
    return false;
  }

  /**
   * Hadoop's order: not where it has failed, unless it has failed on as many nodes as there are.
   */
  #hasFailedOn({ failedOn }: MirrorTask, node: NodeId): boolean {
    return failedOn.has(node) && failedOn.size < [...this.#view.nodes()].length;
  }

  #isClosed({ job }: MirrorTask, node: NodeId): boolean {
    const { id } = job.job;
    const isFlaky = (other: NodeId): boolean =>
      this.#view.failuresOn(id, other) >= NODE_FAILURES_MAX;
    const flaky = [...this.#mirror.nodes.keys()].filter(isFlaky).length;
    return isFlaky(node) && flaky < FLAKY_SHARE_MAX * [...this.#view.nodes()].length;
  }
}

function countOf(slots: MirrorNode["offered"], wanted: SlotKind): number {
  return slots.reduce((sum, { kind, count }) => sum + (kind === wanted ? count : 0), 0);
}

/** Crashes unless it is so, naming the task. */
function claim(isSo: boolean, { job, phase, task }: MirrorTask, what: string): void {
  if (!isSo) assert(false, `not so: ${job.job.name}/${phase.name}/${task.index} ${what}`);
}
