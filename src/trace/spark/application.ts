import type { JsonObject } from "../../base/json.ts";
import { cell } from "../../base/rows.ts";
import type { TraceEnd } from "../../history/columns.ts";
import { knownCount } from "../counts.ts";
import { numberIn, objectIn, textIn } from "../json-values.ts";
import { type EventFields, FIELD } from "./event-fields.ts";
import { isDriver, SparkExecutors } from "./executors.ts";
import type { StageTraces } from "./plan.ts";
import { SparkQueries } from "./queries.ts";
import { SparkSlots } from "./slots.ts";
import { SparkAttempts, stageKey } from "./spark-attempts.ts";
import { countersOf, rddsOfStages, type StageData, stageDataOf } from "./stage-data.ts";
import {
  endOf,
  isPlaced,
  isResubmitted,
  measure,
  reasonOf,
  type SparkTask,
  taskOf,
} from "./task-event.ts";
import { TaskRows } from "./task-rows.ts";

/** The contents of one application's event log, before they become a trace. Times since 1970. */
export class SparkApplication {
  version: string | undefined;
  id: string | undefined;
  /** Of an application that YARN started again: the number of this start, from 1. */
  attempt: string | undefined;
  name: string | undefined;
  user: string | undefined;
  startedAt: number | undefined;
  endedAt: number | undefined;
  /** The latest time of any job, stage or task. */
  lastAt = 0;
  readonly properties = new Map<string, string>();
  readonly jobs = new Map<number, SparkJob>();
  readonly stages = new Map<string, SparkStage>();
  readonly queries = new SparkQueries();
  /** The RDD of each stage that jobs name, also of those that did not run. */
  readonly rddOfStage = new Map<number, number>();
  readonly executors = new SparkExecutors();
  readonly slots = new SparkSlots();
  /** Hosts and executors that ran tasks or registered to; the driver only if it ran some. */
  readonly nodes = new NameIndex();
  readonly executorNames = new NameIndex();
  readonly attempts = new SparkAttempts();
  /** Executors whose outputs were missed, or went with tasks on them. */
  readonly missedExecutors = new Map<string, LostWork>();
  readonly #jobsOfQuery = new Map<number, number[]>();
  /** Events that lack what identifies them. */
  incomplete = 0;
  /** Ends of tasks that are known by their partition alone. */
  unplaced = 0;
  /** Ends of tasks that stand twice. */
  doubles = 0;
  /** Ends with the number of a task that began at another time. */
  strangers = 0;
  /** Ends of tasks whose start was at another time, by the stage. */
  readonly contradictingIn = new Map<number, number>();
  /** Tasks that have not ended yet, by their id. */
  readonly #running = new Map<number, SparkTask>();
  /** The jobs that name each stage, by their ids. */
  #naming: ReadonlyMap<number, readonly SparkJob[]> | undefined;
  /** The attempts by their task ids, which count from 0 in each application. */
  readonly ended = new TaskRows();

  get contradicting(): number {
    return [...this.contradictingIn.values()].reduce((sum, count) => sum + count, 0);
  }

  get isBegun(): boolean {
    return this.version !== undefined || this.startedAt !== undefined;
  }

