import { slotKind } from "../../../model/ids.ts";
import { SLOT_KINDS, type SlotName } from "../../../run/job-plan.ts";
import type { AwaitedTask, Wait } from "../../../run/run-event.ts";
import type { EngineTask, LiveAttempt } from "./attempts.ts";
import type { JobRun } from "./job-run.ts";
import type { MasterContext } from "./master-context.ts";
import { isBeingMade } from "./missed-outputs.ts";

/** The time without any change after which a job reports what it waits for. */
const QUIET_MS = 15_000;
/** The most waits of a job that get a line each. */
const SHOWN_MAX = 4;
/** The most outputs that a message names. */
const NAMED_MAX = 3;

/**
 * Checks with every heartbeat whether jobs move: reports what a stuck job waits for, and ends
 * attempts that wait for outputs that nothing is making. Working attempts without a sign of life
 * are left to their nodes.
 */
export class Watchdog {
  readonly #context: MasterContext;
  readonly #taskTimeoutMs: number;
  readonly #heartbeatMs: number;
  /** By job, the time after which its waits are reported again. */
  readonly #tellAfterMs = new Map<JobRun, number>();
  #lookedAt: number | undefined;

  constructor(query: {
    readonly context: MasterContext;
    readonly taskTimeoutMs: number;
    readonly heartbeatMs: number;
  }) {
    this.#context = query.context;
    this.#taskTimeoutMs = query.taskTimeoutMs;
    this.#heartbeatMs = query.heartbeatMs;
  }

