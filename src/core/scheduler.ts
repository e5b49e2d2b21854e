import { assert } from "../base/assert.ts";
import type { ClusterEvent } from "../model/event.ts";
import { after, type NodeId, type SlotKind } from "../model/ids.ts";
import type { View } from "../model/view.ts";
import type { Policy, SpeculationPolicy } from "../policy/policy.ts";
import { forgetAlone } from "./loop/alone.ts";
import { apply, applyToAttempt, offerSlots } from "./loop/apply.ts";
import { perform } from "./loop/asks.ts";
import { breakCircles, CIRCLES } from "./loop/circles.ts";
import { Core, type StepResult } from "./loop/core.ts";
import { asksIdle, fillNode } from "./loop/fill-node.ts";
import { admitJobs, beginAfterGaps, forgetEnded, notifyEndings, shedTouched } from "./loop/jobs.ts";
import { GAPS } from "./loop/readiness.ts";
import { findLostNodes } from "./loop/recover.ts";
import { type SeatedPolicy, Seats, tell } from "./loop/seats.ts";
import { unblock } from "./loop/unblock.ts";
import { Wakes } from "./loop/wakes.ts";
import type { WantedFacts } from "./loop/wanted-facts.ts";
import type { Setup } from "./state/setup.ts";
import { NO_ROW } from "./state/sole-rows.ts";
import { State } from "./state/state.ts";
import { CoreView } from "./state/view.ts";
import { checkEvent } from "./validate/check-event.ts";
import { PoisonedError } from "./validate/poisoned.ts";

/** Owners of wakes that are no policies. */
const OWNERS: ReadonlySet<string> = new Set(["detection", GAPS, CIRCLES]);

/** The core's only entrance: an event in, actions and facts out. */
export interface Scheduler {
  readonly setup: Setup;
  readonly view: View;
  /**
   * `pass` is among the actions only when the scheduler explains. A job that an `end-job` names can
   * be looked at until the next step.
   *
   * A late or repeated event is ignored. An event that contradicts the state or cannot be true
   * throws an InputError that names its field, before anything is changed. Any other error in a
   * step, such as a policy's, leaves the scheduler half changed: from then on each step throws a
   * PoisonedError.
   */
  step(event: ClusterEvent): StepResult;
}

export interface SchedulerOptions {
  /** Whether actions include refusals, and reasons have numbers. Never changes a decision. */
  readonly explain?: boolean;
  /** Whether steps return facts, or which kinds of facts. Never changes a decision. */
  readonly facts?: WantedFacts;
  /**
   * Whether each event is checked before anything is changed. Default true. A host whose own types
   * rule wrong events out may turn the checks off.
   */
  readonly checks?: boolean;
  /** Replaces each policy's memory before every step; tests clone it. */
  readonly memory?: (memory: unknown) => unknown;
}

/** Throws an InputError if the discipline needs what the host lacks. */
export function createScheduler(setup: Setup, options: SchedulerOptions = {}): Scheduler {
  return new CoreScheduler(setup, options);
}

type Scanner = SeatedPolicy<Policy<object, unknown> & Pick<SpeculationPolicy, "scan">>;

class CoreScheduler implements Scheduler {
  readonly setup: Setup;
  readonly view: View;
  readonly #core: Core;
  readonly #memory: SchedulerOptions["memory"];
  readonly #checks: boolean;
  /** The event whose step threw half-way. */
  #poison: ClusterEvent | undefined;
  #isStepping = false;
  readonly #scanners: readonly Scanner[];
  /** The round of asking nodes: each node is asked once in a round. */
  #round = 0;
  /** Whether no job was live at the end of the last step. */
  #idle = true;

  constructor(setup: Setup, options: SchedulerOptions) {
    const state = new State(setup);
    const view = new CoreView(state);
    const explains = options.explain ?? false;
    const seats = new Seats(setup, view, explains);
    state.keepsRunning = seats.anyoneJudges;
    this.setup = setup;
    this.view = view;
    const facts = options.facts ?? false;
    this.#core = new Core({ state, view, seats, wakes: new Wakes(), explains, facts });
    this.#memory = options.memory;
    this.#checks = options.checks ?? true;
    const { sharing, order, speculation, data } = seats;
    const lookers: readonly Scanner[] = [order, sharing, speculation, ...data];
    this.#scanners = lookers.filter((seat) => seat.policy.scan !== undefined);
  }

  step(event: ClusterEvent): StepResult {
    const core = this.#core;
    const poison = this.#poison;
    if (poison !== undefined) throw new PoisonedError(poison);
    assert(!this.#isStepping, "a step is not taken within another");
    if (this.#checks) checkEvent(core.state, core.seats, event);
    else assert(event.at >= core.state.now, "time never runs backwards");
    this.#isStepping = true;
    let isWhole = false;
    try {
      this.#take(event);
      isWhole = true;
      return core.result();
    } finally {
      this.#isStepping = false;
      if (!isWhole) this.#poison = event;
    }
  }

  #take(event: ClusterEvent): void {
    const core = this.#core;
    const { state } = core;
    if (state.touched.length > 0 || state.undone.length > 0) shedTouched(core);
    if (state.attempts.over.row !== NO_ROW) forgetAlone(state);
    if (state.ended.size > 0) forgetEnded(core);
    state.now = event.at;
    state.steps++;
    core.beginStep();
    if (this.#memory !== undefined) {
      for (const { ctx } of core.seats.all) ctx.memory = this.#memory(ctx.memory);
    }
    const letsIn = this.#apply(event);
    if (state.inGap.size > 0) beginAfterGaps(core);
    // Policies hear of a job before its tasks begin to wait, and of its end before other jobs are
    // admitted.
    if (notifyEndings(core) || letsIn) this.#admit();
    if (state.live === 0) {
      core.wakes.stop();
      this.#idle = true;
      return;
    }
    if (state.silent.size > 0) findLostNodes(core);
    else core.wakes.clear("detection");
    this.#fill(event, this.#scan());
    unblock(core);
    breakCircles(core);
    this.#setWakes();
  }

  /**
   * Makes the event true and tells the policies. The events of each attempt come first. Returns
   * whether more jobs may be admitted.
   */
  #apply(event: ClusterEvent): boolean {
    const core = this.#core;
    const { hearers } = core.seats;
    switch (event.kind) {
      case "attempt-succeeded":
        if (applyToAttempt(core, event)) tell(hearers["attempt-succeeded"], event);
        return false;
      case "slots-offered":
        if (offerSlots(core, event)) tell(hearers["slots-offered"], event);
        return false;
      case "attempt-started":
        if (applyToAttempt(core, event)) tell(hearers["attempt-started"], event);
        return false;
      default:
        if (apply(core, event)) core.seats.tell(event);
        return event.kind === "job-submitted" || event.kind === "sharing-tuned";
    }
  }

