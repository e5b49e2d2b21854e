import { assert, defined } from "../../base/assert.ts";
import type { Action } from "../../model/action.ts";
import type { AttemptKind, AttemptState } from "../../model/attempt.ts";
import type { Node, SlotCounts } from "../../model/cluster.ts";
import type { ClusterEvent } from "../../model/event.ts";
import type {
  AttemptId,
  Instant,
  JobId,
  NodeId,
  PhaseId,
  RequestId,
  SlotKind,
  TaskId,
} from "../../model/ids.ts";
import type { Job, Phase, Task } from "../../model/job.ts";

export interface MirrorNode {
  node: Node;
  joined: boolean;
  silentSince: Instant | undefined;
  /** The slots as last offered. */
  offered: SlotCounts;
  /** The kind of each launch since then. */
  taken: SlotKind[];
  /** The time since which a slot has been free while a task that may take it waits. */
  heldSince: number | undefined;
}

export interface MirrorJob {
  readonly job: Job;
  readonly tasks: MirrorTask[];
  live: boolean;
}

export interface MirrorTask {
  readonly task: Task;
  readonly phase: Phase;
  readonly job: MirrorJob;
  readonly isRead: boolean;
  done: boolean;
  recomputing: boolean;
  failures: number;
  readonly failedOn: Set<NodeId>;
  restarts: number;
  /** The task is to be made again, and no new attempt has been reported yet. */
  isUnheard: boolean;
  /** The first attempt since which the task has always had one. */
  workSince: AttemptId | undefined;
  readonly attempts: MirrorAttempt[];
  readonly outputs: Set<NodeId>;
  /** Since the output was last written or lost. */
  readonly fetchReports: Map<NodeId, number>;
}

export interface MirrorAttempt {
  readonly id: AttemptId;
  readonly task: MirrorTask;
  readonly node: NodeId;
  readonly as: AttemptKind;
  readonly slot: SlotKind;
  state: AttemptState;
}

export const holdsSlot = ({ state }: MirrorAttempt): boolean =>
  state === "assumed" || state === "running" || state === "dying";

export const isRunning = ({ state }: MirrorAttempt): boolean =>
  state === "assumed" || state === "running";

export const slotsOf = (slots: SlotCounts, wanted: SlotKind): number =>
  slots.reduce((sum, { kind, count }) => sum + (kind === wanted ? count : 0), 0);

/** The state of the world by events and actions alone: second books, as plain as possible. */
export class Mirror {
  now = 0;
  /** The things that the latest event and its actions may have changed. */
  readonly touched = new Set<MirrorTask>();
  areNodesTouched = false;
  readonly nodes = new Map<NodeId, MirrorNode>();
  readonly jobs = new Map<JobId, MirrorJob>();
  readonly phases = new Map<PhaseId, Phase>();
  readonly tasks = new Map<TaskId, MirrorTask>();
  readonly attempts = new Map<AttemptId, MirrorAttempt>();
  /** The attempts that hold a slot. */
  readonly holding = new Set<MirrorAttempt>();
  readonly requests = new Map<RequestId, MirrorTask>();
  /** Requested wakes that are not yet due. */
  wakes: number[] = [];
  #nextAttempt = 0;

  event(event: ClusterEvent): void {
    assert(event.at >= this.now, "time never runs backwards");
    this.now = event.at;
    this.touched.clear();
    this.areNodesTouched = false;
    if (this.wakes.some((at) => at <= event.at)) {
      this.wakes = this.wakes.filter((at) => at > event.at);
    }
    this.#forget();
    switch (event.kind) {
      case "node-joined":
        this.#lose(event.node.id);
        this.nodes.set(event.node.id, {
          node: event.node,
          joined: true,
          silentSince: undefined,
          offered: [],
          taken: [],
          heldSince: undefined,
        });
        break;
      case "node-silent":
        this.#silence(this.node(event.node), event.since);
        break;
      case "node-heard":
        this.node(event.node).silentSince = undefined;
        break;
      case "node-left":
        this.#lose(event.node);
        this.#dropOutputs(event.node);
        break;
      case "slots-offered":
        if (this.node(event.node).joined) {
          Object.assign(this.node(event.node), { offered: event.free, taken: [] });
        }
        break;
      case "job-submitted":
        this.#submit(event.job);
        break;
      case "attempt-started":
      case "attempt-succeeded":
      case "attempt-failed":
      case "attempt-killed":
        this.#attempt(event);
        break;
      case "launch-refused":
        this.#refuse(event.attempt);
        break;
      case "request-refused":
        this.#endRequest(event.request);
        break;
      case "output-lost":
        this.#dropOutput(this.tasks.get(event.task), event.node);
        break;
      case "fetch-failed":
        this.#fetchFailed(event);
        break;
      case "output-replicated": {
        const task = this.tasks.get(event.task);
        if (task !== undefined && task.outputs.size > 0 && this.node(event.node).joined) {
          task.outputs.add(event.node);
          this.touched.add(task);
        }
        break;
      }
      default:
    }
  }

