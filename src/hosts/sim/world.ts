import { assert, defined, never } from "../../base/assert.ts";
import type { Scheduler } from "../../core/index.ts";
import type { Action } from "../../model/action.ts";
import type { Output } from "../../model/attempt.ts";
import type { ClusterEvent } from "../../model/event.ts";
import type { Fact } from "../../model/fact.ts";
import { type Instant, instant, type NodeId, type PhaseId, type TaskId } from "../../model/ids.ts";
import { Agenda, FLOWS, LINKS } from "./agenda.ts";
import type { FlowOwner } from "./flow-owner.ts";
import type { Fluid } from "./fluid/fluid.ts";
import { Ids } from "./ids.ts";
import type { SimRackLinks } from "./rack-links.ts";
import { SimAttempt, SimNode, type SimPhase, type StoredOutput } from "./state.ts";
import { Tally } from "./tally.ts";

export type OnStep = (event: ClusterEvent, actions: readonly Action[]) => void;

export type OnFact = (fact: Fact) => void;

/** Times that apply to the whole cluster. */
export interface Timing {
  readonly heartbeatMs: number;
  readonly outOfBandHeartbeat: boolean;
  readonly reportEveryMs: number;
  readonly linkSampleMs: number;
}

/**
 * A message to the scheduler: an event; an attempt's end, which frees its slot when delivered; or a
 * node's free slots, counted at delivery.
 */
type Message = ClusterEvent | SimAttempt | SimNode;

/** The simulated cluster, and its line to the scheduler. */
export class World {
  now: Instant = instant(0);
  readonly timing: Timing;
  readonly scheduler: Scheduler;
  readonly agenda = new Agenda();
  readonly ids = new Ids();
  readonly tally: Tally;
  /** By node id. */
  readonly nodes: readonly SimNode[];
  /** By rack id. */
  readonly racks: readonly SimRackLinks[];
  readonly phases = new Map<PhaseId, SimPhase>();
  /** Live attempts by their place; free places are undefined. */
  readonly places: (SimAttempt | undefined)[] = [];
  readonly freePlaces: number[] = [];
  /** The number of nodes with something to report at their next heartbeat. */
  beatsPending = 0;
  /** The outputs of live phases with readers. */
  readonly outputs = new Map<TaskId, StoredOutput>();
  /** Outputs that no node is believed to hold any more, each with its last holder. */
  readonly nowhere = new Map<TaskId, SimNode>();
  readonly fluid: Fluid<FlowOwner>;
  /** The handle of the next completion in the agenda. */
  #flowsDue: number | undefined;
  #flowsMoved = false;
  /** The messages: those below `#unfed` are pending, later entries are stale. */
  readonly #messages: Message[] = [];
  #unfed = 0;
  #feeding = false;
  readonly #act: (action: Action) => void;
  readonly #onStep: OnStep | undefined;
  readonly #onFact: OnFact | undefined;

  constructor(from: {
    readonly timing: Timing;
    readonly scheduler: Scheduler;
    readonly fluid: Fluid<FlowOwner>;
    readonly nodes: readonly SimNode[];
    readonly racks: readonly SimRackLinks[];
    readonly act: (action: Action) => void;
    readonly onStep: OnStep | undefined;
    readonly onFact: OnFact | undefined;
  }) {
    this.timing = from.timing;
    this.scheduler = from.scheduler;
    this.fluid = from.fluid;
    this.nodes = from.nodes;
    this.racks = from.racks;
    this.tally = new Tally(from.nodes.length);
    this.#act = from.act;
    this.#onStep = from.onStep;
    this.#onFact = from.onFact;
  }

  node(id: NodeId): SimNode {
    return defined(this.nodes[id], "a node of the cluster");
  }

  phaseOf(task: TaskId): SimPhase {
    const { phase } = this.scheduler.view.task(task);
    return defined(this.phases.get(phase), "the phase of a live task");
  }

