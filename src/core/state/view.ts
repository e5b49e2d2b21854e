import { assert, defined } from "../../base/assert.ts";
import type { Attempt, Output, Preference, Request } from "../../model/attempt.ts";
import type { Node } from "../../model/cluster.ts";
import type { LinkSample } from "../../model/event.ts";
import {
  type AttemptId,
  type Instant,
  type JobId,
  type NodeId,
  type PhaseId,
  type RackId,
  type RequestId,
  rackId,
  type SlotKind,
  type TaskId,
} from "../../model/ids.ts";
import type { Job, Locality, Phase, Task } from "../../model/job.ts";
import type { Report, ScoreTest } from "../../model/progress.ts";
import type { ActiveTasks, PhaseCounts, RunningOf, StageEntry, View } from "../../model/view.ts";
import { nodeScore } from "../statistics/node-scores.ts";
import { reportAt, reportsOf, stagesOf } from "../statistics/progress.ts";
import { PhaseRates } from "../statistics/rates.ts";
import { isClosed } from "./failures.ts";
import { keptSlotOf } from "./kept-slots.ts";
import { meanScore } from "./mean-score.ts";
import type { NodeRecord } from "./node-record.ts";
import type {
  AttemptRecord,
  JobRecord,
  PhaseRecord,
  RequestRecord,
  TaskRecord,
} from "./records.ts";
import { hasWorkedOn, isAlone, newestFirstOf, oldestOf, runningTasksOf } from "./running.ts";
import { rateOf, scoreOf } from "./scores.ts";
import type { State } from "./state.ts";
import { Statistics } from "./statistics.ts";
import { keptTasksOf, lookAtTask, mishapsOf, taskRecordOf } from "./task-record.ts";

const NO_RACKS: ReadonlyMap<RackId, number> = new Map();

/** The view that policies get: it reads the state, and keeps nothing but remembered statistics. */
export class CoreView implements View {
  readonly racks: readonly RackId[];
  readonly #state: State;
  readonly #statistics: Statistics;

  constructor(state: State) {
    this.#state = state;
    this.racks = state.setup.racks.map((_, index) => rackId(index));
    this.#statistics = new Statistics(state);
  }

  get now(): Instant {
    return this.#state.now;
  }

  get kinds(): readonly SlotKind[] {
    return this.#state.kinds;
  }

  job(id: JobId): Job {
    return this.jobRecord(id).job;
  }

  phase(id: PhaseId): Phase {
    return this.phaseRecord(id).phase;
  }

  task(id: TaskId): Task {
    return this.#look(id).task;
  }

  attempt(id: AttemptId): Attempt {
    return this.attemptRecord(id);
  }

  node(id: NodeId): Node {
    return this.nodeRecord(id).node;
  }

