import type { Timeless } from "../base/without.ts";
import { createScheduler, type Scheduler, type SchedulerOptions } from "../core/index.ts";
import { type JournalWriter, journalWriter } from "../core/journal/index.ts";
import { SETUP_DEFAULTS, type Setup } from "../core/state/setup.ts";
import type { Action } from "../model/action.ts";
import { CAPABILITIES } from "../model/cluster.ts";
import type { ClusterEvent } from "../model/event.ts";
import type { Fact } from "../model/fact.ts";
import { instant, type JobId, type NodeId, rackId, type TaskId } from "../model/ids.ts";
import type { Job } from "../model/job.ts";
import type { View } from "../model/view.ts";
import type { Discipline } from "../policy/policy.ts";
import { capOf } from "../policy/speculation/late.ts";
import { Attempts } from "./attempts.ts";
import { Binder } from "./binder.ts";
import { Clock } from "./clock.ts";
import { Dice } from "./dice.ts";
import { Invariants, type Promises } from "./invariants.ts";
import { Machines } from "./machines.ts";
import type { Plan } from "./plan.ts";

/** The most steps that are not wakes, and the most wakes in a row. */
const STEPS_MAX = 100_000;

export interface WorldOptions extends SchedulerOptions {
  /** Used as given, whatever the plan names. */
  readonly discipline: Discipline;
  /** Whether the journal is kept, which takes much of the time; default: true. */
  readonly keepsJournal?: boolean;
  /** One step in this many recounts everything. */
  readonly wholeEvery?: number;
  /** Called after each step with its facts. */
  readonly onFacts?: (facts: readonly Fact[], view: View) => void;
}

/**
 * An asynchronous host, pure and random: everything takes its time, nodes fall silent, die and come
 * back, launches are refused, outputs vanish, and reports come late. The invariants are checked at
 * every step.
 */
export class World {
  readonly plan: Plan;
  readonly clock = new Clock();
  readonly dice: Dice;
  readonly machines: Machines;
  readonly attempts: Attempts;
  readonly binder: Binder;
  readonly setup: Setup;
  readonly scheduler: Scheduler;
  /** The journal; empty unless kept. */
  readonly journal: string[] = [];
  /** The outputs that really exist. */
  readonly files = new Map<TaskId, Set<NodeId>>();
  steps = 0;
  #otherSteps = 0;
  #wakesInARow = 0;
  readonly #writer: JournalWriter | undefined;
  readonly #invariants: Invariants;
  readonly #onFacts: WorldOptions["onFacts"];
  readonly #jobs = new Map<TaskId, JobId>();
  readonly #ended = new Set<JobId>();

  constructor(plan: Plan, options: WorldOptions) {
    const { discipline, onFacts, keepsJournal = true, wholeEvery, ...rest } = options;
    const explain = rest.explain ?? true;
    this.#onFacts = onFacts;
    this.plan = plan;
    this.dice = new Dice(plan.seed, plan.wholeMs);
    this.machines = new Machines(this);
    this.attempts = new Attempts(this);
    this.binder = new Binder(this);
    this.setup = setupOf(plan, discipline);
    this.scheduler = createScheduler(this.setup, { ...rest, explain, facts: true });
    this.#writer = keepsJournal ? journalWriter(this.setup, { explain }) : undefined;
    if (this.#writer !== undefined) this.journal.push(this.#writer.header());
    for (const { id, phases } of plan.jobs) {
      for (const { tasks } of phases) for (const task of tasks) this.#jobs.set(task.id, id);
    }
    const promises = promisesOf(plan, this.setup, this.scheduler.view);
    const { view } = this.scheduler;
    this.#invariants = new Invariants(
      this.setup,
      view,
      { ...promises, explains: explain },
      wholeEvery,
    );
  }