  action(action: Action): void {
    switch (action.kind) {
      case "launch": {
        const task = this.task(action.task);
        this.#add(action.attempt, task, action);
        this.node(action.node).taken.push(action.slot);
        if (action.request !== undefined) this.#endRequest(action.request);
        break;
      }
      case "kill": {
        const attempt = defined(this.attempts.get(action.attempt), "a killed attempt");
        if (action.then === "restart") attempt.task.restarts += 1;
        this.#enter(attempt, this.isUsable(attempt.node) ? "dying" : "killed");
        break;
      }
      case "request":
        this.requests.set(action.request, this.task(action.task));
        this.touched.add(this.task(action.task));
        break;
      case "withdraw":
        this.#endRequest(action.request);
        break;
      case "recompute":
        Object.assign(this.task(action.task), { recomputing: true, isUnheard: true });
        this.touched.add(this.task(action.task));
        break;
      case "declare-lost":
        this.#lose(action.node);
        this.#dropOutputs(action.node);
        break;
      case "end-job":
        defined(this.jobs.get(action.job), "an ended job").live = false;
        break;
      case "wake":
        this.wakes.push(action.at);
        break;
      default:
    }
  }

  node(id: NodeId): MirrorNode {
    return defined(this.nodes.get(id), "a node that joined");
  }

  task(id: TaskId): MirrorTask {
    return defined(this.tasks.get(id), "a task of a live job");
  }

  isUsable(id: NodeId): boolean {
    const node = this.nodes.get(id);
    return node?.joined === true && node.silentSince === undefined;
  }

