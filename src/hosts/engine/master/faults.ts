import { assert, defined, never } from "../../../base/assert.ts";
import { split } from "../../../base/random.ts";
import type { Fault, LinksTaken, NodeFault, RackFault } from "../../../model/fault.ts";
import { coursesOf, type FaultCourse, type Moment, recurs } from "../../../model/fault-course.ts";
import { AwaitedFaults, type MissedFault } from "../../../model/missed-fault.ts";
import type { SlowFacts } from "../../../run/run-result.ts";
import { Throttle } from "../throttle/throttle.ts";
import type { Cluster } from "./cluster.ts";
import { TIMER_MS_MAX } from "./driver.ts";
import type { EngineNode } from "./engine-node.ts";
import { evict, loseSomeOutputs } from "./losses.ts";
import type { MasterContext } from "./master-context.ts";
import type { RackEvents } from "./rack-events.ts";

/** Carries out faults on the nodes. The scheduler is not told. */
export class Faults {
  readonly #courses: FaultCourse[];
  readonly #seed: number;
  readonly #cluster: Cluster;
  readonly #context: MasterContext;
  readonly #racks: RackEvents;
  readonly #guard: (act: () => void) => void;
  readonly #throttle = new Throttle();
  /** What slows a node now. Of several faults of one kind the last counts, as in the simulator. */
  readonly #slowed = new Map<EngineNode, { slow: number; stress: number }>();
  /** Milliseconds since the faults began. */
  readonly #pausedUntil = new Map<EngineNode, number>();
  readonly #awaited = new AwaitedFaults();
  readonly #timers = new Set<NodeJS.Timeout>();
  #beganAt = 0;
  /** When each node was last due to be killed. */
  readonly #killedAt = new Map<EngineNode, number>();
  /** Deaths of nodes; each promise resolves when the process is gone. */
  readonly #gone = new Map<EngineNode, Promise<void>>();
  #throttles = false;
  /** Faults after which a dead node still returns. */
  #returns: number;

  constructor(query: {
    readonly faults: readonly Fault[];
    readonly seed: number;
    readonly cluster: Cluster;
    readonly context: MasterContext;
    readonly racks: RackEvents;
    readonly guard: (act: () => void) => void;
  }) {
    const { faults, seed, cluster, context, racks } = query;
    const nodes = cluster.nodes.map(({ name }) => name);
    this.#courses = [...coursesOf(faults, { nodes, racks: racks.names, seed })];
    this.#seed = seed;
    this.#cluster = cluster;
    this.#context = context;
    this.#racks = racks;
    this.#guard = query.guard;
    this.#returns = this.#courses.filter(({ fault }) => comesBack(fault)).length;
  }