  /** `jobs`: the running jobs. COST: O(live attempts). */
  look(jobs: readonly JobRun[]): void {
    this.#excuse(jobs);
    for (const attempt of [...this.#context.attempts.all]) this.#lookAtReader(attempt);
    for (const job of this.#tellAfterMs.keys()) {
      if (!jobs.includes(job)) this.#tellAfterMs.delete(job);
    }
    for (const job of jobs) this.#lookAtJob(job);
  }

  /** Forgives the time during which the master itself stood still and read no messages. */
  #excuse(jobs: readonly JobRun[]): void {
    const { now } = this.#context;
    const lateMs = now - (this.#lookedAt ?? now) - this.#heartbeatMs;
    this.#lookedAt = now;
    if (lateMs <= this.#heartbeatMs) return;
    const later = (at: number): number => Math.min(now, at + lateMs);
    for (const job of jobs) job.movedAt = later(job.movedAt);
    for (const attempt of this.#context.attempts.all) {
      attempt.movedAt = later(attempt.movedAt);
      if (attempt.stalledAt !== undefined) attempt.stalledAt = later(attempt.stalledAt);
    }
  }

  #lookAtReader(attempt: LiveAttempt): void {
    const { now } = this.#context;
    if (attempt.killedFor !== undefined || !this.#isStalled(attempt)) {
      attempt.stalledAt = undefined;
      return;
    }
    attempt.stalledAt = Math.max(attempt.stalledAt ?? now, attempt.movedAt);
    if (now - attempt.stalledAt <= this.#taskTimeoutMs) return;
    const names = awaitedBy(this.#context, attempt, NAMED_MAX);
    attempt.node.send({ kind: "kill", attempt: attempt.id });
    const message =
      `no progress for ${this.#taskTimeoutMs / 1000} s: it waits for ${names}, ` +
      "and nothing is at work at that";
    this.#context.fail(attempt, { cause: "timeout", message });
  }

  /**
   * Whether the attempt waits for outputs that nothing can make: no slot of their tasks' kinds is
   * at work, so none of these tasks runs, and none that is queued will get a slot.
   */
  #isStalled({ task, working }: LiveAttempt): boolean {
    if (working || task.readsFrom.size === 0) return false;
    for (const other of this.#context.attempts.all) {
      const isAtWork = other.working || other.task.readsFrom.size === 0;
      if (isAtWork && task.readsFrom.has(other.task.slot)) return false;
    }
    return true;
  }

  #lookAtJob(job: JobRun): void {
    const { now } = this.#context;
    const quietMs = now - this.#movedAt(job);
    const tellAfterMs = this.#tellAfterMs.get(job) ?? QUIET_MS;
    if (quietMs < QUIET_MS) this.#tellAfterMs.delete(job);
    if (quietMs < tellAfterMs) return;
    this.#tellAfterMs.set(job, 2 * tellAfterMs);
    const waits = waitsOf(this.#context, job, NAMED_MAX);
    const shown = waits.slice(0, SHOWN_MAX);
    const count = waits.length - shown.length;
    for (const wait of count > 0 ? [...shown, { kind: "more", count } as const] : shown) {
      this.#context.emit({ kind: "waiting", job: job.name, forMs: quietMs, wait });
    }
  }

  #movedAt(job: JobRun): number {
    let latest = job.movedAt;
    for (const { task, movedAt } of this.#context.attempts.all) {
      if (job.has(task.id)) latest = Math.max(latest, movedAt);
    }
    return latest;
  }
}

/**
 * What the job waits for: silent nodes, readers without their outputs, working attempts without a
 * new record, tasks without a slot. COST: O(tasks) for each waiting reader.
 */
function waitsOf(context: MasterContext, job: JobRun, namedMax: number): readonly Wait[] {
  const own = [...context.attempts.all].filter(({ task }) => job.has(task.id));
  return [
    ...context.nodes.flatMap((node): readonly Wait[] =>
      node.state === "silent"
        ? [{ kind: "node", node: node.name, silentMs: context.now - node.heardAt }]
        : [],
    ),
    ...own.map((attempt) => waitOf(context, attempt, namedMax)),
    ...job.phaseIds.flatMap((id): readonly Wait[] => {
      const { view } = context.driver;
      const { waiting } = view.counts(id);
      if (waiting === 0) return [];
      const { name, slots } = view.phase(id);
      const slot = SLOT_KINDS[slots[0] ?? 0] ?? "map";
      return [{ kind: "slot", phase: name, tasks: waiting, slot, ...slotsOf(context, slot) }];
    }),
  ];
}

/** What the reader waits for, for a message: names at most `namedMax` outputs. */
function awaitedBy(context: MasterContext, reader: LiveAttempt, namedMax: number): string {
  const wait = outputsOf(context, reader, namedMax);
  if (wait.of.length === 0) return "outputs that are there";
  const named = wait.of.map(({ task, state }) => `${task} (${state})`).join(", ");
  return wait.more === 0 ? named : `${named} and ${wait.more} more`;
}

function waitOf(context: MasterContext, attempt: LiveAttempt, namedMax: number): Wait {
  const { name, node, seen, task, working } = attempt;
  if (!working && task.readsFrom.size > 0) return outputsOf(context, attempt, namedMax);
  return { kind: "record", attempt: name, node: node.name, records: seen.records };
}

function outputsOf(
  context: MasterContext,
  { name, node, task }: LiveAttempt,
  namedMax: number,
): Extract<Wait, { kind: "outputs" }> {
  const awaited = context.jobOf(task.id).awaited(task.id);
  const of = awaited.slice(0, namedMax).map((one) => ({
    task: one.name,
    state: stateOf(context, one),
  }));
  return { kind: "outputs", attempt: name, node: node.name, of, more: awaited.length - of.length };
}

function stateOf(context: MasterContext, { id }: EngineTask): AwaitedTask["state"] {
  const { view } = context.driver;
  if (view.isWaiting(id)) return "waits for a slot";
  if (isBeingMade(view, id)) return "runs";
  return view.isDone(id) ? "gone" : "not begun";
}

/** The slots of the kind on nodes that are heard, and how many of them are taken. */
function slotsOf(
  context: MasterContext,
  slot: SlotName,
): { readonly taken: number; slots: number } {
  const kind = slotKind(SLOT_KINDS.indexOf(slot));
  let taken = 0;
  let slots = 0;
  for (const node of context.nodes) {
    if (node.state !== "live") continue;
    slots += node.slots;
    for (const held of node.held.values()) if (held === kind) taken++;
  }
  return { taken, slots };
}
