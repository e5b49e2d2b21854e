import { createScheduler, type Scheduler } from "../../src/core/index.ts";
import { SETUP_DEFAULTS } from "../../src/core/state/setup.ts";
import type { Action } from "../../src/model/action.ts";
import { CAPABILITIES } from "../../src/model/cluster.ts";
import type { ClusterEvent } from "../../src/model/event.ts";
import {
  type AttemptId,
  attemptId,
  instant,
  nodeId,
  type RequestId,
  rackId,
  slotKind,
} from "../../src/model/ids.ts";
import type { Task } from "../../src/model/job.ts";
import { NO_AMOUNTS, type ReportedProgress } from "../../src/model/progress.ts";
import { parseDiscipline } from "../../src/policy/discipline.ts";
import { buildJob, SLOT_KINDS } from "./jobs.ts";

/** An attempt of the mock: new until a slot is free. */
interface MockAttempt {
  readonly task: Task;
  readonly phase: "map" | "reduce";
  readonly number: number;
  readonly request?: RequestId;
  state: "new" | "running" | "succeeded" | "killed";
  id?: AttemptId;
  startedAt: number;
  shuffledAt: number;
}

export interface Speculation {
  readonly atS: number;
  readonly task: string;
  readonly gainMs: number;
}

const SLOTS = 600;
const NEEDS = { map: 3, reduce: 4 } as const;
const float = Math.fround;

/**
 * The mock world of Hadoop's TestRuntimeEstimators: 200 maps and 150 reduces in 600 slots, ticks of
 * a second from 1 s on, a look every ten. Every fortieth task takes 600 s instead of 200 in its
 * first attempt. A task's state is computed from the clock at each look.
 */
export class EstimatorsWorld {
  readonly speculations: Speculation[] = [];
  /** When copies were started, by task, in s. */
  readonly copiesStarted = new Map<string, number>();
  /** When copies won, by task, in s. */
  readonly won = new Map<string, number>();
  endedAtS = 0;
  readonly #scheduler: Scheduler;
  readonly #tasks: { readonly task: Task; readonly attempts: MockAttempt[] }[] = [];
  readonly #maps: number;
  #free = SLOTS;
  #now = 0;
  #nextId = 0;
  #done = { map: 0, reduce: 0 };