  get running(): readonly SparkTask[] {
    return [...this.#running.values()];
  }

  apply(event: JsonObject): void {
    const kind = textIn(event, "Event") ?? "";
    switch (kind) {
      case "SparkListenerLogStart":
        this.version = textIn(event, "Spark Version");
        break;
      case "SparkListenerApplicationStart":
        this.id = textIn(event, "App ID");
        this.attempt = textIn(event, "App Attempt ID");
        this.name = textIn(event, "App Name");
        this.user = textIn(event, "User");
        this.startedAt = this.#see(numberIn(event, "Timestamp"));
        break;
      case "SparkListenerApplicationEnd":
        this.endedAt = this.#see(numberIn(event, "Timestamp"));
        break;
      case "SparkListenerEnvironmentUpdate":
        this.#readProperties(objectIn(event, "Spark Properties"));
        break;
      case "SparkListenerExecutorAdded":
      case "SparkListenerBlockManagerAdded":
        this.#addExecutor(event);
        break;
      case "SparkListenerExecutorRemoved":
        this.executors.remove(event);
        break;
      default:
        this.slots.apply(kind, event);
    }
  }

  startJob(fields: EventFields): void {
    const id = fields.number(FIELD.jobId);
    if (Number.isNaN(id)) return;
    const submittedAt = this.#seen(fields, FIELD.jobSubmittedAt);
    const stages = fields.numbers(FIELD.jobStages);
    const query = fields.number(FIELD.jobQuery);
    const description = fields.text(FIELD.jobDescription) ?? "";
    const start = { id, submittedAt, stages, query, description };
    this.jobs.set(id, { ...NO_END, ...this.jobs.get(id), ...start });
    if (!Number.isNaN(query)) {
      const known = this.#jobsOfQuery.get(query);
      if (known === undefined) this.#jobsOfQuery.set(query, [id]);
      else known.push(id);
    }
    if (stages.every((stage) => this.rddOfStage.has(stage))) return;
    const rdds = rddsOfStages(fields.list(FIELD.jobStageInfos));
    for (const [stage, rdd] of rdds) this.rddOfStage.set(stage, rdd);
  }

  endJob(fields: EventFields): void {
    const id = fields.number(FIELD.jobId);
    const endedAt = this.#seen(fields, FIELD.jobCompletedAt);
    if (Number.isNaN(id)) return;
    const known = this.jobs.get(id) ?? { ...NO_START, id };
    const succeeded = fields.text(FIELD.jobResult) === "JobSucceeded";
    const reason = fields.text(FIELD.jobException) ?? "";
    this.jobs.set(id, { ...known, endedAt, succeeded, reason });
  }

  /** A stage's submission or completion. */
  readStage(fields: EventFields): void {
    const id = fields.number(FIELD.stageId);
    if (Number.isNaN(id)) return;
    const attempt = fields.number(FIELD.stageAttempt) || 0;
    const key = stageKey(id, attempt);
    const known = this.stages.get(key);
    const parents = fields.numbers(FIELD.stageParents);
    this.stages.set(key, {
      id,
      attempt,
      name: fields.text(FIELD.stageName) ?? known?.name ?? `stage ${id}`,
      tasks: knownCount(fields.number(FIELD.stageTasks)) || known?.tasks || 0,
      profile: fields.number(FIELD.stageProfile) || known?.profile || 0,
      parents: parents.length > 0 ? parents : (known?.parents ?? []),
      submittedAt: this.#seen(fields, FIELD.stageSubmittedAt) ?? known?.submittedAt,
      completedAt: this.#seen(fields, FIELD.stageCompletedAt) ?? known?.completedAt,
      failure: fields.text(FIELD.stageFailure) ?? known?.failure,
      data: known?.data ?? stageDataOf(fields.list(FIELD.stageData)),
      counters: countersOf(fields.list(FIELD.stageCounters)),
    });
  }

  /** The start or the end of a query, or a change of its plan. */
  readQuery(fields: EventFields, what: "start" | "plan" | "end"): void {
    if (what === "plan") this.queries.replan(fields);
    else if (what === "start") this.queries.start(fields);
    else this.queries.end(fields, (query) => this.#tracesIn(query));
    this.#seen(fields, FIELD.queryAt);
  }

  /** Whether the log has the start of this attempt, and not yet its end. */
  runs({ taskId, startedAt, host }: SparkTask): boolean {
    const known = this.#running.get(taskId);
    return known?.startedAt === startedAt && known.host === host;
  }

  /** Whether another attempt with the same id runs. */
  runsAnother({ taskId, startedAt }: SparkTask): boolean {
    const known = this.#running.get(taskId);
    return known !== undefined && Math.abs(known.startedAt - startedAt) > START_MOVES_MS;
  }

  startTask(fields: EventFields): void {
    const task = taskOf(fields);
    if (task !== undefined && this.ended.find(task.taskId) < 0) {
      this.#running.set(task.taskId, task);
    }
  }

  endTask(fields: EventFields): void {
    const task = taskOf(fields);
    const endedAt = fields.number(FIELD.finishedAt);
    if (task === undefined || !(endedAt >= task.startedAt)) {
      this.incomplete += 1;
      return;
    }
    if (!isPlaced(fields)) this.unplaced += 1;
    this.#noteLoss(fields, task, endedAt);
    const known = this.ended.find(task.taskId);
    if (known >= 0) {
      const movesMs = Math.abs(cell(this.attempts.columns.startedAt[known]) - task.startedAt);
      // A number is given once: a task that began at another time is another application's.
      if (movesMs > START_MOVES_MS) this.strangers += 1;
      else if (!isResubmitted(fields)) this.doubles += 1;
      return;
    }
    const start = this.#running.get(task.taskId);
    this.#running.delete(task.taskId);
    if (start !== undefined && Math.abs(start.startedAt - task.startedAt) > START_MOVES_MS) {
      this.contradictingIn.set(task.stage, (this.contradictingIn.get(task.stage) ?? 0) + 1);
      return;
    }
    const ended = endOf(fields);
    const row = this.#addTask(task, endedAt, { ended, reason: reasonOf(fields) });
    measure(fields, ended, this.attempts.columns, row);
    const resultAt = fields.number(FIELD.resultAt);
    // 0: the result came with the message that the task had ended.
    if (resultAt >= task.startedAt && resultAt < endedAt) {
      this.attempts.columns.resultAt[row] = resultAt;
    }
  }

  /** Once the log has ended: tasks that had not end with their stage, or with the log. */
  endOpen(): void {
    const open = this.running;
    const last = open.reduce((most, task) => Math.max(most, task.startedAt), this.lastAt);
    this.queries.settle((query) => this.#tracesIn(query));
    for (const task of open) {
      const stage = this.stages.get(stageKey(task.stage, task.stageTry));
      const endedAt = Math.max(task.startedAt, stage?.completedAt ?? last);
      this.#addTask(task, endedAt, { ended: "cut-off", reason: "" });
    }
  }

  /** The latest job that had been submitted by then and names the stage; once the log has ended. */
  jobOf(stage: number, at: number | undefined): number | undefined {
    this.#naming ??= this.#jobsByStage();
    const [first, ...others] = this.#naming.get(stage) ?? [];
    if (at === undefined) return (others.at(-1) ?? first)?.id;
    const by = others.findLast(({ submittedAt }) => submittedAt !== undefined && submittedAt <= at);
    return (by ?? first)?.id;
  }

  /** What the stages that ran for a query say of their data. */
  #tracesIn(query: number): ReadonlyMap<number, StageTraces> {
    const own = (this.#jobsOfQuery.get(query) ?? []).flatMap((job) => this.jobs.get(job) ?? []);
    const stages = own.flatMap((job) => job.stages);
    return new Map(
      stages.flatMap((id) => {
        const stage = this.stages.get(stageKey(id, 0));
        if (stage === undefined) return [];
        return [[id, { scopes: stage.data.scopes, counters: stage.counters }] as const];
      }),
    );
  }

  #jobsByStage(): ReadonlyMap<number, readonly SparkJob[]> {
    const found = new Map<number, SparkJob[]>();
    for (const job of [...this.jobs.values()].sort((a, b) => a.id - b.id)) {
      for (const stage of job.stages) {
        const known = found.get(stage);
        if (known === undefined) found.set(stage, [job]);
        else known.push(job);
      }
    }
    return found;
  }

  /** Returns the row of the attempt. */
  #addTask(
    task: SparkTask,
    endedAt: number,
    how: { readonly ended: TraceEnd; readonly reason: string },
  ): number {
    this.#see(endedAt);
    const node = this.nodes.of(task.host);
    const executor = this.executorNames.of(task.executor);
    const row = this.attempts.add(task, { ...how, endedAt, node, executor });
    this.ended.set(task.taskId, row);
    return row;
  }

  /** The executor whose loss the end of a task shows. */
  #noteLoss(fields: EventFields, { host, executor }: SparkTask, at: number): void {
    const kind = fields.text(FIELD.reason);
    const missed = kind === "FetchFailed" ? fields.text(FIELD.missedExecutor) : undefined;
    const isLost = kind === "ExecutorLostFailure" || kind === "Resubmitted";
    const id = missed ?? (isLost ? executor : undefined);
    if (id === undefined) return;
    const known = this.missedExecutors.get(id);
    const isGone = known?.isGone === true || missed === undefined;
    const reason = known?.reason || (fields.text(FIELD.lossReason) ?? "");
    const node = id === executor ? host : (known?.host ?? "");
    this.missedExecutors.set(id, {
      ...{ host: node, reason, isGone },
      at: Math.min(known?.at ?? at, at),
    });
  }