  #admit(): void {
    do admitJobs(this.#core);
    while (notifyEndings(this.#core));
  }

  /**
   * Lets the policies with a `scan` look, at first and when due. Returns whether to ask about all
   * held slots.
   */
  #scan(): boolean {
    const core = this.#core;
    const { order } = core.seats;
    const scanners = this.#scanners;
    const began = core.state.placedBegan && order.policy.scan !== undefined;
    if (!this.#idle && !began && !core.wakes.isDue(core.now)) return false;
    core.state.placedBegan = false;
    const due = core.wakes.takeDue(core.now);
    for (const seat of scanners) {
      const isDue = due.includes(seat.owner) || (began && seat.owner === order.owner);
      if (this.#idle || isDue) this.#look(seat);
    }
    this.#idle = false;
    // A woken policy without `scan` wants to be asked about slots.
    for (const owner of due) {
      if (OWNERS.has(owner) || scanners.some((seat) => seat.owner === owner)) continue;
      return true;
    }
    return false;
  }

  #look({ owner, policy, ctx }: Scanner): void {
    this.#core.wakes.clear(owner);
    const asks = policy.scan?.(ctx);
    if (asks !== undefined) perform(this.#core, { owner, policy, ctx }, asks);
  }

  /** Every node is asked at most once, unless a task has begun to wait since then. */
  #fill(event: ClusterEvent, askAgain: boolean): void {
    const core = this.#core;
    this.#round++;
    const { state } = core;
    const { beganToWait, deferredKinds } = state;
    if (deferredKinds.size > 0) deferredKinds.clear();
    if (state.requests.size > 0 && (askAgain || beganToWait.size > 0)) this.#fillAskedFirst();
    if (event.kind === "slots-offered" || event.kind === "node-heard") {
      this.#fillOnce(event.node);
    }
    if (askAgain) this.#fillAll();
    while (beganToWait.size > 0) this.#fillBegun();
  }

  /** Asks about held slots that a waiting request prefers, the best first. */
  #fillAskedFirst(): void {
    const { nodeTable, requests } = this.#core.state;
    for (const { askedFirst, id, record } of requests.values()) {
      const kinds = record.phase.phase.slots;
      for (const node of askedFirst) {
        if (!requests.has(id)) break;
        if (kinds.some((kind) => nodeTable.free(node, kind) > 0)) this.#fillOnce(node);
      }
    }
  }

  /** Asks about all held slots, as heartbeats would. */
  #fillAll(): void {
    const { kinds, nodeTable } = this.#core.state;
    for (const kind of kinds) for (const id of nodeTable.each(kind)) this.#fillOnce(id);
  }

  /** Asks about the held slots of all kinds for which a task has begun to wait. */
  #fillBegun(): void {
    const { beganToWait, kinds } = this.#core.state;
    const begun = kinds.filter((kind) => beganToWait.has(kind));
    beganToWait.clear();
    for (const kind of begun) this.#fillKind(kind);
    this.#round++;
  }

  /** Asks about the held slots of a kind for which a task has begun to wait. */
  #fillKind(kind: SlotKind): void {
    const { state } = this.#core;
    for (const id of state.nodeTable.each(kind)) {
      if (state.load[kind]!.waiting === 0 && state.requests.size === 0) return;
      this.#fillOnce(id);
    }
  }

  #fillOnce(id: NodeId): void {
    const core = this.#core;
    if (core.state.nodeTable.askIn(id, this.#round)) fillNode(core, core.view.nodeRecord(id));
  }

  #setWakes(): void {
    const core = this.#core;
    const { seats, state, wakes } = core;
    const { ctx, policy } = seats.order;
    if (!this.#held()) wakes.clear("ask-again");
    else if (!wakes.has("ask-again")) {
      wakes.set("ask-again", after(core.now, state.setup.askAgainMs));
    }
    if (policy.eligibleFrom !== undefined) {
      const from = policy.eligibleFrom(ctx);
      if (from === undefined) wakes.clear("eligible");
      else wakes.set("eligible", from);
    }
    const at = wakes.next(core.now);
    if (at !== undefined) core.emit({ kind: "wake", at });
  }

  /** Whether some held slot could be used by a live job. */
  #held(): boolean {
    const core = this.#core;
    const { nodeTable, load, kinds } = core.state;
    for (const kind of kinds) {
      if (nodeTable.listed(kind) === 0) continue;
      const { waiting, running } = load[kind]!;
      if (waiting > 0 || (running > 0 && asksIdle(core))) return true;
    }
    return false;
  }
}
