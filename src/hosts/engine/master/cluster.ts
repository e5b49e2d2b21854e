import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { assert } from "../../../base/assert.ts";
import { memoryShare, usualMemory } from "../../../data/task/task-resources.ts";
import { nodeId } from "../../../model/ids.ts";
import { rackOf } from "../../../run/racks.ts";
import type { RunDirectory } from "../../../run/run-directory.ts";
import type { KeptOutput, ToMaster } from "../messages.ts";
import type { RackSeat } from "../racks/racks.ts";
import { EngineNode } from "./engine-node.ts";
import { NodeProcess } from "./node-process.ts";

/** What the master hears of its nodes. */
export interface ClusterListener {
  /** A process of it has begun, and knows nothing yet. */
  began(node: EngineNode, pid: number | undefined): void;
  /** It is ready: at first, in another process, or again after it was lost. */
  ready(node: EngineNode, unreadable: readonly number[]): void;
  received(node: EngineNode, message: Exclude<ToMaster, { kind: "ready" }>): void;
  silent(node: EngineNode, since: number): void;
  backInTouch(node: EngineNode): void;
  /** Its process ended by itself. `replace` starts another. */
  crashed(node: EngineNode, how: string, replace: () => void): void;
  printed(node: EngineNode, stream: "stdout" | "stderr", line: string): void;
  /** Map outputs that an earlier process left on the node. */
  outputsOn(node: EngineNode): readonly KeptOutput[];
}

export interface ClusterSettings {
  readonly nodes: number;
  readonly slots: number;
  readonly racks: number;
  /** Where the racks' links are; undefined: they have no limit. */
  readonly links: string | undefined;
  readonly heartbeatMs: number;
  readonly taskTimeoutMs: number;
  readonly memoryBytes?: number;
  readonly directory: RunDirectory;
  readonly now: () => number;
  /** Runs what an outside event sets off, and sees to what it throws. */
  readonly guard: (act: () => void) => void;
}

/** A node is silent after so many missing heartbeats: a slowed one is late, not silent. */
const MISSED_HEARTBEATS = 5;
/** A node whose process ends so often before it was heard will never be heard. */
const CRASHES_MAX = 3;

/** The nodes of a run, before any process of theirs. */
export function makeNodes(
  settings: Pick<ClusterSettings, "nodes" | "slots" | "racks" | "memoryBytes" | "directory">,
): readonly EngineNode[] {
  const { slotsOfNode: slots } = memoryShare(settings);
  return Array.from({ length: settings.nodes }, (_, index) => {
    const name = `n${index + 1}`;
    const rack = rackOf(index, settings.racks);
    const at = { directory: settings.directory.node(name), rack };
    return new EngineNode({ id: nodeId(index), name, slots, ...at });
  });
}

/** The node processes: starts them, listens, notices silence, replaces those that crash. */
export class Cluster {
  readonly nodes: readonly EngineNode[];
  readonly #settings: ClusterSettings;
  readonly #listener: ClusterListener;
  readonly #watch: NodeJS.Timeout;
  #watchedAt: number;
  #stopping = false;
  readonly #unstarted: EngineNode[] = [];

  constructor(settings: ClusterSettings, nodes: readonly EngineNode[], listener: ClusterListener) {
    this.#settings = settings;
    this.nodes = nodes;
    this.#listener = listener;
    this.#watchedAt = settings.now();
    this.#watch = setInterval(() => settings.guard(() => this.#look()), settings.heartbeatMs);
  }

  /**
   * A few at a time, the next when one is ready: small jobs are over before the last has begun. One
   * processor is ours, since to plan a job takes as long as a process takes to begin.
   */
  start(): void {
    this.#unstarted.push(...this.nodes);
    const atOnce = Math.max(1, availableParallelism() - 1);
    for (let count = 0; count < atOnce; count++) this.#startNext();
  }

  #startNext(): void {
    const next = this.#unstarted.shift();
    if (next === undefined || this.#stopping) return;
    if (next.killed || next.process !== undefined) this.#startNext();
    else this.#fork(next);
  }

