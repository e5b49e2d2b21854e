import type { RandomState } from "../../base/random.ts";
import { ShuffledSet } from "../../base/shuffled-set.ts";
import { takeOut } from "../../base/take-out.ts";
import { instant, type NodeId, nodeId } from "../../model/ids.ts";
import { RETRY } from "./agenda.ts";
import type { FlowOwner } from "./flow-owner.ts";
import type { Flow } from "./fluid/fluid.ts";
import { NONE, type ReadyOutputs } from "./ready-outputs.ts";
import type { FetchSpec } from "./scenario.ts";
import type { SimAttempt, SimNode, StoredOutput } from "./state.ts";
import { WantedOutputs } from "./wanted-outputs.ts";
import { wayOfOutput } from "./way.ts";
import type { World } from "./world.ts";

/** The failures so far of a source that did not answer or had lost outputs. */
interface Trouble {
  readonly failures: number;
  /** The earliest time of the next try. */
  readonly retryAt: number;
}

/** A fetch under way of all outputs that were queued at its source when the fetch began. */
interface Fetch {
  readonly source: NodeId;
  readonly flow: Flow;
  /** The place of the first output; the others follow in a chain. */
  readonly first: number;
  readonly count: number;
}

interface CopyProgress {
  readonly done: number;
  readonly bytes: number;
  readonly perMs: number;
  readonly bytesPerMs: number;
}

/**
 * The copy stage of a reduce: fetches partitions as they appear, in lanes, with one lane per source
 * at a time and all that the source has in one go. A source that does not answer is retried at
 * growing intervals; failures are reported to the scheduler as Hadoop 1.2.1's reducers report them.
 *
 * A reader whose lanes are all taken looks for new outputs when a lane is free again, and then
 * finds the same outputs as if it had noted them one by one.
 */
export class Fetching {
  readonly #world: World;
  readonly #attempt: SimAttempt;
  readonly #owner: FlowOwner;
  readonly #spec: FetchSpec;
  readonly #lanes: number;
  /** The reader's share of every output. */
  readonly #share: number;
  readonly #ready: ReadyOutputs<StoredOutput>;
  /** The entries of `#ready` that the reader has seen. */
  #seen: number;
  readonly #wanted: WantedOutputs;
  /** The number of outputs that are not fetched yet. */
  #missing: number;
  readonly #troubles = new Map<NodeId, Trouble>();
  /**
   * The sources with queued outputs and no fetch under way, in an order of this reader's own, as
   * Hadoop 1.2.1's ReduceCopier shuffles its hosts: otherwise all readers would besiege the same
   * few disks.
   */
  readonly #sources: ShuffledSet;
  /** In the order in which the fetches began; at most one per lane. */
  readonly #fetches: Fetch[] = [];
  #stopped = false;
  /** The time since which the reader has had nothing to do. */
  #idleSince: number | undefined;
  /** The time of the reader's next look, if one is planned. */
  #looksAt: number | undefined;
  bytes = 0;

  constructor(from: {
    readonly world: World;
    readonly attempt: SimAttempt;
    readonly owner: FlowOwner;
    readonly spec: FetchSpec;
    readonly lanes: number;
    readonly share: number;
    readonly ready: ReadyOutputs<StoredOutput>;
    readonly chance: RandomState;
  }) {
    this.#world = from.world;
    this.#attempt = from.attempt;
    this.#owner = from.owner;
    this.#spec = from.spec;
    this.#lanes = from.lanes;
    this.#share = from.share;
    const nodes = from.world.nodes.length;
    this.#ready = from.ready;
    this.#seen = from.ready.entries;
    this.#missing = from.ready.wanted;
    this.#wanted = new WantedOutputs(from.ready.wanted, nodes);
    this.#sources = new ShuffledSet(from.chance, nodes);
  }

  get isDone(): boolean {
    return this.#missing === 0;
  }

  /** The reader's share of the outputs, its bytes, and how both grow. */
  progress(now: number): CopyProgress {
    const { wanted: count } = this.#ready;
    let outputs = count - this.#missing;
    const { fluid } = this.#world;
    let { bytes } = this;
    let perMs = 0;
    let bytesPerMs = 0;
    for (const { flow, count: fetched } of this.#fetches) {
      const size = fluid.sizeOf(flow);
      if (size === 0) continue;
      const done = size - fluid.remainingAt(flow, now);
      const rate = fluid.rateOf(flow);
      outputs += (fetched * done) / size;
      bytes += done;
      perMs += (fetched * rate) / size;
      bytesPerMs += rate;
    }
    return { done: outputs / count, bytes, perMs: perMs / count, bytesPerMs };
  }

  /** Queues the output at this place, if it was ready before the reader began. */
  addReady(place: number): boolean {
    const entry = this.#ready.latest(place);
    return entry !== NONE && this.#addOrMiss(place, entry);
  }