  /** Starts the clock of the faults: the job was submitted. */
  begin(): void {
    this.#beganAt = performance.now();
    for (const course of this.#courses) this.#await(course);
  }

  /** Starts another fault; its times count from now, or from `begin` if that comes later. */
  inject(fault: Fault): void {
    const begun = this.#beganAt > 0;
    const passedMs = begun ? performance.now() - this.#beganAt : 0;
    const { nodes } = this.#cluster;
    const of = { nodes: nodes.map(({ name }) => name), racks: this.#racks.names, seed: this.#seed };
    if (comesBack(fault)) this.#returns++;
    for (const course of coursesOf([fault], of)) {
      const late = { ...course, moments: later(course.moments, passedMs) };
      if (begun) this.#await(late);
      else this.#courses.push(late);
    }
  }

  #await(course: FaultCourse): void {
    const { value } = course.moments.next();
    if (value === undefined) return;
    this.#awaited.await(course, value);
    this.#after(value.at - (performance.now() - this.#beganAt), () => {
      this.#awaited.happened(course);
      if (value.is === "begin") this.#begin(course, value);
      else this.#end(course, value.at);
      this.#await(course);
    });
  }

  /** Updates the throttle, which depends on what the nodes are doing now. */
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

  /** Faults that have not happened to their targets. */
  get missed(): readonly MissedFault[] {
    return this.#awaited.missed;
  }

  /** Undefined for a node that was never slowed. */
  slownessOf(node: EngineNode): SlowFacts | undefined {
    const account = this.#throttle.account(node.name);
    if (account === undefined || account.gotMs === 0) return undefined;
    return {
      factor: account.factorMs / account.forMs,
      achieved: account.unslowedMs / account.gotMs,
      forMs: Math.round(account.forMs),
    };
  }

  /** Whether a killed node is still due to return. */
  get awaitsReturn(): boolean {
    return this.#returns > 0;
  }

  cancel(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** Stops the throttle; called after the nodes have ended. */
  stop(): Promise<void> {
    this.cancel();
    return this.#throttle.stop();
  }

  #begin(course: FaultCourse, moment: Begin): void {
    const { fault, target } = course;
    if (fault.kind === "congestion") this.#racks.congest(course, target, taken(fault, moment));
    else this.#inflict(this.#node(target), fault, { course, moment });
  }

  #inflict(node: EngineNode, fault: NodeFault, at: { course: FaultCourse; moment: Begin }): void {
    const { strength, forMs, ordinal } = at.moment;
    const chance = split(at.course.stream, ordinal);
    switch (fault.kind) {
      case "slow":
      case "stress":
        this.#slow(node, fault.kind, strength);
        break;
      case "pause":
        this.#pause(node, at.moment);
        break;
      case "kill":
        this.#kill(node, at.moment.at);
        break;
      case "lose-outputs":
        if (strength < 1) loseSomeOutputs(this.#context, node, { share: strength, chance });
        else {
          this.#begins(node, "lose-outputs", "outputs removed");
          node.send({ kind: "lose-outputs" });
        }
        break;
      case "evict": {
        const { count = 1, share } = fault;
        const which = share === undefined ? { count } : { share: strength };
        evict(this.#context, node, { ...which, chance });
        break;
      }
      case "fill-disk":
        this.#begins(node, "fill-disk", `disk full for ${forMs / 1000} s`);
        node.send({ kind: "fill-disk", full: true });
        break;
      case "load":
        assert(false, "what the engine cannot do was refused");
        break;
      default:
        never(fault);
    }
  }

  #end(course: FaultCourse, at: number): void {
    const { fault, target } = course;
    if (fault.kind === "congestion") {
      this.#racks.ease(course, target);
      return;
    }
    const node = this.#node(target);
    switch (fault.kind) {
      case "slow":
      case "stress":
        this.#slow(node, fault.kind, 1);
        break;
      case "pause":
        this.#goOn(node, at);
        break;
      case "kill":
        // The old process must be gone before another takes its directory.
        void this.#gone.get(node)?.then(() => this.#guard(() => this.#back(fault, node, at)));
        break;
      case "fill-disk":
        this.#ends(node, "fill-disk", "disk has room again");
        node.send({ kind: "fill-disk", full: false });
        break;
      case "lose-outputs":
      case "load":
      case "evict":
        break;
      default:
        never(fault);
    }
  }

  #slow(node: EngineNode, kind: "slow" | "stress", factor: number): void {
    const slowed = this.#slowed.get(node) ?? { slow: 1, stress: 1 };
    slowed[kind] = factor;
    this.#slowed.set(node, slowed);
    node.slowedBy = slowed.slow * slowed.stress;
    this.#throttles = true;
    if (node.slowedBy === 1) this.#ends(node, "slow", "no longer slowed");
    else this.#begins(node, "slow", `slowed ${node.slowedBy}-fold`);
    this.refresh();
  }

  #pause(node: EngineNode, { at, forMs }: Begin): void {
    this.#pausedUntil.set(node, Math.max(this.#pausedUntil.get(node) ?? 0, at + forMs));
    node.paused = true;
    this.#throttles = true;
    this.#begins(node, "pause", `paused for ${forMs / 1000} s`);
    this.refresh();
  }

  /** The node resumes unless another pause lasts longer. */
  #goOn(node: EngineNode, at: number): void {
    if (at < (this.#pausedUntil.get(node) ?? 0)) return;
    node.paused = false;
    this.#ends(node, "pause", "goes on");
    this.refresh();
  }

  #kill(node: EngineNode, at: number): void {
    this.#begins(node, "kill", "killed");
    this.#killedAt.set(node, Math.max(at, this.#killedAt.get(node) ?? 0));
    const gone = this.#cluster.crash(node).then(() => {
      this.#guard(() => this.refresh());
    }, this.#fail);
    this.#gone.set(node, gone);
  }

  readonly #fail = (error: unknown): void =>
    this.#guard(() => {
      throw error;
    });

  /** `at` is the time at which the node is due to return. */
  #back(fault: Fault, node: EngineNode, at: number): void {
    if (!recurs(fault)) this.#returns--;
    // Skips a return that is out of date: the node was killed twice and is already back, or its
    // process took so long to end that the next kill was due first. Late timers may fire in another
    // order.
    if (!node.killed || (this.#killedAt.get(node) ?? 0) > at) return;
    this.#ends(node, "kill", "comes back, empty");
    this.#cluster.revive(node);
  }

  #node(name: string): EngineNode {
    return defined(
      this.#cluster.nodes.find((node) => node.name === name),
      `node ${name}`,
    );
  }

  #begins({ name: node }: EngineNode, fault: NodeFault["kind"], what: string): void {
    this.#context.fault({ node, what, fault, is: "begin" });
  }

  #ends({ name: node }: EngineNode, fault: NodeFault["kind"], what: string): void {
    this.#context.fault({ node, what, fault, is: "end" });
  }

  #after(ms: number, act: () => void): void {
    // Timers count whole milliseconds; rounding up keeps faults that are due together in order.
    const whole = Math.min(Math.ceil(ms), TIMER_MS_MAX);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (ms > whole) this.#after(ms - whole, act);
      else this.#guard(act);
    }, whole);
    this.#timers.add(timer);
  }
}

type Begin = Extract<Moment, { readonly is: "begin" }>;

function* later(moments: Iterator<Moment, undefined>, ms: number): Generator<Moment, undefined> {
  for (let { value } = moments.next(); value !== undefined; { value } = moments.next()) {
    yield { ...value, at: value.at + ms };
  }
  return undefined;
}

const taken = ({ way = "both" }: RackFault, { strength }: Begin): LinksTaken => ({
  up: way === "down" ? 0 : strength,
  down: way === "up" ? 0 : strength,
});

const comesBack = (fault: Fault): boolean =>
  fault.kind === "kill" && fault.backAfterMs !== undefined;
