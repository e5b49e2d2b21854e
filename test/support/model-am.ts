import { assert, defined } from "../../src/base/assert.ts";
import { nextFloat, type RandomState, randomState } from "../../src/base/random.ts";
import type { AmLine } from "../../src/hosts/yarn/policy/am-line.ts";
import type { FactsLine } from "../../src/hosts/yarn/policy/facts.ts";
import type { CopyLine, PolicyLine } from "../../src/hosts/yarn/policy/policy-line.ts";

export interface ModelJob {
  readonly seed: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly placement: boolean;
  readonly nodes: number;
  readonly slotsPerNode: number;
  readonly maps: number;
  readonly reduces: number;
  /** The chances per tick that a node is lost, and that an attempt fails. */
  readonly lossChance: number;
  readonly failureChance: number;
}

interface ModelTask {
  readonly name: string;
  readonly isMap: boolean;
  readonly attempts: ModelAttempt[];
  winner: ModelAttempt | undefined;
  failures: number;
}

interface ModelAttempt {
  readonly name: string;
  readonly task: ModelTask;
  readonly isCopy: boolean;
  state: "asks" | "runs" | "dies" | "over";
  host: string;
  done: number;
  /** Ticks until its container is cleaned up. */
  dyingFor: number;
}

interface Parked {
  readonly line: CopyLine;
  readonly until: number;
}

const MB_PER_SLOT = 256;
const FAILURES_MAX = 4;
const COPY_TICKS_MAX = 10;

/**
 * A small pure ApplicationMaster with the rules of Hadoop's TaskImpl that an observer can see: a
 * killed attempt is always replaced, a failed one only if no other runs, the first success kills
 * the others, and finished maps of a lost node are lost. Checks that no command breaks the
 * protocol.
 */
export class ModelAm {
  readonly #job: ModelJob;
  readonly #chance: RandomState;
  readonly #tell: (line: AmLine | FactsLine) => void;
  readonly #tasks: ModelTask[] = [];
  readonly #byName = new Map<string, ModelAttempt>();
  readonly #lost = new Map<string, number>();
  #parked: Parked[] = [];
  #commands: PolicyLine[] = [];
  readonly #copies = new Set<number>();
  #lastCommand = 0;
  #at = 1_000_000;
  #tick = 0;
  #tocks = 0;
  state: "runs" | "succeeded" | "failed" = "runs";
  readonly seen = { copies: 0, kills: 0, withdrawals: 0, timeOuts: 0, lost: 0, won: 0 };

  constructor(job: ModelJob, tell: (line: AmLine | FactsLine) => void) {
    this.#job = job;
    this.#chance = randomState(job.seed, "model-am");
    this.#tell = tell;
    for (const [isMap, count] of [
      [true, job.maps],
      [false, job.reduces],
    ] as const) {
      for (let i = 0; i < count; i++) {
        const name = `${isMap ? "m" : "r"}_${String(i).padStart(6, "0")}`;
        this.#tasks.push({ name, isMap, attempts: [], winner: undefined, failures: 0 });
      }
    }
  }