  request(id: RequestId): Request {
    return defined(this.#state.requests.get(id), "request");
  }

  jobOf(phase: PhaseId): Job {
    return this.phaseRecord(phase).job.job;
  }

  upstream(phase: PhaseId): readonly Phase[] {
    return this.phaseRecord(phase).upstream.map((record) => record.phase);
  }

  readers(task: TaskId): readonly Phase[] {
    return this.#look(task).phase.readers.map((record) => record.phase);
  }

  admittedAt(job: JobId): Instant | undefined {
    return this.jobRecord(job).admittedAt;
  }

  slots(kind: SlotKind): number {
    return this.#state.load[kind]!.slots;
  }

  freeSlots(rack: RackId, kind: SlotKind): number {
    return this.#state.freeCounts[rack]![kind]!;
  }

  silentSince(node: NodeId): Instant | undefined {
    return this.nodeRecord(node).silentSince;
  }

  waiting(kind: SlotKind): number {
    return this.#state.load[kind]!.waiting;
  }

  left(kind: SlotKind): number {
    return this.#state.load[kind]!.remaining;
  }

  demand(kind: SlotKind, pool: string): number {
    const share = this.#state.pools.get(pool);
    return share === undefined ? 0 : share.running[kind]! + share.waiting[kind]!;
  }

  running(kind: SlotKind, of?: RunningOf): number {
    if (of === undefined) return this.#state.load[kind]!.running;
    if ("as" in of) return this.#state.load[kind]!.runningAs[of.as];
    if ("pool" in of) return this.#state.pools.get(of.pool)?.running[kind] ?? 0;
    if ("user" in of) return this.#state.users.get(of.user)?.running[kind] ?? 0;
    return this.jobRecord(of.job).own.running[kind]!;
  }

  waitingOf(job: JobId, kind: SlotKind): number {
    return this.jobRecord(job).own.waiting[kind]!;
  }

  counts(phase: PhaseId): PhaseCounts {
    const record = this.phaseRecord(phase);
    return {
      tasks: record.size,
      waiting: record.waiting,
      running: record.running,
      done: record.done - record.recomputing,
      recomputing: record.recomputing,
      speculated: record.speculatedTasks.size,
      requested: record.requested,
    };
  }

  active(phase: PhaseId): ActiveTasks {
    const { active, manifold } = this.phaseRecord(phase);
    return { tasks: active, speculated: manifold };
  }

  unheard(phase: PhaseId): number {
    return this.phaseRecord(phase).unheard;
  }

  failures(task: TaskId): number {
    return mishapsOf(this.#state, task).failures;
  }

  failedOn(task: TaskId): readonly NodeId[] {
    return mishapsOf(this.#state, task).failedOn;
  }

  failuresOn(job: JobId, node: NodeId): number {
    return this.jobRecord(job).failures.get(node) ?? 0;
  }

  isClosed(job: JobId, node: NodeId): boolean {
    return isClosed(this.#state, this.jobRecord(job), node);
  }

  isDone(task: TaskId): boolean {
    return this.#look(task).done;
  }

  isWaiting(task: TaskId): boolean {
    return this.#look(task).waiting;
  }

  keptSlot(task: TaskId): NodeId | undefined {
    return keptSlotOf(this.#state, task);
  }

  isReady(phase: PhaseId): boolean {
    return this.phaseRecord(phase).ready;
  }

  restarts(task: TaskId): number {
    return mishapsOf(this.#state, task).restarts;
  }

  preference(task: TaskId): Preference | undefined {
    return this.#look(task).preference;
  }

  inputBytes(task: TaskId): number {
    const { task: noun, phase } = this.#look(task);
    return noun.inputBytes ?? phase.inputBytes?.[noun.index] ?? 0;
  }

  inputByRack(task: TaskId): ReadonlyMap<RackId, number> {
    const { task: noun, phase } = this.#look(task);
    return phase.inputByRack?.[noun.index] ?? NO_RACKS;
  }

  output(task: TaskId): Output | undefined {
    return this.#look(task).output;
  }

  outputNodes(task: TaskId): readonly NodeId[] {
    return this.#look(task).outputNodes.map(({ id }) => id);
  }

  inputNodes(job: JobId): number {
    return this.jobRecord(job).inputNodes;
  }

  links(rack: RackId): LinkSample | undefined {
    return this.#state.links[rack];
  }

  *jobs(pool?: string): Generator<Job> {
    for (const record of this.#state.jobs.values()) {
      if (!record.live || record.admittedAt === undefined) continue;
      if (pool === undefined || record.job.pool === pool) yield record.job;
    }
  }

  pools(): Iterable<string> {
    return this.#state.pools.keys();
  }

  *nodes(): Generator<Node> {
    for (const record of this.#state.nodes) if (record?.joined) yield record.node;
  }

  phases(job: JobId, kind?: SlotKind): readonly Phase[] {
    const phases: Phase[] = [];
    for (const record of this.jobRecord(job).phases) {
      if (!record.ready || !record.unfinished) continue;
      if (kind === undefined || record.phase.slots.includes(kind)) phases.push(record.phase);
    }
    return phases;
  }

  waitingTasks(phase: PhaseId): readonly Task[] {
    return this.phaseRecord(phase).waitingTasks.withReplicas();
  }

  runningTasks(phase: PhaseId): Iterable<Task> {
    return runningTasksOf(this.#state, this.phaseRecord(phase));
  }

  oldestRunning(phase: PhaseId, order: "launch" | "work", scoreIs?: ScoreTest): Iterable<Attempt> {
    return oldestOf(this.#state, this.phaseRecord(phase), { order, scoreIs });
  }

  *speculated(phase: PhaseId): Generator<Task> {
    for (const { task } of this.phaseRecord(phase).speculatedTasks) yield task;
  }

  *requests(phase?: PhaseId): Generator<Request> {
    for (const request of this.#state.requests.values()) {
      if (phase === undefined || request.record.phase.phase.id === phase) yield request;
    }
  }

  attemptsOf(task: TaskId): readonly Attempt[] {
    return this.#look(task).attempts;
  }

  isAlone(attempt: AttemptId): boolean {
    return isAlone(this.#state, attempt);
  }

  runningOf(task: TaskId): readonly Attempt[] {
    return this.#look(task).attempts.filter((attempt) => attempt.state === "running");
  }

  runningOn(node: NodeId): readonly Attempt[] {
    return this.#state.attempts.on(this.nodeRecord(node));
  }

  newestFirst(pool: string, kind: SlotKind): Iterable<Attempt> {
    return newestFirstOf(this.#state, this.#state.pools.get(pool), kind);
  }

  hasWorkedOn(task: TaskId, node: NodeId): boolean {
    return hasWorkedOn(this.#look(task), node);
  }

  hasRunOn(task: TaskId, node: NodeId): boolean {
    return this.#look(task).attempts.some((attempt) => attempt.node === node);
  }

  locality(task: TaskId, node: NodeId): Locality {
    const { replicas } = this.#look(task).task;
    if (replicas.length === 0) return "any";
    if (replicas.includes(node)) return "node";
    const { rack } = this.nodeRecord(node).node;
    const onRack = replicas.some((replica) => this.#state.nodes[replica]?.rack === rack);
    return onRack ? "rack" : "any";
  }

  progress(attempt: AttemptId): Report {
    return reportAt(this.attemptRecord(attempt), this.now);
  }

  progressAt(attempt: AttemptId, at: Instant): Report {
    assert(at <= this.now, "progress in the future is not known");
    return reportAt(this.attemptRecord(attempt), at);
  }

  score(attempt: AttemptId): number {
    return scoreOf(this.#state, attempt);
  }

  rate(attempt: AttemptId): number {
    return rateOf(this.#state, attempt);
  }

  reports(attempt: AttemptId, since: Instant): Iterable<Report> {
    return reportsOf(this.attemptRecord(attempt), since, this.now);
  }

  stageEntries(attempt: AttemptId): readonly StageEntry[] {
    return stagesOf(this.attemptRecord(attempt), this.now);
  }

  nodeProgress(node: NodeId): number {
    return nodeScore(this.#state.attempts.workOn(this.nodeRecord(node)), this.now);
  }

  nodeProgressPercentile(q: number): number {
    const { nodes, nodeScores } = this.#state;
    const percentileOf = () => nodeScores.percentile(q, nodes.length, this.now);
    return this.#statistics.of(this.#state, `nodes ${q}`, percentileOf);
  }

  meanProgress(phase: PhaseId): number {
    const record = this.phaseRecord(phase);
    return this.#statistics.of(record, "mean", () => meanScore(this.#state, record));
  }

  ratePercentile(phase: PhaseId, q: number): number {
    const record = this.phaseRecord(phase);
    const percentileOf = () => this.ratesOf(record).percentile(q, this.now);
    return this.#statistics.of(record, `rate ${q}`, percentileOf);
  }

  held<T>(phase: PhaseId, what: string, workOut: () => T): T {
    return this.#statistics.of(this.phaseRecord(phase), what, workOut);
  }

  // For the core's own use: the records behind the nouns.

  ratesOf(phase: PhaseRecord): PhaseRates<AttemptRecord> {
    if (phase.rates === undefined) {
      const sole = phase.sole.list();
      const alone = { attempts: sole.map((row) => this.#state.attempts.at(row)) };
      const tasks = [...keptTasksOf(this.#state, phase), alone];
      phase.rates = new PhaseRates(tasks, phase.shedRates, this.now);
      phase.shedRates = [];
    }
    return phase.rates;
  }

  jobRecord(id: JobId): JobRecord {
    return defined(this.#state.jobs.get(id), "job");
  }

  phaseRecord(id: PhaseId): PhaseRecord {
    return defined(this.#state.phases.find(id), "phase");
  }

  #look(id: TaskId): TaskRecord {
    return lookAtTask(this.#state, id);
  }

  taskRecord(id: TaskId): TaskRecord {
    return taskRecordOf(this.#state, id);
  }

  attemptRecord(id: AttemptId): AttemptRecord {
    return defined(this.#state.attempts.find(id), "attempt");
  }

  nodeRecord(id: NodeId): NodeRecord {
    return defined(this.#state.nodes[id], "node");
  }

  requestRecord(id: RequestId): RequestRecord {
    return defined(this.#state.requests.get(id), "request");
  }
}
