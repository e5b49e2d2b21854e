import { existsSync } from "node:fs";
import { never } from "../../../base/assert.ts";
import { InputError } from "../../../base/input-error.ts";
import type { Fault } from "../../../model/fault.ts";
import { tellsProcessTime } from "../throttle/process-time.ts";
import { Throttle } from "../throttle/throttle.ts";
import type { Cluster } from "./cluster.ts";
import type { EngineNode } from "./engine-node.ts";

/** Does to the nodes what the faults say, for real. The scheduler is told nothing of it. */
export class Faults {
  readonly #faults: readonly Fault[];
  readonly #cluster: Cluster;
  readonly #guard: (act: () => void) => void;
  readonly #told: (node: EngineNode, what: string) => void;
  readonly #throttle = new Throttle();
  readonly #timers = new Set<NodeJS.Timeout>();
  #throttles = false;
  /** Deaths to come after which the node comes back. */
  #returns: number;

  constructor(query: {
    readonly faults: readonly Fault[];
    readonly cluster: Cluster;
    readonly guard: (act: () => void) => void;
    readonly told: (node: EngineNode, what: string) => void;
  }) {
    this.#faults = query.faults;
    this.#cluster = query.cluster;
    this.#guard = query.guard;
    this.#told = query.told;
    this.#returns = query.faults.filter(comesBack).length;
  }

  /** Times count from now: the job was submitted. */
  begin(): void {
    for (const fault of this.#faults) this.#after(fault.at, () => this.#do(fault));
  }

  /** The throttle goes by what the nodes are doing now. */
  refresh(): void {
    if (!this.#throttles) return;
    this.#throttle.order(
      this.#cluster.nodes.flatMap(({ name, process, slowedBy, paused, working }) =>
        process?.pid === undefined
          ? []
          : [{ name, pid: process.pid, factor: slowedBy, paused, working }],
      ),
    );
  }

  account(node: EngineNode): ReturnType<Throttle["account"]> {
    return this.#throttle.account(node.name);
  }

  /** Whether a node that was killed will come back. */
  get awaitsReturn(): boolean {
    return this.#returns > 0;
  }

  cancel(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** After the nodes have ended. */
  stop(): Promise<void> {
    this.cancel();
    return this.#throttle.stop();
  }

  #do(fault: Fault): void {
    const node = this.#node(fault.node);
    switch (fault.kind) {
      case "slow":
        this.#slow(node, fault.factor);
        break;
      case "pause":
        this.#pause(node, fault.forMs);
        break;
      case "kill":
        this.#kill(node, fault.backAfterMs);
        break;
      case "stress":
        this.#stress(node, fault);
        break;
      case "lose-outputs":
        this.#told(node, "outputs removed");
        node.tell({ kind: "lose-outputs" });
        break;
      case "fill-disk":
        this.#told(node, `disk full for ${fault.forMs / 1000} s`);
        node.tell({ kind: "fill-disk", full: true });
        this.#after(fault.forMs, () => {
          this.#told(node, "disk has room again");
          node.tell({ kind: "fill-disk", full: false });
        });
        break;
      default:
        never(fault);
    }
  }

  #slow(node: EngineNode, factor: number): void {
    node.slowedBy = factor;
    this.#throttles = true;
    this.#told(node, factor === 1 ? "no longer slowed" : `slowed ${factor}-fold`);
    this.refresh();
  }

  #pause(node: EngineNode, forMs: number): void {
    node.paused = true;
    this.#throttles = true;
    this.#told(node, `paused for ${forMs / 1000} s`);
    this.refresh();
    this.#after(forMs, () => {
      node.paused = false;
      this.#told(node, "goes on");
      this.refresh();
    });
  }

  #kill(node: EngineNode, backAfterMs: number | undefined): void {
    this.#told(node, "killed");
    const gone = this.#cluster.kill(node).then(() => {
      this.#guard(() => this.refresh());
    }, this.#fail);
    if (backAfterMs === undefined) return;
    this.#after(backAfterMs, () => {
      // Its old process must be quite gone before another takes its directory.
      void gone.then(() => this.#guard(() => this.#back(node)));
    });
  }

  readonly #fail = (error: unknown): void =>
    this.#guard(() => {
      throw error;
    });

  #back(node: EngineNode): void {
    this.#returns--;
    // It was killed twice, and has come back already.
    if (!node.killed) return;
    this.#told(node, "comes back, empty");
    this.#cluster.revive(node);
  }

  #stress(node: EngineNode, fault: Extract<Fault, { kind: "stress" }>, ranMs = 0): void {
    if (fault.until !== undefined && fault.at + ranMs >= fault.until) return;
    this.#slow(node, fault.factor);
    this.#after(fault.onMs, () => {
      this.#slow(node, 1);
      const periodMs = fault.onMs + fault.offMs;
      this.#after(fault.offMs, () => this.#stress(node, fault, ranMs + periodMs));
    });
  }

  #node(name: string): EngineNode {
    const node = this.#cluster.nodes.find((node) => node.name === name);
    if (node === undefined) throw new Error(`no node ${name}`);
    return node;
  }

  #after(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#guard(act);
    }, ms);
    this.#timers.add(timer);
  }
}

const comesBack = (fault: Fault): boolean =>
  fault.kind === "kill" && fault.backAfterMs !== undefined;

/** InputError for a fault that a cluster of so many nodes on this machine cannot have. */
export function checkFaults(faults: readonly Fault[], nodes: number): void {
  faults.forEach((fault, index) => {
    const place = `fault ${index + 1} (${fault.kind})`;
    const fail = (expected: string): never => {
      throw new InputError("bad-flag", place, expected);
    };
    const match = /^n([1-9]\d*)$/.exec(fault.node);
    if (match === null || Number(match[1]) > nodes) {
      fail(`expected a node from n1 to n${nodes}, found ${fault.node}`);
    }
    if (!(fault.at >= 0)) fail(`expected a time "at" of 0 ms or more, found ${fault.at}`);
    if ((fault.kind === "slow" || fault.kind === "stress") && !(fault.factor >= 1)) {
      fail(`expected a factor of 1 or more, found ${fault.factor}`);
    }
    if ((fault.kind === "pause" || fault.kind === "fill-disk") && !(fault.forMs > 0)) {
      fail(`expected "forMs" above 0, found ${fault.forMs}`);
    }
    if (fault.kind === "stress" && !(fault.onMs > 0 && fault.offMs > 0)) {
      fail(`expected "onMs" and "offMs" above 0, found ${fault.onMs} and ${fault.offMs}`);
    }
    if ((fault.kind === "slow" || fault.kind === "stress") && !tellsProcessTime()) {
      fail("slowing a node needs /proc, to see the CPU time that it gets");
    }
    if (fault.kind === "fill-disk" && !existsSync("/dev/full")) {
      fail("filling a disk needs /dev/full, to write to");
    }
  });
}