  #seen(fields: EventFields, field: number): number | undefined {
    const at = fields.number(field);
    return this.#see(Number.isNaN(at) ? undefined : at);
  }

  #see(at: number | undefined): number | undefined {
    if (at !== undefined) this.lastAt = Math.max(this.lastAt, at);
    return at;
  }

  #readProperties(properties: JsonObject | undefined): void {
    for (const [name, value] of Object.entries(properties ?? {})) {
      if (typeof value === "string") this.properties.set(name, value);
    }
  }

  #addExecutor(event: JsonObject): void {
    const added = this.executors.add(event);
    if (added === undefined) return;
    this.slots.addExecutor(added.id, event);
    if (isDriver(added.id)) return;
    this.nodes.of(added.host);
    this.executorNames.of(added.id);
  }
}

/** The start and the end of a task both say when it was launched, by the driver's clock. */
const START_MOVES_MS = 1_000;

const NO_END = { endedAt: undefined, succeeded: undefined, reason: "" } as const;
const NO_START = {
  submittedAt: undefined,
  stages: [],
  query: Number.NaN,
  description: "",
} as const;

/** Names by number, in the order in which they came. */
class NameIndex {
  readonly #index = new Map<string, number>();

  /** The name's number, a new one if it has none. */
  of(name: string): number {
    const known = this.#index.get(name);
    if (known !== undefined) return known;
    this.#index.set(name, this.#index.size);
    return this.#index.size - 1;
  }

