import type { RandomState } from "../../base/random.ts";
import { ShuffledSet } from "../../base/shuffled-set.ts";
import { takeOut } from "../../base/take-out.ts";
import { instant, type NodeId, nodeId, type TaskId } from "../../model/ids.ts";
import type { TaskList } from "../../model/job.ts";
import { RETRY } from "./agenda.ts";
import type { FlowOwner } from "./flow-owner.ts";
import type { Flow } from "./fluid/fluid.ts";
import type { FetchSpec } from "./scenario.ts";
import type { SimAttempt, SimNode, StoredOutput } from "./state.ts";
import { WantedOutputs } from "./wanted-outputs.ts";
import { wayOfOutput } from "./way.ts";
import type { World } from "./world.ts";

/** What a source that did not answer, or had lost outputs, has cost so far. */
interface Trouble {
  readonly failures: number;
  /** The earliest time of the next try. */
  readonly retryAt: number;
}

/** A fetch under way, of all outputs that its source had queued when the fetch began. */
interface Fetch {
  readonly source: NodeId;
  readonly flow: Flow;
  readonly outputs: readonly StoredOutput[];
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
 */
export class Fetching {
  readonly #world: World;
  readonly #attempt: SimAttempt;
  readonly #owner: FlowOwner;
  readonly #spec: FetchSpec;
  readonly #lanes: number;
  /** The reader's share of every output. */
  readonly #share: number;
  readonly #wanted: WantedOutputs;
  readonly #troubles = new Map<NodeId, Trouble>();
  /**
   * The sources with queued outputs and no fetch under way, in an order of this reader's own, as
   * Hadoop 1.2.1's ReduceCopier shuffles its hosts: otherwise all readers would besiege the same
   * few disks.
   */
  readonly #ready: ShuffledSet;
  /** In the order in which they began; no more than there are lanes. */
  readonly #fetches: Fetch[] = [];
  #stopped = false;
  /** The time since which the reader has had nothing to do. */
  #idleSince: number | undefined;
  /** The time of the reader's next look, once it has a reason to look. */
  #looksAt: number | undefined;
  bytes = 0;

  constructor(from: {
    readonly world: World;
    readonly attempt: SimAttempt;
    readonly owner: FlowOwner;
    readonly spec: FetchSpec;
    readonly lanes: number;
    readonly share: number;
    /** The tasks whose outputs are read. */
    readonly upstream: readonly TaskList[];
    readonly chance: RandomState;
  }) {
    this.#world = from.world;
    this.#attempt = from.attempt;
    this.#owner = from.owner;
    this.#spec = from.spec;
    this.#lanes = from.lanes;
    this.#share = from.share;
    const nodes = from.world.nodes.length;
    this.#wanted = new WantedOutputs(from.upstream, nodes);
    this.#ready = new ShuffledSet(from.chance, nodes);
  }

  get isDone(): boolean {
    return this.#wanted.missing === 0;
  }

  /** The reader's share of the outputs, its bytes, and how both grow. */
  progress(now: number): CopyProgress {
    const { count, missing } = this.#wanted;
    let outputs = count - missing;
    const { fluid } = this.#world;
    let { bytes } = this;
    let perMs = 0;
    let bytesPerMs = 0;
    for (const { flow, outputs: fetched } of this.#fetches) {
      const size = fluid.sizeOf(flow);
      if (size === 0) continue;
      const done = size - fluid.remainingAt(flow, now);
      const rate = fluid.rateOf(flow);
      outputs += (fetched.length * done) / size;
      bytes += done;
      perMs += (fetched.length * rate) / size;
      bytesPerMs += rate;
    }
    return { done: outputs / count, bytes, perMs: perMs / count, bytesPerMs };
  }

