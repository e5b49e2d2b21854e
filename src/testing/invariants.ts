import { assert, defined } from "../base/assert.ts";
import type { Setup } from "../core/state/setup.ts";
import type { Action } from "../model/action.ts";
import type { ClusterEvent } from "../model/event.ts";
import type { SlotKind, TaskId } from "../model/ids.ts";
import { mayBeCopied } from "../model/job.ts";
import type { View } from "../model/view.ts";
import { HeldSlots } from "./invariants/held-slots.ts";
import {
  holdsSlot,
  isRunning,
  Mirror,
  type MirrorAttempt,
  type MirrorNode,
  type MirrorTask,
  slotsOf,
} from "./invariants/mirror.ts";
import { Recount } from "./invariants/recount.ts";

/** The promises of the tested discipline, besides the rules of every discipline. */
export interface Promises {
  /** Whether refusals are among the actions. */
  readonly explains: boolean;
  /**
   * No slot is held back longer than the time until it is asked about again, while a task that may
   * take it waits.
   */
  readonly workConserving?: boolean;
  /** The most attempts of one task at once, including copies. */
  readonly besideMax?: number;
  /** No copy on a node where another attempt of its task holds a slot. */
  readonly copiesElsewhere?: boolean;
  /** The most copies that hold slots of a kind after a launch. */
  readonly speculativeMax?: (kind: SlotKind) => number;
  /** The most times that a task is killed so that another task gets its slot. */
  readonly yieldsMax?: number;
}

/** One step in this many recounts everything. */
const WHOLE_EVERY = 64;

/**
 * The rules that must hold after every step, checked from outside: separate books are kept from
 * events and actions and compared with the view. Everything that a step touched is recounted after
 * it, and the whole world every so often. COST: O(what was touched) per step, O(world) every so
 * often; for tests.
 */
export class Invariants {
  readonly #mirror = new Mirror();
  readonly #setup: Setup;
  readonly #promises: Promises;
  readonly #recount: Recount;
  readonly #held: HeldSlots;
  /** How often each task was killed for another. */
  readonly #yields = new Map<TaskId, number>();
  readonly #wholeEvery: number;
  #steps = 0;

  constructor(setup: Setup, view: View, promises: Promises, wholeEvery = WHOLE_EVERY) {
    this.#wholeEvery = wholeEvery;
    this.#setup = setup;
    this.#promises = promises;
    this.#recount = new Recount(this.#mirror, setup, view);
    this.#held = new HeldSlots(this.#mirror, setup, view);
  }

  /** Called after the step of `event`, with its actions. */
  check(event: ClusterEvent, actions: readonly Action[]): void {
    const mirror = this.#mirror;
    mirror.event(event);
    for (const action of actions) {
      this.#checkBefore(action);
      mirror.action(action);
      if (action.kind === "launch") this.#checkSlots(mirror.node(action.node), action.slot);
    }
    this.#checkWakes(actions);
    this.#steps += 1;
    if (this.#steps % this.#wholeEvery === 0) this.#recount.whole();
    else this.#recount.touched();
    this.#held.check(event, actions, this.#promises);
  }

  /** Called after the last step. */
  end(): void {
    this.#recount.whole();
  }

  #checkBefore(action: Action): void {
    const mirror = this.#mirror;
    if (action.kind === "launch") this.#checkLaunch(action);
    if (action.kind === "end-job") {
      const job = defined(mirror.jobs.get(action.job), "the job that ends");
      assert(job.live, "a job ends once");
      if (action.outcome !== "succeeded") return;
      assert(
        job.tasks.every(({ done }) => done),
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
      if (action.for !== undefined) this.#checkYield(attempt, action.for);
    }
  }

  #checkYield({ as, node, task }: MirrorAttempt, whom: TaskId): void {
    const { attempts, job } = this.#mirror.task(whom);
    assert(job.live, "nothing is killed for a job that has ended");
    assert(!attempts.some(holdsSlot), "nothing is killed for a task that has a slot");
    const { yieldsMax } = this.#promises;
    if (yieldsMax === undefined) return;
    assert(this.#mirror.isUsable(node), "nothing is killed for a slot that is out of reach");
    assert(as !== "retry" && as !== "recompute", "no failed task is killed for another");
    const times = (this.#yields.get(task.task.id) ?? 0) + 1;
    assert(times <= yieldsMax, "no task is killed for others without end");
    this.#yields.set(task.task.id, times);
  }

  #checkLaunch(launch: Extract<Action, { kind: "launch" }>): void {
    const mirror = this.#mirror;
    const task = mirror.task(launch.task);
    const others = task.attempts.filter(holdsSlot);
    assert(task.phase.slots.includes(launch.slot), "a task takes a slot of its kinds");
    assert(task.job.live, "nothing is launched for a job that has ended");
    assert(mirror.isUsable(launch.node), "nothing is launched on a node that is lost or silent");
    assert(
      !this.#held.isClosed(task, launch.node),
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
      this.#hasSources(task),
      "nothing is launched of a phase while too little of what it reads is there",
    );
    if (!mayBeCopied(task.job.job, task.phase)) {
      assert(others.length === 0, "a task whose job or phase forbids copies runs once at a time");
    }
    if (!isCopy) return;
    // The core chooses the node for a request.
    const isChosen = this.#promises.copiesElsewhere === true && launch.request === undefined;
    const isElsewhere = others.every(({ node }) => node !== launch.node);
    assert(!isChosen || isElsewhere, "a copy runs on another node");
    const copies = [...mirror.holding].filter(
      (one) => one.as === "speculative" && one.slot === launch.slot,
    );
    const copiesMax = this.#promises.speculativeMax?.(launch.slot) ?? Number.POSITIVE_INFINITY;
    assert(copies.length < copiesMax, "the cap on copies holds");
    const beside = 1 + others.filter(isRunning).length;
    assert(beside <= (this.#promises.besideMax ?? beside), "not too many copies of one task");
  }

  /**
   * Hadoop 1.2.1, JobInProgress.scheduleReduces: a lost output that is being recomputed is missing.
   */
  #hasSources({ phase: { after }, job }: MirrorTask): boolean {
    if (this.#setup.discipline.order.policy.readersStayReady) return true;
    return after.every(({ phase, start }) => {
      const share = start.when === "fraction" ? start.of : start.when === "done" ? 1 : 0;
      const sources = job.tasks.filter((task) => task.phase.id === phase);
      const there = sources.filter((task) => {
        return task.done && !(task.recomputing && task.outputs.size === 0);
      });
      return there.length >= share * sources.length;
    });
  }

  /** Launches fit into the offered slots. */
  #checkSlots({ offered, taken }: MirrorNode, kind: SlotKind): void {
    const launches = taken.filter((other) => other === kind).length;
    assert(launches <= slotsOf(offered, kind), "no slot is taken twice");
  }

  #checkWakes(actions: readonly Action[]): void {
    const asked = actions.filter((action) => action.kind === "wake");
    if (asked.length === 0) return;
    const mirror = this.#mirror;
    const isQuiet =
      [...mirror.jobs.values()].every(({ live }) => !live) &&
      [...mirror.nodes.values()].every(({ silentSince }) => silentSince === undefined);
    assert(asked.length === 1, "one wake a step is enough");
    assert(!isQuiet, "nobody is woken when no job is live");
    for (const { at } of asked) {
      assert(at > mirror.now && Number.isFinite(at), "a wake lies in the future");
      assert(mirror.wakes.indexOf(at) === mirror.wakes.lastIndexOf(at), "a time is woken at once");
    }
  }
}