  /** -1 if the name has no number. */
  find(name: string): number {
    return this.#index.get(name) ?? -1;
  }

  get names(): readonly string[] {
    return [...this.#index.keys()];
  }
}

export interface SparkJob {
  readonly id: number;
  readonly submittedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly succeeded: boolean | undefined;
  /** The exception of a job that failed; empty if the log does not say. */
  readonly reason: string;
  readonly stages: readonly number[];
  /** The query of SQL that submitted it; NaN if none did. */
  readonly query: number;
  /** What its user calls it; empty if the log does not say. */
  readonly description: string;
}

export interface SparkStage {
  readonly id: number;
  readonly attempt: number;
  readonly name: string;
  readonly tasks: number;
  /** The resources that its tasks ask for: the number of their profile. */
  readonly profile: number;
  readonly parents: readonly number[];
  readonly submittedAt: number | undefined;
  readonly completedAt: number | undefined;
  /** Why it failed; undefined if it did not. */
  readonly failure: string | undefined;
  readonly data: StageData;
  /** The counters that its tasks raised, by their ids; none until it has ended. */
  readonly counters: ReadonlySet<number>;
}

/** What the ends of tasks say of the loss of an executor. */
interface LostWork {
  /** Empty if they do not say. */
  readonly host: string;
  readonly reason: string;
  readonly at: number;
  /** Whether tasks or outputs went with it: an output that cannot be fetched may still be there. */
  readonly isGone: boolean;
}