  /** Adds an output that can be fetched from a node. */
  add(output: StoredOutput): void {
    const node = output.believed.at(-1);
    if (node === undefined || !this.#wanted.isMissing(output.task)) return;
    // An output whose fetch is under way is not queued again.
    if (this.#wanted.isComing(output.task)) return;
    const before = this.#wanted.unqueue(output.task);
    if (before !== undefined && !this.#wanted.hasQueued(before)) this.#ready.delete(before);
    this.#queue(node.node.id, output);
    this.fill();
  }

  #queue(source: NodeId, output: StoredOutput): void {
    this.#wanted.queue(source, output);
    this.#mayBeReady(source);
  }

  #mayBeReady(source: NodeId): void {
    if (this.#wanted.hasQueued(source) && this.#fetchFrom(source) === undefined) {
      this.#ready.add(source);
    }
  }

  #fetchFrom(source: NodeId): Fetch | undefined {
    for (const fetch of this.#fetches) if (fetch.source === source) return fetch;
    return undefined;
  }

  /** Starts fetches while lanes are free. */
  fill(): void {
    if (this.#stopped || this.#isAsleep()) return;
    let place = 0;
    while (this.#fetches.length < this.#lanes) {
      const source = this.#ready.at(place);
      if (source === undefined) break;
      const retryAt = this.#troubles.size === 0 ? 0 : this.#retryAt(nodeId(source));
      if (retryAt <= this.#world.now) this.#start(nodeId(source));
      // Another source takes this place, unless the source had nothing to fetch.
      if (this.#ready.at(place) === source) place += 1;
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
    let outputs = this.#wanted.take(source);
    const gone = outputs.filter((output) => !node.outputs.has(output));
    if (gone.length > 0) {
      outputs = outputs.filter((output) => node.outputs.has(output));
      for (const output of gone) this.#wanted.queue(source, output);
      this.#fail(source, gone, "gone");
    }
    // The scheduler may have ended the reader in answer to the report.
    if (outputs.length === 0 || this.#stopped) return;
    this.#ready.delete(source);
    let size = 0;
    for (const { bytes } of outputs) size += bytes * this.#share;
    const flow = fluid.start(now, { tag: this.#owner, ...wayOfOutput(from, machine), size });
    this.#fetches.push({ source, flow, outputs });
  }

  /** The fetch is over: its lane is free again. */
  flowEnded(flow: Flow): void {
    const at = this.#fetches.findIndex((fetch) => fetch.flow === flow);
    const fetch = this.#fetches[at];
    if (fetch !== undefined) {
      for (const { task } of fetch.outputs) this.#wanted.fetched(task);
      this.bytes += this.#world.fluid.sizeOf(flow);
      this.#fetches.splice(at, 1);
      this.#answered(fetch.source);
      this.#mayBeReady(fetch.source);
    }
    this.fill();
  }

  /** The source counts as well again; what it has lost waits all the same. */
  #answered(source: NodeId): void {
    const trouble = this.#troubles.get(source);
    if (trouble === undefined) return;
    if (trouble.retryAt <= this.#world.now) this.#troubles.delete(source);
    else this.#troubles.set(source, { failures: 0, retryAt: trouble.retryAt });
  }

  /** The source has died or has lost some outputs: fetches from it have failed. */
  sourceBroke(node: SimNode, how: "no-answer" | "gone"): void {
    const source = node.node.id;
    const fetch = this.#fetchFrom(source);
    if (fetch === undefined) return;
    const broken =
      how === "gone" ? fetch.outputs.filter((output) => !node.outputs.has(output)) : fetch.outputs;
    if (broken.length === 0) return;
    this.#cut(fetch);
    for (const output of fetch.outputs) this.#queue(source, output);
    this.#fail(source, broken, how);
    this.fill();
  }

  #cut(fetch: Fetch): void {
    this.#world.fluid.stop(this.#world.now, fetch.flow);
    takeOut(this.#fetches, fetch);
  }

  /** The scheduler has given the node up: its outputs come from elsewhere, or are recomputed. */
  forget(node: SimNode): void {
    const source = node.node.id;
    if (!this.#wanted.isKnown(source)) return;
    const fetch = this.#fetchFrom(source);
    const orphans = [...this.#wanted.take(source), ...(fetch?.outputs ?? [])];
    if (fetch !== undefined) this.#cut(fetch);
    for (const { task } of orphans) this.#wanted.lose(task);
    this.#ready.delete(source);
    this.#troubles.delete(source);
    this.#wanted.forget(source);
    for (const output of orphans) {
      if (output.believed.length > 0) this.add(output);
      else this.missIfNowhere(output.task);
    }
    this.fill();
  }

  /**
   * Reports an output that no node is believed to hold any more. Where a data policy decides what
   * is recomputed, an output that no reader misses may never be recomputed.
   */
  missIfNowhere(output: TaskId): void {
    const last = this.#world.nowhere.get(output);
    if (last === undefined || !this.#wanted.isMissing(output)) return;
    this.#world.feed({
      at: instant(this.#world.now),
      kind: "fetch-failed",
      reader: this.#attempt.id,
      output,
      from: last.node.id,
    });
  }

  #fail(source: NodeId, outputs: readonly StoredOutput[], how: "no-answer" | "gone"): void {
    const { retryMs, retryGrowth, reportEveryFailures } = this.#spec;
    const { now, agenda } = this.#world;
    const failures = (this.#troubles.get(source)?.failures ?? 0) + 1;
    let wait = retryMs;
    for (let i = 1; i < failures; i += 1) wait *= retryGrowth;
    this.#troubles.set(source, { failures, retryAt: now + wait });
    agenda.enter(now + wait, RETRY, this.#attempt.place);
    this.#turnElsewhere(source, outputs);
    if (how === "no-answer" && failures % reportEveryFailures !== 0) return;
    for (const { task } of outputs) {
      this.#world.feed({
        at: instant(now),
        kind: "fetch-failed",
        reader: this.#attempt.id,
        output: task,
        from: source,
      });
    }
  }

  /** Moves the outputs to the next node that is said to have them. */
  #turnElsewhere(source: NodeId, outputs: readonly StoredOutput[]): void {
    for (const output of outputs) {
      const { believed } = output;
      const at = believed.findIndex(({ node }) => node.id === source);
      const next = believed[(at + 1) % believed.length]?.node.id;
      if (next === undefined || next === source) continue;
      this.#wanted.unqueue(output.task);
      this.#queue(next, output);
    }
    if (!this.#wanted.hasQueued(source)) this.#ready.delete(source);
  }

  stop(): void {
    this.#stopped = true;
    for (const { flow } of this.#fetches) this.#world.fluid.stop(this.#world.now, flow);
    this.#fetches.length = 0;
    this.#ready.clear();
  }
}