  /** An output has become ready. */
  look(): void {
    if (this.#fetches.length < this.#lanes && this.#readOn()) this.fill();
  }

  /** Queues outputs that have become ready since the last look. Returns whether there were any. */
  #readOn(): boolean {
    const { entries, places, sources } = this.#ready;
    let found = false;
    while (this.#seen < entries) {
      const entry = this.#seen;
      this.#seen += 1;
      if (this.#add(places[entry]!, entry, sources[entry]!)) found = true;
    }
    return found;
  }

  /**
   * Adds an output that can be fetched from a node, unless it has been fetched or is on its way.
   */
  #add(place: number, entry: number, source: NodeId): boolean {
    if (this.#wanted.isTaken(place)) return false;
    const before = this.#wanted.unqueue(place);
    if (before !== undefined && !this.#wanted.hasQueued(before)) this.#sources.delete(before);
    this.#queue(source, place, entry);
    return true;
  }

  #queue(source: NodeId, place: number, entry: number): void {
    this.#wanted.queue(source, place, entry);
    this.#mayBeReady(source);
  }

  #mayBeReady(source: NodeId): void {
    if (this.#wanted.hasQueued(source) && this.#fetchFrom(source) === undefined) {
      this.#sources.add(source);
    }
  }

  #output(place: number): StoredOutput {
    return this.#ready.outputs[this.#wanted.entry(place)]!;
  }

  #fetchFrom(source: NodeId): Fetch | undefined {
    for (const fetch of this.#fetches) if (fetch.source === source) return fetch;
    return undefined;
  }

  /** Starts fetches while lanes are free. */
  fill(): void {
    this.#readOn();
    if (this.#stopped || this.#isAsleep()) return;
    let place = 0;
    while (this.#fetches.length < this.#lanes) {
      const source = this.#sources.at(place);
      if (source === undefined) break;
      const retryAt = this.#troubles.size === 0 ? 0 : this.#retryAt(nodeId(source));
      if (retryAt <= this.#world.now) this.#start(nodeId(source));
      // Another source takes this place, unless the source had nothing to fetch.
      if (this.#sources.at(place) === source) place += 1;
    }
    if (this.#fetches.length === 0 && !this.isDone) this.beIdle();
  }

  #retryAt(source: NodeId): number {
    return this.#troubles.get(source)?.retryAt ?? 0;
  }

  /** The reader finds nothing to do and looks again every `idleMs`. */
  beIdle(): void {
    if (this.#spec.idleMs > 0) this.#idleSince = this.#world.now;
  }

  #isAsleep(): boolean {
    const { now, agenda } = this.#world;
    if (this.#idleSince === undefined) return false;
    if (this.#looksAt === undefined) {
      const { idleMs } = this.#spec;
      const looks = Math.max(1, Math.ceil((now - this.#idleSince) / idleMs));
      this.#looksAt = this.#idleSince + looks * idleMs;
      agenda.enter(this.#looksAt, RETRY, this.#attempt.place);
    }
    if (now < this.#looksAt) return true;
    this.#idleSince = undefined;
    this.#looksAt = undefined;
    return false;
  }

  #start(source: NodeId): void {
    const { machine } = this.#attempt.node;
    const { fluid, now } = this.#world;
    const node = this.#world.node(source);
    const from = node.machine;
    if (node.health === "dead" || machine === undefined || from === undefined) {
      this.#fail(source, this.#wanted.queuedAt(source), "no-answer");
      return;
    }
    let first = this.#wanted.take(source);
    if (node.hasLostOutputs) first = this.#leaveGone(node, first);
    // The scheduler may have ended the reader in answer to the report.
    if (first === NONE || this.#stopped) return;
    this.#sources.delete(source);
    let size = 0;
    let count = 0;
    for (let place = first; place !== NONE; place = this.#wanted.next(place)) {
      size += this.#ready.bytes[this.#wanted.entry(place)]! * this.#share;
      count += 1;
    }
    const { uses, bound } = wayOfOutput(from, machine);
    const flow = fluid.start(now, { tag: this.#owner, uses, bound, size });
    this.#fetches.push({ source, flow, first, count });
  }

  /** Asks elsewhere for outputs that the source has lost. Returns the chain of the others. */
  #leaveGone(node: SimNode, first: number): number {
    const source = node.id;
    const gone: number[] = [];
    const others: number[] = [];
    for (const place of this.#wanted.chainOf(first)) {
      (node.outputs.has(this.#output(place)) ? others : gone).push(place);
    }
    if (gone.length === 0) return first;
    for (const place of gone) this.#wanted.queue(source, place, this.#wanted.entry(place));
    this.#fail(source, gone, "gone");
    return this.#wanted.chain(others);
  }

  /** The fetch is over: its lane is free again. */
  flowEnded(flow: Flow): void {
    this.#readOn();
    const fetch = this.#fetches.find((one) => one.flow === flow);
    if (fetch !== undefined) {
      this.#missing -= fetch.count;
      this.bytes += this.#world.fluid.sizeOf(flow);
      takeOut(this.#fetches, fetch);
      if (this.#troubles.size > 0) this.#answered(fetch.source);
      this.#mayBeReady(fetch.source);
    }
    this.fill();
  }

  /** The source counts as healthy again, but its lost outputs still wait. */
  #answered(source: NodeId): void {
    const trouble = this.#troubles.get(source);
    if (trouble === undefined) return;
    if (trouble.retryAt <= this.#world.now) this.#troubles.delete(source);
    else this.#troubles.set(source, { failures: 0, retryAt: trouble.retryAt });
  }

  /** The source has died or has lost some outputs: fetches from it have failed. */
  sourceBroke(node: SimNode, how: "no-answer" | "gone"): void {
    const source = node.id;
    this.#readOn();
    const fetch = this.#fetchFrom(source);
    if (fetch === undefined) return;
    const places = this.#wanted.chainOf(fetch.first);
    const broken =
      how === "gone" ? places.filter((place) => !node.outputs.has(this.#output(place))) : places;
    if (broken.length === 0) return;
    this.#cut(fetch);
    for (const place of places) this.#queue(source, place, this.#wanted.entry(place));
    this.#fail(source, broken, how);
    this.fill();
  }

  #cut(fetch: Fetch): void {
    this.#world.fluid.stop(this.#world.now, fetch.flow);
    takeOut(this.#fetches, fetch);
  }

  /** The scheduler has given the node up: its outputs come from elsewhere, or are recomputed. */
  forget(node: SimNode): void {
    const source = node.id;
    this.#readOn();
    if (!this.#wanted.isKnown(source)) return;
    const fetch = this.#fetchFrom(source);
    const queued = this.#wanted.chainOf(this.#wanted.take(source));
    const orphans = [...queued, ...this.#wanted.chainOf(fetch?.first ?? NONE)];
    if (fetch !== undefined) this.#cut(fetch);
    for (const place of orphans) this.#wanted.lose(place);
    this.#sources.delete(source);
    this.#troubles.delete(source);
    this.#wanted.forget(source);
    for (const place of orphans) this.#addOrMiss(place, this.#wanted.entry(place));
    this.fill();
  }

  /** Returns whether any node is believed to hold the output. */
  #addOrMiss(place: number, entry: number): boolean {
    const output = this.#ready.outputs[entry]!;
    const node = output.believed.at(-1);
    if (node === undefined) this.#missIfNowhere(place, output);
    else if (this.#add(place, entry, node.id)) this.fill();
    return node !== undefined;
  }

  /**
   * Reports an output that no node is believed to hold any more. Where a data policy decides what
   * is recomputed, an output that no reader misses may never be recomputed.
   */
  #missIfNowhere(place: number, { task }: StoredOutput): void {
    const last = this.#world.nowhere.get(task);
    if (last === undefined || this.#isFetched(place)) return;
    this.#world.feed({
      at: instant(this.#world.now),
      kind: "fetch-failed",
      reader: this.#attempt.id,
      output: task,
      from: last.node.id,
    });
  }

  #isFetched(place: number): boolean {
    return (
      this.#wanted.isTaken(place) &&
      !this.#fetches.some(({ first }) => this.#wanted.chainOf(first).includes(place))
    );
  }

  #fail(source: NodeId, places: readonly number[], how: "no-answer" | "gone"): void {
    const { retryMs, retryGrowth, reportEveryFailures } = this.#spec;
    const { now, agenda } = this.#world;
    const failures = (this.#troubles.get(source)?.failures ?? 0) + 1;
    let wait = retryMs;
    for (let i = 1; i < failures; i += 1) wait *= retryGrowth;
    this.#troubles.set(source, { failures, retryAt: now + wait });
    agenda.enter(now + wait, RETRY, this.#attempt.place);
    this.#turnElsewhere(source, places);
    if (how === "no-answer" && failures % reportEveryFailures !== 0) return;
    for (const place of places) {
      this.#world.feed({
        at: instant(now),
        kind: "fetch-failed",
        reader: this.#attempt.id,
        output: this.#output(place).task,
        from: source,
      });
    }
  }

  /** Moves the outputs to the next node that is believed to hold them. */
  #turnElsewhere(source: NodeId, places: readonly number[]): void {
    for (const place of places) {
      const { believed } = this.#output(place);
      const at = believed.findIndex(({ node }) => node.id === source);
      const next = believed[(at + 1) % believed.length]?.node.id;
      if (next === undefined || next === source) continue;
      this.#wanted.unqueue(place);
      this.#queue(next, place, this.#wanted.entry(place));
    }
    if (!this.#wanted.hasQueued(source)) this.#sources.delete(source);
  }

  stop(): void {
    this.#stopped = true;
    for (const { flow } of this.#fetches) this.#world.fluid.stop(this.#world.now, flow);
    this.#fetches.length = 0;
    this.#sources.clear();
  }
}