  #submit(job: Job): void {
    const record: MirrorJob = { job, tasks: [], live: true };
    this.jobs.set(job.id, record);
    const read = new Set(job.phases.flatMap(({ after }) => after.map((edge) => edge.phase)));
    for (const phase of job.phases) {
      this.phases.set(phase.id, phase);
      for (const task of phase.tasks) {
        const mirrored: MirrorTask = {
          task,
          phase,
          job: record,
          isRead: read.has(phase.id),
          done: false,
          recomputing: false,
          failures: 0,
          failedOn: new Set(),
          restarts: 0,
          isUnheard: false,
          workSince: undefined,
          attempts: [],
          outputs: new Set(),
          fetchReports: new Map(),
        };
        this.tasks.set(task.id, mirrored);
        record.tasks.push(mirrored);
        this.touched.add(mirrored);
      }
    }
  }

  #attempt(
    event: Extract<
      ClusterEvent,
      { kind: "attempt-started" | "attempt-succeeded" | "attempt-failed" | "attempt-killed" }
    >,
  ): void {
    if (event.kind === "attempt-started" && event.attempt === this.#nextAttempt) {
      const task = this.tasks.get(event.task);
      if (event.request !== undefined) this.#endRequest(event.request);
      const slot = task?.phase.slots[0];
      if (task?.job.live && slot !== undefined) this.#add(event.attempt, task, { ...event, slot });
      else this.#nextAttempt += 1;
    }
    const attempt = this.attempts.get(event.attempt);
    if (attempt === undefined || !holdsSlot(attempt)) return;
    const { task } = attempt;
    task.isUnheard = false;
    switch (event.kind) {
      case "attempt-started":
        if (attempt.state === "assumed") this.#enter(attempt, "running");
        break;
      case "attempt-succeeded":
        this.#succeed(attempt);
        break;
      case "attempt-failed":
        this.#enter(attempt, "failed");
        if (!task.done || task.recomputing) this.#fail(task, attempt.node);
        break;
      case "attempt-killed":
        this.#enter(attempt, "killed");
        break;
      default:
    }
  }

  /** Of two attempts that finish, the first counts; none counts once the job is over. */
  #succeed(attempt: MirrorAttempt): void {
    const { task } = attempt;
    if (!task.job.live || (task.done && !task.recomputing)) {
      this.#enter(attempt, "killed");
      return;
    }
    this.#enter(attempt, "succeeded");
    task.done = true;
    task.recomputing = false;
    task.fetchReports.delete(attempt.node);
    if (task.isRead) task.outputs.add(attempt.node);
  }

  #add(
    id: AttemptId,
    task: MirrorTask,
    { node, as, slot }: Pick<MirrorAttempt, "node" | "as" | "slot">,
  ): void {
    assert(id === this.#nextAttempt, "attempts are numbered in journal order");
    this.#nextAttempt += 1;
    const attempt: MirrorAttempt = { id, task, node, as, slot, state: "assumed" };
    this.attempts.set(id, attempt);
    if (!task.attempts.some(holdsSlot)) task.workSince = id;
    task.attempts.push(attempt);
    this.#enter(attempt, "assumed");
  }

  #enter(attempt: MirrorAttempt, state: AttemptState): void {
    attempt.state = state;
    if (holdsSlot(attempt)) this.holding.add(attempt);
    else {
      this.holding.delete(attempt);
      attempt.task.isUnheard = false;
    }
    this.touched.add(attempt.task);
  }

  #endRequest(id: RequestId): void {
    const task = this.requests.get(id);
    if (task !== undefined) this.touched.add(task);
    this.requests.delete(id);
  }

  /** A refused attempt has never run. */
  #refuse(id: AttemptId): void {
    const refused = this.attempts.get(id);
    if (refused === undefined || !holdsSlot(refused)) return;
    const { attempts } = refused.task;
    attempts.splice(attempts.indexOf(refused), 1);
    this.attempts.delete(id);
    this.holding.delete(refused);
    refused.task.isUnheard = false;
    this.touched.add(refused.task);
  }

  #fail(task: MirrorTask, node: NodeId): void {
    task.failures += 1;
    task.failedOn.add(node);
  }

  /**
   * Hadoop 1.2.1: an output is missed after three reports, if these are half as many as the running
   * readers.
   */
  #fetchFailed({ output, from }: Extract<ClusterEvent, { kind: "fetch-failed" }>): void {
    const task = this.tasks.get(output);
    if (!task?.outputs.has(from) || !task.job.live || task.recomputing) return;
    const readers = [...this.holding].filter((one) =>
      one.task.phase.after.some((edge) => edge.phase === task.phase.id),
    );
    const reports = (task.fetchReports.get(from) ?? 0) + 1;
    task.fetchReports.set(from, reports);
    if (reports < 3 || reports < readers.length / 2) return;
    this.#fail(task, from);
    this.#dropOutput(task, from);
  }

  #silence(node: MirrorNode, since: Instant): void {
    if (!node.joined) return;
    node.silentSince ??= since;
    for (const attempt of this.holding) {
      if (attempt.node !== node.node.id) continue;
      // An attempt that was launched there and never confirmed counts as begun.
      this.#enter(attempt, attempt.state === "dying" ? "killed" : "running");
    }
  }

  #lose(id: NodeId): void {
    this.areNodesTouched = true;
    const node = this.nodes.get(id);
    if (node !== undefined)
      Object.assign(node, { joined: false, silentSince: undefined, offered: [], taken: [] });
    for (const attempt of this.holding) {
      if (attempt.node === id) this.#enter(attempt, "killed");
    }
  }

  #dropOutputs(id: NodeId): void {
    for (const task of this.tasks.values()) this.#dropOutput(task, id);
  }

  #dropOutput(task: MirrorTask | undefined, id: NodeId): void {
    if (task?.outputs.delete(id)) this.touched.add(task);
    task?.fetchReports.delete(id);
  }

  /** Ended jobs without live attempts. */
  #forget(): void {
    for (const { job, tasks, live } of this.jobs.values()) {
      if (live || tasks.some(({ attempts }) => attempts.some(holdsSlot))) continue;
      this.jobs.delete(job.id);
      for (const phase of job.phases) this.phases.delete(phase.id);
      for (const { task, attempts } of tasks) {
        this.tasks.delete(task.id);
        for (const { id } of attempts) this.attempts.delete(id);
      }
    }
  }
}
