import { defined, never } from "../../base/assert.ts";
import { compact } from "../../base/compact.ts";
import type { RandomState } from "../../base/random.ts";
import { sum } from "../../base/stats.ts";
import type { Scheduler } from "../../core/index.ts";
import type { Action } from "../../model/action.ts";
import type { Output } from "../../model/attempt.ts";
import type { ClusterEvent } from "../../model/event.ts";
import type { Fact } from "../../model/fact.ts";
import { type Instant, instant, type NodeId, type TaskId } from "../../model/ids.ts";
import { Agenda, FINISH, FLOWS, LINKS } from "./agenda.ts";
import { AttemptRows } from "./attempt-rows.ts";
import type { FlowOwner } from "./flow-owner.ts";
import { FlowingAttempts } from "./flowing-attempts.ts";
import type { Fluid } from "./fluid/fluid.ts";
import { Ids } from "./ids.ts";
import { LivePhases } from "./live-phases.ts";
import type { SimRackLinks } from "./rack-links.ts";
import type { FlowingRun, Row, SimAttempt, SimNode, SimPhase, StoredOutput } from "./state.ts";
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

/** Runs work that flows; absent where all work is fixed, which needs no network. */
export type MakeFlowingRun = (
  world: World,
  attempt: SimAttempt,
  drawn: {
    /** The share of the work after which the attempt fails. */
    readonly failsAt: number | undefined;
    /** The attempt's random stream. */
    readonly chance: RandomState;
  },
) => FlowingRun;

