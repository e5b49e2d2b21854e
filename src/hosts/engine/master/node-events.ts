import { never } from "../../../base/assert.ts";
import { attemptId, type Instant, instant, type JobId, jobId, rackId } from "../../../model/ids.ts";
import type { ReportedProgress } from "../../../model/progress.ts";
import { rule } from "../../../model/why.ts";
import { birthOf } from "../../../run/process-birth.ts";
import type { Failure } from "../../../run/run-result.ts";
import type {
  AttemptFailure,
  AttemptProgress,
  KeptOutput,
  LateFailure,
  ToMaster,
  WorkResult,
} from "../messages.ts";
import type { LiveAttempt } from "./attempts.ts";
import type { ClusterListener } from "./cluster.ts";
import type { EngineNode } from "./engine-node.ts";
import type { MasterContext } from "./master-context.ts";
import { missed } from "./missed-outputs.ts";
import { copied } from "./replication.ts";

const CRASHED = rule("node-process-ended");
const MASTER_KILLED = rule("master-was-killed");

export interface NodeEventsListener {
  log(line: string): void;
  /** A process began, or works more or less than before. */
  changed(): void;
  /** Every node has been ready once. */
  allReady(): void;
  /** The job is to fail. */
  failedLate(job: JobId, failure: Failure): void;
}

/** Translates the nodes' messages into events of the core. */
export class NodeEvents implements ClusterListener {
  readonly #context: MasterContext;
  readonly #listener: NodeEventsListener;
  readonly #ready = new Set<EngineNode>();

  constructor(context: MasterContext, listener: NodeEventsListener) {
    this.#context = context;
    this.#listener = listener;
  }

