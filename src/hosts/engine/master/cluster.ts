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

/** What the cluster reports to the master. */
export interface ClusterListener {
  /** A process of the node has started and has no state yet. */
  began(node: EngineNode, pid: number | undefined): void;
  /** The node is ready: for the first time, in a new process, or again after it was lost. */
  ready(node: EngineNode, unreadable: readonly number[]): void;
  received(node: EngineNode, message: Exclude<ToMaster, { kind: "ready" }>): void;
  silent(node: EngineNode, since: number): void;
  backInTouch(node: EngineNode): void;
  /** The node's process ended by itself. `replace` starts another. */
  crashed(node: EngineNode, how: string, replace: () => void): void;
  printed(node: EngineNode, stream: "stdout" | "stderr", line: string): void;
  /** Map outputs that an earlier process left on the node. */
  outputsOn(node: EngineNode): readonly KeptOutput[];
}

export interface ClusterSettings {
  readonly nodes: number;
  readonly slots: number;
  readonly racks: number;
  /** The directory of the racks' links; undefined if the links have no limit. */
  readonly links: string | undefined;
  readonly heartbeatMs: number;
  readonly taskTimeoutMs: number;
  readonly memoryBytes?: number;
  readonly directory: RunDirectory;
  readonly now: () => number;
  /** Runs what an outside event triggers, and handles what it throws. */
  readonly guard: (act: () => void) => void;
}

/** A node is silent after this many missing heartbeats, since a slowed node is late, not silent. */
const MISSED_HEARTBEATS = 5;
/** A node whose process ends this often before its first message will never be ready. */
const CRASHES_MAX = 3;

/** The nodes of a run, before any of their processes. */
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
   * Starts a few processes at a time, the next when one is ready, since a small job is over before
   * the last process is. One processor stays free: planning a job takes about as long as starting a
   * process.
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

  /**
   * Kills the node and removes its files, as if the machine died. The core is not told: it notices
   * the silence.
   */
  async crash(node: EngineNode): Promise<void> {
    node.killed = true;
    node.booting = false;
    node.process?.kill();
    await node.process?.closed;
    rmSync(node.directory, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Brings a killed node back, empty. */
  revive(node: EngineNode): void {
    if (this.#stopping) return;
    assert(node.killed, "a node comes back after it was killed");
    node.killed = false;
    node.joins = true;
    this.#fork(node);
  }

  /** No process is left when the promise resolves. */
  async stop(): Promise<void> {
    this.kill();
    await Promise.all(this.nodes.map((node) => node.process?.closed));
  }

  /** Kills all processes without waiting for their ends. */
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
    // Copies that were on their way to the earlier process will not arrive.
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
    // The master itself stood still, so messages of the nodes may still be unread.
    if (lateMs > this.#settings.heartbeatMs) return;
    const silentMs = MISSED_HEARTBEATS * this.#settings.heartbeatMs;
    for (const node of this.nodes) {
      // A process that is booting has no heartbeats to miss, and its end would be reported.
      if (node.state !== "live" || node.booting || now - node.heardAt < silentMs) continue;
      node.state = "silent";
      this.#listener.silent(node, node.heardAt);
    }
  }
}
