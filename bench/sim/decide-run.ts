/**
 * `node decide-run.js DISCIPLINE NODES`: the cost of a step of the core on a cluster of that size,
 * in a separate process. The host is minimal, and only the core is timed.
 *
 * The job has 13 tasks per node on 10 slots per node, one task in twenty slow. Timing begins after
 * a simulated minute: the last tasks get their slots, then slots fall idle and are offered again
 * every 3 s. Statistics may be a second old, as on any real host.
 */
import {
  attemptId,
  createScheduler,
  instant,
  jobId,
  nodeId,
  phaseId,
  rackId,
  type Scheduler,
  SETUP_DEFAULTS,
  slotKind,
  taskId,
} from "broomwagon/core";
import {
  type Action,
  type ClusterEvent,
  type Discipline,
  parseDiscipline,
  type SpeculationPolicy,
} from "broomwagon/policies";
import { usage } from "../measure.ts";

const SLOTS = 10;
const TASKS_PER_NODE = 13;
const NODES_PER_RACK = 40;
const FROM_MS = 60_000;
const UNTIL_MS = 90_000;
const STATISTICS_MS = 1_000;

const MAP = slotKind(0);

type Launch = Extract<Action, { readonly kind: "launch" }>;
type Told = ClusterEvent extends infer E ? (E extends unknown ? Omit<E, "at"> : never) : never;

/** Simulates a cluster on which every attempt lasts for a random time, from a fixed seed. */
class BareHost {
  readonly #scheduler: Scheduler;
  /** The callbacks of each millisecond. */
  readonly #agenda = new Map<number, (() => void)[]>();
  readonly #free: number[];
  readonly #running = new Map<number, Launch>();
  #now = 0;
  #seed = 12_345;
  #inCoreMs = 0;
  steps = 0;
  decisions = 0;
  /** The time of the processor that the core took. */
  spentMs = 0;