  /** The machine dies, its files with it. The core is not told: it notices the silence. */
  async crash(node: EngineNode): Promise<void> {
    node.killed = true;
    node.booting = false;
    node.process?.kill();
    await node.process?.closed;
    rmSync(node.directory, { recursive: true, force: true, maxRetries: 3 });
  }

  /** A machine that was killed comes back, empty. */
  revive(node: EngineNode): void {
    if (this.#stopping) return;
    assert(node.killed, "a node comes back after it was killed");
    node.killed = false;
    node.joins = true;
    this.#fork(node);
  }

  /** No process is left when this resolves. */
  async stop(): Promise<void> {
    this.kill();
    await Promise.all(this.nodes.map((node) => node.process?.closed));
  }

  /** Ends all processes, and does not wait until they are gone. */
  kill(): void {
    this.#stopping = true;
    clearInterval(this.#watch);
    for (const node of this.nodes) node.process?.kill();
  }

  #fork(node: EngineNode): void {
    const { guard } = this.#settings;
    const process = new NodeProcess({
      received: (message) => guard(() => this.#received(node, process, message)),
      printed: (stream, line) => guard(() => this.#listener.printed(node, stream, line)),
      ended: (how) => guard(() => this.#ended(node, process, how)),
    });
    node.process = process;
    node.booting = true;
    node.working = 0;
    // What was on its way to the process before will not come.
    node.copiesComing = 0;
    process.send({
      kind: "start",
      directory: node.directory,
      slots: node.slots,
      heap: memoryShare(this.#settings).heap,
      memoryBytes: this.#settings.memoryBytes ?? usualMemory(),
      heartbeatMs: this.#settings.heartbeatMs,
      taskTimeoutMs: this.#settings.taskTimeoutMs,
      outputs: this.#listener.outputsOn(node),
      ...this.#seatOf(node),
    });
    this.#listener.began(node, process.pid);
  }

  #seatOf({ rack }: EngineNode): { readonly seat?: RackSeat } {
    const { links } = this.#settings;
    if (links === undefined) return {};
    const nodes = this.nodes.map((node) => ({ directory: node.directory, rack: node.rack }));
    return { seat: { rack, links, nodes } };
  }

  #received(node: EngineNode, process: NodeProcess, message: ToMaster): void {
    if (this.#stopping || node.process !== process || node.killed) return;
    node.heardAt = this.#settings.now();
    node.crashesInARow = 0;
    node.booting = false;
    if (message.kind === "ready") {
      this.#startNext();
      this.#listener.ready(node, message.unreadable);
      return;
    }
    if (node.state === "lost") {
      node.state = "anew";
      node.joins = true;
      node.send({ kind: "start-anew" });
    }
    if (node.state === "silent") {
      node.state = "live";
      this.#listener.backInTouch(node);
    }
    if (node.state === "live") this.#listener.received(node, message);
  }

  #ended(node: EngineNode, process: NodeProcess, how: string): void {
    if (this.#stopping || node.killed || node.process !== process) return;
    node.crashes++;
    node.crashesInARow++;
    if (node.crashesInARow > CRASHES_MAX) {
      throw new Error(`the process of node ${node.name} ends again and again: ${how}`);
    }
    this.#listener.crashed(node, how, () => {
      node.heardAt = this.#settings.now();
      this.#fork(node);
    });
  }

  #look(): void {
    const now = this.#settings.now();
    const lateMs = now - this.#watchedAt - this.#settings.heartbeatMs;
    this.#watchedAt = now;
    // It was we who stood still: what the nodes said meanwhile has not been read yet.
    if (lateMs > this.#settings.heartbeatMs) return;
    const silentMs = MISSED_HEARTBEATS * this.#settings.heartbeatMs;
    for (const node of this.nodes) {
      // A process that is only beginning has no heartbeats to miss; that it ended would be known.
      if (node.state !== "live" || node.booting || now - node.heardAt < silentMs) continue;
      node.state = "silent";
      this.#listener.silent(node, node.heardAt);
    }
  }
}
