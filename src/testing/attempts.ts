import type { Timeless } from "../base/without.ts";
import type { ClusterEvent } from "../model/event.ts";
import type { AttemptId, NodeId, TaskId } from "../model/ids.ts";
import { drawCourse, progressOf, slowed } from "./course.ts";
import type { HostAttempt, Machine, WorldParts } from "./world-parts.ts";

type Missing =
  | { readonly kind: "nothing" | "time" }
  | { readonly kind: "output"; readonly output: TaskId; readonly from: NodeId };

/** The attempts of a world: they start late, change speed, fail, and wait for their input. */
export class Attempts {
  readonly #world: WorldParts;
  readonly #attempts = new Map<AttemptId, HostAttempt>();

  constructor(world: WorldParts) {
    this.#world = world;
  }

  /** Adds an attempt on a slot of the node; the attempt starts at one of the next heartbeats. */
  add(launch: HostAttempt["launch"], on: Machine): void {
    const attempt = this.#hold(launch, on);
    this.#world.machines.later(on, () => this.#start(attempt));
  }

  addStarted(launch: HostAttempt["launch"], on: Machine): void {
    this.#start(this.#hold(launch, on));
  }

  /** The attempt may have finished before the message reaches it. */
  kill(id: AttemptId): void {
    const attempt = this.#attempts.get(id);
    if (attempt === undefined) return;
    const { dice, plan, machines } = this.#world;
    const isTooLate = attempt.course !== undefined && dice.chance(plan.chances.finishFirst);
    machines.later(attempt.on, () => {
      if (attempt.isOver) return;
      if (isTooLate && this.#missing(attempt).kind === "nothing") this.#succeed(attempt);
      else this.#end(attempt, { kind: "attempt-killed", attempt: id, by: "us" });
    });
  }

  #hold(launch: HostAttempt["launch"], on: Machine): HostAttempt {
    const task = this.#world.scheduler.view.task(launch.task);
    const attempt: HostAttempt = { launch, task, on, course: undefined, isOver: false };
    on.attempts.add(attempt);
    this.#attempts.set(launch.attempt, attempt);
    return attempt;
  }

  #start(attempt: HostAttempt): void {
    if (attempt.isOver) return;
    const { clock, dice, plan } = this.#world;
    const { attempt: id, task, node, as, request } = attempt.launch;
    const takesMs = (1_000 + dice.upTo(plan.longestMs)) * attempt.on.slowness;
    const isReported =
      plan.progress === "reported" || (plan.progress === "mixed" && dice.chance(0.5));
    const from = { task: attempt.task, now: clock.now, takesMs };
    attempt.course = drawCourse(dice, from, isReported);
    const of = request === undefined ? {} : { request };
    const progress = progressOf(attempt.course, clock.now, plan.heartbeatMs);
    this.#world.feed({ kind: "attempt-started", attempt: id, task, node, as, progress, ...of });
    this.#planCourse(attempt, takesMs);
  }

  #planCourse(attempt: HostAttempt, takesMs: number): void {
    const { clock, dice, plan, machines } = this.#world;
    const { fail, slowDown, hostKill } = plan.chances;
    const { attempt: id } = attempt.launch;
    const within = (happens: () => void): void =>
      clock.plan(clock.now + dice.upTo(takesMs), () => {
        if (!attempt.isOver) machines.tell(attempt.on, happens);
      });
    clock.plan(clock.now + takesMs, () => this.#finish(attempt));
    if (attempt.course?.isReported) {
      for (let left = 3; left > 0; left--) within(() => this.#report(attempt));
    } else if (dice.chance(slowDown)) {
      within(() => this.#slowDown(attempt));
    }
    if (this.#world.isCalm) return;
    if (dice.chance(fail)) {
      const cause = dice.pick(["error", "timeout"] as const);
      within(() => this.#end(attempt, { kind: "attempt-failed", attempt: id, cause }));
    }
    if (dice.chance(hostKill)) {
      within(() => this.#end(attempt, { kind: "attempt-killed", attempt: id, by: "host" }));
    }
  }

  #report({ course, isOver, launch }: HostAttempt): void {
    if (isOver || course === undefined) return;
    const { clock, plan } = this.#world;
    const progress = progressOf(course, clock.now, plan.heartbeatMs);
    this.#world.feed({ kind: "attempt-progressed", attempt: launch.attempt, progress });
  }

  #slowDown(attempt: HostAttempt): void {
    const { clock, dice } = this.#world;
    const { course, task } = attempt;
    if (attempt.isOver || course === undefined || clock.now >= course.endsAt) return;
    attempt.course = slowed(course, task, clock.now, dice.pick([0.5, 2, 5]));
    clock.plan(attempt.course.endsAt, () => this.#finish(attempt));
    this.#report(attempt);
  }

  /** Called at the attempt's planned end, which may have moved. */
  #finish(attempt: HostAttempt): void {
    const { clock, machines } = this.#world;
    if (attempt.isOver || attempt.course === undefined || clock.now < attempt.course.endsAt) return;
    machines.tell(attempt.on, () => {
      if (attempt.isOver) return;
      const missing = this.#missing(attempt);
      if (missing.kind === "nothing") this.#succeed(attempt);
      else this.#waitFor(missing, attempt);
    });
  }

  #waitFor(missing: Missing, attempt: HostAttempt): void {
    const { clock, dice } = this.#world;
    if (missing.kind === "output") {
      const { output, from } = missing;
      this.#world.feed({ kind: "fetch-failed", reader: attempt.launch.attempt, output, from });
    }
    clock.plan(clock.now + 1_000 + dice.upTo(5_000), () => this.#finish(attempt));
  }

  /** The tasks that a reader still waits for. */
  #missing({ launch, task }: HostAttempt): Missing {
    const { view } = this.#world.scheduler;
    if (this.#world.jobOf(launch.task) === undefined) return { kind: "time" };
    for (const phase of view.upstream(task.phase)) {
      for (const { id } of phase.tasks) {
        if (!view.isDone(id)) return { kind: "time" };
        const nodes = view.outputNodes(id);
        const isThere = nodes.some((node) => this.#world.files.get(id)?.has(node));
        if (!isThere) return { kind: "output", output: id, from: nodes[0] ?? launch.node };
      }
    }
    return { kind: "nothing" };
  }

  #succeed(attempt: HostAttempt): void {
    const { task, attempt: id, node } = attempt.launch;
    const { files, scheduler } = this.#world;
    files.set(task, (files.get(task) ?? new Set()).add(node));
    const [reader] = this.#world.jobOf(task) === undefined ? [] : scheduler.view.readers(task);
    const parts = reader === undefined ? {} : { byPartition: Array.from(reader.tasks, () => 100) };
    const output = { bytes: 1_000, records: 10, ...parts };
    this.#end(attempt, { kind: "attempt-succeeded", attempt: id, output });
  }

  #end(attempt: HostAttempt, event: Timeless<ClusterEvent>): void {
    if (attempt.isOver) return;
    attempt.isOver = true;
    attempt.on.attempts.delete(attempt);
    this.#world.feed(event);
    // Some hosts report it twice.
    if (this.#world.dice.chance(0.02)) this.#world.feed(event);
    this.#world.machines.offerSoon(attempt.on);
  }
}
