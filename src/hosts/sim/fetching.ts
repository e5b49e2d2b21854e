import type { RandomState } from "../../base/random.ts";
import { ShuffledSet } from "../../base/shuffled-set.ts";
import { takeOut } from "../../base/take-out.ts";
import { instant, type TaskId } from "../../model/ids.ts";
import { RETRY } from "./agenda.ts";
import type { FlowOwner } from "./flow-owner.ts";
import type { Flow } from "./fluid/fluid.ts";
import type { FetchSpec } from "./scenario.ts";
import type { SimAttempt, SimNode, StoredOutput } from "./state.ts";
import { wayOfOutput } from "./way.ts";
import type { World } from "./world.ts";

/** The outputs that one source holds for the reader, and the state of fetching them. */
interface Source {
  readonly node: SimNode;
  queued: StoredOutput[];
  failures: number;
  /** The earliest time of the next try. */
  retryAt: number;
}

/** A fetch under way, of all outputs that its source had queued when the fetch began. */
interface Fetch {
  readonly source: Source;
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
  readonly #missing: Set<TaskId>;
  readonly #outputs: number;
  readonly #sources = new Map<SimNode, Source>();
  /**
   * The sources with queued outputs and no fetch under way, in an order of this reader's own, as
   * Hadoop 1.2.1's ReduceCopier shuffles its hosts: otherwise all readers would besiege the same
   * few disks.
   */
  readonly #ready: ShuffledSet<Source>;
  readonly #fetches = new Map<Source, Fetch>();
  /** The source at which each missing output is queued or being fetched. */
  readonly #sourceOf = new Map<TaskId, Source>();
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
    readonly outputs: readonly TaskId[];
    readonly chance: RandomState;
  }) {
    this.#world = from.world;
    this.#attempt = from.attempt;
    this.#owner = from.owner;
    this.#spec = from.spec;
    this.#lanes = from.lanes;
    this.#share = from.share;
    this.#missing = new Set(from.outputs);
    this.#outputs = from.outputs.length;
    this.#ready = new ShuffledSet(from.chance);
  }

  get isDone(): boolean {
    return this.#missing.size === 0;
  }

  /** The reader's share of the outputs, its bytes, and how both grow. */
  progress(now: number): CopyProgress {
    let outputs = this.#outputs - this.#missing.size;
    const { fluid } = this.#world;
    let { bytes } = this;
    let perMs = 0;
    let bytesPerMs = 0;
    for (const { flow, outputs: fetched } of this.#fetches.values()) {
      const size = fluid.sizeOf(flow);
      if (size === 0) continue;
      const done = size - fluid.remainingAt(flow, now);
      const rate = fluid.rateOf(flow);
      outputs += (fetched.length * done) / size;
      bytes += done;
      perMs += (fetched.length * rate) / size;
      bytesPerMs += rate;
    }
    return { done: outputs / this.#outputs, bytes, perMs: perMs / this.#outputs, bytesPerMs };
  }

  /** Adds an output that can be fetched from a node. */
  add(output: StoredOutput): void {
    const node = output.believed.at(-1);
    if (node === undefined || !this.#missing.has(output.task)) return;
    const before = this.#sourceOf.get(output.task);
    if (before !== undefined) {
      const place = before.queued.findIndex(({ task }) => task === output.task);
      // An output whose fetch is under way is not queued again.
      if (place < 0) return;
      before.queued.splice(place, 1);
      if (before.queued.length === 0) this.#ready.delete(before);
    }
    this.#queue(this.#source(node), [output]);
    this.fill();
  }

  #source(node: SimNode): Source {
    const known = this.#sources.get(node);
    if (known !== undefined) return known;
    const source: Source = { node, queued: [], failures: 0, retryAt: 0 };
    this.#sources.set(node, source);
    return source;
  }

  #queue(source: Source, outputs: readonly StoredOutput[]): void {
    for (const output of outputs) {
      source.queued.push(output);
      this.#sourceOf.set(output.task, source);
    }
    if (source.queued.length > 0 && !this.#fetches.has(source)) this.#ready.add(source);
  }

  /** Starts fetches while lanes are free. */
  fill(): void {
    if (this.#stopped || this.#isAsleep()) return;
    let place = 0;
    while (this.#fetches.size < this.#lanes) {
      const source = this.#ready.at(place);
      if (source === undefined) break;
      if (source.retryAt <= this.#world.now) this.#start(source);
      // Another source takes this place, unless the source had nothing to fetch.
      if (this.#ready.at(place) === source) place += 1;
    }
    if (this.#fetches.size === 0 && !this.isDone) this.beIdle();
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

  #start(source: Source): void {
    const { machine } = this.#attempt.node;
    const from = source.node.machine;
    if (source.node.health === "dead" || machine === undefined || from === undefined) {
      this.#fail(source, [...source.queued], "no-answer");
      return;
    }
    const outputs = source.queued.filter((output) => source.node.outputs.has(output));
    const gone = source.queued.filter((output) => !source.node.outputs.has(output));
    source.queued = gone;
    if (gone.length > 0) this.#fail(source, [...gone], "gone");
    // The scheduler may have ended the reader in answer to the report.
    if (outputs.length === 0 || this.#stopped) return;
    this.#ready.delete(source);
    const flow = this.#world.fluid.start(this.#world.now, {
      tag: this.#owner,
      ...wayOfOutput(from, machine),
      size: outputs.reduce((sum, { bytes }) => sum + bytes * this.#share, 0),
    });
    this.#fetches.set(source, { source, flow, outputs });
  }

  /** The fetch is over: its lane is free again. */
  flowEnded(flow: Flow): void {
    for (const fetch of this.#fetches.values()) {
      if (fetch.flow !== flow) continue;
      for (const { task } of fetch.outputs) {
        this.#missing.delete(task);
        this.#sourceOf.delete(task);
      }
      this.bytes += this.#world.fluid.sizeOf(flow);
      fetch.source.failures = 0;
      this.#fetches.delete(fetch.source);
      this.#queue(fetch.source, []);
      break;
    }
    this.fill();
  }

  /** The source has died or has lost some outputs: fetches from it have failed. */
  sourceBroke(node: SimNode, how: "no-answer" | "gone"): void {
    const source = this.#sources.get(node);
    const fetch = source === undefined ? undefined : this.#fetches.get(source);
    if (source === undefined || fetch === undefined) return;
    const broken =
      how === "gone" ? fetch.outputs.filter((output) => !node.outputs.has(output)) : fetch.outputs;
    if (broken.length === 0) return;
    this.#world.fluid.stop(this.#world.now, fetch.flow);
    this.#fetches.delete(source);
    this.#queue(source, fetch.outputs);
    this.#fail(source, broken, how);
    this.fill();
  }

  /** The scheduler has given the node up: its outputs come from elsewhere, or are recomputed. */
  forget(node: SimNode): void {
    const source = this.#sources.get(node);
    if (source === undefined) return;
    const fetch = this.#fetches.get(source);
    if (fetch !== undefined) this.#world.fluid.stop(this.#world.now, fetch.flow);
    const orphans = [...source.queued, ...(fetch?.outputs ?? [])];
    for (const { task } of orphans) this.#sourceOf.delete(task);
    this.#fetches.delete(source);
    this.#ready.delete(source);
    this.#sources.delete(node);
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
    if (last === undefined || !this.#missing.has(output)) return;
    this.#world.feed({
      at: instant(this.#world.now),
      kind: "fetch-failed",
      reader: this.#attempt.id,
      output,
      from: last.node.id,
    });
  }

  #fail(source: Source, outputs: readonly StoredOutput[], how: "no-answer" | "gone"): void {
    const { retryMs, retryGrowth, reportEveryFailures } = this.#spec;
    const { now, agenda } = this.#world;
    source.failures += 1;
    let wait = retryMs;
    for (let i = 1; i < source.failures; i += 1) wait *= retryGrowth;
    source.retryAt = now + wait;
    agenda.enter(source.retryAt, RETRY, this.#attempt.place);
    this.#turnElsewhere(source, outputs);
    if (how === "no-answer" && source.failures % reportEveryFailures !== 0) return;
    for (const { task } of outputs) {
      this.#world.feed({
        at: instant(now),
        kind: "fetch-failed",
        reader: this.#attempt.id,
        output: task,
        from: source.node.node.id,
      });
    }
  }

  /** Moves the outputs to the next node that is said to have them. */
  #turnElsewhere(source: Source, outputs: readonly StoredOutput[]): void {
    for (const output of outputs) {
      const { believed } = output;
      const next = believed[(believed.indexOf(source.node) + 1) % believed.length];
      if (next === undefined || next === source.node) continue;
      takeOut(source.queued, output);
      this.#queue(this.#source(next), [output]);
    }
    if (source.queued.length === 0) this.#ready.delete(source);
  }

  stop(): void {
    this.#stopped = true;
    for (const { flow } of this.#fetches.values()) this.#world.fluid.stop(this.#world.now, flow);
    this.#fetches.clear();
    this.#ready.clear();
  }
}