  /** The child's messages; commands wait for the AM's own thread. */
  hear(line: PolicyLine): void {
    if (line.type === "tock") this.#tocks++;
    if (!("command" in line)) return;
    assert(line.command > this.#lastCommand, "commands are numbered upwards");
    this.#lastCommand = line.command;
    this.#commands.push(line);
    if (line.type === "copy") this.#checkCopy(line);
    if (line.type === "kill") {
      assert(this.#byName.has(line.attempt), "what is killed has been told of");
    }
    if (line.type === "withdraw") assert(this.#copies.has(line.of), "what is withdrawn was asked");
  }

  run(ticksMax: number): void {
    this.#greet();
    for (const task of this.#tasks) if (task.isMap) this.#add(task, false);
    while (this.state === "runs" && this.#tick < ticksMax) this.#oneTick();
    assert(this.#tocks === this.#tick, "each tick is answered");
    const job = "job_1_0001";
    this.#tell({ type: "job-ended", at: this.#at, job, state: this.state });
  }

  #greet(): void {
    const { maps, nodes, placement, reduces, settings, slotsPerNode } = this.#job;
    const task = { memoryMb: MB_PER_SLOT, vcores: 1, speculation: true };
    const conf = { slowstart: 0.5, map: task, reduce: task, resourceManagers: [] };
    const at = this.#at;
    const rest = { application: "application_1_0001", amAttempt: 1, journal: "/tmp/j", settings };
    const capabilities = { placement, withdraw: placement };
    this.#tell({ type: "hello", at, protocol: 1, ...rest, capabilities, conf });
    const splits = Array.from({ length: maps }, (_, i) => ({
      bytes: 1_000_000,
      hosts: [`n${(i % nodes) + 1}`],
    }));
    const job = { job: "job_1_0001", name: "model", user: "ann", queue: "default" };
    this.#tell({ type: "job", at, ...job, submittedAt: at, maps: splits, reduces });
    const facts = Array.from({ length: nodes }, (_, i) => ({
      host: `n${i + 1}`,
      rack: `/rack${i % 2}`,
      state: "RUNNING",
      memoryMb: MB_PER_SLOT * slotsPerNode,
      vcores: slotsPerNode,
    }));
    this.#tell({ type: "facts", nodes: facts });
  }

  #oneTick(): void {
    this.#tick++;
    this.#at += 1_000;
    this.#obey();
    this.#grant();
    this.#place();
    this.#work();
    this.#cleanUp();
    this.#loseNodes();
    this.#startReduces();
    this.#judge();
    if (this.state !== "runs") this.#refuseAll();
    this.#tell({ type: "tick", at: this.#at, tick: this.#tick });
  }

  #obey(): void {
    for (const line of this.#commands.splice(0)) {
      if (line.type === "copy") this.#parked.push({ line, until: this.#tick + COPY_TICKS_MAX });
      else if (line.type === "kill") this.#kill(line.command, line.attempt);
      else if (line.type === "withdraw") this.#withdraw(line.command, line.of);
    }
  }

  #kill(command: number, name: string): void {
    const attempt = defined(this.#byName.get(name), name);
    if (attempt.state !== "runs") {
      this.#refuse(command, "not-running");
      return;
    }
    this.seen.kills++;
    this.#tell({ type: "done", at: this.#at, command });
    this.#letDie(attempt);
  }

  #withdraw(command: number, of: number): void {
    const parked = this.#parked.find(({ line }) => line.command === of);
    if (parked === undefined) {
      this.#refuse(command, "too-late");
      return;
    }
    this.seen.withdrawals++;
    this.#parked = this.#parked.filter((one) => one !== parked);
    this.#refuse(of, "withdrawn");
    this.#tell({ type: "done", at: this.#at, command });
  }

  /** Copies get containers on allowed nodes. */
  #grant(): void {
    for (const parked of this.#parked.splice(0)) {
      const { command, task: name, where } = parked.line;
      const task = this.#task(name);
      if (!this.#isRunning(task)) {
        this.#refuse(command, "not-running");
        continue;
      }
      const hosts = where.on === "any" ? this.#hosts() : where.hosts;
      const free = hosts.filter((host) => this.#freeOn(host) > 0);
      const host = free[Math.floor(this.#draw() * free.length)];
      if (host !== undefined) {
        const attempt = this.#add(task, true);
        this.#tell({ type: "done", at: this.#at, command, attempt: attempt.name });
        this.#start(attempt, host);
        this.seen.copies++;
      } else if (this.#tick >= parked.until) {
        this.seen.timeOuts++;
        this.#refuse(command, "time-out");
      } else this.#parked.push(parked);
    }
  }

  #refuse(command: number, reason: string): void {
    this.#tell({ type: "refused", at: this.#at, command, reason });
  }

  #refuseAll(): void {
    for (const { line } of this.#parked.splice(0)) this.#refuse(line.command, "job-ended");
  }

  #place(): void {
    for (const attempt of this.#byName.values()) {
      if (attempt.state !== "asks") continue;
      const free = this.#hosts().filter((host) => this.#freeOn(host) > 0);
      const host = free[Math.floor(this.#draw() * free.length)];
      if (host !== undefined) this.#start(attempt, host);
    }
  }

  #start(attempt: ModelAttempt, host: string): void {
    attempt.state = "runs";
    attempt.host = host;
    const { name, isCopy, task } = attempt;
    const rack = `/rack${(Number(host.slice(1)) - 1) % 2}`;
    const at = this.#at;
    const rest = { task: task.name, host, rack, copy: isCopy };
    this.#tell({ type: "started", at, attempt: name, ...rest });
  }

  /** n1 is ten times as slow as the others. */
  #work(): void {
    for (const attempt of this.#running()) {
      if (this.#lost.has(attempt.host) || attempt.state !== "runs") continue;
      const { isMap } = attempt.task;
      if (isMap || this.#areMapsDone() || attempt.done < 0.3) {
        attempt.done += (attempt.host === "n1" ? 0.01 : 0.1) * (0.8 + 0.4 * this.#draw());
      }
      if (this.#draw() < this.#job.failureChance) this.#fail(attempt);
      else if (attempt.done >= 1) this.#succeed(attempt);
      else this.#report(attempt);
    }
  }

  #report({ name, task: { isMap }, done }: ModelAttempt): void {
    const hasReduces = this.#job.reduces > 0;
    const phase = isMap ? "MAP" : done < 0.33 ? "SHUFFLE" : "REDUCE";
    const progress = isMap && hasReduces ? done * 0.667 : done;
    const hadoop = { BYTES_READ: Math.floor(done * 1_000_000) };
    const counters = { hadoop, broomwagon: {} };
    this.#tell({ type: "status", at: this.#at, attempt: name, progress, phase, counters });
  }

  #end(attempt: ModelAttempt, state: "succeeded" | "failed" | "killed"): void {
    attempt.state = "over";
    const counters = { hadoop: { MAP_OUTPUT_MATERIALIZED_BYTES: 500_000 }, broomwagon: {} };
    const { name, task } = attempt;
    const told = { attempt: name, task: task.name, state, counters };
    this.#tell({ type: "ended", at: this.#at, ...told });
  }

  #succeed(attempt: ModelAttempt): void {
    const { task } = attempt;
    task.winner = attempt;
    if (attempt.isCopy) this.seen.won++;
    this.#end(attempt, "succeeded");
    for (const other of task.attempts) {
      if (other.state === "runs") this.#letDie(other);
      else if (other.state === "asks") this.#end(other, "killed");
    }
  }

  #fail(attempt: ModelAttempt): void {
    const { task } = attempt;
    task.failures++;
    this.#end(attempt, "failed");
    if (task.attempts.every(({ state }) => state === "over")) this.#add(task, false);
  }

  #letDie(attempt: ModelAttempt): void {
    attempt.state = "dies";
    attempt.dyingFor = 1 + Math.floor(this.#draw() * 3);
  }

  #cleanUp(): void {
    for (const attempt of this.#byName.values()) {
      if (attempt.state !== "dies" || --attempt.dyingFor > 0) continue;
      this.#end(attempt, "killed");
      // TaskImpl, AttemptKilledTransition.
      if (attempt.task.winner === undefined) this.#add(attempt.task, false);
    }
  }