/** A message to the scheduler: an event, or what becomes one when delivered. */
type Message =
  | ClusterEvent
  | { readonly kind: "ended"; readonly row: Row }
  | { readonly kind: "offering"; readonly node: SimNode };

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
  readonly phases = new LivePhases();
  readonly attempts: AttemptRows;
  readonly flowing = new FlowingAttempts();
  /** The number of nodes with something to report at their next heartbeat. */
  beatsPending = 0;
  /** The outputs of live phases with readers. */
  readonly outputs = new Map<TaskId, StoredOutput>();
  /** Outputs that no node is believed to hold any more, each with its last holder. */
  readonly nowhere = new Map<TaskId, SimNode>();
  readonly fluid: Fluid<FlowOwner>;
  readonly makeRun: MakeFlowingRun | undefined;
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
    readonly makeRun: MakeFlowingRun | undefined;
    readonly nodes: readonly SimNode[];
    readonly racks: readonly SimRackLinks[];
    readonly act: (action: Action) => void;
    readonly onStep: OnStep | undefined;
    readonly onFact: OnFact | undefined;
  }) {
    this.timing = from.timing;
    this.scheduler = from.scheduler;
    this.fluid = from.fluid;
    this.makeRun = from.makeRun;
    this.nodes = from.nodes;
    this.racks = from.racks;
    this.tally = new Tally(from.nodes.length);
    this.attempts = new AttemptRows(
      from.nodes.map(({ node }) => sum(node.slots.map(({ count }) => count))),
    );
    this.#act = from.act;
    this.#onStep = from.onStep;
    this.#onFact = from.onFact;
  }

  node(id: NodeId): SimNode {
    return defined(this.nodes[id], "a node of the cluster");
  }

  /**
   * Delivers an event to the scheduler. The actions of each message are carried out before the next
   * message, so that every message is true when delivered.
   */
  feed(event: ClusterEvent): void {
    if (this.#feeding) this.#wait(event);
    else this.#deliver(event);
  }

  /** Reports the attempt's end, which frees its slot when delivered. */
  reportEnd(row: Row): void {
    if (this.#feeding) this.#wait({ kind: "ended", row });
    else this.#deliver(this.#endOf(row));
  }

  /** Offers the node's free slots, counted at delivery. */
  offer(node: SimNode): void {
    if (this.#feeding) this.#wait({ kind: "offering", node });
    else this.#deliver(this.#offerOf(node));
  }

  #wait(message: Message): void {
    this.#messages[this.#unfed++] = message;
  }

  #deliver(event: ClusterEvent): void {
    this.#feeding = true;
    this.#step(event);
    for (let next = 0; next < this.#unfed; next += 1) {
      this.#step(this.#eventOf(defined(this.#messages[next], "a message")));
    }
    this.#unfed = 0;
    this.#feeding = false;
  }

  #eventOf(message: Message): ClusterEvent {
    switch (message.kind) {
      case "ended":
        return this.#endOf(message.row);
      case "offering":
        return this.#offerOf(message.node);
      default:
        return message;
    }
  }

  #step(event: ClusterEvent): void {
    this.tally.events += 1;
    const { actions, facts } = this.scheduler.step(event);
    for (const fact of facts) this.#record(fact);
    this.#onStep?.(event, actions);
    for (const action of actions) this.#act(action);
  }

  #record(fact: Fact): void {
    this.tally.apply(fact);
    this.#onFact?.(fact);
  }

  #offerOf(node: SimNode): ClusterEvent {
    const free = node.freeSlots(this.now);
    return { at: this.now, kind: "slots-offered", node: node.id, free };
  }

  #endOf(row: Row): ClusterEvent {
    const event = reportEnd(this, row);
    this.leave(row);
    return event;
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

  /** An attempt whose work flows has been launched. */
  enterFlowing(attempt: SimAttempt): void {
    this.attempts.setBehind(attempt.row, attempt);
    this.flowing.enter(attempt);
  }

  /** Frees the attempt's slot, and its row. */
  leave(row: Row): void {
    const { attempts } = this;
    const behind = attempts.behind(row);
    if (behind?.kind === "flowing") this.flowing.leave(behind);
    this.node(attempts.node(row)).give(attempts.slot(row));
    attempts.leave(row);
  }

  /** Enters the end of the attempt's fixed work in the agenda; Infinity: there is none now. */
  awaitEnd(row: Row, time: number): void {
    const { agenda, attempts } = this;
    const before = attempts.handle(row);
    if (before !== undefined) agenda.remove(before);
    const isAhead = time !== Number.POSITIVE_INFINITY;
    attempts.setHandle(row, isAhead ? agenda.enter(time, FINISH, row) : undefined);
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

  /**
   * Ends the flows that are due, and continues with the next ends while nothing else is due
   * earlier: in a shuffle, thousands of fetches end between two events.
   */
  endFlows(): void {
    this.#flowsDue = undefined;
    this.#flowsMoved = true;
    const { agenda, fluid, tally } = this;
    const { events } = tally;
    for (;;) {
      for (const flow of fluid.takeCompleted(this.now)) fluid.ownerOf(flow).flowEnded(flow);
      if (tally.events > events || agenda.nextTime <= this.now) return;
      const next = fluid.nextCompletion(this.now);
      // Solving may have entered reports.
      if (next >= agenda.nextTime) return;
      this.now = instant(compact(next));
    }
  }
}

/** The event that reports an attempt's end. */
function reportEnd({ attempts, now: at, phases: { areRead } }: World, row: Row): ClusterEvent {
  const attempt = attempts.id(row);
  const ended = defined(attempts.ended(row), "the end that is reported");
  switch (ended) {
    case "succeeded": {
      const bytes = attempts.bytes(row);
      const output = areRead ? outputOf(attempts.phase(row), bytes) : { bytes, records: 0 };
      return { at, kind: "attempt-succeeded", attempt, output };
    }
    case "failed":
      return { at, kind: "attempt-failed", attempt, cause: "error" };
    case "killed":
      return { at, kind: "attempt-killed", attempt, by: "us" };
    case "evicted":
      return { at, kind: "attempt-killed", attempt, by: "host" };
    default:
      return never(ended);
  }
}

/**
 * Includes the bytes for each task of the phase's one reader, by which Mantri §5.2 places reduces.
 */
function outputOf({ readers }: SimPhase, bytes: number): Output {
  const [reader] = readers;
  if (readers.length !== 1 || reader?.work.kind !== "reduce") return { bytes, records: 0 };
  const byPartition = reader.work.shares.map((share) => share * bytes);
  return { bytes, records: 0, byPartition };
}