  began(node: EngineNode, pid: number | undefined): void {
    if (pid !== undefined) {
      const birth = birthOf(pid);
      const { name } = node;
      this.#context.write({
        kind: "process",
        node: name,
        pid,
        ...(birth !== undefined && { birth }),
      });
    }
    for (const job of this.#context.jobs.values()) node.send({ kind: "job", job: job.forNodes });
    this.#listener.changed();
  }

  ready(node: EngineNode, unreadable: readonly number[]): void {
    const context = this.#context;
    if (node.state !== "starting") {
      if (node.joins) this.join(node);
      for (const task of context.loseOutputs(node, unreadable)) {
        context.driver.feed({ kind: "output-lost", task, node: node.id });
      }
      context.offer(node);
    }
    if (this.#ready.size === context.nodes.length) return;
    this.#ready.add(node);
    if (this.#ready.size === context.nodes.length) this.#listener.allReady();
  }

  silent(node: EngineNode, since: number): void {
    this.#context.driver.feed((at) => {
      return { kind: "node-silent", node: node.id, since: earlier(since, at) };
    });
  }

  backInTouch(node: EngineNode): void {
    this.#context.driver.feed({ kind: "node-heard", node: node.id });
    this.#context.offer(node);
  }

  crashed(node: EngineNode, how: string, replace: () => void): void {
    const context = this.#context;
    context.emit({ kind: "node-crashed", node: node.name, how });
    context.write({ kind: "node-crashed", node: node.name, how });
    if (node.state !== "live" && node.state !== "silent") {
      node.joins = true;
      replace();
      return;
    }
    const crashed = context.attempts.on(node);
    node.held.clear();
    node.joins = false;
    this.#offerNone(node);
    for (const attempt of crashed) this.#crashed(attempt, how, crashed.length === 1);
    replace();
    this.join(node);
  }

  /**
   * Ends all attempts without a failure, as if every node had crashed; the nodes join again with
   * their outputs.
   */
  allCrashed(): void {
    const context = this.#context;
    for (const node of context.nodes) {
      node.held.clear();
      if (node.state === "live" || node.state === "silent") this.#offerNone(node);
    }
    for (const attempt of [...context.attempts.all]) context.killedByHost(attempt, MASTER_KILLED);
    for (const node of context.nodes) this.join(node);
  }

  printed(node: EngineNode, stream: "stdout" | "stderr", line: string): void {
    this.#listener.log(`${node.name} ${stream}: ${line}`);
    this.#context.emit({ kind: "log", node: node.name, stream, line });
  }

  outputsOn(node: EngineNode): readonly KeptOutput[] {
    return [...this.#context.jobs.values()].flatMap((job) => job.outputs.on(node));
  }

  received(node: EngineNode, message: Exclude<ToMaster, { kind: "ready" }>): void {
    switch (message.kind) {
      case "heartbeat":
        this.#heartbeat(message.attempts);
        break;
      case "started":
        this.#started(message.attempt);
        break;
      case "succeeded":
        this.#succeeded(node, message.attempt, message.result);
        break;
      case "failed":
        this.#failed(node, message.attempt, message.failure);
        break;
      case "failed-late":
        this.#failedLate(node, message);
        break;
      case "killed":
        this.#killed(node, message.attempt);
        break;
      case "fetch-failed":
        this.#fetchFailed(message);
        break;
      case "still":
        this.#still(node, message);
        break;
      case "missed": {
        const reader = this.#context.attempts.find(message.attempt);
        if (reader !== undefined) missed(this.#context, reader, message.sources);
        break;
      }
      case "copied":
        copied(this.#context, node, message);
        break;
      default:
        never(message);
    }
    this.#countWorking(node);
  }

  /**
   * Offers no slots, so that the core launches nothing there until it knows all that was lost with
   * the process.
   */
  #offerNone(node: EngineNode): void {
    const free = node.slotCounts.map(({ kind }) => ({ kind, count: 0 }));
    this.#context.driver.feed({ kind: "slots-offered", node: node.id, free });
  }

  /** Lets the node join; it offers its slots when its process is ready. */
  join(node: EngineNode): void {
    const context = this.#context;
    const { id, name, rack, slotCounts } = node;
    context.driver.feed({
      kind: "node-joined",
      node: { id, name, rack: rackId(rack), slots: slotCounts },
    });
    context.shareSlots();
  }

  /**
   * Blames an attempt that ran alone for the end of the process, and an attempt of a task that was
   * already running when an earlier process ended.
   */
  #crashed(attempt: LiveAttempt, how: string, alone: boolean): void {
    const { task, killedFor } = attempt;
    if (killedFor === undefined && (alone || task.suspect)) {
      const message = `the process of its node ended while it ran: ${how}${hintOf(how)}`;
      this.#context.fail(attempt, { cause: "error", message });
      return;
    }
    task.suspect = true;
    this.#context.killedByHost(attempt, CRASHED);
  }

  #heartbeat(progress: readonly AttemptProgress[]): void {
    for (const reading of progress) {
      const attempt = this.#context.attempts.find(reading.attempt);
      if (attempt === undefined) continue;
      attempt.working = reading.working;
      if (attempt.killedFor !== undefined) continue;
      this.#context.driver.feed((at) => ({
        kind: "attempt-progressed",
        attempt: attempt.id,
        progress: report(attempt, reading, at),
      }));
    }
  }

  #still(node: EngineNode, message: Extract<ToMaster, { kind: "still" }>): void {
    const attempt = this.#context.attempts.find(message.attempt);
    if (attempt === undefined || attempt.killedFor !== undefined) return;
    const { forMs, records, place } = message;
    this.#context.emit({
      kind: "attempt-still",
      attempt: attempt.name,
      node: node.name,
      forMs,
      records,
      ...(place !== undefined && { place }),
    });
  }

  /** Counts working attempts for the throttle, which compares nodes by their work. */
  #countWorking(node: EngineNode): void {
    const working = this.#context.attempts.on(node).filter((attempt) => attempt.working).length;
    if (working === node.working) return;
    node.working = working;
    this.#listener.changed();
  }

  #started(id: number): void {
    const attempt = this.#context.attempts.find(id);
    if (attempt === undefined || attempt.killedFor !== undefined) return;
    const { as, node, task } = attempt;
    attempt.working = task.slot === "map";
    this.#context.driver.feed((at) => ({
      kind: "attempt-started",
      attempt: attempt.id,
      task: task.id,
      node: node.id,
      as,
      progress: report(attempt, NOTHING_YET, at),
    }));
  }

  #succeeded(node: EngineNode, id: number, result: WorkResult): void {
    const context = this.#context;
    const attempt = context.attempts.find(id);
    // A killed attempt can no longer succeed: its node removes the output and reports the kill.
    if (attempt?.killedFor !== undefined) return;
    if (attempt !== undefined) this.#accept(attempt, result);
    context.release(node, id);
  }

  #accept(attempt: LiveAttempt, result: WorkResult): void {
    const context = this.#context;
    const job = context.jobOf(attempt.task.id);
    const accepted = job.tryAccept(attempt, result);
    if (accepted.kind === "refused") {
      attempt.node.send({ kind: "kill", attempt: attempt.id });
      context.fail(attempt, { cause: "error", message: accepted.message });
      return;
    }
    const { output, part, moved } = accepted;
    const { name, node } = attempt;
    context.write({
      kind: "output",
      attempt: name,
      node: node.name,
      result,
      ...(part !== undefined && { part }),
    });
    context.move(job, moved);
    if (part !== undefined) attempt.part = part;
    context.driver.feed({ kind: "attempt-succeeded", attempt: attempt.id, output });
  }

  #failed(node: EngineNode, id: number, failure: AttemptFailure): void {
    const attempt = this.#context.attempts.find(id);
    if (attempt?.killedFor !== undefined) return;
    if (attempt !== undefined) this.#context.fail(attempt, failure);
    this.#context.release(node, id);
  }

  #failedLate(node: EngineNode, { attempt, job, failure }: LateFailure): void {
    const succeeded = this.#context.attempts.findSucceeded(attempt);
    if (succeeded === undefined) return;
    const { attempt: name, task } = succeeded;
    const message = `its code went on after attempt ${name} had succeeded: ${failure.message}`;
    const late = { ...failure, message };
    this.#context.write({ kind: "failure", attempt: name, ...late });
    this.#listener.failedLate(jobId(job), { task, node: node.name, ...late });
  }

  #killed(node: EngineNode, id: number): void {
    const context = this.#context;
    const attempt = context.attempts.find(id);
    if (attempt?.killedFor !== undefined) {
      context.driver.feed({ kind: "attempt-killed", attempt: attempt.id, by: "us" });
    }
    context.release(node, id);
  }

  #fetchFailed(failed: Extract<ToMaster, { kind: "fetch-failed" }>): void {
    const context = this.#context;
    const reader = context.attempts.find(failed.attempt);
    if (reader === undefined || reader.killedFor !== undefined) return;
    const job = context.jobOf(reader.task.id);
    const place = job.outputs.place(failed.source, failed.path);
    if (place === undefined) {
      // The output has moved, and the reader will be told; or no node has it.
      missed(context, reader, [failed.source]);
      return;
    }
    const { task, node } = place;
    context.write({
      kind: "fetch-failed",
      reader: reader.name,
      path: failed.path,
      message: failed.message,
    });
    context.driver.feed({
      kind: "fetch-failed",
      reader: attemptId(failed.attempt),
      output: task,
      from: node.id,
    });
    if (context.driver.view.outputNodes(task).includes(node.id)) return;
    // The core has given up this copy: readers go to another copy, or wait for one.
    job.outputs.giveUp(place);
    context.move(job, [place.source]);
  }
}

