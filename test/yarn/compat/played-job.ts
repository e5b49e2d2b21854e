import { assert } from "../../../src/base/assert.ts";
import { integer, nextFloat, pick, type RandomState } from "../../../src/base/random.ts";
import type { Action } from "../../../src/model/action.ts";
import type { ClusterEvent } from "../../../src/model/event.ts";
import {
  type AttemptId,
  attemptId,
  instant,
  nodeId,
  type RequestId,
  rackId,
  slotKind,
  taskId,
} from "../../../src/model/ids.ts";
import { NO_AMOUNTS, type ReportedProgress } from "../../../src/model/progress.ts";
import { buildJob, SLOT_KINDS } from "../../support/jobs.ts";
import { type Look, OurSpeculator } from "./our-speculator.ts";
import type { Settings } from "./settings.ts";

/** The events of one job, and our speculator's decisions. */
export interface Played {
  /**
   * The same events for Hadoop's speculator, one per line: `sequence NAME ESTIMATOR MAPS REDUCES
   * KEY=VALUE...`, then `KIND AT TASK ATTEMPT [PROGRESS]` and `look AT`. Kinds: `add`, `assign`,
   * `drop`, `start`, `progress`, `succeed`, `fail`, `kill`, and `lose`, of an attempt that had
   * succeeded.
   */
  readonly lines: readonly string[];
  readonly looks: readonly Look[];
}

/** An attempt: known to the job from the moment in which it asks for a container. */
interface Run {
  readonly task: number;
  readonly number: number;
  readonly request?: RequestId;
  state: "waiting" | "assigned" | "running" | "over";
  id?: AttemptId;
  progress: number;
  perMs: number;
  /** Up to when `progress` is true. */
  movedAt: number;
  reportsAt: number;
}

/** Of one job, drawn once. */
interface Nature {
  readonly maps: number;
  readonly reduces: number;
  /** The most attempts that run at once. */
  readonly room: number;
  /** Whether the core gives out offered slots; otherwise attempts start by themselves. */
  readonly isOffered: boolean;
  /** The chances per tick that a container comes, and that an attempt with one starts. */
  readonly startChance: number;
  readonly slowChance: number;
  /** The chance per tick that an attempt's speed changes: two in five stand still. */
  readonly changeChance: number;
  readonly failChance: number;
  /** The chance per tick that the output of a finished map is lost. */
  readonly lossChance: number;
  readonly reportEveryMs: number;
  /**
   * Whole seconds and few speeds: ends that are equal, and several reports at one time, decide.
   */
  readonly isCoarse: boolean;
}

/** Hadoop's clocks never show times near 0, which Hadoop handles badly. */
const SUBMITTED_AT = 1_700_000_000_000;
const PLAYED_MS = 400_000;
const TICKS_MS = [100, 200, 333, 1_000];
const COARSE_TICKS_MS = [1_000];

/** A job with stalls, failures, kills, late starts and silences; the same for the same seed. */
export function playJob(seed: number, settings: Settings, dice: RandomState): Played {
  return new PlayedJob(seed, settings, dice).play();
}

class PlayedJob {
  readonly #dice: RandomState;
  readonly #nature: Nature;
  readonly #ours: OurSpeculator;
  readonly #lines: string[] = [];
  /** By task. */
  readonly #runs: readonly Run[][];
  readonly #started = new Map<AttemptId, Run>();
  /** By task, whether its output exists. */
  readonly #done = new Map<number, Run>();
  #now = SUBMITTED_AT;
  #isOver = false;