  #loseNodes(): void {
    for (const host of this.#hosts()) {
      if (this.#hosts().length <= 2 || this.#draw() >= this.#job.lossChance) continue;
      this.seen.lost++;
      this.#lost.set(host, this.#tick + 20);
      this.#tell({ type: "node", at: this.#at, host, state: "lost" });
      for (const attempt of this.#running()) if (attempt.host === host) this.#letDie(attempt);
      if (!this.#areReducesDone()) this.#loseOutputs(host);
    }
    for (const [host, until] of this.#lost) {
      if (this.#tick < until) continue;
      this.#lost.delete(host);
      this.#tell({ type: "node", at: this.#at, host, state: "usable" });
    }
  }

  #loseOutputs(host: string): void {
    for (const task of this.#tasks) {
      const { winner } = task;
      if (!task.isMap || winner?.host !== host) continue;
      task.winner = undefined;
      this.#tell({ type: "output-lost", at: this.#at, attempt: winner.name, task: task.name });
      this.#add(task, false);
    }
  }

  #startReduces(): void {
    const done = this.#tasks.filter(({ isMap, winner }) => isMap && winner !== undefined);
    if (done.length < this.#job.maps / 2) return;
    for (const task of this.#tasks) {
      if (!task.isMap && task.attempts.length === 0) this.#add(task, false);
    }
  }

  #judge(): void {
    const isOver = this.#job.reduces > 0 ? this.#areReducesDone() : this.#areMapsDone();
    if (this.#tasks.some(({ failures }) => failures >= FAILURES_MAX)) this.state = "failed";
    else if (isOver) this.state = "succeeded";
  }

  #checkCopy({ command, task, where }: CopyLine): void {
    this.#copies.add(command);
    this.#task(task);
    if (where.on === "any") return;
    assert(this.#job.placement, "nodes are named only where they can be chosen");
    for (const host of where.hosts)
      assert(!this.#lost.has(host), "no copy is wanted on a lost node");
  }

  #add(task: ModelTask, isCopy: boolean): ModelAttempt {
    const name = `${task.name}_${task.attempts.length}`;
    const attempt = { name, task, isCopy, state: "asks", host: "", done: 0, dyingFor: 0 } as const;
    const made: ModelAttempt = { ...attempt };
    task.attempts.push(made);
    this.#byName.set(name, made);
    return made;
  }

  #task(name: string): ModelTask {
    return defined(
      this.#tasks.find((one) => one.name === name),
      name,
    );
  }

  #isRunning = ({ winner, attempts }: ModelTask): boolean =>
    winner === undefined && attempts.some(({ state }) => state === "runs");

  #running(): readonly ModelAttempt[] {
    return [...this.#byName.values()].filter(({ state }) => state === "runs");
  }

  #areMapsDone(): boolean {
    return this.#tasks.every(({ isMap, winner }) => !isMap || winner !== undefined);
  }

  #areReducesDone(): boolean {
    return this.#tasks.every(({ isMap, winner }) => isMap || winner !== undefined);
  }

  #hosts(): readonly string[] {
    const all = Array.from({ length: this.#job.nodes }, (_, i) => `n${i + 1}`);
    return all.filter((host) => !this.#lost.has(host));
  }

  #freeOn(host: string): number {
    const held = [...this.#byName.values()].filter(
      (one) => one.host === host && (one.state === "runs" || one.state === "dies"),
    );
    return this.#lost.has(host) ? 0 : this.#job.slotsPerNode - held.length;
  }

  #draw(): number {
    return nextFloat(this.#chance);
  }
}