  constructor(nodes: number, discipline: Discipline) {
    this.#free = new Array<number>(nodes).fill(SLOTS);
    const racks = Array.from({ length: Math.ceil(nodes / NODES_PER_RACK) }, (_, i) => `r${i}`);
    this.#scheduler = createScheduler(
      {
        ...SETUP_DEFAULTS,
        seed: 1,
        slotKinds: ["map"],
        racks,
        discipline,
        capabilities: [
          "slot-offers",
          "requests",
          "placement",
          "kill-restart",
          "kill-only",
          "prefer",
          "replicate",
          "recompute",
        ],
        statisticsEvery: STATISTICS_MS,
      },
      // As in the simulator: this host makes its events itself.
      { checks: false },
    );
  }

  decided(): void {
    if (this.#now >= FROM_MS) this.decisions += 1;
  }

  play(): void {
    const nodes = this.#free.length;
    for (let i = 0; i < nodes; i++) this.#join(i);
    this.#submit(nodes * TASKS_PER_NODE);
    for (let i = 0; i < nodes; i++) this.#at((i * 3_000) / nodes, () => this.#offer(i));
    this.#playUntil(FROM_MS);
    const cpu = process.cpuUsage();
    const before = performance.now();
    this.#playUntil(UNTIL_MS);
    const { user, system } = process.cpuUsage(cpu);
    // The core's share of the elapsed time, as time of the processor: the use of the machine by
    // other programs does not count.
    this.spentMs = ((user + system) / 1000) * (this.#inCoreMs / (performance.now() - before));
  }

  #playUntil(until: number): void {
    for (; this.#now < until; this.#now++) {
      for (const act of this.#agenda.get(this.#now) ?? []) act();
      this.#agenda.delete(this.#now);
    }
  }

  #at(ms: number, act: () => void): void {
    const due = Math.max(this.#now, Math.ceil(ms));
    const moment = this.#agenda.get(due);
    if (moment === undefined) this.#agenda.set(due, [act]);
    else moment.push(act);
  }

  #join(index: number): void {
    const node = {
      id: nodeId(index),
      name: `n${index}`,
      rack: rackId(Math.floor(index / NODES_PER_RACK)),
      slots: [{ kind: MAP, count: SLOTS }],
    };
    this.#tell({ kind: "node-joined", node });
  }

  #submit(tasks: number): void {
    const phase = {
      id: phaseId(0),
      name: "map",
      job: jobId(0),
      slots: [MAP],
      after: [],
      tasks: Array.from({ length: tasks }, (_, index) => ({
        id: taskId(index),
        phase: phaseId(0),
        index,
        inputBytes: 128e6,
        replicas: [0, 7, 31].map((far) => nodeId((index + far) % this.#free.length)),
        stages: [{ name: "map", share: 1 }],
      })),
    };
    const job = {
      id: jobId(0),
      name: "job",
      user: "user",
      pool: "default",
      priority: "normal" as const,
      submittedAt: instant(0),
      phases: [phase],
    };
    this.#tell({ kind: "job-submitted", job });
  }

  #offer(index: number): void {
    const free = [{ kind: MAP, count: this.#free[index] ?? 0 }];
    this.#tell({ kind: "slots-offered", node: nodeId(index), free });
  }

  #tell(what: Told): void {
    const event = { ...what, at: instant(this.#now) } as ClusterEvent;
    const before = performance.now();
    const { actions } = this.#scheduler.step(event);
    if (this.#now >= FROM_MS) {
      this.#inCoreMs += performance.now() - before;
      this.steps += 1;
    }
    for (const action of actions) this.#act(action);
  }

  #act(action: Action): void {
    if (action.kind === "launch") this.#start(action);
    else if (action.kind === "wake") this.#at(action.at, () => this.#tell({ kind: "woken" }));
    else if (action.kind === "kill") this.#end(action.attempt, "killed");
  }

  #start(launch: Launch): void {
    const { attempt, task, node, as, request } = launch;
    this.#running.set(attempt, launch);
    this.#free[node] = (this.#free[node] ?? 0) - 1;
    const lastsMs = Math.round((30_000 + 120_000 * this.#draw()) * this.#slowness(as));
    // As the simulator reports an attempt of one stage.
    const progress = {
      kind: "line" as const,
      startedAt: instant(this.#now),
      scorePerMs: 1 / lastsMs,
      bytesReadPerMs: 128e6 / lastsMs,
      reportEvery: 0,
    };
    const started = { kind: "attempt-started" as const, attempt, task, node, as, progress };
    this.#at(this.#now, () =>
      this.#tell(request === undefined ? started : { ...started, request }),
    );
    this.#at(this.#now + lastsMs, () => this.#end(attempt, "succeeded"));
  }

  #slowness(as: Launch["as"]): number {
    return as === "original" && this.#draw() < 0.05 ? 3 + 7 * this.#draw() : 1;
  }

  #end(id: number, how: "succeeded" | "killed"): void {
    const launch = this.#running.get(id);
    if (launch === undefined) return;
    this.#running.delete(id);
    this.#free[launch.node] = (this.#free[launch.node] ?? 0) + 1;
    const attempt = attemptId(id);
    this.#at(this.#now, () => {
      if (how === "killed") this.#tell({ kind: "attempt-killed", attempt, by: "us" });
      else this.#tell({ kind: "attempt-succeeded", attempt, output: { bytes: 1e6, records: 0 } });
      this.#offer(launch.node);
    });
  }

  /** Park and Miller: 0 to 1, the same in every run. */
  #draw(): number {
    this.#seed = (this.#seed * 48_271) % 2_147_483_647;
    return this.#seed / 2_147_483_647;
  }
}

/** The same policy, counting each question. */
function counting(policy: SpeculationPolicy, count: () => void): SpeculationPolicy {
  const { onContendedSlot, onIdleSlot, scan } = policy;
  return {
    ...policy,
    ...(onContendedSlot && {
      onContendedSlot: (ctx, job, slot) => {
        count();
        return onContendedSlot.call(policy, ctx, job, slot);
      },
    }),
    ...(onIdleSlot && {
      onIdleSlot: (ctx, job, slot) => {
        count();
        return onIdleSlot.call(policy, ctx, job, slot);
      },
    }),
    ...(scan && {
      scan: (ctx) => {
        count();
        return scan.call(policy, ctx);
      },
    }),
  };
}

const [name = "", size = ""] = process.argv.slice(2);
const nodes = Number(size);
const total = { steps: 0, decisions: 0, spentMs: 0 };
// Runs on small clusters end before the compiler is warm.
const warmUps = 3;
const plays = Math.max(1, Math.round(2_000 / nodes));
for (let i = -warmUps; i < plays; i++) {
  const host = play(i < 0 ? Math.min(nodes, 300) : nodes);
  if (i < 0) continue;
  total.steps += host.steps;
  total.decisions += host.decisions;
  total.spentMs += host.spentMs;
}
console.log(JSON.stringify({ ...total, ...usage() }));

function play(nodes: number): BareHost {
  const discipline = parseDiscipline(name);
  const host: BareHost = new BareHost(nodes, {
    ...discipline,
    speculation: {
      ...discipline.speculation,
      policy: counting(discipline.speculation.policy, () => host.decided()),
    },
  });
  host.play();
  return host;
}
