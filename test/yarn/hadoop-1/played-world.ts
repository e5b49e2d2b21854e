import { assert, defined } from "../../../src/base/assert.ts";
import { integer, nextFloat, pick, type RandomState, shuffle } from "../../../src/base/random.ts";
import {
  createScheduler,
  instant,
  nodeId,
  rackId,
  type Scheduler,
  SETUP_DEFAULTS,
  slotKind,
  taskId,
} from "../../../src/core/index.ts";
import { CAPABILITIES } from "../../../src/model/cluster.ts";
import type {
  Action,
  AttemptId,
  ClusterEvent,
  Discipline,
  TaskId,
} from "../../../src/policy/index.ts";
import { buildJob, SLOT_KINDS } from "../../support/jobs.ts";
import type { Chances, Plan, PlannedNode } from "./world.ts";

/** The events of one world under our core. */
export interface Played {
  /** The same events for Hadoop's JobTracker, which `PlayWorlds` reads. */
  readonly lines: readonly string[];
  /** For each heartbeat, the answer that `PlayWorlds` should write. */
  readonly answers: readonly Answer[];
  /** The counts of each kind of launch, end and trouble. */
  readonly counts: ReadonlyMap<string, number>;
}

export interface Answer {
  readonly at: number;
  readonly host: string;
  readonly said: readonly string[];
}

interface PlayedNode extends PlannedNode {
  readonly id: number;
  readonly isBad: boolean;
  joined: boolean;
  runs: Run[];
}

interface PlayedTask {
  readonly job: number;
  readonly kind: number;
  readonly index: number;
  readonly id: TaskId;
  attempts: number;
  /** The node of its output, if the task is a finished map. */
  output: Run | undefined;
}

/** An attempt. `ordered`: its kill is requested; `told`: its tracker knows. */
interface Run {
  readonly task: PlayedTask;
  readonly number: number;
  readonly id: AttemptId;
  readonly node: PlayedNode;
  readonly steps: number;
  /** In steps of `STEPS`. */
  progress: number;
  state: "running" | "ordered" | "told" | "over";
}

type Report = {
  readonly attempt: string;
  readonly state: "RUNNING" | "SUCCEEDED" | "FAILED" | "KILLED";
  readonly progress: number;
  readonly missed: readonly string[];
};

/** Progress in fractions that a float holds exactly. */
const STEPS = 64;
const ROUNDS = 250;
const STARTS_AT = 1_000_000;

export function playWorld(
  seed: number,
  plan: Plan,
  discipline: Discipline,
  dice: RandomState,
): Played {
  return new PlayedWorld(seed, plan, discipline, dice).play();
}

class PlayedWorld {
  readonly #dice: RandomState;
  readonly #plan: Plan;
  readonly #scheduler: Scheduler;
  readonly #nodes: readonly PlayedNode[];
  readonly #tasks: PlayedTask[] = [];
  readonly #runs = new Map<AttemptId, Run>();
  readonly #live = new Set<number>();
  readonly #lines: string[];
  readonly #answers: Answer[] = [];
  readonly #counts = new Map<string, number>();
  readonly #wakes = new Set<number>();
  readonly #ids = { job: 0, phase: 0, task: 0 };
  #launched: Run[] = [];
  #now = STARTS_AT;

