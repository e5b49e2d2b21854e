import { assert } from "../../base/assert.ts";
import { ATTEMPT_KINDS } from "../../model/attempt.ts";
import type { AttemptId, SlotKind } from "../../model/ids.ts";
import type { Phase } from "../../model/job.ts";
import type { View } from "../../model/view.ts";
import { claim } from "./claim.ts";
import {
  holdsSlot,
  isRunning,
  type Mirror,
  type MirrorAttempt,
  type MirrorTask,
  slotsOf,
} from "./mirror.ts";

/**
 * What the view tells besides the counts of phases: sums by job, pool, user, kind of attempt and
 * rack, and the lists of running attempts. All of it is counted anew from the second books.
 * COST: O(world).
 */
export class Tallies {
  readonly #mirror: Mirror;
  readonly #view: View;

  constructor(mirror: Mirror, view: View) {
    this.#mirror = mirror;
    this.#view = view;
  }

  check(): void {
    const { jobs, nodes } = this.#mirror;
    const known = [...new Set([...jobs.values()].map(({ job }) => job.pool))].sort();
    const pools = [...this.#view.pools()].sort();
    assert(String(pools) === String(known), "the view lists the pools of the jobs in memory");
    for (const kind of this.#view.kinds) this.#checkKind(kind);
    for (const { node, joined, silentSince } of nodes.values()) {
      if (!joined) continue;
      const viewed = this.#view.silentSince(node.id);
      assert(viewed === silentSince, "the view tells since when a node has been silent");
      const here = this.#holding(({ node: id }) => id === node.id);
      assert(isSame(this.#view.runningOn(node.id), here), "the view lists a node's attempts");
    }
    for (const { job, tasks, live } of jobs.values()) {
      if (!live) continue;
      for (const phase of job.phases) this.#checkPhase(phase, tasks);
      for (const task of tasks) this.#checkTask(task);
    }
  }

  #checkKind(kind: SlotKind): void {
    const view = this.#view;
    const held = this.#holding(({ slot }) => slot === kind);
    const count = (of: (attempt: MirrorAttempt) => boolean): number => held.filter(of).length;
    assert(view.running(kind) === held.length, "the view counts what holds slots of the kind");
    for (const as of ATTEMPT_KINDS) {
      const viewed = view.running(kind, { as });
      assert(viewed === count((one) => one.as === as), "the view counts attempts by their kind");
    }
    for (const { job } of this.#mirror.jobs.values()) {
      const { id, pool, user } = job;
      const waits = (of: "id" | "pool", value: string | number): number =>
        this.#waiting(kind, ({ job: other }) => other.job[of] === value);
      const own = view.running(kind, { job: id });
      assert(
        own === count((one) => one.task.job.job.id === id),
        "the view counts a job's attempts",
      );
      assert(view.waitingOf(id, kind) === waits("id", id), "the view counts a job's waiting tasks");
      const ofPool = count((one) => one.task.job.job.pool === pool);
      assert(view.running(kind, { pool }) === ofPool, "the view counts a pool's attempts");
      const demand = ofPool + waits("pool", pool);
      assert(view.demand(kind, pool) === demand, "the view adds up the demand of a pool");
      const newest = this.#holding(
        (one) => one.slot === kind && one.task.job.job.pool === pool,
      ).reverse();
      assert(isSame(view.newestFirst(pool, kind), newest), "the newest attempts come first");
      const ofUser = count((one) => one.task.job.job.user === user);
      assert(view.running(kind, { user }) === ofUser, "the view counts a user's attempts");
    }
    for (const rack of view.racks) {
      let free = 0;
      for (const { node, offered, taken } of this.#mirror.nodes.values()) {
        if (node.rack !== rack || !this.#mirror.isUsable(node.id)) continue;
        free += slotsOf(offered, kind) - taken.filter((other) => other === kind).length;
      }
      assert(view.freeSlots(rack, kind) === free, "the view counts the free slots of a rack");
    }
  }

  #waiting(kind: SlotKind, of: (task: MirrorTask) => boolean): number {
    let waits = 0;
    for (const task of this.#mirror.tasks.values()) {
      if (!task.job.live || !task.phase.slots.includes(kind) || !of(task)) continue;
      if (this.#view.isWaiting(task.task.id)) waits += 1;
    }
    return waits;
  }

  #checkPhase(phase: Phase, all: readonly MirrorTask[]): void {
    const view = this.#view;
    const tasks = all.filter((task) => task.phase === phase);
    const unheard = tasks.filter(({ isUnheard }) => isUnheard).length;
    assert(view.unheard(phase.id) === unheard, "the view counts the redone tasks without a report");
    const firsts = tasks
      .flatMap(({ attempts }) => attempts.find(isRunning) ?? [])
      .sort((a, b) => a.id - b.id);
    const oldest = view.oldestRunning(phase.id, "launch");
    assert(isSame(oldest, firsts), "the view lists the oldest attempts in the order of launches");
    const running = [...view.runningTasks(phase.id)].map(({ id }) => id);
    const theirs = firsts.map(({ task }) => task.task.id);
    assert(String(running) === String(theirs), "the view lists the running tasks");
    const since = ({ id, task }: MirrorAttempt): number => task.workSince ?? id;
    const byWork = [...firsts].sort((a, b) => since(a) - since(b));
    assert(
      isSame(view.oldestRunning(phase.id, "work"), byWork),
      "the view lists the oldest attempts in the order of work",
    );
    const copied = tasks.filter(({ attempts }) =>
      attempts.some((one) => one.as === "speculative" && isRunning(one)),
    );
    const speculated = [...view.speculated(phase.id)].map(({ id }) => id).sort((a, b) => a - b);
    const ids = copied.map(({ task }) => task.id);
    assert(String(speculated) === String(ids), "the view lists the tasks that have a copy");
    const requests = [...view.requests(phase.id)].map(({ id }) => id);
    const asked = [...this.#mirror.requests].filter(([, task]) => task.phase === phase);
    const waiting = asked.map(([id]) => id);
    assert(String(requests) === String(waiting), "the view lists the requests of a phase");
  }

  #checkTask(task: MirrorTask): void {
    const view = this.#view;
    const { id } = task.task;
    const held = task.attempts.filter(holdsSlot);
    // The core may forget the success of a task whose output has no readers.
    const isForgotten = task.done && !task.isRead && held.length === 0;
    for (const attempt of held) {
      claim(view.isAlone(attempt.id) === (held.length === 1), task, "has an attempt alone");
    }
    const running = held.filter(({ state }) => state === "running");
    claim(isSame(view.runningOf(id), running), task, "has attempts that run");
    if (isForgotten) return;
    claim(view.failures(id) === task.failures, task, "has failed so often");
    claim(String(view.failedOn(id)) === String([...task.failedOn]), task, "has failed there");
    claim(view.restarts(id) === task.restarts, task, "was restarted so often");
    const { workSince } = task;
    for (const node of this.#mirror.nodes.keys()) {
      const there = task.attempts.filter((one) => one.node === node);
      claim(view.hasRunOn(id, node) === there.length > 0, task, "has run on the node");
      const works = held.length > 0 && there.some((one) => one.id >= (workSince ?? one.id));
      claim(view.hasWorkedOn(id, node) === works, task, "has worked on the node");
    }
  }

  /** In launch order. */
  #holding(of: (attempt: MirrorAttempt) => boolean): MirrorAttempt[] {
    return [...this.#mirror.holding].filter(of).sort((a, b) => a.id - b.id);
  }
}

function isSame(
  viewed: Iterable<{ readonly id: AttemptId }>,
  ours: readonly { readonly id: AttemptId }[],
): boolean {
  return String(Array.from(viewed, ({ id }) => id)) === String(ours.map(({ id }) => id));
}