  /** Runs until no event is left; every job must have ended by then. */
  run(): void {
    this.machines.begin();
    this.plan.racks.forEach((_, rack) => {
      this.#planLinks(rack);
    });
    for (const job of this.plan.jobs) this.#planJob(job);
    this.clock.run();
    const left = this.plan.jobs.filter(({ id }) => !this.#ended.has(id));
    if (left.length > 0) throw new Error(`jobs never ended: ${left.map(({ name }) => name)}`);
    this.#invariants.end();
  }

  /** Where tasks are long, a policy may look ten times a second for hours: those steps are fine. */
  #countStep(isWake: boolean): void {
    this.#wakesInARow = isWake ? this.#wakesInARow + 1 : 0;
    if (!isWake) this.#otherSteps += 1;
    if (Math.max(this.#otherSteps, this.#wakesInARow) > STEPS_MAX) {
      throw new Error("the world takes too many steps");
    }
  }

  feed(event: Timeless<ClusterEvent>): void {
    const stamped: ClusterEvent = { ...event, at: instant(this.clock.now) };
    this.steps += 1;
    this.#countStep(event.kind === "woken");
    const { actions, facts } = this.scheduler.step(stamped);
    if (this.#writer !== undefined) this.journal.push(this.#writer.step(stamped, actions));
    this.#invariants.check(stamped, actions);
    this.#onFacts?.(facts, this.scheduler.view);
    for (const action of actions) this.#perform(action);
    if (!this.plan.offersSlots) this.machines.bindSoon();
  }

  /** The job of the task, if it lives. */
  jobOf(task: TaskId): JobId | undefined {
    const job = this.#jobs.get(task);
    return job === undefined || this.#ended.has(job) ? undefined : job;
  }

  get isCalm(): boolean {
    return this.clock.now >= this.plan.calmFrom;
  }

  #planJob(job: Job): void {
    this.clock.plan(job.submittedAt, () => {
      this.feed({ kind: "job-submitted", job });
      if (!this.dice.chance(0.1)) return;
      this.clock.plan(this.clock.now + this.dice.upTo(60_000), () => {
        if (!this.#ended.has(job.id)) this.feed({ kind: "job-killed", job: job.id });
      });
    });
  }

  #planLinks(rack: number): void {
    const links = { upBytesPerMs: this.dice.upTo(1_000), downBytesPerMs: this.dice.upTo(1_000) };
    this.clock.plan(this.dice.upTo(60_000), () =>
      this.feed({ kind: "links-sampled", rack: rackId(rack), ...links }),
    );
  }

  #perform(action: Action): void {
    switch (action.kind) {
      case "launch":
        this.#launch(action);
        break;
      case "kill":
        this.attempts.kill(action.attempt);
        break;
      case "wake":
        this.clock.plan(action.at, () => this.feed({ kind: "woken" }));
        break;
      case "declare-lost":
        this.machines.vanish(this.machines.of(action.node));
        break;
      case "end-job":
        this.#ended.add(action.job);
        break;
      case "request":
        this.#refuseRequest(action);
        break;
      case "replicate":
        this.#replicate(action);
        break;
      default:
    }
  }

  #launch(launch: Extract<Action, { kind: "launch" }>): void {
    const { attempt, node, slot } = launch;
    const on = this.machines.of(node);
    const free = this.machines.free(on)[slot]?.count ?? 0;
    if (free <= 0) throw new Error("launched on a slot that is not free");
    if (!this.dice.chance(this.plan.chances.refuse)) {
      this.attempts.add(launch, on);
      return;
    }
    this.machines.later(on, () => {
      this.feed({ kind: "launch-refused", attempt, reason: "no room" });
      this.machines.offerSoon(on);
    });
  }

  #refuseRequest({ request }: Extract<Action, { kind: "request" }>): void {
    if (!this.dice.chance(this.plan.chances.refuse)) return;
    this.clock.plan(this.clock.now + this.dice.upTo(5_000), () =>
      this.feed({ kind: "request-refused", request, reason: "no room" }),
    );
  }

  #replicate({ task, to }: Extract<Action, { kind: "replicate" }>): void {
    const there = this.machines.upOn(to);
    if (there.length === 0) return;
    const on = this.dice.pick(there);
    this.machines.later(on, () => {
      const nodes = this.files.get(task);
      if (nodes === undefined || nodes.size === 0) return;
      nodes.add(on.node.id);
      this.feed({ kind: "output-replicated", task, node: on.node.id });
    });
  }
}

/** The set-up of a planned world. */
function setupOf(plan: Plan, discipline: Discipline): Setup {
  return {
    ...SETUP_DEFAULTS,
    seed: plan.seed,
    slotKinds: plan.slotKinds,
    racks: plan.racks,
    capabilities: CAPABILITIES.filter((one) => plan.offersSlots || one !== "slot-offers"),
    statisticsEvery: plan.statisticsEvery,
    askAgainMs: plan.askAgainMs,
    attemptsMax: plan.attemptsMax,
    discipline,
  };
}

/** The promises of the plan's discipline. */
function promisesOf(
  { seats, discipline, offersSlots }: Plan,
  setup: Setup,
  view: View,
): Omit<Promises, "explains"> {
  if (!offersSlots) return {};
  const isPlain = discipline.includes("fifo-plain") && !seats.includes("sharing");
  // These orders leave slots free on purpose: tasks wait for nodes with their data.
  const waiters = ["local-failed-first", "local-preempt", "spark"];
  const waitsForData = waiters.includes(setup.discipline.order.policy.name);
  const { policy, params } = setup.discipline.speculation;
  const { params: ordered } = setup.discipline.order;
  const speculativeCap = "speculativeCap" in params ? Number(params.speculativeCap) : 1;
  return {
    ...(policy.name === "late"
      ? { speculativeMax: (kind) => capOf({ speculativeCap, slots: view.slots(kind) }) }
      : {}),
    ...(policy.name === "none" ? { speculativeMax: () => 0 } : {}),
    ...("yieldsMax" in ordered ? { yieldsMax: Number(ordered.yieldsMax) } : {}),
    workConserving: isPlain && !waitsForData && !seats.includes("protection"),
    // Mantri: the fastest attempt, the second fastest, and one that has just started.
    ...(seats.includes("chaos")
      ? {}
      : { besideMax: policy.name === "mantri" ? 3 : 2, copiesElsewhere: true }),
  };
}