  constructor(seed: number, plan: Plan, discipline: Discipline, dice: RandomState) {
    this.#dice = dice;
    this.#plan = plan;
    this.#lines = [JSON.stringify({ event: "world", seed })];
    this.#nodes = plan.nodes.map((node, id) => ({
      ...node,
      id,
      isBad: nextFloat(dice) < plan.chances.badNode,
      joined: false,
      runs: [],
    }));
    this.#scheduler = createScheduler({
      ...SETUP_DEFAULTS,
      seed,
      slotKinds: SLOT_KINDS,
      racks: ["r0", "r1"],
      capabilities: CAPABILITIES,
      discipline,
    });
  }

  play(): Played {
    for (const node of this.#nodes) this.#join(node);
    for (let round = 0; round < ROUNDS && !this.#isOver; round++) {
      this.#submitDue();
      this.#loseOrBring();
      for (const node of shuffle(this.#dice, this.#nodes)) {
        if (node.joined && this.#chance("heartbeat")) this.#heartbeat(node);
      }
      this.#wakeUntil(this.#now + this.#plan.tickMs);
    }
    return { lines: this.#lines, answers: this.#answers, counts: this.#counts };
  }

  get #isOver(): boolean {
    return this.#ids.job === this.#plan.jobs.length && this.#live.size === 0;
  }

  #chance(of: keyof Chances): boolean {
    return nextFloat(this.#dice) < this.#plan.chances[of];
  }

  #join(node: PlayedNode): void {
    const { host, maps, reduces } = node;
    node.joined = true;
    node.runs = [];
    this.#tell({ event: "join", host, maps, reduces });
    const slots = [maps, reduces].map((count, kind) => ({ kind: slotKind(kind), count }));
    const it = { id: nodeId(node.id), name: host, rack: rackId(node.rack), slots };
    this.#step({ kind: "node-joined", node: it });
  }

  /** The tracker has reported everything. */
  #leave(node: PlayedNode): void {
    this.#stand(node);
    node.joined = false;
    for (const run of node.runs) run.state = "over";
    for (const task of this.#tasks) if (task.output?.node === node) task.output = undefined;
    this.#count("node lost");
    this.#tell({ event: "leave", host: node.host });
    this.#step({ kind: "node-left", node: nodeId(node.id) });
  }

  #loseOrBring(): void {
    for (const node of this.#nodes) {
      if (!node.joined && this.#chance("nodeBack")) this.#join(node);
      else if (node.joined && this.#chance("nodeLost")) {
        if (this.#nodes.filter(({ joined }) => joined).length > 2) this.#leave(node);
      }
    }
  }

  #submitDue(): void {
    for (;;) {
      const number = this.#ids.job;
      const planned = this.#plan.jobs[number];
      if (planned === undefined || STARTS_AT + planned.submittedAt > this.#now) return;
      const { priority, speculate, slowstart, replicas, reduces } = planned;
      const job = buildJob(
        {
          ...{ priority, speculate, maps: replicas.length, reduces },
          start: { when: "fraction", of: slowstart },
          replicas: (index) => defined(replicas[index], "a map"),
        },
        this.#ids,
        {
          kinds: SLOT_KINDS,
          submittedAt: this.#now,
          name: `job-${number}`,
          node: (name) => nodeId(this.#nodes.findIndex(({ host }) => host === name)),
        },
      );
      job.phases.forEach((phase, kind) => {
        for (const { id, index } of phase.tasks) {
          this.#tasks[id] = { job: number, kind, index, id, attempts: 0, output: undefined };
        }
      });
      this.#live.add(number);
      const shouted = priority.toUpperCase();
      this.#tell({ event: "submit", priority: shouted, speculate, slowstart, replicas, reduces });
      this.#step({ kind: "job-submitted", job });
    }
  }

  #heartbeat(node: PlayedNode): void {
    const reports = node.runs.map((run) => this.#advance(run));
    this.#report(node, reports, true);
    // Launched attempts have begun, and are reported before any other tracker asks for a task.
    if (this.#launched.length > 0) this.#stand(node);
    this.#launched = [];
    // Our core's kills take effect at once; Hadoop's at the tracker's next heartbeat, which
    // therefore comes now.
    for (const other of this.#nodes) {
      if (other.runs.some(({ state }) => state === "ordered")) this.#stand(other);
    }
  }

  /** A heartbeat without news that asks for no task. */
  #stand(node: PlayedNode): void {
    const reports = node.runs.map((run) => this.#standing(run));
    this.#report(node, reports, false);
  }

  /** A heartbeat with the same content for Hadoop's JobTracker and our core. */
  #report(node: PlayedNode, reports: readonly Report[], asks: boolean): void {
    for (const [i, report] of reports.entries())
      this.#enter(defined(node.runs[i], "a run"), report);
    const kills = node.runs.filter(({ state }) => state === "ordered");
    node.runs = node.runs.filter(({ state }) => state !== "over");
    const said: string[] = [];
    if (asks) {
      this.#offer(node, true);
      this.#offer(node, false);
      for (const run of this.#launched) said.push(`launch ${nameOf(run)} as ${this.#how(run)}`);
    }
    for (const run of kills) run.state = "told";
    said.push(...kills.map((run) => `kill ${nameOf(run)}`).sort());
    const { host } = node;
    this.#answers.push({ at: this.#now, host, said });
    this.#tell({ event: "heartbeat", host, asks, reports, expected: said });
  }

  readonly #as = new Map<Run, string>();

  #how(run: Run): string {
    return defined(this.#as.get(run), "how it was launched");
  }

  #offer(node: PlayedNode, isOpen: boolean): void {
    const free = [node.maps, node.reduces].map((slots, kind) => {
      const taken = node.runs.filter(({ task }) => task.kind === kind).length;
      return { kind: slotKind(kind), count: isOpen ? slots - taken : 0 };
    });
    this.#step({ kind: "slots-offered", node: nodeId(node.id), free });
  }

  #standing(run: Run): Report {
    return { attempt: nameOf(run), state: "RUNNING", progress: run.progress / STEPS, missed: [] };
  }

  /** The attempt's changes until this heartbeat. */
  #advance(run: Run): Report {
    const standing = this.#standing(run);
    if (run.state === "ordered") return standing;
    if (run.state === "told") {
      return nextFloat(this.#dice) < 0.6 ? { ...standing, state: "KILLED" } : standing;
    }
    if (this.#chance("kill")) return { ...standing, state: "KILLED" };
    const isBad = run.node.isBad && nextFloat(this.#dice) < 0.3;
    if (isBad || this.#chance("failure")) return { ...standing, state: "FAILED" };
    const most = this.#hasInput(run)
      ? STEPS
      : Math.max(Math.min(run.progress, STEPS - 1), STEPS / 4);
    run.progress = Math.min(most, run.progress + run.steps);
    if (run.progress === STEPS) return { ...standing, state: "SUCCEEDED", progress: 1 };
    return { ...this.#standing(run), missed: this.#missed(run) };
  }

  /** A reduce does not get far, and never ends, while a map's output is missing. */
  #hasInput({ task }: Run): boolean {
    if (task.kind === 0) return true;
    return this.#tasks.every(({ job, kind, output }) => {
      return job !== task.job || kind !== 0 || output !== undefined;
    });
  }

  /** A map's output that the reduce could not fetch. */
  #missed({ task, node }: Run): readonly string[] {
    if (task.kind === 0 || !this.#chance("missedOutput")) return [];
    const outputs = this.#tasks.flatMap(({ job, output }) =>
      job === task.job && output !== undefined && output.node !== node ? [output] : [],
    );
    // Few of them, so that several reports meet.
    return outputs.length === 0 ? [] : [nameOf(pick(this.#dice, outputs.slice(0, 3)))];
  }

  #enter(run: Run, report: Report): void {
    const attempt = run.id;
    if (report.state !== "RUNNING") {
      run.state = "over";
      this.#count(report.state);
      if (report.state === "FAILED") {
        this.#step({ kind: "attempt-failed", attempt, cause: "error" });
      } else if (report.state === "KILLED") {
        this.#step({ kind: "attempt-killed", attempt, by: "host" });
      } else {
        if (run.task.kind === 0) run.task.output = run;
        this.#step({ kind: "attempt-succeeded", attempt, output: { bytes: 0, records: 0 } });
      }
      return;
    }
    if (run.state !== "running") return;
    this.#step({ kind: "attempt-progressed", attempt, progress: this.#progress(run) });
    for (const missed of report.missed) this.#miss(run, missed);
  }

  #miss(reader: Run, name: string): void {
    const task = this.#tasks.find(({ output }) => output !== undefined && nameOf(output) === name);
    if (task?.output === undefined) return;
    this.#count("missed");
    const from = nodeId(task.output.node.id);
    this.#step({ kind: "fetch-failed", reader: reader.id, output: task.id, from });
  }

  #progress({ progress }: Run) {
    const at = instant(this.#now);
    const amounts = { score: progress / STEPS, bytesRead: 0, bytesWritten: 0, records: 0 };
    return { kind: "reported", at, changedAt: at, stage: 0, ...amounts } as const;
  }

  #wakeUntil(until: number): void {
    for (;;) {
      const next = Math.min(...this.#wakes);
      if (next > until) break;
      this.#now = Math.max(this.#now, next);
      this.#wakes.delete(next);
      this.#step({ kind: "woken" });
    }
    this.#now = until;
  }

  #step(event: Timeless): void {
    for (const action of this.#scheduler.step({ ...event, at: instant(this.#now) }).actions) {
      this.#carryOut(action);
    }
  }

  #carryOut(action: Action): void {
    if (action.kind === "wake") this.#wakes.add(action.at);
    else if (action.kind === "launch") this.#launch(action);
    else if (action.kind === "kill") {
      const run = this.#runs.get(action.attempt);
      assert(run?.state === "running", "what is killed runs");
      run.state = "ordered";
    } else if (action.kind === "end-job") {
      this.#live.delete(action.job);
      this.#count(`job ${action.outcome}`);
    } else if (action.kind === "recompute") {
      this.#count("recompute");
      defined(this.#tasks[action.task], "a task").output = undefined;
    }
  }

  #launch({ attempt, task: id, node: on, as }: Extract<Action, { kind: "launch" }>): void {
    const task = defined(this.#tasks[id], "a task");
    const node = defined(this.#nodes[on], "a node");
    const steps = this.#chance("straggler")
      ? pick(this.#dice, [1, 1, 2, 2])
      : 4 + integer(this.#dice, 12);
    const number = task.attempts++;
    const run: Run = { task, number, id: attempt, node, steps, progress: 0, state: "running" };
    this.#count(as);
    this.#as.set(run, as === "speculative" ? as : as === "original" ? "new" : "again");
    this.#runs.set(attempt, run);
    node.runs.push(run);
    this.#launched.push(run);
    this.#step({
      ...{ kind: "attempt-started", attempt, task: taskId(id), node: on, as },
      progress: this.#progress(run),
    });
  }

  #count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  #tell(event: object): void {
    this.#lines.push(JSON.stringify({ at: this.#now, ...event }));
  }
}

const nameOf = ({ task, number }: Run): string =>
  `${task.job}/${task.kind === 0 ? "map" : "reduce"}/${task.index}/${number}`;

type Timeless = ClusterEvent extends infer E ? (E extends unknown ? Omit<E, "at"> : never) : never;