/**
 * A single value can be so large that V8 has no room left to throw an error, and ends the process.
 */
const hintOf = (how: string): string =>
  how === "SIGABRT" ? ", as when a value is larger than the heap that --memory leaves a slot" : "";

const NOTHING_YET = { stage: 0, score: 0, bytesRead: 0, bytesWritten: 0, records: 0 };

/** The node's report in the core's terms, with the master's time. */
function report(
  attempt: LiveAttempt,
  reading: Omit<AttemptProgress, "attempt" | "working">,
  at: Instant,
): ReportedProgress {
  const { stage, score, bytesRead, bytesWritten, records } = reading;
  const { seen } = attempt;
  const isSame =
    score === attempt.score &&
    stage === seen.stage &&
    bytesRead === seen.bytesRead &&
    bytesWritten === seen.bytesWritten &&
    records === seen.records;
  if (!isSame) {
    attempt.seen = { stage, bytesRead, bytesWritten, records };
    attempt.movedAt = at;
  }
  if (score !== attempt.score) {
    attempt.score = score;
    attempt.changedAt = at;
  }
  const changedAt = earlier(attempt.changedAt, at);
  return { kind: "reported", at, changedAt, stage, score, bytesRead, bytesWritten, records };
}

const earlier = (ms: number, at: Instant): Instant => instant(Math.min(ms, at));
