import { existsSync } from "node:fs";
import { assert, never } from "../../../base/assert.ts";
import type { Chance } from "../../../base/chance.ts";
import { InputError } from "../../../base/input-error.ts";
import { type Fault, type NodeFault, namesMeant } from "../../../model/fault.ts";
import { type Course, coursesOf, type Moment, recurs } from "../../../model/fault-course.ts";
import { tellsProcessTime } from "../throttle/process-time.ts";
import { Throttle } from "../throttle/throttle.ts";
import type { Cluster } from "./cluster.ts";
import type { EngineNode } from "./engine-node.ts";

/** Does to the nodes what the faults say, for real. The scheduler is told nothing of it. */
export class Faults {
  readonly #courses: readonly Course[];
  readonly #cluster: Cluster;
  readonly #guard: (act: () => void) => void;
  readonly #told: (node: EngineNode, what: string) => void;
  readonly #throttle = new Throttle();
  readonly #timers = new Set<NodeJS.Timeout>();
  #beganAt = 0;
  /** Deaths of nodes: settled when the process is gone. */
  readonly #gone = new Map<EngineNode, Promise<void>>();
  #throttles = false;
  /** Courses in which a node will still come back from the dead. */
  #returns: number;

  constructor(query: {
    readonly faults: readonly Fault[];
    readonly seed: number;
    readonly cluster: Cluster;
    readonly guard: (act: () => void) => void;
    readonly told: (node: EngineNode, what: string) => void;
  }) {
    const nodes = query.cluster.nodes.map(({ name }) => name);
    this.#courses = coursesOf(query.faults, { nodes, racks: [], seed: query.seed });
    this.#cluster = query.cluster;
    this.#guard = query.guard;
    this.#told = query.told;
    this.#returns = this.#courses.filter(({ fault }) => comesBack(fault)).length;
  }

  /** Times count from now: the job was submitted. */
  begin(): void {
    this.#beganAt = performance.now();
    for (const course of this.#courses) this.#await(course);
  }

  #await(course: Course): void {
    const { value } = course.moments.next();
    if (value === undefined) return;
    this.#after(value.at - (performance.now() - this.#beganAt), () => {
      if (value.is === "begin") this.#do(course, value);
      else this.#undo(course);
      this.#await(course);
    });
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

  #do({ fault, target }: Course, { strength, forMs }: Begin): void {
    const node = this.#node(target);
    switch (fault.kind) {
      case "slow":
      case "stress":
        this.#slow(node, strength);
        break;
      case "pause":
        this.#pause(node, forMs);
        break;
      case "kill":
        this.#kill(node);
        break;
      case "lose-outputs":
        this.#told(node, "outputs removed");
        node.tell({ kind: "lose-outputs" });
        break;
      case "fill-disk":
        this.#told(node, `disk full for ${forMs / 1000} s`);
        node.tell({ kind: "fill-disk", full: true });
        break;
      case "load":
      case "evict":
      case "congestion":
        assert(false, "what the engine cannot do was refused");
        break;
      default:
        never(fault);
    }
  }

  #undo({ fault, target }: Course): void {
    const node = this.#node(target);
    switch (fault.kind) {
      case "slow":
      case "stress":
        this.#slow(node, 1);
        break;
      case "pause":
        node.paused = false;
        this.#told(node, "goes on");
        this.refresh();
        break;
      case "kill":
        // Its old process must be quite gone before another takes its directory.
        void this.#gone.get(node)?.then(() => this.#guard(() => this.#back(fault, node)));
        break;
      case "fill-disk":
        this.#told(node, "disk has room again");
        node.tell({ kind: "fill-disk", full: false });
        break;
      case "lose-outputs":
      case "load":
      case "evict":
      case "congestion":
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
  }

  #kill(node: EngineNode): void {
    this.#told(node, "killed");
    const gone = this.#cluster.kill(node).then(() => {
      this.#guard(() => this.refresh());
    }, this.#fail);
    this.#gone.set(node, gone);
  }

  readonly #fail = (error: unknown): void =>
    this.#guard(() => {
      throw error;
    });

  #back(fault: Fault, node: EngineNode): void {
    if (!recurs(fault)) this.#returns--;
    // It was killed twice, and has come back already.
    if (!node.killed) return;
    this.#told(node, "comes back, empty");
    this.#cluster.revive(node);
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

type Begin = Extract<Moment, { readonly is: "begin" }>;

const comesBack = (fault: Fault): boolean =>
  fault.kind === "kill" && fault.backAfterMs !== undefined;

/** InputError for a fault that a cluster of so many nodes on this machine cannot have. */
export function checkFaults(faults: readonly Fault[], nodes: number): void {
  const names = Array.from({ length: nodes }, (_, index) => `n${index + 1}`);
  for (const [index, fault] of faults.entries()) {
    const fail = (expected: string): never => {
      throw new InputError("bad-flag", `fault ${index + 1} (${fault.kind})`, expected);
    };
    checkFault(fault, names, fail);
  }
}

type Fail = (expected: string) => never;

function checkFault(fault: Fault, names: readonly string[], fail: Fail): void {
  if (fault.kind === "congestion" || fault.kind === "load" || fault.kind === "evict") {
    fail("only the simulator does this; here slow, stress, pause, kill and losses work");
  }
  checkTarget(fault, names, fail);
  checkNumbers(fault, fail);
  if ((fault.kind === "slow" || fault.kind === "stress") && !tellsProcessTime()) {
    fail("slowing a node needs /proc, to see the CPU time that it gets");
  }
  if (fault.kind === "fill-disk" && !existsSync("/dev/full")) {
    fail("filling a disk needs /dev/full, to write to");
  }
  if (fault.kind === "lose-outputs" && (fault.share ?? 1) !== 1) {
    fail("only the simulator loses a share of the outputs; here all of a node's go");
  }
}

function checkTarget({ node, pick = 1 }: NodeFault, names: readonly string[], fail: Fail): void {
  const meant = namesMeant(node, names);
  if (meant.length === 0) {
    fail(`expected a node from n1 to n${names.length}, found ${node}`);
  }
  if (pick > meant.length) fail(`expected "pick" of at most ${meant.length}, found ${pick}`);
}

/** Of numbers that are drawn, what a file may hold was checked when it was read. */
function checkNumbers(fault: NodeFault, fail: Fail): void {
  const { at } = fault;
  if (isWrong(at, (ms) => ms >= 0)) fail(`expected a time "at" of 0 ms or more, found ${at}`);
  if (fault.kind === "slow" || fault.kind === "stress") {
    const { factor } = fault;
    if (isWrong(factor, (times) => times >= 1)) {
      fail(`expected a factor of 1 or more, found ${factor}`);
    }
  }
  if (fault.kind === "pause" || fault.kind === "fill-disk") {
    const { forMs } = fault;
    if (isWrong(forMs, (ms) => ms > 0)) fail(`expected "forMs" above 0, found ${forMs}`);
  }
  if (fault.kind === "stress" && !(fault.onMs > 0 && fault.offMs > 0)) {
    fail(`expected "onMs" and "offMs" above 0, found ${fault.onMs} and ${fault.offMs}`);
  }
}

const isWrong = (chance: Chance, isRight: (value: number) => boolean): boolean =>
  typeof chance === "number" && !isRight(chance);