  constructor(discipline: string, sets: readonly string[] = []) {
    this.#scheduler = createScheduler({
      ...SETUP_DEFAULTS,
      seed: 1,
      slotKinds: SLOT_KINDS,
      racks: ["r1"],
      capabilities: CAPABILITIES,
      discipline: parseDiscipline(discipline, [
        "speculation.speculativeCapRunning=0.1",
        "speculation.speculativeCapTotal=0.001",
        "speculation.minimumAllowedTasks=5",
        "speculation.retryAfterNoSpeculateMs=10000",
        "speculation.retryAfterSpeculateMs=10000",
        ...sets,
      ]),
    });
    const slots = [200, 150].map((count, kind) => ({ kind: slotKind(kind), count }));
    this.#step({
      kind: "node-joined",
      node: { id: nodeId(0), name: "n1", rack: rackId(0), slots },
    });
    const job = buildJob(
      { maps: 200, reduces: 150, start: { when: "pipelined" } },
      { job: 0, phase: 0, task: 0 },
      { kinds: SLOT_KINDS, submittedAt: 0, name: "job", node: () => nodeId(0) },
    );
    this.#maps = 200;
    for (const phase of job.phases) {
      for (const task of phase.tasks) this.#add(task, phase.name === "map" ? "map" : "reduce", []);
    }
    this.#step({ kind: "job-submitted", job });
  }

  get successes(): number {
    return this.won.size;
  }

  run(): this {
    this.#now = 1_000;
    while (this.#tick()) {
      this.#now += 1_000;
      if (this.#now % 10_000 === 0) this.#step({ kind: "woken" });
      if (this.#now > 5_000_000) throw new Error("it never ends");
    }
    return this;
  }

  /** coreTestEstimator's loop: starts new attempts that fit, and reports all running ones. */
  #tick(): boolean {
    let undone = false;
    for (const { attempts } of this.#tasks) {
      if (!attempts.some((attempt) => this.#stateOf(attempt) === "succeeded")) undone = true;
      for (const attempt of [...attempts]) {
        if (attempt.state === "new" && this.#free >= NEEDS[attempt.phase]) this.#start(attempt);
        else if (this.#stateOf(attempt) === "running") this.#report(attempt);
      }
    }
    if (!undone) this.endedAtS = this.#now / 1_000;
    return undone;
  }

  #add(task: Task, phase: "map" | "reduce", attempts: MockAttempt[], request?: RequestId): void {
    attempts.push({
      task,
      phase,
      number: attempts.length,
      ...(request === undefined ? {} : { request }),
      state: "new",
      startedAt: 0,
      shuffledAt: Number.POSITIVE_INFINITY,
    });
    if (attempts.length === 1) this.#tasks.push({ task, attempts });
  }

  #start(attempt: MockAttempt): void {
    const { task, phase, request, number } = attempt;
    attempt.state = "running";
    attempt.startedAt = this.#now;
    attempt.id = attemptId(this.#nextId++);
    this.#free -= NEEDS[phase];
    if (number > 0) this.copiesStarted.set(nameOf(attempt), this.#now / 1_000);
    this.#step({
      kind: "attempt-started",
      attempt: attempt.id,
      task: task.id,
      node: nodeId(0),
      as: number === 0 ? "original" : "speculative",
      progress: this.#reported(0),
      ...(request === undefined ? {} : { request }),
    });
  }

  #report(attempt: MockAttempt): void {
    if (attempt.id === undefined) return;
    const progress = this.#reported(this.#progress(attempt));
    this.#step({ kind: "attempt-progressed", attempt: attempt.id, progress });
  }

  /** MyTaskAttemptImpl.getState: a look ends the attempt. */
  #stateOf(attempt: MockAttempt): MockAttempt["state"] {
    if (attempt.state !== "running" || this.#progress(attempt) < 1) return attempt.state;
    attempt.state = "succeeded";
    this.#free += NEEDS[attempt.phase];
    this.#done[attempt.phase]++;
    if (attempt.id !== undefined) {
      const output = { bytes: 0, records: 0 };
      this.#step({ kind: "attempt-succeeded", attempt: attempt.id, output });
    }
    const { attempts = [] } = this.#tasks.find(({ task }) => task === attempt.task) ?? {};
    for (const other of attempts) {
      // An original that wins leaves its copy running.
      if (other === attempt || other.number > attempt.number || other.state !== "running") continue;
      other.state = "killed";
      this.won.set(nameOf(attempt), this.#now / 1_000);
      this.#free += NEEDS[other.phase];
    }
    return "succeeded";
  }

  #progress(attempt: MockAttempt): number {
    return attempt.phase === "map" ? this.#mapProgress(attempt) : this.#reduceProgress(attempt);
  }

  #mapProgress(attempt: MockAttempt): number {
    const ran = float(this.#now - attempt.startedAt);
    return Math.min(float(ran / float(runtimeS(attempt) * 1_000)), 1);
  }

  #reduceProgress(attempt: MockAttempt): number {
    if (this.#done.map < this.#maps) return float(float(this.#done.map / this.#maps) * 0.5);
    attempt.shuffledAt = Math.min(attempt.shuffledAt, this.#now);
    const ran = float(this.#now - attempt.shuffledAt);
    return Math.min(float(float(ran / float(runtimeS(attempt) * 2_000)) + 0.5), 1);
  }

  #reported(score: number): ReportedProgress {
    const at = instant(this.#now);
    return { kind: "reported", at, changedAt: at, stage: 0, ...NO_AMOUNTS, score };
  }

  #step(event: Timeless): void {
    const { actions } = this.#scheduler.step({ ...event, at: instant(this.#now) } as ClusterEvent);
    for (const action of actions) if (action.kind === "request") this.#speculate(action);
    for (const action of actions) {
      if (action.kind !== "kill") continue;
      this.#step({ kind: "attempt-killed", attempt: action.attempt, by: "us" });
    }
  }

  #speculate({ task: id, request, why }: Extract<Action, { kind: "request" }>): void {
    const found = this.#tasks.find(({ task }) => task.id === id);
    const first = found?.attempts[0];
    if (found === undefined || first === undefined) throw new Error("no such task");
    const { gainMs } = why.numbers;
    this.speculations.push({
      atS: this.#now / 1_000,
      task: nameOf(first),
      gainMs: typeof gainMs === "number" ? gainMs : Number.NaN,
    });
    this.#add(found.task, first.phase, found.attempts, request);
  }
}

type Timeless = ClusterEvent extends infer E ? (E extends unknown ? Omit<E, "at"> : never) : never;

const nameOf = ({ phase, task }: MockAttempt): string => `${phase}/${task.index}`;

/** getCodeRuntime. */
function runtimeS({ task: { index }, number }: MockAttempt): number {
  if (index % 4 === 1) return 150;
  if (index % 4 === 3) return 250;
  return index % 40 === 0 && number === 0 ? 600 : 200;
}