  /**
   * Delivers a message to the scheduler and carries out its actions before the next message, so
   * that every message is true when delivered.
   */
  feed(message: Message): void {
    this.#messages[this.#unfed++] = message;
    if (this.#feeding) return;
    this.#feeding = true;
    for (let next = 0; next < this.#unfed; next += 1) {
      const message = defined(this.#messages[next], "a message");
      const event = this.#eventOf(message);
      this.tally.events += 1;
      const { actions, facts } = this.scheduler.step(event);
      for (const fact of facts) this.#record(fact);
      this.#onStep?.(event, actions);
      for (const action of actions) this.#act(action);
    }
    this.#unfed = 0;
    this.#feeding = false;
  }

  #record(fact: Fact): void {
    this.tally.apply(fact);
    this.#onFact?.(fact);
  }

  #eventOf(message: Message): ClusterEvent {
    if (message instanceof SimAttempt) {
      this.leave(message);
      return reportEnd(message, this.now);
    }
    if (message instanceof SimNode) {
      const free = message.freeSlots(this.now);
      return { at: this.now, kind: "slots-offered", node: message.node.id, free };
    }
    return message;
  }

  /** Reports the racks' links, where they are limited, for placement. */
  measureLinks(): void {
    const limited = this.racks.filter(({ isLimited }) => isLimited);
    for (const links of limited) this.#reportLinks(links);
    const { linkSampleMs } = this.timing;
    if (limited.length > 0 && linkSampleMs > 0) this.agenda.enter(this.now + linkSampleMs, LINKS);
  }

  /** Where links are sampled at intervals, a change shows at the next sample. */
  linksChanged(links: SimRackLinks): void {
    if (this.timing.linkSampleMs === 0) this.#reportLinks(links);
  }

  #reportLinks(links: SimRackLinks): void {
    const sample = links.measure();
    if (sample === undefined) return;
    this.feed({ at: this.now, kind: "links-sampled", rack: links.rack, ...sample });
  }

  /** Gives the attempt a place among the live ones. */
  enter(attempt: SimAttempt): void {
    attempt.place = this.freePlaces.pop() ?? this.places.length;
    this.places[attempt.place] = attempt;
    attempt.node.attempts.push(attempt);
  }

  /** Frees the attempt's slot. */
  leave(attempt: SimAttempt): void {
    const { node, slot } = attempt;
    const { attempts, free } = node;
    const index = attempts.indexOf(attempt);
    assert(index >= 0, "an attempt leaves its node once");
    attempts.splice(index, 1);
    this.places[attempt.place] = undefined;
    this.freePlaces.push(attempt.place);
    free[slot] = (free[slot] ?? 0) + 1;
  }

  /** Whether shares must be solved again before time advances. */
  get mustShare(): boolean {
    return this.#flowsMoved || this.fluid.isUnsettled;
  }

  share(): void {
    const time = this.fluid.nextCompletion(this.now);
    const entry = { handle: this.#flowsDue, time, kind: FLOWS, subject: 0 };
    this.#flowsDue = this.agenda.reschedule(entry);
    this.#flowsMoved = false;
  }

  /** Ends the flows that are due. */
  endFlows(): void {
    this.#flowsDue = undefined;
    this.#flowsMoved = true;
    const { fluid } = this;
    for (const flow of fluid.takeCompleted(this.now)) fluid.ownerOf(flow).flowEnded(flow);
  }
}

/** The event that reports an attempt's end. */
function reportEnd(attempt: SimAttempt, at: Instant): ClusterEvent {
  const { id, end } = attempt;
  assert(end !== undefined, "only an attempt that has ended is reported");
  switch (end.how) {
    case "succeeded":
      return {
        at,
        kind: "attempt-succeeded",
        attempt: id,
        output: outputOf(attempt.phase, end.bytes),
      };
    case "failed":
      return { at, kind: "attempt-failed", attempt: id, cause: "error" };
    case "killed":
      return { at, kind: "attempt-killed", attempt: id, by: end.by };
    default:
      return never(end);
  }
}

/** With the bytes for each task of its one reader: Mantri §5.2 places reduces by them. */
function outputOf({ readers }: SimPhase, bytes: number): Output {
  const [reader] = readers;
  if (readers.length !== 1 || reader?.work.kind !== "reduce") return { bytes, records: 0 };
  const byPartition = reader.work.shares.map((share) => share * bytes);
  return { bytes, records: 0, byPartition };
}