  constructor(
    seed: number,
    { conf, discipline, estimator, isCoarse }: Settings,
    dice: RandomState,
  ) {
    const nature = drawNature(dice, isCoarse);
    this.#dice = dice;
    this.#nature = nature;
    this.#ours = new OurSpeculator(discipline, { seed, isOffered: nature.isOffered });
    this.#runs = Array.from({ length: nature.maps + nature.reduces }, () => []);
    const settings = [...conf].map(([key, value]) => `${key}=${value}`);
    this.#lines.push(
      ["sequence", seed, estimator, nature.maps, nature.reduces, ...settings].join(" "),
    );
  }

  play(): Played {
    this.#submit();
    while (this.#now < SUBMITTED_AT + PLAYED_MS && !this.#isOver) {
      this.#wakeUntil(
        this.#now + pick(this.#dice, this.#nature.isCoarse ? COARSE_TICKS_MS : TICKS_MS),
      );
      if (!this.#isOver) this.#tick();
    }
    return { lines: this.#lines, looks: this.#ours.looks };
  }

  #submit(): void {
    const { maps, reduces } = this.#nature;
    const slots = SLOT_KINDS.map((_, kind) => ({ kind: slotKind(kind), count: 1_000 }));
    const node = { id: nodeId(0), name: "n1", rack: rackId(0), slots };
    this.#step({ kind: "node-joined", node });
    this.#runs.forEach((_, task) => {
      this.#add(task);
    });
    const job = buildJob(
      { maps, reduces, start: { when: "pipelined" } },
      { job: 0, phase: 0, task: 0 },
      { kinds: SLOT_KINDS, submittedAt: this.#now, name: "job", node: () => nodeId(0) },
    );
    this.#step({ kind: "job-submitted", job });
  }

  /** Earlier looks happen at their own times. */
  #wakeUntil(until: number): void {
    while (this.#ours.wakesAt <= until && !this.#isOver) {
      this.#now = this.#ours.wakesAt;
      this.#step({ kind: "woken" });
    }
    this.#now = until;
  }

  #tick(): void {
    if (nextFloat(this.#dice) < this.#nature.lossChance) this.#lose();
    if (this.#nature.isOffered) this.#offer();
    for (const runs of this.#runs) {
      for (const run of [...runs]) {
        if (this.#isOver) return;
        if (run.state === "waiting" && !this.#nature.isOffered) this.#findRoom(run);
        else if (run.state === "assigned") this.#launch(run);
        else if (run.state === "running") this.#run(run);
      }
    }
  }

  #offer(): void {
    if (nextFloat(this.#dice) >= this.#nature.startChance) return;
    const free = SLOT_KINDS.map((_, kind) => ({ kind: slotKind(kind), count: this.#free }));
    this.#step({ kind: "slots-offered", node: nodeId(0), free });
  }

  #findRoom(run: Run): void {
    if (nextFloat(this.#dice) >= this.#nature.startChance || this.#free === 0) return;
    this.#assign(run, attemptId(this.#started.size));
    this.#start(run);
  }

  get #free(): number {
    const holds = ({ state }: Run): boolean => state === "assigned" || state === "running";
    const held = this.#runs.reduce((sum, runs) => sum + runs.filter(holds).length, 0);
    return Math.max(0, this.#nature.room - held);
  }

  #add(task: number, request?: RequestId): void {
    const runs = this.#runs[task];
    assert(runs !== undefined, "a task of the job");
    const unmoved = { progress: 0, perMs: 0, movedAt: 0, reportsAt: 0 };
    const asked = request === undefined ? {} : { request };
    const run: Run = { task, number: runs.length, ...asked, state: "waiting", ...unmoved };
    runs.push(run);
    this.#tell("add", run);
  }

  #assign(run: Run, id: AttemptId): void {
    run.state = "assigned";
    run.id = id;
    this.#started.set(id, run);
    this.#tell("assign", run);
  }

  /** The attempt has a container, and is launched there after a while, or never. */
  #launch(run: Run): void {
    const { failChance, startChance } = this.#nature;
    if (nextFloat(this.#dice) < startChance) this.#start(run);
    else if (nextFloat(this.#dice) < failChance) this.#fail(run);
  }

  #start(run: Run): void {
    const { reportEveryMs } = this.#nature;
    run.state = "running";
    run.perMs = this.#speed();
    run.movedAt = this.#now;
    run.reportsAt = this.#now + integer(this.#dice, reportEveryMs + 1);
    this.#tell("start", run);
    this.#step({
      kind: "attempt-started",
      attempt: idOf(run),
      task: taskId(run.task),
      node: nodeId(0),
      as: run.request === undefined ? "original" : "speculative",
      progress: this.#reported(0),
      ...(run.request === undefined ? {} : { request: run.request }),
    });
  }

  #run(run: Run): void {
    const { changeChance, failChance } = this.#nature;
    run.progress = Math.min(1, run.progress + run.perMs * (this.#now - run.movedAt));
    run.movedAt = this.#now;
    if (nextFloat(this.#dice) < changeChance) {
      run.perMs = nextFloat(this.#dice) < 0.4 ? 0 : this.#speed();
    }
    if (run.progress >= 1) this.#succeed(run);
    else if (nextFloat(this.#dice) < failChance) this.#fail(run);
    else if (this.#now >= run.reportsAt) this.#report(run);
  }

  #speed(): number {
    const isSlow = nextFloat(this.#dice) < this.#nature.slowChance;
    if (this.#nature.isCoarse) return 1 / pick(this.#dice, isSlow ? [128_000, 256_000] : [32_000]);
    const [from, span] = isSlow ? [100_000, 600_000] : [20_000, 60_000];
    return 1 / (from + integer(this.#dice, span));
  }

  #succeed(run: Run): void {
    run.state = "over";
    this.#done.set(run.task, run);
    this.#tell("succeed", run);
    for (const other of this.#runs[run.task] ?? []) {
      if (other.state !== "waiting") continue;
      other.state = "over";
      this.#tell("drop", other);
    }
    const output = { bytes: 0, records: 0 };
    this.#step({ kind: "attempt-succeeded", attempt: idOf(run), output });
  }

  /** Its own failure, or a kill by the host: both are followed by another attempt. */
  #fail(run: Run): void {
    run.state = "over";
    const attempt = idOf(run);
    if (nextFloat(this.#dice) < 0.7) {
      this.#tell("fail", run);
      this.#replace(run, "failed");
      this.#step({ kind: "attempt-failed", attempt, cause: "error" });
    } else {
      this.#tell("kill", run);
      this.#replace(run, "killed");
      this.#step({ kind: "attempt-killed", attempt, by: "host" });
    }
  }

  /**
   * An ApplicationMaster replaces a failed attempt if the task has no other, and a killed attempt
   * always (TaskImpl). Where the core launches, no attempt may hold a slot.
   */
  #replace({ task }: Run, end: "failed" | "killed"): void {
    const states = (this.#runs[task] ?? []).map(({ state }) => state);
    const isLeft = this.#nature.isOffered
      ? states.includes("assigned") || states.includes("running")
      : end === "failed" && states.some((state) => state !== "over");
    if (!isLeft) this.#add(task);
  }

  /** Of a map that reduces still read: a succeeded one is run again. */
  #lose(): void {
    const { maps, reduces } = this.#nature;
    const done = [...this.#done.values()];
    const outputs = done.filter(({ task }) => task < maps);
    if (outputs.length === 0 || done.length - outputs.length === reduces) return;
    const run = pick(this.#dice, outputs);
    this.#done.delete(run.task);
    this.#tell("lose", run);
    this.#add(run.task);
    this.#step({ kind: "output-lost", task: taskId(run.task), node: nodeId(0) });
  }

  /** One time in twenty it is silent for a long time after that. */
  #report(run: Run): void {
    const { reportEveryMs } = this.#nature;
    const isMute = nextFloat(this.#dice) < 0.05;
    const afterMs = isMute ? 15_000 + integer(this.#dice, 30_000) : reportEveryMs;
    run.reportsAt = this.#now + afterMs;
    this.#tell("progress", run, run.progress);
    const progress = this.#reported(run.progress);
    this.#step({ kind: "attempt-progressed", attempt: idOf(run), progress });
    if (!this.#nature.isCoarse || nextFloat(this.#dice) < 0.7 || this.#isOver) return;
    // Reported twice at one time, the second time with more progress.
    run.progress = Math.min(0.99, run.progress + 1 / 64);
    this.#tell("progress", run, run.progress);
    const more = this.#reported(run.progress);
    this.#step({ kind: "attempt-progressed", attempt: idOf(run), progress: more });
  }

  #reported(score: number): ReportedProgress {
    const at = instant(this.#now);
    return { kind: "reported", at, changedAt: at, stage: 0, ...NO_AMOUNTS, score };
  }

  #tell(kind: string, { task, number }: Run, ...numbers: readonly number[]): void {
    this.#lines.push([kind, this.#now, task, number, ...numbers].join(" "));
  }

  #step(event: Timeless): void {
    const looks = this.#ours.looks.length;
    const actions = this.#ours.step({ ...event, at: instant(this.#now) });
    if (this.#ours.looks.length > looks) this.#lines.push(`look ${this.#now}`);
    for (const action of actions) this.#carryOut(action);
  }

  #carryOut(action: Action): void {
    if (action.kind === "end-job") this.#isOver = true;
    else if (action.kind === "request") this.#add(action.task, action.request);
    else if (action.kind === "launch") {
      const isMeant = (run: Run): boolean =>
        run.state === "waiting" && run.request === action.request;
      const run = this.#runs[action.task]?.find(isMeant);
      assert(run !== undefined, "what is launched has waited");
      this.#assign(run, action.attempt);
    } else if (action.kind === "kill") {
      const run = this.#started.get(action.attempt);
      assert(run !== undefined, "what is killed was started");
      run.state = "over";
      this.#tell("kill", run);
      this.#step({ kind: "attempt-killed", attempt: action.attempt, by: "us" });
    }
  }
}

type Timeless = ClusterEvent extends infer E ? (E extends unknown ? Omit<E, "at"> : never) : never;

function idOf({ id }: Run): AttemptId {
  assert(id !== undefined, "it has started");
  return id;
}

function drawNature(dice: RandomState, isCoarse: boolean): Nature {
  const maps = 1 + integer(dice, 30);
  const reduces = integer(dice, 12);
  return {
    maps,
    reduces,
    room: 2 + integer(dice, maps + reduces + 5),
    isOffered: nextFloat(dice) < 0.5,
    startChance: pick(dice, [0.9, 0.7, 0.2]),
    slowChance: nextFloat(dice) * 0.5,
    changeChance: nextFloat(dice) * 0.05,
    failChance: nextFloat(dice) * pick(dice, [0, 0.001, 0.01]),
    lossChance: nextFloat(dice) * pick(dice, [0, 0.002, 0.02]),
    reportEveryMs: pick(dice, [1_000, 3_000, 3_000, 777]),
    isCoarse,
  };
}
